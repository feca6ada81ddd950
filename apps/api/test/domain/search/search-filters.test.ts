import { describe, expect, test } from 'vitest'
import { fromListingsQuery, toAreaSearch } from '../../../src/domain/search/search-filters.ts'

type Filters = Parameters<typeof toAreaSearch>[0]

const bbox = { west: -122.4, south: 47.6, east: -122.3, north: 47.7 }
const forSale = { status: 'for_sale', bbox } as const
const REFUSED = { refused: true, code: 'invalid_filters' }

describe('filters of a body become a search', () => {
  test('a box and the status are enough', () => {
    expect(toAreaSearch(forSale)).toEqual(forSale)
  })

  test('every filter is read', () => {
    const filters = {
      status: 'sold',
      bbox,
      location: 'Seattle',
      price: { min: 1, max: 2.5 },
      beds: { min: 0 },
      baths: { max: 2.5 },
      sqft: { min: 500, max: 500 },
      yearBuilt: { min: 1900 },
      homeTypes: ['house', 'lot', 'house'],
      daysOnSite: '6m',
      hasPool: true,
      hasGarage: false,
      isWaterfront: true,
    } satisfies Filters
    const { location: _, ...read } = filters
    expect(toAreaSearch(filters)).toEqual({ ...read, homeTypes: ['house', 'lot'] })
  })

  test('open ends, empty ranges, and unknown names restrict nothing', () => {
    const unknown = { colour: 'red' }
    expect(toAreaSearch({ ...forSale, price: { max: 5 }, beds: {}, ...unknown })).toEqual({
      status: 'for_sale',
      bbox,
      price: { max: 5 },
    })
  })

  test('a forced status takes precedence over the one in the body', () => {
    expect(toAreaSearch({ ...forSale, status: 'sold' }, 'for_rent')).toMatchObject({ status: 'for_rent' })
    expect(toAreaSearch(forSale, 'sold')).toMatchObject({ status: 'sold' })
  })

  test.each([
    ['the globe', { west: -180, south: -90, east: 180, north: 90 }],
    ['a point', { west: 1, south: 1, east: 1, north: 1 }],
    ['across the antimeridian', { west: 179, south: -10, east: -179, north: 10 }],
  ])('a box may be %s', (_, box) => {
    expect(toAreaSearch({ ...forSale, bbox: box })).toEqual({ status: 'for_sale', bbox: box })
  })
})

// Faults that a schema can express are refused earlier: packages/contract/test-cases/wrong-inputs.ts.
describe('filters that contradict themselves are refused with invalid_filters', () => {
  test.each<[string, Partial<Filters>]>([
    ['south above north', { bbox: { ...bbox, south: 48 } }],
    ['a price', { price: { min: 2, max: 1 } }],
    ['beds', { beds: { min: 3, max: 2 } }],
    ['baths', { baths: { min: 1.5, max: 1 } }],
    ['living area', { sqft: { min: 2, max: 1 } }],
    ['years', { yearBuilt: { min: 2001, max: 2000 } }],
  ])('%s', (_, filters) => {
    expect(toAreaSearch({ ...forSale, ...filters })).toMatchObject(REFUSED)
    expect(toAreaSearch({ ...forSale, ...filters }, 'sold')).toMatchObject(REFUSED)
  })

  test('a box is refused with its place and a hint', () => {
    const details = { parameter: 'filters.bbox', path: 'filters.bbox', hint: 'Exchange south and north.' }
    expect(toAreaSearch({ ...forSale, bbox: { ...bbox, south: 48 } })).toMatchObject({ details })
  })
})

describe('the query of GET /v1/listings becomes a search', () => {
  const box = '-122.4,47.6,-122.3,47.7'

  test('a box is enough, with spaces or without', () => {
    for (const text of [box, ' -122.40, 47.6 ,-122.3,47.7 ']) {
      expect(fromListingsQuery({ bbox: text, status: 'for_sale' })).toEqual({ status: 'for_sale', bbox })
    }
  })

  test('every parameter is read', () => {
    const expected = {
      status: 'for_rent',
      bbox,
      price: { min: 1000, max: 2000 },
      beds: { min: 1, max: 2 },
      baths: { min: 1, max: 3 },
      sqft: { min: 400, max: 900 },
      yearBuilt: { min: 1900, max: 2000 },
      homeTypes: ['condo', 'apartment'],
      daysOnSite: '30',
    }
    const numbers = {
      price_min: 1000,
      price_max: 2000,
      beds_min: 1,
      beds_max: 2,
      baths_min: 1,
      baths_max: 3,
      sqft_min: 400,
      sqft_max: 900,
      year_built_min: 1900,
      year_built_max: 2000,
    }
    const rest = {
      status: 'for_rent',
      bbox: box,
      home_types: 'condo, apartment',
      days_on_site: '30',
      location: 'x',
    } as const
    expect(fromListingsQuery({ ...rest, ...numbers })).toEqual(expected)
  })

  test.each<[string, object]>([
    ['south above north', { bbox: '-122.4,47.7,-122.3,47.6' }],
    ['off the globe', { bbox: '-222.4,47.6,-122.3,47.7' }],
    ['digits without end', { bbox: `${'1'.repeat(190)},2,3,4` }],
    ['min above max', { price_min: 2, price_max: 1 }],
  ])('%s is invalid_filters', (_, wrong) => {
    expect(fromListingsQuery({ bbox: box, status: 'for_sale', ...wrong })).toMatchObject(REFUSED)
  })

  test.each([
    ['-122.4,47.7,-122.3,47.6', 'Exchange south and north.'],
    ['-222.4,47.6,-122.3,47.7', 'Longitudes are from -180 to 180.'],
    ['-122.4,147.6,-122.3,147.7', 'Latitudes are from -90 to 90.'],
  ])('the box %s is refused with its place and a hint', (text, hint) => {
    const details = { parameter: 'bbox', path: 'bbox', hint }
    expect(fromListingsQuery({ bbox: text, status: 'for_sale' })).toMatchObject({ details })
  })

  test('a contradiction is reported with the names that were sent', () => {
    const query = { bbox: box, status: 'for_sale', year_built_min: 2, year_built_max: 1 } as const
    const message = 'year_built has a minimum (2) above its maximum (1). Exchange them, or leave one out.'
    expect(fromListingsQuery(query)).toMatchObject({ message })
    expect(toAreaSearch({ ...forSale, yearBuilt: { min: 2, max: 1 } })).toMatchObject({
      message: 'filters.yearBuilt has a minimum (2) above its maximum (1). Exchange them, or leave one out.',
    })
  })
})
