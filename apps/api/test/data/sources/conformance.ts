// The requirements that every provider must meet. A new provider is finished when this suite passes.

import type { Property } from '@lotline/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Provider, QueryContext } from '../../../src/data/sources/provider.ts'
import { parseAddress, type StreetAddress } from '../../../src/domain/address/street-address.ts'
import { UNIT_KINDS } from '../../../src/domain/record/source-record.ts'
import type { AreaSearch } from '../../../src/domain/search/area-search.ts'
import { type BuildingReference, findPathReference } from '../../../src/domain/site-urls/listing-url.ts'
import { AROUND_THE_ANTIMERIDIAN, BUILDINGS, FOR_SALE, RECORDS, TOWER } from './conformance-records.ts'

export interface ProviderUnderTest {
  readonly provider: Provider
  close(): Promise<void>
}

/** `create` makes a provider whose source has exactly these records. */
export function describeProvider(
  name: string,
  create: (records: readonly Property[]) => Promise<ProviderUnderTest>,
): void {
  describe(`the ${name} provider conforms`, () => {
    let made: ProviderUnderTest
    beforeAll(async () => {
      made = await create(RECORDS)
    })
    afterAll(async () => made?.close())
    const provider = () => made.provider

    describeLookups(provider)
    describeUnits(provider)
    describeSearch(provider)
    describeAborts(provider)
  })
}

const patient: QueryContext = { signal: new AbortController().signal }
const ZPIDS_FOR_SALE = FOR_SALE.map(zpidOf)

function describeLookups(provider: () => Provider): void {
  it('finds a home by zpid, with its whole record', async () => {
    const found = await provider().findByZpid('1003', patient)
    expect(found?.record).toEqual(RECORDS.find(({ zpid }) => zpid === '1003'))
  })

  it.each(['9', '99999999999999999999', '01003'])('knows no home %s', async (zpid) => {
    expect(await provider().findByZpid(zpid, patient)).toBeUndefined()
    expect(await provider().findByUrl({ kind: 'home', zpid }, 'FOR_SALE', patient)).toBeUndefined()
  })

  it('finds a home by URL, whatever its status and the preferred status', async () => {
    for (const prefer of ['FOR_SALE', 'FOR_RENT', 'RECENTLY_SOLD'] as const) {
      for (const zpid of ['1001', '1101', '1201', '1301']) {
        expect((await provider().findByUrl({ kind: 'home', zpid }, prefer, patient))?.record.zpid).toBe(zpid)
      }
    }
  })

  it.each(BUILDINGS)('finds the own record of the building $url, if it has one', async ({ url, record }) => {
    const found = await provider().findByUrl(building(url), 'FOR_SALE', patient)
    expect(found?.record.zpid).toBe(record)
  })

  it.each([
    ['500 Oak Avenue, Seattle, WA 98102', '4002'],
    ['500 oak ave 98101-0001', '4001'],
    ['77 Pine Street, Unit 2, Seattle, WA 98101', '4004'],
    ['77 Pine St # 1, Seattle WA', '4003'],
    ['12 North 3rd Street, Seattle, WA 98101', '4008'],
  ])('finds the one home at %s', async (text, zpid) => {
    const match = await provider().findByAddress(address(text), 'FOR_SALE', patient)
    expect(match).toMatchObject({ found: 'one', listing: { record: { zpid } } })
    expect(match.found === 'one' && match.listing.record).toEqual(RECORDS.find((home) => home.zpid === zpid))
  })

  it.each([
    ['FOR_RENT', '4005'],
    ['FOR_SALE', '4006'],
    ['RECENTLY_SOLD', '4007'],
  ] as const)('of several listings of one home prefers %s', async (prefer, zpid) => {
    const match = await provider().findByAddress(address('9 Elm Ct, Seattle, WA 98101'), prefer, patient)
    expect(match).toMatchObject({ found: 'one', listing: { record: { zpid } } })
  })

  it.each([
    ['500 Oak Ave, Seattle, WA', 2],
    ['77 Pine St, Seattle, WA 98101', 2],
  ])('names the homes that %s could mean', async (text, count) => {
    const match = await provider().findByAddress(address(text), 'FOR_SALE', patient)
    expect(match.found).toBe('several')
    expect(match.found === 'several' && new Set(match.candidates).size).toBe(count)
  })

  it.each([
    '501 Oak Ave, Seattle, WA 98101',
    '500 Oak St, Seattle, WA 98101',
    '500 Oak Ave, Seattle, WA 98199',
    '77 Pine St Apt 3, Seattle, WA 98101',
    '9 Elm Ct Apt 1, Seattle, WA 98101',
  ])('finds nothing at %s', async (text) => {
    expect(await provider().findByAddress(address(text), 'FOR_SALE', patient)).toEqual({ found: 'none' })
  })
}

