// The usable part of a result, for every query of the port.

import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { ProviderFailure, type QueryContext } from '../../../../src/data/sources/provider.ts'
import { makeResilient } from '../../../../src/data/sources/resilience/resilient-provider.ts'
import type { AreaSearch } from '../../../../src/domain/search/area-search.ts'
import { createStubProvider } from './stub-provider.ts'

const patient: QueryContext = { signal: new AbortController().signal }
const SEARCH = { status: 'for_sale', bbox: { west: 0, south: 0, east: 1, north: 1 } } as const
const BUILDING = {
  kind: 'building',
  path: 'b',
  key: { by: 'key', key: '5XjKqF' },
  canonicalPath: '/b/5XjKqF/',
} as const
const ADDRESS = { number: '1', street: 'A ST', key: '1 A ST' }

function guard(parts: Parameters<typeof createStubProvider>[0]) {
  const dropped: (readonly [count: number, fault: string])[] = []
  const provider = makeResilient(createStubProvider(parts), {
    timeoutMs: 1000,
    onDropped: (count, fault) => dropped.push([count, fault]),
  })
  return { provider, dropped }
}

const good = (zpid: string): Property =>
  ({ zpid, price: 1, address: { city: 'Seattle' }, latitude: 0.5, longitude: 0.5 }) as Property

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const BAD_RECORDS: readonly (readonly [name: string, record: unknown])[] = [
  ['null', null],
  ['a text', 'home'],
  ['a list', [good('9')]],
  ['an object without zpid', { price: 1 }],
  ['a zpid of letters', { zpid: '12a' }],
  ['an empty zpid', { zpid: '' }],
  ['a zpid of 21 digits', { zpid: '1'.repeat(21) }],
  ['a negative zpid', { zpid: -1 }],
  ['a zpid that no number can hold', { zpid: 1e21 }],
  ['a price that is a text', { zpid: '9', price: '675000' }],
  ['a price beyond all numbers', { zpid: '9', price: JSON.parse('1e999') }],
  ['a year that is no whole number', { zpid: '9', yearBuilt: 1924.5 }],
  ['a status that is a number', { zpid: '9', homeStatus: 1 }],
  ['an address on one line', { zpid: '9', address: '1 A St, Seattle' }],
  ['a ZIP code that is a number', { zpid: '9', address: { zipcode: 98109 } }],
  ['a history that is no list', { zpid: '9', priceHistory: {} }],
  ['photos that are texts', { zpid: '9', responsivePhotos: ['a.jpg'] }],
  ['facts that are a list', { zpid: '9', resoFacts: [] }],
]

describe.each(BAD_RECORDS)('%s', (_name, bad) => {
  it('alone is a failure', async () => {
    const { provider } = guard({ answer: async () => ({ record: bad, generation: null }) })
    await expect(provider.findByZpid('9', patient)).rejects.toThrow(ProviderFailure)
    await expect(provider.findByUrl(BUILDING, 'FOR_SALE', patient)).rejects.toThrow(ProviderFailure)
  })

  it('as the only home at an address is a failure', async () => {
    const { provider } = guard({
      answer: async () => ({ found: 'one', listing: { record: bad, generation: null } }),
    })
    await expect(provider.findByAddress(ADDRESS, 'FOR_SALE', patient)).rejects.toThrow(ProviderFailure)
  })

  it('in a list is dropped and counted', async () => {
    const { provider, dropped } = guard({ area: () => ({ records: [good('1'), bad, good('2')], total: 3 }) })
    const { records, total } = await provider.search(SEARCH, { limit: 10 }, patient)
    expect(records.map(({ zpid }) => zpid)).toEqual(['1', '2'])
    expect(total).toBe(2)
    expect(dropped.map(([count]) => count)).toEqual([1])
  })

  it('among the units of a building is dropped and counted, and so is it as the building', async () => {
    const { provider, dropped } = guard({ answer: async () => ({ parent: bad, units: [bad, good('1')] }) })
    expect(await provider.findUnits(BUILDING, 'all', patient)).toEqual({ units: [good('1')] })
    expect(dropped.map(([count]) => count)).toEqual([1, 1])
  })

  it('is not repeated in the error', async () => {
    const { provider, dropped } = guard({ area: () => ({ records: [good('1'), bad], total: 2 }) })
    await provider.search(SEARCH, { limit: 10 }, patient)
    expect(dropped[0]![1]).toMatch(
      /^(is not an object|has no zpid of digits|has an? [a-zA-Z.]+ that is no [a-z ]+)$/,
    )
  })
})

