// Whether a row that a source sent contradicts the filters of the search that it answers. Only what the row says can
// contradict: sources may leave out any field of a row, and they may know more than the row says. Boxes and statuses are
// judged elsewhere, because they also hold for rows that are no homes.

import type { Property } from '@lotline/contract'
import { flag, number, object, text, type Unchecked } from '../record/coerce.ts'
import {
  hoaOf,
  isComingSoon,
  isPending,
  lotSizeOf,
  openUntil,
  saleTypeOf,
  saysSaleType,
} from '../record/market-facts.ts'
import { findListedAt } from '../record/times.ts'
import type { AreaSearch, DaysOnSite } from './area-search.ts'
import { SOURCE_HOME_TYPES } from './home-types.ts'

const DAY_MS = 86_400_000

/**
 * Between the source's clock and ours, and between a date and an instant: a home that was listed a little too early, or
 * an open house that has just ended, contradicts nothing.
 */
const TOLERANCE_MS = DAY_MS

const RANGES = {
  price: (record) => number(record.price),
  beds: (record) => number(record.bedrooms),
  baths: (record) => number(record.bathrooms),
  sqft: (record) => number(record.livingArea) ?? number(record.livingAreaValue),
  yearBuilt: (record) => number(record.yearBuilt),
  lotSize: lotSizeOf,
  hoa: hoaOf,
} as const satisfies Record<string, (record: Unchecked) => number | null>

const FLAGS = {
  hasPool: (record) => flag(record.hasPool) ?? flag(factsOf(record).hasPrivatePool),
  hasGarage: (record) =>
    flag(record.hasGarage) ?? flag(factsOf(record).hasGarage) ?? flag(factsOf(record).hasAttachedGarage),
  isWaterfront: (record) => flag(record.isWaterfront) ?? flag(factsOf(record).hasWaterfrontView),
  seniorCommunity: (record) => flag(factsOf(record).isSeniorCommunity),
  pending: (record) => (text(record.homeStatus) === null ? null : isPending(record)),
  comingSoon: (record) => (text(record.homeStatus) === null ? null : isComingSoon(record)),
} as const satisfies Record<string, (record: Unchecked) => boolean | null>

const SOURCE_WORDS: ReadonlySet<string> = new Set(Object.values(SOURCE_HOME_TYPES))

/**
 * The first filter that a row contradicts, as a fault: `does not match the filter lotSize`. undefined: none. The own
 * record of a building stands for its units, which it does not describe, so it contradicts no filter.
 */
export function contradictionOf(record: Property, search: AreaSearch, now: Date): string | undefined {
  const unchecked: Unchecked = record
  if (unchecked.isBuilding === true) return undefined
  const filter =
    Object.entries(RANGES).find(([name, read]) => {
      const range = search[name as keyof typeof RANGES]
      const value = range && read(unchecked)
      return value != null && (value < (range?.min ?? -Infinity) || value > (range?.max ?? Infinity))
    })?.[0] ??
    Object.entries(FLAGS).find(([name, read]) => {
      const wanted = search[name as keyof typeof FLAGS]
      const value = wanted === undefined ? null : read(unchecked)
      return value !== null && value !== wanted
    })?.[0] ??
    wordOrTimeOf(record, search, now)
  return filter === undefined ? undefined : `does not match the filter ${filter}`
}

function wordOrTimeOf(record: Property, search: AreaSearch, now: Date): keyof AreaSearch | undefined {
  const { homeTypes, saleTypes, openHouse, daysOnSite } = search
  const unchecked: Unchecked = record
  const homeType = text(unchecked.homeType)
  // A word that is none of ours may be the source's own for a type that was asked for.
  if (homeTypes && homeType !== null && SOURCE_WORDS.has(homeType)) {
    if (!homeTypes.some((type) => SOURCE_HOME_TYPES[type] === homeType)) return 'homeTypes'
  }
  if (saleTypes && saysSaleType(unchecked) && !saleTypes.includes(saleTypeOf(unchecked))) return 'saleTypes'
  if (openHouse !== undefined && contradictsOpenHouse(record, openHouse, now)) return 'openHouse'
  const listedAt = daysOnSite && findListedAt(record)
  if (listedAt && listedAt.getTime() < earliest(daysOnSite, now).getTime() - TOLERANCE_MS) return 'daysOnSite'
  return undefined
}

/** A record without a list of open houses does not say that there is none. */
function contradictsOpenHouse(record: Property, wanted: boolean, now: Date): boolean {
  if (!Array.isArray(record.openHouseSchedule)) return false
  const until = openUntil(record)
  const untilMs = until === null ? -Infinity : Date.parse(until)
  return wanted ? untilMs < now.getTime() - TOLERANCE_MS : untilMs > now.getTime() + TOLERANCE_MS
}

function earliest(age: DaysOnSite, now: Date): Date {
  const at = new Date(now)
  const months = /^(\d+)m$/.exec(age)?.[1]
  if (months === undefined) {
    at.setUTCDate(at.getUTCDate() - Number(age))
    return at
  }
  const day = at.getUTCDate()
  at.setUTCMonth(at.getUTCMonth() - Number(months))
  // The 31st of a shorter month is its last day.
  if (at.getUTCDate() !== day) at.setUTCDate(0)
  return at
}

function factsOf(record: Unchecked): Unchecked {
  return object(record.resoFacts) ?? {}
}