function describeUnits(provider: () => Provider): void {
  it.each(BUILDINGS)('finds the units of the building $url', async ({ url, record, unit }) => {
    const found = await provider().findUnits(building(url), 'all', patient)
    expect(found?.parent?.zpid).toBe(record)
    expect(found?.units.map(zpidOf)).toContain(unit)
  })

  it.each([
    ['all', ['3001', '3002', '3003', '3004', '3005']],
    ['for_sale', ['3001', '3005']],
    ['for_rent', ['3002']],
    ['recently_sold', ['3003']],
    ['off_market', ['3004']],
  ] as const)('finds the units that are %s, each with its whole record', async (kind, zpids) => {
    const found = await provider().findUnits(building(TOWER), kind, patient)
    expect(found?.units.map(zpidOf).toSorted()).toEqual(zpids)
    for (const unit of found?.units ?? []) {
      expect(unit).toEqual(RECORDS.find(({ zpid }) => zpid === unit.zpid))
    }
    expect(found?.parent?.zpid).toBe('3000')
  })

  it('returns units in a stable order', async () => {
    const [one, two] = [
      await provider().findUnits(building(TOWER), 'all', patient),
      await provider().findUnits(building(TOWER), 'all', patient),
    ]
    expect(one?.units.map(zpidOf)).toEqual(two?.units.map(zpidOf))
  })

  it('distinguishes a building without units of the kind from an unknown building', async () => {
    const known = await provider().findUnits(building('/b/seattle-wa/47.61,-122.33_ll/'), 'for_sale', patient)
    expect(known?.units).toEqual([])
    for (const url of ['/b/tower-seattle-wa-abc123/', '/b/seattle-wa/47.61,-122.34_ll/']) {
      for (const kind of UNIT_KINDS) {
        expect(await provider().findUnits(building(url), kind, patient)).toBeUndefined()
      }
    }
  })
}

