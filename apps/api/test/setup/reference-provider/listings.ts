// The listings of the reference provider, in memory and searched one by one, so that the results are evidently correct. Values of
// a record (its price, its building, whether it has a pool) are read as in the data set.

import { readFileSync } from 'node:fs'
import type { Property } from '@lotline/contract'
import { type ListingColumns, toColumns } from '../../../src/data/sources/dataset/listing-columns.ts'
import type { AddressMatch } from '../../../src/domain/address/match-address.ts'
import { matchAddress, preferListing } from '../../../src/domain/address/match-address.ts'
import type { StreetAddress } from '../../../src/domain/address/street-address.ts'
import type { StatusPreference, UnitKind } from '../../../src/domain/record/source-record.ts'
import { toSearchStatus } from '../../../src/domain/record/status-of.ts'
import type { AreaSearch, DaysOnSite, NumberRange } from '../../../src/domain/search/area-search.ts'
import { FILTER_ENTRIES, type Filter } from '../../../src/domain/search/searchable-facts.ts'

interface Listing {
  readonly record: Property
  readonly columns: ListingColumns
}

export class Listings {
  readonly #all: readonly Listing[]
  readonly #listsBuildings: boolean

  /** Reads a record from each line of the file. */
  static read(file: string): Listings {
    const lines = readFileSync(file, 'utf8').split('\n')
    return new Listings(lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Property))
  }

  /** `listsBuildings`: searches find a building by its own record, and not by its units. */
  constructor(records: readonly Property[], { listsBuildings = false } = {}) {
    this.#listsBuildings = listsBuildings
    this.#all = records.map((record) => ({ record, columns: toColumns(record, 'reference') })).sort(byAge)
  }

  /** A home may have several listings under its one zpid. */
  findByZpid(zpid: string, prefer: StatusPreference = 'FOR_SALE'): Property | undefined {
    const listings = this.#all.filter(({ columns }) => columns.zpid === zpid)
    if (listings.length === 0) return undefined
    return preferListing(
      listings.map(({ record }) => ({ record, generation: null })),
      prefer,
    ).record
  }

  /** The contract's spelling of `key`. */
  findByKey(key: string, prefer: StatusPreference): Property | undefined {
    const zpid = /^home\/(\d+)$/.exec(key)?.[1]
    if (zpid !== undefined) return this.findByZpid(zpid, prefer)
    const own = this.#all.find(({ columns }) => columns.building === key && columns.isBuilding)?.record
    const named = /^building\/zpid\/(\d+)$/.exec(key)?.[1]
    return own ?? (named === undefined ? undefined : this.findByZpid(named))
  }

  findByAddress(address: StreetAddress, prefer: StatusPreference): AddressMatch {
    const onStreet = this.#all.filter(({ columns }) => columns.streetKey === address.key)
    return matchAddress(
      address,
      onStreet.map(({ record }) => ({ record, generation: null })),
      prefer,
    )
  }

  findUnits(key: string, kind: UnitKind): { parent?: Property; units: Property[] } | undefined {
    const inBuilding = this.#all.filter(({ columns }) => columns.building === key).sort(byUnit)
    if (inBuilding.length === 0) return undefined
    const parent = inBuilding.find(({ columns }) => columns.isBuilding)?.record
    const units = inBuilding.filter(
      ({ columns }) => !columns.isBuilding && (kind === 'all' || columns.kind === kind),
    )
    return { ...(parent && { parent }), units: units.map(({ record }) => record) }
  }

  search(search: AreaSearch, limit: number, now: Date): { properties: Property[]; total: number } {
    const listed = this.#all.filter(({ columns: { building, isBuilding } }) =>
      this.#listsBuildings ? isBuilding || building === null : !isBuilding,
    )
    const found = listed.filter((listing) => matches(search, listing, now))
    return { properties: found.slice(0, limit).map(({ record }) => record), total: found.length }
  }
}

/** 2 comes before 10. */
const byNumber = new Intl.Collator('en', { numeric: true })

/** Newest first, then those without a date. */
function byAge({ columns: one }: Listing, { columns: other }: Listing): number {
  return compare(other.listedAt ?? '', one.listedAt ?? '') || compare(one.zpid, other.zpid)
}

function byUnit({ columns: one }: Listing, { columns: other }: Listing): number {
  if ((one.unit === null) !== (other.unit === null)) return one.unit === null ? 1 : -1
  return byNumber.compare(one.unit ?? '', other.unit ?? '') || compare(one.zpid, other.zpid)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function matches(search: AreaSearch, { record, columns }: Listing, now: Date): boolean {
  const { status, bbox } = search
  const { longitude, latitude } = columns
  if (toSearchStatus(record.homeStatus) !== status) return false
  if (longitude === null || latitude === null) return false
  const { west, east, south, north } = bbox
  const isBetween =
    west <= east ? west <= longitude && longitude <= east : west <= longitude || longitude <= east
  if (!isBetween || south > latitude || latitude > north) return false
  const values = columns as unknown as Readonly<Record<string, unknown>>
  return FILTER_ENTRIES.every(([name, filter]) => {
    const field = filter.column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    return search[name] === undefined || passes(filter, search[name], values[field], now)
  })
}

/** `wanted` is the value of the filter, and `value` that of the home. */
function passes(filter: Filter, wanted: unknown, value: unknown, now: Date): boolean {
  switch (filter.kind) {
    case 'range':
      return isWithin(wanted as NumberRange, value as number | null)
    case 'words':
      return (wanted as string[]).some((word) => (filter.spelling?.[word] ?? word) === value)
    case 'flag':
      return value === wanted
    case 'word-flag':
      return (value === filter.word) === wanted
    case 'age':
      return value !== null && new Date(value as string) >= before(now, wanted as DaysOnSite)
    case 'until':
      return (value !== null && new Date(value as string) > now) === wanted
  }
}

function isWithin(range: NumberRange, value: number | null): boolean {
  if (range.min === undefined && range.max === undefined) return true
  return value !== null && value >= (range.min ?? -Infinity) && value <= (range.max ?? Infinity)
}

function before(now: Date, age: DaysOnSite): Date {
  const months = /^(\d+)m$/.exec(age)?.[1]
  const at = new Date(now)
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