describe('a record', () => {
  it('with null, absent, and unknown fields passes unchanged', async () => {
    const record = { zpid: '1', price: null, address: null, priceHistory: [], somethingNew: { a: [1] } }
    const { provider } = guard({ answer: async () => ({ record, generation: 7 }) })
    expect(await provider.findByZpid('1', patient)).toEqual({ record, generation: 7 })
  })

  it('with a numeric zpid gets it as a text', async () => {
    const { provider } = guard({ answer: async () => ({ record: { zpid: 48749425 }, generation: null }) })
    expect((await provider.findByZpid('48749425', patient))?.record.zpid).toBe('48749425')
  })

  it('of another home than the requested one is a failure', async () => {
    const { provider } = guard({ answer: async () => ({ record: good('2'), generation: null }) })
    await expect(provider.findByZpid('1', patient)).rejects.toThrow(ProviderFailure)
    const home = { kind: 'home', zpid: '1' } as const
    await expect(provider.findByUrl(home, 'FOR_SALE', patient)).rejects.toThrow(ProviderFailure)
    expect(await provider.findByZpid('002', patient)).toBeDefined()
  })

  it('that does not exist is no failure', async () => {
    const { provider } = guard({ answer: async () => undefined })
    expect(await provider.findByZpid('1', patient)).toBeUndefined()
    expect(await provider.findUnits(BUILDING, 'all', patient)).toBeUndefined()
  })
})

