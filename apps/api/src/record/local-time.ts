// Times that say no offset, such as `2026-03-08T13:00:00` of an open house: they are in the time zone of the home.

import { instantMs } from './coerce.ts'

/**
 * Epoch milliseconds of a time. One without an offset is read in `timeZone` (IANA, such as `America/Denver`), daylight
 * saving included, and in UTC where that is absent or unknown. null: it is no time.
 */
export function zonedMs(value: unknown, timeZone: unknown): number | null {
  const hasTime = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)
  if (!hasTime || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value)) return instantMs(value)
  const asUtc = instantMs(`${value.replace(' ', 'T')}Z`)
  const format = formatOf(timeZone)
  return asUtc === null || !format ? asUtc : toZone(asUtc, format)
}

const DAY_MS = 86_400_000

/**
 * A time that the clocks skip in spring is read with the offset from before, so it lies an hour later; of a time that
 * comes twice in autumn, the first is meant.
 */
function toZone(asUtc: number, format: Intl.DateTimeFormat): number {
  const before = offsetMs(asUtc - DAY_MS, format)
  const after = offsetMs(asUtc + DAY_MS, format)
  const fits = (offset: number) => offsetMs(asUtc - offset, format) === offset
  return asUtc - (!fits(before) && fits(after) ? after : before)
}

/** How far the clocks of the zone are ahead of UTC. */
function offsetMs(ms: number, format: Intl.DateTimeFormat): number {
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value)
  const { year, month, day, hour, minute, second } = part
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(ms / 1000) * 1000
}

/** There are some 600 zones, and making a format takes longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: unknown): Intl.DateTimeFormat | undefined {
  if (typeof timeZone !== 'string') return undefined
  const known = formats.get(timeZone)
  if (known) return known
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    })
    formats.set(timeZone, format)
    return format
  } catch {
    // Not the name of a zone.
    return undefined
  }
}
