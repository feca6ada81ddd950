import { describe, expect, test } from 'vitest'
import { fromListingsQuery, toAreaSearch } from '../../src/listings/search-filters.ts'

const bbox = { west: -122.4, south: 47.6, east: -122.3, north: 47.7 }
const REFUSED = { refused: true, code: 'invalid_filters' }

describe('filters of a body become a search', () => {
  test('a box is enough, and means for sale', () => {
    expect(toAreaSearch({ bbox })).toEqual({ status: 'for_sale', bbox })
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
    }
    const { location: _, ...read } = filters
    expect(toAreaSearch(filters)).toEqual({ ...read, homeTypes: ['house', 'lot'] })
  })

  test('open ends, empty ranges and unknown names restrict nothing', () => {
    expect(
      toAreaSearch({ bbox, price: { min: null, max: 5 }, beds: {}, baths: { min: null }, colour: 'red' }),
    ).toEqual({
      status: 'for_sale',
      bbox,
      price: { max: 5 },
    })
  })

  test('a forced status wins over the asked one', () => {
    expect(toAreaSearch({ bbox, status: 'sold' }, 'for_rent')).toMatchObject({ status: 'for_rent' })
    expect(toAreaSearch({ bbox }, 'sold')).toMatchObject({ status: 'sold' })
  })

  test.each([
    ['the globe', { west: -180, south: -90, east: 180, north: 90 }],
    ['a point', { west: 1, south: 1, east: 1, north: 1 }],
    ['across the antimeridian', { west: 179, south: -10, east: -179, north: 10 }],
  ])('a box may be %s', (_, box) => {
    expect(toAreaSearch({ bbox: box })).toEqual({ status: 'for_sale', bbox: box })
  })
})

describe('filters that cannot be used are invalid_filters', () => {
  test.each<[string, unknown]>([
    ['no object', 'bbox'],
    ['null', null],
    ['a list', [bbox]],
    ['nothing', {}],
    ['a location alone', { location: 'Seattle, WA' }],
    ['a box of null', { bbox: null }],
    ['a box as text', { bbox: '-122.4,47.6,-122.3,47.7' }],
    ['a box as list', { bbox: [-122.4, 47.6, -122.3, 47.7] }],
    ['a box without north', { bbox: { west: 1, south: 1, east: 2 } }],
    ['a box of texts', { bbox: { west: '1', south: '1', east: '2', north: '2' } }],
    ['a box of NaN', { bbox: { ...bbox, west: Number.NaN } }],
    ['a box without end', { bbox: { ...bbox, east: Number.POSITIVE_INFINITY } }],
    ['a latitude of 91', { bbox: { ...bbox, north: 91 } }],
    ['a longitude of -180.1', { bbox: { ...bbox, west: -180.1 } }],
    ['south above north', { bbox: { ...bbox, south: 48 } }],
    ['an inherited box', Object.create({ bbox })],
    ['an unknown status', { bbox, status: 'FOR_SALE' }],
    ['a status of null', { bbox, status: 1 }],
    ['a location of 5', { bbox, location: 5 }],
    ['min above max', { bbox, price: { min: 2, max: 1 } }],
    ['beds above', { bbox, beds: { min: 3, max: 2 } }],
    ['a number as range', { bbox, price: 5 }],
    ['a list as range', { bbox, price: [1, 2] }],
    ['null as range', { bbox, price: null }],
    ['texts in a range', { bbox, sqft: { min: '500' } }],
    ['NaN in a range', { bbox, sqft: { max: Number.NaN } }],
    ['a negative bound', { bbox, baths: { min: -1 } }],
    ['half a year', { bbox, yearBuilt: { min: 1999.5 } }],
    ['an unknown type of home', { bbox, homeTypes: ['house', 'castle'] }],
    ['a type in capitals', { bbox, homeTypes: ['HOUSE'] }],
    ['no type of home', { bbox, homeTypes: [] }],
    ['a type as text', { bbox, homeTypes: 'house' }],
    ['days as number', { bbox, daysOnSite: 7 }],
    ['unknown days', { bbox, daysOnSite: '8' }],
    ['a switch as text', { bbox, hasPool: 'true' }],
    ['a switch as number', { bbox, isWaterfront: 1 }],
    ['a switch of null', { bbox, hasGarage: null }],
  ])('%s', (_, filters) => {
    expect(toAreaSearch(filters)).toMatchObject(REFUSED)
    expect(toAreaSearch(filters, 'sold')).toMatchObject(REFUSED)
  })
})

describe('the query of GET /v1/listings becomes a search', () => {
  const box = '-122.4,47.6,-122.3,47.7'

  test('a box is enough, and means for sale', () => {
    expect(fromListingsQuery({ bbox: box })).toEqual({ status: 'for_sale', bbox })
    expect(fromListingsQuery({ bbox: ' -122.40, 47.6 ,-122.3,47.7 ' })).toEqual({ status: 'for_sale', bbox })
  })

  test('every parameter is read, as text and as number', () => {
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
    const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]))
    const rest = {
      status: 'for_rent',
      bbox: box,
      home_types: 'condo, apartment',
      days_on_site: '30',
      location: 'x',
    }
    expect(fromListingsQuery({ ...rest, ...numbers, max_items: 5, format: 'csv' })).toEqual(expected)
    expect(fromListingsQuery({ ...rest, ...texts })).toEqual(expected)
  })

  test('without a box it is missing_input', () => {
    for (const query of [{}, { bbox: '' }, { location: 'Seattle' }]) {
      expect(fromListingsQuery(query)).toMatchObject({ refused: true, code: 'missing_input' })
    }
  })

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['3 numbers', { bbox: '1,2,3' }],
    ['5 numbers', { bbox: '1,2,3,4,5' }],
    ['NaN', { bbox: 'NaN,47.6,-122.3,47.7' }],
    ['words', { bbox: 'west,south,east,north' }],
    ['an empty number', { bbox: '1,,3,4' }],
    ['a final comma', { bbox: '1,2,3,4,' }],
    ['semicolons', { bbox: '1;2;3;4' }],
    ['an exponent', { bbox: '1e2,2,3,4' }],
    ['hexadecimal', { bbox: '0x1,2,3,4' }],
    ['Infinity', { bbox: '-Infinity,2,3,4' }],
    ['south above north', { bbox: '-122.4,47.7,-122.3,47.6' }],
    ['off the globe', { bbox: '-222.4,47.6,-122.3,47.7' }],
    ['a list', { bbox: ['1', '2', '3', '4'] }],
    ['JSON', { bbox: '{"west":1}' }],
    ['8 kB', { bbox: `${'1'.repeat(8192)},2,3,4` }],
    ['min above max', { bbox: box, price_min: 2, price_max: 1 }],
    ['a price in words', { bbox: box, price_min: 'cheap' }],
    ['half a bed', { bbox: box, beds_min: '1.5' }],
    ['a negative price', { bbox: box, price_min: '-1' }],
    ['an empty bound', { bbox: box, price_min: '' }],
    ['an unknown type', { bbox: box, home_types: 'house,castle' }],
    ['an empty type', { bbox: box, home_types: 'house,' }],
    ['no types', { bbox: box, home_types: '' }],
    ['unknown days', { bbox: box, days_on_site: '5' }],
    ['an unknown status', { bbox: box, status: 'pending' }],
  ])('%s is invalid_filters', (_, query) => {
    expect(fromListingsQuery(query)).toMatchObject(REFUSED)
  })
})