describe('a list', () => {
  it('has each home once', async () => {
    const records = ['1', '2', '1', '2', '3'].map(good)
    const { provider, dropped } = guard({ area: () => ({ records, total: 5 }) })
    const found = await provider.search(SEARCH, { limit: 10 }, patient)
    expect(found.records.map(({ zpid }) => zpid)).toEqual(['1', '2', '3'])
    expect(dropped).toEqual([[2, 'is there twice']])
  })

  it('is never longer than its limit', async () => {
    const records = ['1', '2', '3'].map(good)
    const { provider, dropped } = guard({ area: () => ({ records, total: 3 }) })
    expect((await provider.search(SEARCH, { limit: 2 }, patient)).records).toHaveLength(2)
    expect(dropped).toEqual([])
  })

  it.each([{ latitude: null }, { longitude: undefined }, { latitude: null, longitude: null }])(
    'of an area has no home in it with the position %j: it is dropped and counted',
    async (position) => {
      const records = [good('1'), { ...good('2'), ...position }, good('3')]
      const { provider, dropped } = guard({
        area: () => ({ records, total: 40 }),
        answer: async () => ({ units: records }),
      })
      const found = await provider.search(SEARCH, { limit: 10 }, patient)
      expect([found.records.map(({ zpid }) => zpid), found.total]).toEqual([['1', '3'], 39])
      expect(dropped).toEqual([[1, 'has no position']])
      // Units are found by their building.
      expect((await provider.findUnits(BUILDING, 'all', patient))?.units).toHaveLength(3)
    },
  )

  it.each([
    ['lies outside the area', { latitude: 1.01 }],
    ['lies outside the area', { longitude: -0.01 }],
    ['has another status than was asked for', { homeStatus: 'SOLD' }],
    ['has another status than was asked for', { homeStatus: 'OTHER' }],
    ['has a negative price', { price: -1 }],
    ['has a latitude beyond ±90', { latitude: 91 }],
    ['has a longitude beyond ±180', { longitude: 181 }],
  ])('of an area has no row in it that %s: %j is dropped, counted and in no total', async (fault, wrong) => {
    const records = [good('1'), { ...good('2'), ...wrong } as Property, good('3')]
    const { provider, dropped } = guard({ area: () => ({ records, total: 40 }) })
    const found = await provider.search(SEARCH, { limit: 10 }, patient)
    expect([found.records.map(({ zpid }) => zpid), found.total]).toEqual([['1', '3'], 39])
    expect(dropped).toEqual([[1, fault]])
  })

  it.each<[filter: string, filters: Partial<AreaSearch>, fits: object, contradicts: object]>([
    ['price', { price: { min: 5, max: 9 } }, { price: 5 }, { price: 4 }],
    ['beds', { beds: { min: 2 } }, { bedrooms: 2 }, { bedrooms: 1 }],
    ['baths', { baths: { max: 2.5 } }, { bathrooms: 2.5 }, { bathrooms: 3 }],
    ['sqft', { sqft: { max: 900 } }, { livingAreaValue: 900 }, { livingArea: 901 }],
    ['yearBuilt', { yearBuilt: { min: 1990 } }, { yearBuilt: 1990 }, { yearBuilt: 1989 }],
    [
      'lotSize',
      { lotSize: { min: 21_780 } },
      { lotAreaValue: 0.5, lotAreaUnits: 'Acres' },
      { lotSize: 21_779 },
    ],
    ['hoa', { hoa: { max: 100 } }, { resoFacts: { hasAssociation: false } }, { monthlyHoaFee: 101 }],
    ['homeTypes', { homeTypes: ['house', 'lot'] }, { homeType: 'LOT' }, { homeType: 'CONDO' }],
    [
      'saleTypes',
      { saleTypes: ['by_agent'] },
      { listingSubType: { isFSBO: false } },
      { listing_sub_type: { is_FSBO: true } },
    ],
    [
      'saleTypes',
      { saleTypes: ['auction'] },
      { homeStatus: 'FOR_AUCTION' },
      { listingSubType: { isForAuction: false } },
    ],
    ['pending', { pending: false }, { homeStatus: 'FOR_SALE' }, { homeStatus: 'PENDING' }],
    ['pending', { pending: true }, { homeStatus: 'CONTINGENT' }, { homeStatus: 'FOR_SALE' }],
    ['comingSoon', { comingSoon: false }, { homeStatus: 'FOR_SALE' }, { homeStatus: 'COMING_SOON' }],
    [
      'openHouse',
      { openHouse: true },
      { openHouseSchedule: [{ startTime: inDays(3) }] },
      { openHouseSchedule: [{ startTime: inDays(-3) }] },
    ],
    ['openHouse', { openHouse: true }, { openHouseSchedule: null }, { openHouseSchedule: [] }],
    [
      'openHouse',
      { openHouse: false },
      { openHouseSchedule: [] },
      { openHouseSchedule: [{ startTime: inDays(3) }] },
    ],
    [
      'seniorCommunity',
      { seniorCommunity: false },
      { resoFacts: { isSeniorCommunity: false } },
      { resoFacts: { isSeniorCommunity: true } },
    ],
    ['hasPool', { hasPool: true }, { hasPool: true }, { resoFacts: { hasPrivatePool: false } }],
    ['hasGarage', { hasGarage: false }, { hasGarage: false }, { resoFacts: { hasGarage: true } }],
    ['isWaterfront', { isWaterfront: true }, { isWaterfront: true }, { isWaterfront: false }],
    [
      'daysOnSite',
      { daysOnSite: '7' },
      { homeStatus: 'FOR_SALE', datePosted: inDays(-6) },
      { homeStatus: 'FOR_SALE', datePosted: inDays(-9) },
    ],
    [
      'daysOnSite',
      { daysOnSite: '6m' },
      { homeStatus: 'FOR_SALE', datePosted: inDays(-175) },
      { homeStatus: 'FOR_SALE', datePosted: inDays(-190) },
    ],
  ])(
    'of an area has no row in it that contradicts %s: %j keeps %j and drops %j',
    async (filter, filters, fits, contradicts) => {
      const { price: _, ...silent } = good('2')
      const records = [{ ...good('1'), ...fits }, silent, { ...good('3'), ...contradicts }] as Property[]
      const { provider, dropped } = guard({ area: () => ({ records, total: 40 }) })
      const found = await provider.search({ ...SEARCH, ...filters }, { limit: 10 }, patient)
      // A row without the value contradicts nothing.
      expect([found.records.map(({ zpid }) => zpid), found.total]).toEqual([['1', '2'], 39])
      expect(dropped).toEqual([[1, `does not match the filter ${filter}`]])
    },
  )

  it('of an area may have the own record of a building, which does not describe its units, and homes of a type that only the source knows', async () => {
    const records = [
      { ...good('1'), isBuilding: true, price: 99 },
      { ...good('2'), price: 5, homeType: 'COOPERATIVE' },
    ] as Property[]
    const { provider, dropped } = guard({ area: () => ({ records, total: 2 }) })
    const search: AreaSearch = { ...SEARCH, price: { max: 9 }, homeTypes: ['condo'] }
    expect((await provider.search(search, { limit: 10 }, patient)).records).toHaveLength(2)
    expect(dropped).toEqual([])
  })

  it('of an area has the homes on its edge, on both sides of the antimeridian, and all homes on the market', async () => {
    const rows = [
      { ...good('1'), longitude: 179.5 },
      { ...good('2'), longitude: -179.5, homeStatus: 'PENDING' },
      { ...good('3'), longitude: 179, latitude: 0 },
      { ...good('4'), longitude: 0 },
    ] as Property[]
    const { provider, dropped } = guard({ area: () => ({ records: rows, total: 4 }) })
    const bbox = { west: 179, south: 0, east: -179, north: 1 }
    const found = await provider.search({ ...SEARCH, bbox }, { limit: 10 }, patient)
    expect(found.records.map(({ zpid }) => zpid)).toEqual(['1', '2', '3'])
    expect(dropped).toEqual([[1, 'lies outside the area']])
  })

  it('of units has none of another kind than the query', async () => {
    const units = [
      { ...good('1'), homeStatus: 'FOR_RENT' },
      { ...good('2'), homeStatus: 'FOR_SALE' },
      good('3'),
    ] as Property[]
    const { provider, dropped } = guard({ answer: async () => ({ units }) })
    expect((await provider.findUnits(BUILDING, 'for_rent', patient))?.units.map(({ zpid }) => zpid)).toEqual([
      '1',
      '3',
    ])
    expect(dropped).toEqual([[1, 'has another status than was asked for']])
    expect((await provider.findUnits(BUILDING, 'all', patient))?.units).toHaveLength(3)
  })

  it('with only bad records is a failure, so that the minimum price is not charged', async () => {
    const { provider } = guard({ area: () => ({ records: [{}, {}], total: 2 }) })
    await expect(provider.search(SEARCH, { limit: 2 }, patient)).rejects.toThrow(ProviderFailure)
  })

  it('that is empty is a valid result', async () => {
    const { provider } = guard({ area: () => ({ records: [], total: 0 }) })
    expect(await provider.search(SEARCH, { limit: 2 }, patient)).toEqual({ records: [], total: 0 })
  })

  it('of units does not include the building itself', async () => {
    const { provider } = guard({ answer: async () => ({ parent: good('1'), units: [good('1'), good('2')] }) })
    expect(await provider.findUnits(BUILDING, 'all', patient)).toEqual({
      parent: good('1'),
      units: [good('2')],
    })
  })

  it.each([undefined, null, -1, 1.5, '3', Number.NaN])('with the total %s is a failure', async (total) => {
    const { provider } = guard({ area: () => ({ records: [good('1')], total }) })
    await expect(provider.search(SEARCH, { limit: 2 }, patient)).rejects.toThrow(ProviderFailure)
  })

  it('never has more rows than its total says', async () => {
    const { provider } = guard({ area: () => ({ records: [good('1'), good('2')], total: 0 }) })
    expect((await provider.search(SEARCH, { limit: 2 }, patient)).total).toBe(2)
  })

  it.each([undefined, null, {}, 'rows'])('that is %s is a failure', async (records) => {
    const { provider } = guard({
      area: () => ({ records, total: 1 }),
      answer: async () => ({ units: records }),
    })
    await expect(provider.search(SEARCH, { limit: 2 }, patient)).rejects.toThrow(ProviderFailure)
    await expect(provider.findUnits(BUILDING, 'all', patient)).rejects.toThrow(ProviderFailure)
  })
})

