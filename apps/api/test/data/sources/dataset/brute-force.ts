// The expected result of a search, found by comparing every record. It is written from the contract alone and shares no code with the
// service.

import type { Property } from '@lotline/contract'
import type { AreaSearch, SaleType } from '../../../../src/domain/search/area-search.ts'
import { isInAny } from '../../../domain/search/exact-areas.ts'

export interface Answer {
  readonly zpids: readonly string[]
  readonly total: number
}

/** A record with the values that searches use, read once. */
export interface Candidate {
  readonly zpid: string
  readonly status: 'for_sale' | 'for_rent' | 'sold' | 'none'
  readonly latitude: number | undefined
  readonly longitude: number | undefined
  readonly zip: string | undefined
  /** As `SEATTLE, WA`. */
  readonly city: string | undefined
  readonly listedMs: number | undefined
  readonly values: Readonly<
    Record<'price' | 'beds' | 'baths' | 'sqft' | 'yearBuilt' | 'lotSize' | 'hoa', number | undefined>
  >
  readonly homeType: string | undefined
  readonly flags: Readonly<Record<(typeof FLAGS)[number], boolean>>
  readonly saleType: SaleType
}

const FLAGS = [
  'hasPool',
  'hasGarage',
  'isWaterfront',
  'pending',
  'comingSoon',
  'openHouse',
  'seniorCommunity',
] as const

export function toCandidate(record: Property): Candidate {
  const { resoFacts } = record
  const status = record.isBuilding ? 'none' : statusOf(record.homeStatus)
  return {
    zpid: record.zpid!,
    status,
    latitude: record.latitude ?? undefined,
    longitude: record.longitude ?? undefined,
    zip: record.address?.zipcode?.slice(0, 5),
    city: record.address?.city ? cityOf(record.address.city, record.address.state!) : undefined,
    listedMs: listedMs(record, status),
    values: {
      price: record.price ?? undefined,
      beds: record.bedrooms ?? undefined,
      baths: record.bathrooms ?? undefined,
      sqft: record.livingArea ?? undefined,
      yearBuilt: record.yearBuilt ?? undefined,
      lotSize: record.lotSize ?? undefined,
      hoa: record.monthlyHoaFee ?? (resoFacts?.hasAssociation === false ? 0 : undefined),
    },
    homeType: record.homeType ?? undefined,
    flags: {
      hasPool: record.hasPool ?? resoFacts?.hasPrivatePool ?? false,
      hasGarage: record.hasGarage ?? resoFacts?.hasGarage ?? false,
      isWaterfront: record.isWaterfront ?? resoFacts?.hasWaterfrontView ?? false,
      pending: record.homeStatus === 'PENDING',
      comingSoon: record.homeStatus === 'COMING_SOON',
      openHouse: (record.openHouseSchedule ?? []).some(
        ({ startTime, endTime }) => Date.parse(endTime ?? startTime ?? '') > Date.now(),
      ),
      seniorCommunity: resoFacts?.isSeniorCommunity ?? false,
    },
    saleType: saleTypeOf(record),
  }
}

function cityOf(city: string, state: string): string {
  const name = city
    .toUpperCase()
    .replaceAll('.', '')
    .replace(/\bSAINT\b/, 'ST')
    .replace(/\bFORT\b/, 'FT')
    .replace(/\bMOUNT\b/, 'MT')
  return `${name}, ${state.toUpperCase()}`
}

function saleTypeOf(record: Property): SaleType {
  if (record.homeStatus === 'COMING_SOON') return 'coming_soon'
  const kind = record.listingSubType
  if (kind?.isForAuction) return 'auction'
  if (kind?.isForeclosure || kind?.isBankOwned) return 'foreclosure'
  if (kind?.isNewHome) return 'new_construction'
  return kind?.isFSBO ? 'by_owner' : 'by_agent'
}

