// Times that a record states. First: since when a listing has been public, which for a sold home means since its sale. Dates
// in the record decide; the record's own count of days is used only where it has no date, since it stands still from the
// import on.

import type { Property } from '@lotline/contract'
import { instantMs, objects, text, type UncheckedFields, whole } from './coerce.ts'
import { listingKindOf } from './status-of.ts'

const DAY_MS = 86_400_000

/** undefined: the record has no such date, or the home is off the market. */
export function findListedAt(record: Property): Date | undefined {
  const unchecked: UncheckedFields = record
  const kind = listingKindOf(unchecked.homeStatus)
  if (kind === 'off_market') return undefined
  const at =
    kind === 'recently_sold'
      ? (instantMs(unchecked.dateSold) ??
        instantMs(unchecked.dateSoldString) ??
        latestEventMs(unchecked, /^sold\b/i))
      : (instantMs(unchecked.datePosted) ??
        instantMs(unchecked.datePostedString) ??
        latestEventMs(
          unchecked,
          kind === 'for_rent' ? /^listed for rent/i : /^(?:listed for sale|relisted)/i,
        ))
  return at === null ? undefined : new Date(at)
}

/** Whole days, never negative; null where the record does not say. */
export function daysOnSite(record: Property, now: Date): number | null {
  const listedAt = findListedAt(record)
  if (listedAt) return Math.max(0, Math.floor((now.getTime() - listedAt.getTime()) / DAY_MS))
  const unchecked: UncheckedFields = record
  const stored = whole(unchecked.daysOnSite) ?? whole(unchecked.daysOnZillow)
  return stored !== null && stored >= 0 ? stored : null
}

function latestEventMs(record: UncheckedFields, event: RegExp): number | null {
  const times = objects(record.priceHistory)
    .filter((entry) => event.test(text(entry.event) ?? ''))
    .map((entry) => instantMs(entry.date) ?? instantMs(entry.time))
    .filter((time) => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}

// Times that say no offset, such as `2026-03-08T13:00:00` of an open house: they are in the time zone of the home.

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
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
    return format
  } catch {
    // Not the name of a zone.
    return undefined
  }
}
