// Since when a listing has been public, which for a sold home means since its sale. Dates in the record decide; the
// record's own count of days is used only where it has no date, since it stands still from the import on.

import type { Property } from '@lotline/contract'
import { instantMs, objects, text, type Unchecked, whole } from './coerce.ts'
import { listingKindOf } from './status-of.ts'

const DAY_MS = 86_400_000

/** undefined: the record has no such date, or the home is off the market. */
export function findListedAt(record: Property): Date | undefined {
  const unchecked: Unchecked = record
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
  const unchecked: Unchecked = record
  const stored = whole(unchecked.daysOnSite) ?? whole(unchecked.daysOnZillow)
  return stored !== null && stored >= 0 ? stored : null
}

function latestEventMs(record: Unchecked, event: RegExp): number | null {
  const times = objects(record.priceHistory)
    .filter((entry) => event.test(text(entry.event) ?? ''))
    .map((entry) => instantMs(entry.date) ?? instantMs(entry.time))
    .filter((time) => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}
