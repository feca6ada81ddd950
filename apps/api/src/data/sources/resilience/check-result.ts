// Checks the results of a source against the promises of the port. A bad row of a list is dropped, counted, and never charged. A list
// without a good row, or a single bad record, is a failure. Results have types, but they may be JSON from anywhere, so nothing is assumed.

import type { Property } from '@lotline/contract'
import {
  type AddressMatch,
  isInAnotherState,
  MAX_CANDIDATES,
  type StreetAddress,
} from '../../../domain/address.ts'
import {
  isObject,
  readZpid,
  type SourceRecord,
  toListingKind,
  type UnitKind,
} from '../../../domain/record.ts'
import { type AreaSearch, type BoundingBox, findsUnplaced } from '../../../domain/search.ts'
import type { ListingReference } from '../../../domain/site-urls.ts'
import { type AreaListings, type BuildingListings, ProviderFailure } from '../provider.ts'
import { contradictionOf } from './filter-contradiction.ts'

/** `fault` describes the first of the dropped rows. */
export type OnDropped = (count: number, fault: string) => void

const MAX_CANDIDATE = 500

interface RowRules {
  readonly most?: number
  readonly except?: string
  /** Describes why a row does not fit the query. undefined: it fits. */
  readonly faultOf?: (record: Property) => string | undefined
}

/** Each check returns the usable part of a result, or throws `ProviderFailure`. */
export function createChecks(name: string, onDropped: OnDropped) {
  function fail(fault: string): never {
    throw new ProviderFailure(`${name} ${fault}`)
  }

  /** `wanted` is the zpid of the query. */
  function checkListing(listing: SourceRecord | undefined, wanted?: string): SourceRecord | undefined {
    if (listing === undefined) return undefined
    if (!isObject(listing)) return fail('answered with what is no listing')
    const read = readRecord(listing.record)
    if ('fault' in read) return fail(`answered with a record that ${read.fault}`)
    if (wanted !== undefined && !isSameZpid(read.zpid, wanted))
      fail('answered with the record of another home')
    const { generation, source, sourceKey } = listing
    const identity = {
      ...(source !== undefined && { source }),
      ...(sourceKey !== undefined && { sourceKey }),
    }
    return { record: read.record, generation, ...identity }
  }

  /** The usable rows, each home once, at most `most`, without the home `except`. */
  function checkRows(
    rows: unknown,
    { most = Infinity, except, faultOf = () => undefined }: RowRules,
  ): { readonly records: readonly Property[]; readonly dropped: number } {
    if (!Array.isArray(rows)) return fail('answered without a list of records')
    const kept = new Map<string, Property>()
    const faults: string[] = []
    for (const row of rows) {
      const read = readRecord(row)
      const fault = 'fault' in read ? read.fault : faultOf(read.record)
      if ('fault' in read || fault !== undefined) faults.push(fault!)
      else if (read.zpid === except || kept.has(read.zpid)) faults.push('is there twice')
      else if (kept.size < most) kept.set(read.zpid, read.record)
    }
    const [fault] = faults
    if (fault !== undefined) onDropped(faults.length, fault)
    if (fault !== undefined && faults.length === rows.length)
      fail(`answered with bad records only: one ${fault}`)
    return { records: [...kept.values()], dropped: faults.length }
  }

  return {
    checkListing,

    checkFoundByUrl(listing: SourceRecord | undefined, asked: ListingReference): SourceRecord | undefined {
      return checkListing(listing, asked.kind === 'home' ? asked.zpid : undefined)
    },

    checkMatch(match: AddressMatch, asked: StreetAddress): AddressMatch {
      if (!isObject(match)) return fail('answered without a known value of found')
      switch (match.found) {
        case 'none':
          return match
        case 'one':
          return matchOf(checkListing(match.listing) ?? fail('found one home, but sent none'), asked)
        case 'several': {
          const named: readonly unknown[] = Array.isArray(match.candidates) ? match.candidates : []
          const candidates = named.filter(isCandidate).slice(0, MAX_CANDIDATES)
          return candidates.length > 0
            ? { found: 'several', candidates }
            : fail('found several homes, but named none')
        }
        default:
          return fail('answered without a known value of found')
      }
    },

    /** `kind` is the kind of units in the query. */
    checkUnits(building: BuildingListings | undefined, kind: UnitKind): BuildingListings | undefined {
      if (building === undefined) return undefined
      if (!isObject(building)) return fail('answered with what is no building')
      const faultOf = ({ homeStatus }: Property) => faultOfKind(homeStatus, kind)
      const parent = building.parent === undefined ? undefined : readRecord(building.parent)
      if (parent && 'fault' in parent) onDropped(1, parent.fault)
      const named = building.sources && { sources: building.sources }
      if (!parent || 'fault' in parent) {
        return { units: checkRows(building.units, { faultOf }).records, ...named }
      }
      // If the building's own record were among the units, it would be charged as one of them.
      const { records: units } = checkRows(building.units, { except: parent.zpid, faultOf })
      return { parent: parent.record, units, ...named }
    },

    checkArea(area: AreaListings, search: AreaSearch, limit: number): AreaListings {
      if (!isObject(area)) return fail('answered with what is no list of an area')
      const { total } = area
      if (total === undefined || !Number.isSafeInteger(total) || total < 0)
        return fail('answered without a total')
      const now = new Date()
      const { records, dropped } = checkRows(area.records, {
        most: limit,
        faultOf: (record) => faultOfRow(record, search, now),
      })
      // Dropped rows do not count in the total, so that no job splits its tiles to find them.
      return {
        records,
        total: Math.max(total - dropped, records.length),
        ...(area.sources && { sources: area.sources }),
        ...(dropped > 0 && { dropped }),
      }
    },
  }
}

