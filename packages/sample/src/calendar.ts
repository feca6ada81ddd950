/**
 * The days of the sample, for its generator and its reader. Nothing here asks the clock: every date is counted from
 * `asOf`, the midnight (UTC) of the day the sample is made for. Instants are epoch milliseconds.
 */

export const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

const standardOffsetHours = {
  'America/New_York': -5,
  'America/Chicago': -6,
  'America/Denver': -7,
  'America/Phoenix': -7,
  'America/Los_Angeles': -8,
  'America/Anchorage': -9,
} as const

/** The time zones of the sample's homes. */
export type Zone = keyof typeof standardOffsetHours

/** Midnight UTC of the instant's day. */
export function startOfDay(instant: number): number {
  return Math.floor(instant / DAY_MS) * DAY_MS
}

/** "2026-11-01". */
export function isoDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** "2026-11-01T20:00:00Z". */
export function isoInstant(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

export function yearOf(instant: number): number {
  return new Date(instant).getUTCFullYear()
}

/** Midnight UTC of the first Saturday that lies after the day of `instant`. */
export function nextSaturday(instant: number): number {
  const day = startOfDay(instant)
  const daysAhead = (6 - new Date(day).getUTCDay() + 7) % 7 || 7
  return day + daysAhead * DAY_MS
}

/** The instant at which clocks of that zone show `hour` on the UTC-named day. */
export function atLocalHour(day: number, hour: number, zone: Zone): number {
  const offset = standardOffsetHours[zone] + (hasSummerTime(day, zone) ? 1 : 0)
  return day + (hour - offset) * HOUR_MS
}

/**
 * The instant that is `days` later by the calendar of that zone and has the same hour on its clocks. Instants in the
 * daytime only: not in the hours in which clocks change.
 */
export function sameLocalTime(instant: number, days: number, timeZone: string): number {
  if (!isZone(timeZone)) throw new RangeError(`the sample has no homes in ${timeZone}`)
  const day = startOfDay(instant + standardOffsetHours[timeZone] * HOUR_MS)
  const later = day + days * DAY_MS
  return instant - atLocalHour(day, 0, timeZone) + atLocalHour(later, 0, timeZone)
}

function isZone(name: string): name is Zone {
  return name in standardOffsetHours
}

/** Second Sunday of March up to, not including, the first Sunday of November; Arizona has none. */
function hasSummerTime(day: number, zone: Zone): boolean {
  if (zone === 'America/Phoenix') return false
  const year = yearOf(day)
  const starts = sundayOnOrAfter(Date.UTC(year, 2, 8))
  const ends = sundayOnOrAfter(Date.UTC(year, 10, 1))
  return day >= starts && day < ends
}

function sundayOnOrAfter(day: number): number {
  return day + ((7 - new Date(day).getUTCDay()) % 7) * DAY_MS
}

/** The day a sample is made for when the caller names none: 2026-11-01. */
export const DEFAULT_AS_OF = Date.UTC(2026, 10, 1)
/** The year from which ages are counted, whatever day the sample is made for. */
export const REFERENCE_YEAR = 2026
