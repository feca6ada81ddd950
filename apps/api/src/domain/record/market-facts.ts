// Facts of a listing other than its rooms and its price: its lot, its association's fee, its type of sale, and its open houses. Sources
// state them in several places; each function returns one value.

import type { Property } from '@lotline/contract'
import { asFlag, number, object, text, type UncheckedFields } from './coerce.ts'
import { toListingKind, toStatusType } from './status-of.ts'
import { openHouses } from './sub-resources.ts'

/** The types of sale. Each listing has one: the first that applies, in the order of `readSaleType`. */
export const SALE_TYPES = [
  'by_agent',
  'by_owner',
  'new_construction',
  'foreclosure',
  'auction',
  'coming_soon',
] as const
export type SaleType = (typeof SALE_TYPES)[number]

const SQFT_PER_ACRE = 43_560

/** Square feet. null: the record has no lot size. */
export function readLotSizeSqft(record: UncheckedFields): number | null {
  const size = number(record.lotSize)
  if (size !== null) return size
  const value = number(record.lotAreaValue)
  if (value === null) return null
  const units = text(record.lotAreaUnits) ?? ''
  if (/^acres?$/i.test(units)) return Math.round(value * SQFT_PER_ACRE)
  return /^(sq(uare)?\.? ?f(ee)?t|sqft)$/i.test(units) ? value : null
}

const MONTHS_PER_PERIOD: readonly (readonly [RegExp, number])[] = [
  [/\b(semi|bi)-?\s?annual|half-?yearly/i, 6],
  [/annual|year|\byr\b/i, 12],
  [/quarter/i, 3],
  [/month|\bmo\b/i, 1],
]

/** Dollars a month. 0: the record says that there is no association. null: it has no fee. */
export function readMonthlyHoaFee(record: UncheckedFields): number | null {
  const facts = object(record.resoFacts) ?? {}
  const stated = number(record.monthlyHoaFee) ?? number(record.hoaFee)
  if (stated !== null) return stated
  for (const name of ['hoaFeeTotal', 'associationFee', 'hoaFee']) {
    const fee = monthlyFee(facts[name])
    if (fee !== null) return fee
  }
  return facts.hasAssociation === false ? 0 : null
}

/** `$450 monthly`, `$1,200 annually`. null: the text has no amount or no known frequency. */
function monthlyFee(value: unknown): number | null {
  const words = typeof value === 'string' ? value : ''
  const amount = /\d[\d,]*(?:\.\d+)?/.exec(words)?.[0]
  const months = MONTHS_PER_PERIOD.find(([pattern]) => pattern.test(words))?.[1]
  if (amount === undefined || months === undefined) return null
  return Math.round((Number(amount.replaceAll(',', '')) / months) * 100) / 100
}

/** The flags of `listingSubType`, each with its names in the two spellings. */
const SUB_TYPES = {
  forAuction: ['isForAuction', 'is_forAuction'],
  foreclosure: ['isForeclosure', 'is_foreclosure'],
  bankOwned: ['isBankOwned', 'is_bankOwned'],
  newHome: ['isNewHome', 'is_newHome'],
  FSBO: ['isFSBO', 'is_FSBO'],
  comingSoon: ['isComingSoon', 'is_comingSoon'],
  pending: ['isPending', 'is_pending'],
} as const
type SubType = keyof typeof SUB_TYPES

/** A flag of `listingSubType`, in either spelling. An absent flag is false. */
function isOfSubType(record: UncheckedFields, name: SubType): boolean {
  return subTypeFlag(record, name) ?? false
}

function subTypeFlag({ listingSubType, listing_sub_type }: UncheckedFields, name: SubType): boolean | null {
  const [camel, snake] = SUB_TYPES[name]
  return asFlag(object(listingSubType)?.[camel]) ?? asFlag(object(listing_sub_type)?.[snake])
}

/** The first type of sale that applies. A record without any counts as sold by an agent. */
export function readSaleType(record: UncheckedFields): SaleType {
  const status = (text(record.homeStatus) ?? '').toUpperCase()
  if (isComingSoon(record)) return 'coming_soon'
  if (/^(FOR_)?AUCTION$/.test(status) || isOfSubType(record, 'forAuction')) return 'auction'
  if (status === 'FORECLOSURE' || isOfSubType(record, 'foreclosure') || isOfSubType(record, 'bankOwned')) {
    return 'foreclosure'
  }
  if (isOfSubType(record, 'newHome')) return 'new_construction'
  return isOfSubType(record, 'FSBO') ? 'by_owner' : 'by_agent'
}

const SALE_TYPE_BY_SUB_TYPE = [
  'forAuction',
  'foreclosure',
  'bankOwned',
  'newHome',
  'FSBO',
  'comingSoon',
] as const

/** Whether the record states its type of sale, so that `readSaleType` does not assume the default. */
export function statesSaleType(record: UncheckedFields): boolean {
  return (
    readSaleType(record) !== 'by_agent' ||
    SALE_TYPE_BY_SUB_TYPE.some((name) => subTypeFlag(record, name) !== null)
  )
}

/** Whether the sale is announced but has not begun. */
export function isComingSoon(record: UncheckedFields): boolean {
  return (
    text(record.homeStatus)?.toUpperCase() === 'COMING_SOON' ||
    (toListingKind(record.homeStatus) === 'for_sale' && isOfSubType(record, 'comingSoon'))
  )
}

/** Whether an offer was accepted and the sale is not closed yet. */
export function isPending(record: UncheckedFields): boolean {
  return (
    toStatusType(record.homeStatus) === 'PENDING' ||
    (toListingKind(record.homeStatus) === 'for_sale' && isOfSubType(record, 'pending'))
  )
}

/** The end of the last open house of the record, as ISO 8601. null: there is none. */
export function openUntil(record: Property): string | null {
  const ends = openHouses(record).data.map(({ startTime, endTime }) => Date.parse(endTime ?? startTime ?? ''))
  const last = Math.max(...ends.filter((end) => !Number.isNaN(end)))
  return Number.isFinite(last) ? new Date(last).toISOString() : null
}

/** Whether residents must have reached a certain age. false: not known. */
export function isSeniorCommunity(record: UncheckedFields): boolean {
  return asFlag(object(record.resoFacts)?.isSeniorCommunity) ?? false
}
