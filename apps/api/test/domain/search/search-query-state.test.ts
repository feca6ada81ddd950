import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapi } from '@lotline/contract'
import {
  HOME_TYPE_KEYS,
  OTHER_KEYS,
  RANGE_KEYS,
  RENT_KEY,
  SALE_TYPE_KEYS,
  SWITCH_KEYS,
  type UrlKey,
} from '@lotline/contract/checks'
import { describe, expect, test } from 'vitest'
import { fromSearchUrl } from '../../../src/domain/search/search-query-state.ts'
import { isRefusal } from '../../../src/infrastructure/platform/refusal.ts'
import { readSearches } from '../../../src/requests/operations/searches.ts'

const HOSTS = ['zillow.com']
const mapBounds = { west: -122.4, south: 47.6, east: -122.3, north: 47.7 }
const REFUSED = { refused: true, code: 'invalid_search_url' }

function urlOf(state: unknown, path = '/seattle-wa/'): string {
  return `https://www.zillow.com${path}?searchQueryState=${encodeURIComponent(JSON.stringify(state))}`
}

/** The search of a URL, or its refusal. */
function searchOf(url: string) {
  const read = fromSearchUrl(url, HOSTS)
  return isRefusal(read) ? read : read.search
}

function read(filterState: unknown, path?: string) {
  return searchOf(urlOf({ mapBounds, filterState }, path))
}

function ignoredOf(state: object) {
  const read = fromSearchUrl(urlOf({ mapBounds, ...state }), HOSTS)
  if (isRefusal(read)) throw new Error(read.message)
  return read.ignored
}

const PRESETS = {
  for_rent: { fr: true, fsba: false, fsbo: false, nc: false, cmsn: false, auc: false, fore: false },
  sold: { rs: true, fsba: false, fsbo: false, nc: false, cmsn: false, auc: false, fore: false },
}
const LONG_PRESETS = {
  for_rent: {
    isForRent: true,
    isForSaleByAgent: false,
    isForSaleByOwner: false,
    isNewConstruction: false,
    isComingSoon: false,
    isAuction: false,
    isForSaleForeclosure: false,
  },
  sold: { isRecentlySold: true, isForSaleByAgent: false, isForSaleByOwner: false, isNewConstruction: false },
}

function flags(values: Readonly<Record<string, boolean>>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))
}