function describeSearch(provider: () => Provider): void {
  const BOX = { west: -122.4, south: 47.5, east: -122.2, north: 47.7 }

  async function search(wanted: Partial<AreaSearch>, limit = 500) {
    const found = await provider().search({ status: 'for_sale', bbox: BOX, ...wanted }, { limit }, patient)
    return { zpids: found.records.map(zpidOf), total: found.total }
  }

  it.each([
    ['for_sale', ZPIDS_FOR_SALE],
    ['for_rent', ['1101']],
    ['sold', ['1201', '1202']],
  ] as const)('finds what is %s, the newest first, and no building', async (status, zpids) => {
    expect(await search({ status })).toEqual({ zpids, total: zpids.length })
  })

  const FILTERS: readonly (readonly [string, Partial<AreaSearch>, readonly string[]])[] = [
    ['a least price', { price: { min: 450_000 } }, ['1001', '1003', '1004']],
    ['a highest price', { price: { max: 120_000 } }, ['1005', '1006']],
    ['a price between', { price: { min: 120_000, max: 300_000 } }, ['1002', '1006', '1007']],
    ['beds', { beds: { min: 3, max: 3 } }, ['1001', '1003']],
    ['studios', { beds: { max: 0 } }, ['1007']],
    ['half baths', { baths: { min: 2.5 } }, ['1001', '1004']],
    ['a living area', { sqft: { min: 800, max: 900 } }, ['1002', '1005']],
    ['years', { yearBuilt: { max: 1978 } }, ['1004', '1005']],
    ['houses', { homeTypes: ['house'] }, ['1001', '1008']],
    ['condos and townhouses', { homeTypes: ['condo', 'townhouse'] }, ['1002', '1003']],
    ['multi-family homes', { homeTypes: ['multi_family'] }, ['1004']],
    ['manufactured homes', { homeTypes: ['manufactured'] }, ['1005']],
    ['lots', { homeTypes: ['lot'] }, ['1006']],
    ['apartments', { homeTypes: ['apartment'] }, ['1007']],
    ['a day', { daysOnSite: '1' }, []],
    ['a week', { daysOnSite: '7' }, ['1001']],
    ['two weeks', { daysOnSite: '14' }, ['1001', '1002']],
    ['30 days', { daysOnSite: '30' }, ['1001', '1002', '1003']],
    ['90 days', { daysOnSite: '90' }, ['1001', '1002', '1003', '1004']],
    ['6 months', { daysOnSite: '6m' }, ['1001', '1002', '1003', '1004', '1005']],
    ['a year', { daysOnSite: '12m' }, ['1001', '1002', '1003', '1004', '1005', '1006']],
    ['a sale within the year', { status: 'sold', daysOnSite: '12m' }, ['1201']],
    ['a sale within two years', { status: 'sold', daysOnSite: '24m' }, ['1201', '1202']],
    ['a sale within three years', { status: 'sold', daysOnSite: '36m' }, ['1201', '1202']],
    ['a pool', { hasPool: true }, ['1001', '1003']],
    ['no pool', { hasPool: false }, ['1002', '1004', '1005', '1006', '1007', '1008']],
    ['a garage', { hasGarage: true }, ['1002', '1003']],
    ['no garage', { hasGarage: false }, ['1001', '1004', '1005', '1006', '1007', '1008']],
    ['water', { isWaterfront: true }, ['1004', '1005']],
    ['no water', { isWaterfront: false }, ['1001', '1002', '1003', '1006', '1007', '1008']],
    ['a lot', { lotSize: { min: 3000, max: 4999 } }, ['1005']],
    ['an association', { hoa: { max: 400 } }, ['1001']],
    ['a way of selling', { saleTypes: ['by_owner', 'coming_soon'] }, ['1001', '1008']],
    [
      'a way of selling that sources leave out',
      { saleTypes: ['by_agent'] },
      ['1002', '1003', '1004', '1005', '1006', '1007'],
    ],
    ['a pending sale', { pending: true }, ['1004']],
    ['no pending sale', { pending: false }, ['1001', '1002', '1003', '1005', '1006', '1007', '1008']],
    ['coming soon', { comingSoon: true }, ['1008']],
    ['not coming soon', { comingSoon: false }, ['1001', '1002', '1003', '1004', '1005', '1006', '1007']],
    ['an open house to come', { openHouse: true }, ['1001']],
    ['no open house to come', { openHouse: false }, ['1002', '1003', '1004', '1005', '1006', '1007', '1008']],
    ['a community for seniors', { seniorCommunity: true }, ['1005']],
    [
      'no community for seniors',
      { seniorCommunity: false },
      ['1001', '1002', '1003', '1004', '1006', '1007', '1008'],
    ],
    ['all at once', { price: { min: 400_000 }, beds: { max: 3 }, hasPool: true, daysOnSite: '7' }, ['1001']],
    ['nothing that there is', { price: { min: 2_000_000 } }, []],
  ]
  it.each(FILTERS)('filters by %s', async (_name, filters, zpids) => {
    expect(await search(filters)).toEqual({ zpids, total: zpids.length })
  })

  it.each([
    ['its western and southern', { west: -122.3, south: 47.6, east: -122, north: 48 }],
    ['its eastern and northern', { west: -123, south: 47, east: -122.3, north: 47.6 }],
    ['all its edges, on no area,', { west: -122.3, south: 47.6, east: -122.3, north: 47.6 }],
  ])('finds homes on %s edge of the box', async (_name, bbox) => {
    expect((await search({ bbox })).total).toBe(ZPIDS_FOR_SALE.length)
  })

  it.each([
    { west: -122.29999, south: 47.5, east: -122.2, north: 47.7 },
    { west: -122.4, south: 47.5, east: -122.30001, north: 47.7 },
    { west: -122.4, south: 47.60001, east: -122.2, north: 47.7 },
    { west: -122.4, south: 47.5, east: -122.2, north: 47.59999 },
  ])('finds no home beside the box %o', async (bbox) => {
    expect(await search({ bbox })).toEqual({ zpids: [], total: 0 })
  })

  it.each([
    ['across', { west: 179.5, east: -179.5 }, [179.5, 180, -180, -179.5]],
    ['just across', { west: 180, east: -180 }, [180, -180]],
    ['everywhere but across', { west: -179.5, east: 179.5 }, [-179.5, -179, 0, 179, 179.5]],
    ['up to', { west: 179, east: 180 }, [179, 179.5, 180]],
    ['from', { west: -180, east: -179 }, [-180, -179.5, -179]],
    ['all around', { west: -180, east: 180 }, [...AROUND_THE_ANTIMERIDIAN.keys()]],
    ['nearly all around', { west: 1, east: -1 }, [179, 179.5, 180, -180, -179.5, -179]],
  ])('searches %s the antimeridian', async (_name, { west, east }, longitudes) => {
    const { zpids, total } = await search({
      status: 'for_rent',
      bbox: { west, east, south: 51, north: 53 },
    })
    expect(zpids).toEqual(longitudes.map((at) => AROUND_THE_ANTIMERIDIAN.get(at)).toSorted())
    expect(total).toBe(longitudes.length)
  })

  it('returns at most the limit, from the front of a stable order, and counts all', async () => {
    for (const limit of [1, 3, ZPIDS_FOR_SALE.length, provider().searchCap]) {
      expect(await search({}, limit)).toEqual({
        zpids: ZPIDS_FOR_SALE.slice(0, limit),
        total: ZPIDS_FOR_SALE.length,
      })
    }
  })
}