describe('a match of an address', () => {
  const match = (answer: unknown) =>
    guard({ answer: async () => answer }).provider.findByAddress(ADDRESS, 'FOR_SALE', patient)

  it.each([
    ['WA', 'one'],
    [undefined, 'one'],
    ['OR', 'none'],
  ])('asked for in WA, of a home in %s, is %s', async (state, found) => {
    const home = { zpid: '1', address: { streetAddress: '1 A St', state, zipcode: '98109' } }
    const { provider } = guard({
      answer: async () => ({ found: 'one', listing: { record: home, generation: null } }),
    })
    const asked = { ...ADDRESS, state: 'WA', zip: '98109' }
    expect(await provider.findByAddress(asked, 'FOR_SALE', patient)).toMatchObject({ found })
  })

  it('names at most 50 candidates, and only texts of a sensible length', async () => {
    const candidates = [1, '', 'x'.repeat(501), ...Array.from({ length: 60 }, (_, at) => `${at} A St`)]
    const found = await match({ found: 'several', candidates })
    expect(found).toMatchObject({ found: 'several' })
    expect(found.found === 'several' && found.candidates).toHaveLength(50)
  })

  it.each([
    undefined,
    null,
    'one',
    {},
    { found: 'many' },
    { found: 'one' },
    { found: 'several' },
    { found: 'several', candidates: [] },
    { found: 'several', candidates: [null] },
  ])('that is %j is a failure', async (answer) => {
    await expect(match(answer)).rejects.toThrow(ProviderFailure)
  })
})