describe('a search URL becomes a search', () => {
  test('mapBounds are enough, and select homes for sale', () => {
    const search = { status: 'for_sale', bbox: mapBounds }
    expect(searchOf(urlOf({ mapBounds }))).toEqual(search)
    expect(searchOf(urlOf({ mapBounds, filterState: null }))).toEqual(search)
    for (const path of ['/homes/', '/homes/for_sale/', '/seattle-wa/houses/', '/']) {
      expect(searchOf(urlOf({ mapBounds }, path))).toEqual(search)
    }
  })

  test('unencoded JSON is read too', () => {
    const url = `https://www.zillow.com/homes/?searchQueryState=${JSON.stringify({ usersSearchTerm: 'Seattle WA', mapBounds })}`
    expect(searchOf(url)).toEqual({ status: 'for_sale', bbox: mapBounds })
    expect(searchOf(`${urlOf({ mapBounds })}&utm=x#list`)).toMatchObject({ bbox: mapBounds })
  })

  test.each([
    [
      'short keys',
      {
        price: { min: 1, max: 2 },
        beds: { min: 2 },
        baths: { max: 3 },
        sqft: { min: 9 },
        built: { min: 1990, max: null },
        doz: { value: '6m' },
        pool: { value: true },
        gar: { value: true },
        wat: { value: true },
      },
    ],
    [
      'long keys',
      {
        price: { min: 1, max: 2 },
        beds: { min: 2 },
        baths: { max: 3 },
        sqft: { min: 9, max: null },
        built: { min: 1990 },
        doz: { value: '6m' },
        hasPool: { value: true },
        hasGarage: { value: true },
        isWaterfront: { value: true },
      },
    ],
  ])('%s are read', (_, filterState) => {
    expect(read(filterState)).toEqual({
      status: 'for_sale',
      bbox: mapBounds,
      price: { min: 1, max: 2 },
      beds: { min: 2 },
      baths: { max: 3 },
      sqft: { min: 9 },
      yearBuilt: { min: 1990 },
      daysOnSite: '6m',
      hasPool: true,
      hasGarage: true,
      isWaterfront: true,
    })
  })

  test('unknown keys have no effect and are listed, whatever their value', () => {
    const filterState = {
      ah: { value: true },
      att: { value: 'view' },
      newKey: 'x',
      sort: null,
      cityv: { value: true },
      lot: { min: 5, units: 'acres' },
      mp: { max: 3000 },
    }
    const state = {
      filterState,
      pagination: { currentPage: 3 },
      regionSelection: [{ regionId: 1 }],
      other: [],
    }
    expect(searchOf(urlOf({ mapBounds, ...state }))).toEqual({
      status: 'for_sale',
      bbox: mapBounds,
      lotSize: { min: 5 },
    })
    expect(ignoredOf(state)).toEqual([
      'pagination',
      'regionSelection',
      'filterState.att',
      'filterState.newKey',
      'filterState.cityv',
      'filterState.lot.units',
      'filterState.mp',
    ])
  })

  test('keys that concern only the page are listed if they have a value', () => {
    const page = { isMapVisible: true, mapZoom: 12, usersSearchTerm: 'Seattle', pagination: {}, category: '' }
    expect(ignoredOf(page)).toEqual(['isMapVisible', 'mapZoom', 'usersSearchTerm'])
  })

  test('no key is listed if all were used', () => {
    for (const preset of [...Object.values(PRESETS), ...Object.values(LONG_PRESETS)]) {
      expect(ignoredOf({ filterState: { ...flags(preset), price: { min: null, max: 5 } } })).toEqual([])
    }
    expect(ignoredOf({ filterState: { ...flags(PRESETS.for_rent), mp: { max: 3000 } } })).toEqual([])
  })

  test.each([
    ['lot', { lot: { min: 5000 } }, { lotSize: { min: 5000 } }],
    ['lotSize', { lotSize: { max: 5000 } }, { lotSize: { max: 5000 } }],
    ['hoa', { hoa: { max: 200 } }, { hoa: { max: 200 } }],
    ['open', { open: { value: true } }, { openHouse: true }],
    ['isOpenHousesOnly, unticked', { isOpenHousesOnly: { value: false } }, {}],
    ['pnd, unticked', { pnd: { value: false } }, { pending: false }],
    ['pnd, ticked: beside the others', { pnd: { value: true } }, {}],
    ['isPendingListingsSelected', { isPendingListingsSelected: { value: false } }, { pending: false }],
    ['55plus excluded', { '55plus': { value: 'e' } }, { seniorCommunity: false }],
    ['55plus only', { ageRestricted55Plus: { value: 'o' } }, { seniorCommunity: true }],
    ['55plus included', { '55plus': { value: 'i' } }, {}],
    [
      'cmsn switched off',
      { cmsn: { value: false } },
      { saleTypes: ['by_agent', 'by_owner', 'new_construction', 'foreclosure', 'auction'] },
    ],
    [
      'fore and auc switched off',
      flags({ fore: false, auc: false }),
      {
        saleTypes: ['by_agent', 'by_owner', 'new_construction', 'coming_soon'],
      },
    ],
    [
      'only fsbo left',
      flags({ fsba: false, nc: false, fore: false, auc: false, cmsn: false }),
      {
        saleTypes: ['by_owner'],
      },
    ],
    [
      'all of them ticked',
      flags({ fsba: true, fsbo: true, nc: true, fore: true, auc: true, cmsn: true }),
      {},
    ],
  ])('%s is read', (_, filterState, filters) => {
    expect(read(filterState)).toEqual({ status: 'for_sale', bbox: mapBounds, ...filters })
    expect(ignoredOf({ filterState })).toEqual([])
  })

  test('the contract names every key that is read', () => {
    const schema = openapi.components.schemas!.SearchUrl as unknown as {
      properties: { url: { description: string } }
    }
    const named = new Set(schema.properties.url.description.match(/(?<=`)[\w]+(?=`)/g))
    // Only the tables name keys that are read.
    const source = readFileSync(
      join(import.meta.dirname, '../../../src/domain/search/search-query-state.ts'),
      'utf8',
    )
    expect(source).not.toMatch(/filters\.(?:flag|range|choice)\('/)
    const tables = [RANGE_KEYS, SWITCH_KEYS, HOME_TYPE_KEYS, SALE_TYPE_KEYS, OTHER_KEYS, { rent: RENT_KEY }]
    const keys = tables.flatMap((table) => Object.values<UrlKey>(table).map(([short]) => short))
    expect(keys.length).toBeGreaterThan(25)
    for (const key of keys) expect(named, key).toContain(key)
  })

  test.each(['for_rent', 'sold'] as const)(
    'the preset of %s is recognised by short and long keys',
    (status) => {
      expect(read(flags(PRESETS[status]))).toMatchObject({ status })
      expect(read(flags(LONG_PRESETS[status]))).toMatchObject({ status })
    },
  )

  test('the flags decide the status, and the path decides only without flags', () => {
    expect(read({}, '/seattle-wa/sold/')).toMatchObject({ status: 'sold' })
    expect(read({}, '/seattle-wa/rentals/')).toMatchObject({ status: 'for_rent' })
    expect(read(flags(PRESETS.sold), '/seattle-wa/rentals/')).toMatchObject({ status: 'sold' })
    expect(read(flags({ fsba: true }), '/seattle-wa/sold/')).toMatchObject({ status: 'for_sale' })
  })

  test('home types that are switched off are left out', () => {
    const off = { con: false, apa: false, apco: false, mf: false, land: false, tow: false, manu: false }
    expect(read(flags(off))).toMatchObject({ homeTypes: ['house'] })
    expect(read(flags({ isLotLand: false }))).toMatchObject({
      homeTypes: ['house', 'condo', 'townhouse', 'multi_family', 'manufactured', 'apartment'],
    })
    expect(read(flags({ ah: true, sf: true, con: true }))).not.toHaveProperty('homeTypes')
    expect(read(flags({ ah: false, con: true }))).toMatchObject({ homeTypes: ['condo'] })
  })

  test('an unchecked box restricts nothing', () => {
    expect(read(flags({ pool: false, gar: false, wat: false }))).toEqual({
      status: 'for_sale',
      bbox: mapBounds,
    })
  })

  test('rent is read from monthlyPayment, because the site keeps a purchase price in price', () => {
    const rent = { ...flags(PRESETS.for_rent), price: { max: 872_627 }, mp: { max: 3000 } }
    expect(read(rent)).toMatchObject({ price: { max: 3000 } })
    expect(read({ ...flags(PRESETS.for_rent), price: { max: 3000 } })).toMatchObject({ price: { max: 3000 } })
    expect(read({ price: { max: 900_000 }, mp: { max: 3000 } })).toMatchObject({ price: { max: 900_000 } })
  })
})

describe('a search URL that cannot be used is refused with invalid_search_url', () => {
  const raw = (text: string) => `https://www.zillow.com/homes/?searchQueryState=${encodeURIComponent(text)}`

  test.each([
    ['nothing', ''],
    ['a pretty URL', 'https://www.zillow.com/seattle-wa/'],
    ['a pretty URL of a region', 'https://www.zillow.com/homes/seattle-wa_rb/'],
    ['a pretty URL with a query', 'https://www.zillow.com/seattle-wa/?category=cat1'],
    ['an empty state', 'https://www.zillow.com/homes/?searchQueryState='],
    [
      'the state in the fragment',
      `https://www.zillow.com/homes/#?searchQueryState=${JSON.stringify({ mapBounds })}`,
    ],
    ['two states', `${urlOf({ mapBounds })}&searchQueryState=%7B%7D`],
    ['the state in capitals', urlOf({ mapBounds }).replace('searchQueryState', 'SearchQueryState')],
    ['another host', urlOf({ mapBounds }).replace('zillow.com', 'example.com')],
    ['a look-alike host', urlOf({ mapBounds }).replace('zillow.com', 'zillow.com.example.com')],
    ['a user', urlOf({ mapBounds }).replace('www.', 'me@www.')],
    ['a port', urlOf({ mapBounds }).replace('.com', '.com:8080')],
    ['another scheme', urlOf({ mapBounds }).replace('https', 'ftp')],
    ['no JSON', raw('mapBounds')],
    ['half JSON', raw('{"mapBounds":{"west":1')],
    ['JSON encoded twice', raw(encodeURIComponent(JSON.stringify({ mapBounds })))],
    ['a list', raw('[]')],
    ['null', raw('null')],
    ['a text', raw('"x"')],
    ['no mapBounds', urlOf({ filterState: {} })],
    ['mapBounds of null', urlOf({ mapBounds: null })],
    ['mapBounds as list', urlOf({ mapBounds: [1, 2, 3, 4] })],
    ['half mapBounds', urlOf({ mapBounds: { west: 1, east: 2 } })],
    [
      'texts for numbers in mapBounds',
      urlOf({ mapBounds: { west: '1', south: '2', east: '3', north: '4' } }),
    ],
    ['mapBounds off the globe', urlOf({ mapBounds: { ...mapBounds, north: 95 } })],
    ['reversed mapBounds', urlOf({ mapBounds: { ...mapBounds, north: 40 } })],
    ['mapBounds of a prototype', raw('{"__proto__":{"mapBounds":{"west":1,"south":1,"east":2,"north":2}}}')],
    ['filterState as text', urlOf({ mapBounds, filterState: 'x' })],
    ['filterState as list', urlOf({ mapBounds, filterState: [] })],
    ['a price of texts', urlOf({ mapBounds, filterState: { price: { min: '1' } } })],
    ['a price as number', urlOf({ mapBounds, filterState: { price: 5 } })],
    ['min above max', urlOf({ mapBounds, filterState: { beds: { min: 3, max: 1 } } })],
    ['a flag as text', urlOf({ mapBounds, filterState: { rs: { value: 'true' } } })],
    ['a bare flag', urlOf({ mapBounds, filterState: { rs: true } })],
    [
      'no way of selling',
      urlOf({ mapBounds, filterState: flags(PRESETS.for_rent) }).replace(
        '%22fr%22%3A%7B%22value%22%3Atrue%7D%2C',
        '',
      ),
    ],
    ['an age that is no text', urlOf({ mapBounds, filterState: { '55plus': { value: 55 } } })],
    ['an unknown age', urlOf({ mapBounds, filterState: { '55plus': { value: 'x' } } })],
    ['days as number', urlOf({ mapBounds, filterState: { doz: { value: 7 } } })],
    ['unknown days', urlOf({ mapBounds, filterState: { doz: { value: '8' } } })],
    ['sold and for rent', urlOf({ mapBounds, filterState: { rs: { value: true }, fr: { value: true } } })],
    [
      'no type of home',
      urlOf({
        mapBounds,
        filterState: flags({
          sf: false,
          con: false,
          tow: false,
          mf: false,
          manu: false,
          land: false,
          apa: false,
        }),
      }),
    ],
    ['a space in the path', urlOf({ mapBounds }, '/seattle wa/')],
    ['a line feed', `${urlOf({ mapBounds })}\n`],
    ['more than 8 KiB', urlOf({ mapBounds, usersSearchTerm: 'x'.repeat(8192) })],
  ])('%s', (_, url) => {
    expect(fromSearchUrl(url, HOSTS)).toMatchObject(REFUSED)
  })
})

describe('a body becomes a list of searches', () => {
  const rules = { hosts: HOSTS }
  const search = { status: 'for_sale', bbox: mapBounds } as const
  const filters = search

  test('one search from filters, or one from each URL', () => {
    expect(readSearches({ filters }, rules)).toEqual([search])
    expect(readSearches({ filters, searchUrls: [] }, rules)).toEqual([search])
    const searchUrls = [
      { url: urlOf({ mapBounds }) },
      { url: urlOf({ mapBounds }, '/x/sold/') },
      { url: urlOf({ mapBounds }, '/x/') },
    ]
    expect(readSearches({ searchUrls }, rules)).toEqual([search, { ...search, status: 'sold' }])
  })

  test('a forced status applies to filters and to URLs', () => {
    const searchUrls = [{ url: urlOf({ mapBounds }) }, { url: urlOf({ mapBounds }, '/x/rentals/') }]
    expect(readSearches({ searchUrls }, { ...rules, status: 'sold' })).toEqual([
      { ...search, status: 'sold' },
    ])
    expect(readSearches({ filters }, { ...rules, status: 'for_rent' })).toEqual([
      { ...search, status: 'for_rent' },
    ])
  })

  test.each<[string, Parameters<typeof readSearches>[0], string]>([
    ['a box that is none', { filters: { ...search, bbox: { ...mapBounds, south: 48 } } }, 'invalid_filters'],
    ['a pretty URL', { searchUrls: [{ url: 'https://www.zillow.com/seattle-wa/' }] }, 'invalid_search_url'],
  ])('%s is refused', (_, body, code) => {
    expect(readSearches(body, rules)).toMatchObject({ refused: true, code })
  })

  test('the refusal names the wrong URL', () => {
    const searchUrls = [{ url: urlOf({ mapBounds }) }, { url: 'https://www.zillow.com/seattle-wa/' }]
    expect(readSearches({ searchUrls }, rules)).toMatchObject({ details: { index: 1 } })
  })
})
