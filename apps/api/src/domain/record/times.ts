// The times in a record, first the start of a listing: the day since which it has been public, or since its sale if the home is sold. Dates
// in the record decide. The record's own count of days is used only if it has no date, because the count does not change after the import.

import type { Property } from '@lotline/contract'
import { asWholeNumber, instantMs, objects, text, type UncheckedFields } from './coerce.ts'
import { toListingKind } from './status-of.ts'

const DAY_MS = 86_400_000

/** undefined: the record has no such date, or the home is off the market. */
export function findListedAt(record: Property): Date | undefined {
  const unchecked: UncheckedFields = record
  const kind = toListingKind(unchecked.homeStatus)
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

/** Whole days, never negative. null: the record has no date and no count. */
export function daysOnSite(record: Property, now: Date): number | null {
  const listedAt = findListedAt(record)
  if (listedAt) return Math.max(0, Math.floor((now.getTime() - listedAt.getTime()) / DAY_MS))
  const unchecked: UncheckedFields = record
  const stored = asWholeNumber(unchecked.daysOnSite) ?? asWholeNumber(unchecked.daysOnZillow)
  return stored !== null && stored >= 0 ? stored : null
}

function latestEventMs(record: UncheckedFields, event: RegExp): number | null {
  const times = objects(record.priceHistory)
    .filter((entry) => event.test(text(entry.event) ?? ''))
    .map((entry) => instantMs(entry.date) ?? instantMs(entry.time))
    .filter((time) => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}

// Times without an offset, such as `2026-03-08T13:00:00` of an open house, are in the time zone of the home.

/**
 * Epoch milliseconds of a time. A time without an offset is read in `timeZone` (IANA, such as `America/Denver`), including daylight saving,
 * or in UTC if the zone is absent or unknown. null: it is no time.
 */
export function zonedMs(value: unknown, timeZone: unknown): number | null {
  const hasTime = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)
  if (!hasTime || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value)) return instantMs(value)
  const asUtc = instantMs(`${value.replace(' ', 'T')}Z`)
  const format = findTimeZoneFormat(timeZone)
  return asUtc === null || !format ? asUtc : toZone(asUtc, format)
}

/**
 * A time that the clocks skip in spring is read with the offset from before, so it is an hour later. If a time occurs twice in autumn, the
 * first one counts.
 */
function toZone(asUtc: number, format: Intl.DateTimeFormat): number {
  const before = offsetMs(asUtc - DAY_MS, format)
  const after = offsetMs(asUtc + DAY_MS, format)
  const fits = (offset: number) => offsetMs(asUtc - offset, format) === offset
  return asUtc - (!fits(before) && fits(after) ? after : before)
}

/** The offset of the zone from UTC. */
function offsetMs(ms: number, format: Intl.DateTimeFormat): number {
  const part: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value)
  const { year, month, day, hour, minute, second } = part
  return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) - Math.floor(ms / 1000) * 1000
}

/** A cache: there are about 600 zones, and making a format takes longer than using it. */
const timeZoneFormatCache = new Map<string, Intl.DateTimeFormat>()

function findTimeZoneFormat(timeZone: unknown): Intl.DateTimeFormat | undefined {
  if (typeof timeZone !== 'string') return undefined
  const known = timeZoneFormatCache.get(timeZone)
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
    timeZoneFormatCache.set(timeZone, format)
    return format
  } catch {
    // The text is not the name of a zone.
    return undefined
  }
}
