// Since when a listing has been public, which for a sold home means since its sale. Dates in the record decide; the
// record's own count of days is used only where it has no date, since it stands still from the import on.

import type { Property } from '@lotline/contract'
import { instantMs, type Loose, objects, text, whole } from './coerce.ts'
import { listingKindOf } from './status-of.ts'

const DAY_MS = 86_400_000

/** undefined: the record has no such date, or the home is off the market. */
export function findListedAt(record: Property): Date | undefined {
  const loose: Loose = record
  const kind = listingKindOf(loose.homeStatus)
  if (kind === 'off_market') return undefined
  const at =
    kind === 'recently_sold'
      ? (instantMs(loose.dateSold) ?? instantMs(loose.dateSoldString) ?? latestEventMs(loose, /^sold\b/i))
      : (instantMs(loose.datePosted) ??
        instantMs(loose.datePostedString) ??
        latestEventMs(loose, kind === 'for_rent' ? /^listed for rent/i : /^(?:listed for sale|relisted)/i))
  return at === null ? undefined : new Date(at)
}

/** Whole days, never negative; null where the record does not say. */
export function daysOnSite(record: Property, now: Date): number | null {
  const listedAt = findListedAt(record)
  if (listedAt) return Math.max(0, Math.floor((now.getTime() - listedAt.getTime()) / DAY_MS))
  const loose: Loose = record
  const stored = whole(loose.daysOnSite) ?? whole(loose.daysOnZillow)
  return stored !== null && stored >= 0 ? stored : null
}

function latestEventMs(record: Loose, event: RegExp): number | null {
  const times = objects(record.priceHistory)
    .filter((entry) => event.test(text(entry.event) ?? ''))
    .map((entry) => instantMs(entry.date) ?? instantMs(entry.time))
    .filter((time) => time !== null)
  return times.length === 0 ? null : Math.max(...times)
}