function describeAborts(provider: () => Provider): void {
  const QUESTIONS: readonly (readonly [string, (asking: QueryContext) => Promise<unknown>])[] = [
    ['findByZpid', (asking) => provider().findByZpid('1001', asking)],
    ['findByUrl', (asking) => provider().findByUrl(building(TOWER), 'FOR_SALE', asking)],
    ['findByAddress', (asking) => provider().findByAddress(address('9 Elm Ct, 98101'), 'FOR_SALE', asking)],
    ['findUnits', (asking) => provider().findUnits(building(TOWER), 'all', asking)],
    [
      'search',
      (asking) =>
        provider().search(
          { status: 'for_sale', bbox: { west: -180, south: -90, east: 180, north: 90 } },
          { limit: 10 },
          asking,
        ),
    ],
  ]

  it.each(QUESTIONS)('%s sends no query for a client that has disconnected', async (_name, ask) => {
    const reason = new Error('left')
    await expect(ask({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it.each(QUESTIONS)('%s ends when its client disconnects on the way', async (_name, ask) => {
    const reason = new Error('left')
    const principal = new AbortController()
    const answer = ask({ signal: principal.signal })
    principal.abort(reason)
    await expect(answer).rejects.toBe(reason)
  })
}

function building(path: string): BuildingReference {
  const reference = findPathReference(path)
  if (reference?.kind !== 'building') throw new Error(`${path} is not the path of a building`)
  return reference
}

function address(text: string): StreetAddress {
  const parsed = parseAddress(text)
  if ('refused' in parsed) throw new Error(parsed.message)
  return parsed
}

function zpidOf(record: Property): string {
  return record.zpid!
}