function statusOf(homeStatus: string | null | undefined): Candidate['status'] {
  switch (homeStatus) {
    case 'FOR_SALE':
    case 'PENDING':
    case 'COMING_SOON':
      return 'for_sale'
    case 'FOR_RENT':
      return 'for_rent'
    case 'RECENTLY_SOLD':
    case 'SOLD':
      return 'sold'
    default:
      return 'none'
  }
}

function listedMs(record: Property, status: Candidate['status']): number | undefined {
  if (status === 'none') return undefined
  const stated = status === 'sold' ? record.dateSold : record.datePosted
  if (stated) return new Date(stated).getTime()
  const words = { sold: ['Sold'], for_rent: ['Listed for rent'], for_sale: ['Listed for sale', 'Relisted'] }[
    status
  ]
  const events = (record.priceHistory ?? []).filter(({ event }) =>
    words.some((word) => event?.startsWith(word)),
  )
  return events.length === 0 ? undefined : Math.max(...events.map(({ date }) => Date.parse(date!)))
}

const HOME_TYPES = {
  house: 'SINGLE_FAMILY',
  condo: 'CONDO',
  townhouse: 'TOWNHOUSE',
  multi_family: 'MULTI_FAMILY',
  manufactured: 'MANUFACTURED',
  lot: 'LOT',
  apartment: 'APARTMENT',
} as const

/** The newest first, then by zpid, those without a date last. */
export function bruteForce(candidates: readonly Candidate[], search: AreaSearch, limit: number): Answer {
  const found = candidates.filter((candidate) => matches(candidate, search))
  found.sort((one, other) => {
    if (one.listedMs !== other.listedMs) return (other.listedMs ?? -Infinity) - (one.listedMs ?? -Infinity)
    return one.zpid < other.zpid ? -1 : 1
  })
  return { zpids: found.slice(0, limit).map(({ zpid }) => zpid), total: found.length }
}

/** Whether its position is in the searched area. A home without a position is found by its address alone. */
function isPlacedIn({ latitude, longitude }: Candidate, { bbox, areas, zips, cities }: AreaSearch): boolean {
  const { west, south, east, north } = bbox
  if (latitude === undefined || longitude === undefined) {
    const isEverywhere = west === -180 && south === -90 && east === 180 && north === 90
    return isEverywhere && !areas && (zips ?? cities) !== undefined
  }
  if (latitude < south || latitude > north) return false
  if (west <= east ? longitude < west || longitude > east : longitude < west && longitude > east) return false
  return !areas || isInAny(areas, longitude, latitude)
}

function matches(home: Candidate, search: AreaSearch): boolean {
  if (home.status !== search.status || !isPlacedIn(home, search)) return false
  if (search.zips && !search.zips.includes(home.zip!)) return false
  if (search.cities && !search.cities.includes(home.city!)) return false
  for (const name of ['price', 'beds', 'baths', 'sqft', 'yearBuilt', 'lotSize', 'hoa'] as const) {
    const { min, max } = search[name] ?? {}
    const value = home.values[name]
    if (min !== undefined && !(value !== undefined && value >= min)) return false
    if (max !== undefined && !(value !== undefined && value <= max)) return false
  }
  for (const name of FLAGS) {
    if (search[name] !== undefined && home.flags[name] !== search[name]) return false
  }
  if (search.saleTypes && !search.saleTypes.includes(home.saleType)) return false
  if (search.homeTypes && !search.homeTypes.some((type) => HOME_TYPES[type] === home.homeType)) return false
  return (
    search.daysOnSite === undefined ||
    (home.listedMs !== undefined && home.listedMs >= earliestMs(search.daysOnSite))
  )
}

function earliestMs(age: NonNullable<AreaSearch['daysOnSite']>): number {
  const now = new Date()
  if (!age.endsWith('m')) return now.getTime() - Number(age) * 86_400_000
  const first = new Date(now)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() - Number(age.slice(0, -1)))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.setUTCDate(Math.min(now.getUTCDate(), lastDay))
}