/** About ten centimeters: providers store positions in other number formats than we do. */
const TOLERANCE_DEGREES = 1e-6

/** A home without a position is in no area. */
function faultOfRow(record: Property, search: AreaSearch, now: Date): string | undefined {
  const { bbox, status } = search
  const { latitude, longitude, homeStatus } = record
  const isPlaced = typeof latitude === 'number' && typeof longitude === 'number'
  if (!isPlaced && !findsUnplaced(search)) return 'has no position'
  if (isPlaced && !isWithin(bbox, latitude, longitude)) return 'lies outside the area'
  return (
    faultOfKind(homeStatus, status === 'sold' ? 'recently_sold' : status) ??
    contradictionOf(record, search, now)
  )
}

function isWithin({ west, south, east, north }: BoundingBox, latitude: number, longitude: number): boolean {
  const isEast = longitude >= west - TOLERANCE_DEGREES
  const isWest = longitude <= east + TOLERANCE_DEGREES
  const isBetween = west <= east ? isEast && isWest : isEast || isWest
  return isBetween && latitude >= south - TOLERANCE_DEGREES && latitude <= north + TOLERANCE_DEGREES
}

/** A record without a status contradicts nothing. */
function faultOfKind(homeStatus: unknown, kind: UnitKind): string | undefined {
  if (kind === 'all' || homeStatus === undefined || homeStatus === null) return undefined
  return toListingKind(homeStatus) === kind ? undefined : 'has another status than was asked for'
}

/** A home in another state than the address does not match, even if its ZIP code or city is the same. */
function matchOf(listing: SourceRecord, asked: StreetAddress): AddressMatch {
  return isInAnotherState(asked, listing) ? { found: 'none' } : { found: 'one', listing }
}

function isSameZpid(one: string, other: string): boolean {
  const significant = (zpid: string) => zpid.replace(/^0+(?=\d)/, '')
  return significant(one) === significant(other)
}

function isCandidate(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= MAX_CANDIDATE
}

// Decides whether a record is usable: it has a zpid, and its main fields have the types that other code relies on. All other fields pass
// unchecked. Faults name fields and never values, so they may be logged.

type RecordRead = { readonly record: Property; readonly zpid: string } | { readonly fault: string }

type ValueKind = 'number' | 'whole number' | 'text' | 'object' | 'list of objects'

const MAIN_FIELDS: readonly (readonly [name: string, kind: ValueKind])[] = [
  ['address', 'object'],
  ['price', 'number'],
  ['bedrooms', 'number'],
  ['bathrooms', 'number'],
  ['livingArea', 'number'],
  ['yearBuilt', 'whole number'],
  ['homeType', 'text'],
  ['homeStatus', 'text'],
  ['latitude', 'number'],
  ['longitude', 'number'],
  ['zestimate', 'number'],
  ['rentZestimate', 'number'],
  ['priceHistory', 'list of objects'],
  ['taxHistory', 'list of objects'],
  ['schools', 'list of objects'],
  ['responsivePhotos', 'list of objects'],
  ['photoCount', 'whole number'],
  ['openHouseSchedule', 'list of objects'],
  ['resoFacts', 'object'],
]
const ADDRESS_FIELDS = ['streetAddress', 'city', 'state', 'zipcode']

/** Every field except the zpid may be absent or null. A numeric zpid becomes a text. */
function readRecord(value: unknown): RecordRead {
  if (!isObject(value)) return { fault: 'is not an object' }
  const zpid = readZpid(value.zpid)
  if (zpid === undefined) return { fault: 'has no zpid of digits' }
  for (const [name, kind] of MAIN_FIELDS) {
    if (!isAbsent(value[name]) && !isOfKind(value[name], kind))
      return { fault: `has a ${name} that is no ${kind}` }
  }
  for (const name of ADDRESS_FIELDS) {
    const part = isObject(value.address) ? value.address[name] : undefined
    if (!isAbsent(part) && typeof part !== 'string')
      return { fault: `has an address.${name} that is no text` }
  }
  if (typeof value.price === 'number' && value.price < 0) return { fault: 'has a negative price' }
  if (isBeyond(value.latitude, 90)) return { fault: 'has a latitude beyond ±90' }
  if (isBeyond(value.longitude, 180)) return { fault: 'has a longitude beyond ±180' }
  return { record: (zpid === value.zpid ? value : { ...value, zpid }) as Property, zpid }
}

function isBeyond(degrees: unknown, most: number): boolean {
  return typeof degrees === 'number' && Math.abs(degrees) > most
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isOfKind(value: unknown, kind: ValueKind): boolean {
  switch (kind) {
    case 'number':
      // JSON may contain numbers that are too large for a JavaScript number.
      return Number.isFinite(value)
    case 'whole number':
      return Number.isInteger(value)
    case 'text':
      return typeof value === 'string'
    case 'object':
      return isObject(value)
    case 'list of objects':
      return Array.isArray(value) && value.every(isObject)
  }
}
