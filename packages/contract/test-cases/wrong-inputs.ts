// Wrong input, fault by fault: what is wrong, the code it gets, and the calls it concerns, which for most faults are those
// of every operation that takes such input, whatever its method.

import type { ErrorCode } from '../src/generated/errors.ts'
import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import type { BadRequest } from './bad-request.ts'
import { type ExampleCall, minimalCall, pathOf, requiredQueryParameters } from './example-calls.ts'

interface WrongCall {
  readonly name: string
  readonly call: ExampleCall
}

interface WrongInput {
  readonly wrong: string
  readonly code: ErrorCode
  readonly calls: readonly WrongCall[]
}

const SEARCHES = ['searchListings', 'searchForSale', 'searchForRent', 'searchSold'] as const
const WITH_FILTERS = [...SEARCHES, 'searchWithDetails'] as const
const WITH_BODY = operationIds.filter((id) => operations[id].hasBody)
const NEEDING_FIELDS = WITH_BODY.filter((id) => operations[id].method !== 'PATCH')
const WITH_ZPID = operationIds.filter((id) => operations[id].path.includes('{zpid}'))

const BOX = { west: -122.375, south: 47.622, east: -122.34, north: 47.65 }
const HOME = 'https://www.zillow.com/homedetails/48749425_zpid/'
const BUILDING = 'https://www.zillow.com/b/the-marlowe-seattle-wa-5XjKqF/'
const ADDRESS = '2114 Bigelow Ave N, Seattle, WA 98109'
const searchUrl = (state: unknown) =>
  `https://www.zillow.com/seattle-wa/?searchQueryState=${encodeURIComponent(JSON.stringify(state))}`

/** Filters that are wrong, as the query of GET /v1/listings and as a body says them; null where one cannot. */
const WRONG_FILTERS: readonly (readonly [
  query: Readonly<Record<string, string>> | null,
  filters: unknown,
])[] = [
  [{ bbox: '1' }, { bbox: {} }],
  [{ zip: '9810' }, { zips: ['9810'] }],
  [{ zip: '98109;98119' }, { zips: '98109' }],
  [{ city: 'Seattle' }, { cities: ['Seattle'] }],
  [{ city: 'Seattle, Washington State' }, { cities: 'Seattle, WA' }],
  [{ polygon: '1,2;3,4' }, areaOf('0,0 1,0 1,1 0,1')],
  [{ polygon: '0,0;1,1;1,0;0,1' }, areaOf('0,0 1,1 1,0 0,1 0,0')],
  [{ polygon: '47.6,-122.3;47.7,-122.3;47.7,-122.2' }, { area: { type: 'square' } }],
  [{ near: '1,2' }, { area: { type: 'circle', center: [1, 2] } }],
  [{ near: '1,2', radius_m: '0' }, { area: { type: 'circle', center: [1, 2], radius_m: 0 } }],
  [{ near: '1,2', radius_m: '100001' }, { area: { type: 'circle', center: [1, 2], radius_m: '5' } }],
  [{ near: '1,200', radius_m: '5' }, { area: 'Seattle' }],
  [{ radius_m: '5' }, { area: { type: 'bbox', west: 0, south: 2, east: 1, north: 1 } }],
  [{ near: '1,2', radius_m: '5', polygon: '0,0;1,0;1,1' }, { area: { coordinates: [] } }],
  [{ bbox: '1,2,3' }, { bbox: { west: 1, south: 2, east: 3 } }],
  [{ bbox: '1,2,3,4,5' }, { bbox: [1, 2, 3, 4] }],
  [{ bbox: 'a,b,c,d' }, { bbox: { ...BOX, west: '-122.375' } }],
  [{ bbox: 'NaN,1,2,3' }, { bbox: { ...BOX, west: null } }],
  [{ bbox: 'Infinity,1,2,3' }, { bbox: 'Infinity,1,2,3' }],
  [{ bbox: '1e1,1,2,3' }, { bbox: 17 }],
  [{ bbox: '-180.1,1,2,3' }, { bbox: { ...BOX, west: -180.1 } }],
  [{ bbox: '-122,1,180.1,3' }, { bbox: { ...BOX, east: 180.1 } }],
  [{ bbox: '-122,-90.1,-121,3' }, { bbox: { ...BOX, south: -90.1 } }],
  [{ bbox: '-122,1,-121,90.1' }, { bbox: { ...BOX, north: 90.1 } }],
  [{ bbox: '-122,48,-121,47' }, { bbox: { ...BOX, south: 48, north: 47 } }],
  [{ bbox: '1;2;3;4' }, { bbox: null }],
  [{ bbox: '1,,3,4' }, { bbox: [] }],
  [{ bbox: '1,2,3,4,' }, { bbox: BOX, price: { minimum: 5 } }],
  [{ bbox: '0x1,2,3,4' }, { bbox: BOX, price: [1, 2] }],
  [{ home_types: 'HOUSE' }, { bbox: BOX, homeTypes: ['HOUSE'] }],
  [{ home_types: 'house,' }, { bbox: BOX, sqft: { min: '500' } }],
  [{ status: 'FOR_SALE' }, { bbox: BOX, status: 'FOR_SALE' }],
  [{ status: 'any' }, { bbox: BOX, status: '' }],
  [{ price_min: 'cheap' }, { bbox: BOX, price: 'cheap' }],
  [{ price_min: '-1' }, { bbox: BOX, price: { min: -1 } }],
  [{ price_max: '1.5' }, { bbox: BOX, price: { max: '1' } }],
  [
    { price_min: '2', price_max: '1' },
    { bbox: BOX, price: { min: 2, max: 1 } },
  ],
  [
    { beds_min: '2', beds_max: '1' },
    { bbox: BOX, beds: { min: 2, max: 1 } },
  ],
  [
    { baths_min: '2', baths_max: '1' },
    { bbox: BOX, baths: { min: 2, max: 1 } },
  ],
  [
    { sqft_min: '2', sqft_max: '1' },
    { bbox: BOX, sqft: { min: 2, max: 1 } },
  ],
  [
    { year_built_min: '2', year_built_max: '1' },
    { bbox: BOX, yearBuilt: { min: 2, max: 1 } },
  ],
  [{ year_built_min: '1990.5' }, { bbox: BOX, yearBuilt: { min: 1990.5 } }],
  [{ beds_min: 'x' }, { bbox: BOX, beds: [] }],
  [
    { lot_size_min: '2', lot_size_max: '1' },
    { bbox: BOX, lotSize: { min: 2, max: 1 } },
  ],
  [
    { hoa_min: '2', hoa_max: '1' },
    { bbox: BOX, hoa: { min: 2, max: 1 } },
  ],
  [{ sale_types: 'by_bank' }, { bbox: BOX, saleTypes: ['by_bank'] }],
  [{ pending: 'maybe' }, { bbox: BOX, pending: 'false' }],
  [{ coming_soon: '2' }, { bbox: BOX, comingSoon: 1 }],
  [{ open_house: 'soon' }, { bbox: BOX, openHouse: 'soon' }],
  [{ senior_community: '55' }, { bbox: BOX, seniorCommunity: 55 }],
  [{ home_types: 'house,castle' }, { bbox: BOX, homeTypes: ['house', 'castle'] }],
  [{ home_types: 'any' }, { bbox: BOX, homeTypes: [null] }],
  [{ home_types: 'house,,condo' }, { bbox: BOX, homeTypes: 'house' }],
  [{ days_on_site: '31' }, { bbox: BOX, daysOnSite: '31' }],
  [{ days_on_site: '07' }, { bbox: BOX, daysOnSite: 7 }],
  [{ location: 'x'.repeat(201) }, { bbox: BOX, location: 17 }],
  [null, { location: 'Seattle, WA' }],
  [null, {}],
  [null, []],
  [null, 'Seattle'],
  [null, { bbox: BOX, hasPool: 'yes' }],
  [null, { bbox: BOX, hasGarage: 1 }],
  [null, { bbox: BOX, isWaterfront: 'true' }],
  [null, { bbox: { ...BOX, zoom: 12 } }],
  [null, { bbox: BOX, yearBuilt: { min: 1990, exact: true } }],
]

const WRONG_INPUTS: readonly WrongInput[] = [
  {
    wrong: 'an absent required query or body field',
    code: 'missing_input',
    calls: [
      ...operationIds.flatMap((id) =>
        requiredQueryParameters(id).map((name) => wrong(`no ${name}`, without(minimalCall(id), name))),
      ),
      wrong('a location in place of a bbox', {
        ...minimalCall('listListings'),
        query: { location: 'Seattle, WA' },
      }),
      ...WITH_BODY.map((id) => wrong('no body', { ...minimalCall(id), body: undefined })),
      ...bodies(WITH_BODY, ''),
      ...bodies(NEEDING_FIELDS, {}, { unknown: true }),
      ...bodies(['createPropertyBatch'], { urls: [] }, { addresses: [] }, { urls: [], addresses: [] }),
      ...bodies(SEARCHES, { searchUrls: [] }, { maxItems: 10 }),
      ...bodies(['createWebhook'], { events: ['job.failed'] }),
    ],
  },
  {
    wrong: 'malformed filters, GET and POST alike; filters together with searchUrls',
    code: 'invalid_filters',
    calls: [
      ...WRONG_FILTERS.flatMap(([query, filters]) => [
        ...(query ? queries(['listListings'], query) : []),
        ...bodies(WITH_FILTERS, { filters }),
      ]),
      ...bodies(SEARCHES, { filters: { bbox: BOX }, searchUrls: [{ url: searchUrl({ mapBounds: BOX }) }] }),
    ],
  },
  {
    wrong: 'a status outside filters',
    code: 'invalid_status',
    calls: ['sold', 'for_sale', '', 'FOR_SALE,FOR_RENT'].flatMap((status) => [
      // A query parameter without a value is an absent one.
      ...(status === '' ? [] : queries(['getPropertyByUrl', 'getPropertyByAddress', 'listJobs'], { status })),
      ...bodies(['createPropertyBatch'], { urls: [HOME], propertyStatus: status }),
      ...bodies(['searchWithDetails'], { filters: { bbox: BOX }, propertyStatus: status }),
    ]),
  },
  {
    wrong: 'which units to extract',
    code: 'invalid_extract_units',
    calls: ['some', '', 'ALL', 'for_sale,for_rent'].flatMap((units) => [
      ...(units === '' ? [] : queries(['getPropertyByUrl'], { extract_units: units })),
      ...(units === '' ? [] : queries(['getBuildingUnits'], { include_units: units })),
      ...bodies(['createPropertyBatch'], { urls: [HOME], extractBuildingUnits: units }),
      ...bodies(['searchWithDetails'], { filters: { bbox: BOX }, extractBuildingUnits: units }),
    ]),
  },
  {
    wrong: 'a URL of the wrong host, kind or shape',
    code: 'invalid_url',
    calls: [
      ...[
        'not a url',
        '',
        '48749425',
        'ftp://www.zillow.com/b/x-5XjKqF/',
        'https://www.zillow.com/',
        'https://example.com/b/the-marlowe-seattle-wa-5XjKqF/',
        'https://zillow.com.evil.example/b/the-marlowe-seattle-wa-5XjKqF/',
        'https://notzillow.com/b/the-marlowe-seattle-wa-5XjKqF/',
        'https://user@www.zillow.com/b/the-marlowe-seattle-wa-5XjKqF/',
        'https://www.zillow.com:444/b/the-marlowe-seattle-wa-5XjKqF/',
        'https://www.zillow.com/b/%2e%2e/5XjKqF/',
      ].flatMap(listingUrls),
      ...queries(['getPropertyByUrl'], { url: 'https://www.zillow.com/homedetails/a-house/' }),
      ...queries(['getBuildingUnits'], { url: HOME }),
      ...queries(['getPropertyByUrl', 'getBuildingUnits'], { url: BUILDING + 'x'.repeat(2048) }),
      ...bodies(['createWebhook'], { url: 'not a url' }, { url: '' }, { url: 17 }, { url: null }),
    ],
  },
  {
    wrong: 'searchUrls without usable searchQueryState',
    code: 'invalid_search_url',
    calls: bodies(
      SEARCHES,
      ...[
        'https://www.zillow.com/seattle-wa/',
        'https://www.zillow.com/seattle-wa/?searchQueryState=',
        'https://www.zillow.com/seattle-wa/?searchQueryState=%7B',
        'https://www.zillow.com/seattle-wa/?searchQueryState=%zz',
        searchUrl([]),
        searchUrl({}),
        searchUrl({ mapBounds: { west: 1 } }),
        searchUrl({ mapBounds: { ...BOX, north: 91 } }),
        searchUrl({ mapBounds: BOX }).replace('zillow.com', 'example.com'),
        17,
      ].map((url) => ({ searchUrls: [{ url }] })),
      { searchUrls: [searchUrl({ mapBounds: BOX })] },
      { searchUrls: [{}] },
      { searchUrls: {} },
      { searchUrls: Array(101).fill({ url: searchUrl({ mapBounds: BOX }) }) },
    ),
  },
  {
    wrong: 'an address under 6 characters, without a street, or without city and ZIP code',
    code: 'invalid_address',
    calls: [
      ...['', '1 A S', 'x'.repeat(301)].flatMap(addresses),
      ...['Seattle, WA 98109', 'Bigelow Avenue', '      '].flatMap(addresses),
      ...['2114 Bigelow Ave N', '2114 Bigelow Ave N, WA'].flatMap(addresses),
    ],
  },
  {
    wrong: 'a zpid that is not digits',
    code: 'invalid_zpid',
    calls: WITH_ZPID.flatMap((id) =>
      ['abc', '12a', '-1', '1.5', ' ', '1 2', '9'.repeat(21), '9'.repeat(300), '%zz', '٣'].map((zpid) =>
        wrong(`zpid ${zpid.slice(0, 30)}`, { ...minimalCall(id), params: { zpid } }),
      ),
    ),
  },
  {
    wrong: 'a number, switch or format out of bounds, too many entries, a repeated parameter',
    code: 'invalid_parameter',
    calls: [
      ...['0', '51', '-1', '1.5', 'ten', '9'.repeat(30)].flatMap((max_items) =>
        queries(['listListings'], { max_items }),
      ),
      ...[0, 821, -1, 1.5, '10', 1e30].flatMap((maxItems) => [
        ...bodies(WITH_FILTERS, { filters: { bbox: BOX }, maxItems }),
        ...bodies(['createPropertyBatch'], { urls: [HOME], maxItems }),
      ]),
      ...bodies(WITH_FILTERS, {
        filters: { bbox: BOX },
        extractionMethod: 'MAP_MARKERS',
        maxItems: 501,
      }),
      ...bodies(SEARCHES, {
        filters: { bbox: BOX },
        extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
        maxItems: 1_000_001,
      }),
      ...['pagination', '', 1].flatMap((extractionMethod) =>
        bodies(WITH_FILTERS, { filters: { bbox: BOX }, extractionMethod }),
      ),
      ...['true', 1].flatMap((async) => bodies(SEARCHES, { filters: { bbox: BOX }, async })),
      ...['maybe', 'TRUE', '2'].flatMap((sync) => queries(['getBuildingUnits'], { sync })),
      ...operationIds.flatMap((id) => wrongOptions(id)),
      ...bodies(['createPropertyBatch'], { urls: Array(501).fill(HOME) }),
      ...bodies(['createPropertyBatch'], {
        urls: Array(250).fill(HOME),
        addresses: Array(251).fill(ADDRESS),
      }),
      ...bodies(['createWebhook'], { url: 'https://hooks.example.com/', description: 'x'.repeat(501) }),
      ...operationIds.flatMap((id) =>
        operations[id].queryParameters.map((name) => {
          const call = minimalCall(id)
          const value = call.query[name] ?? '1'
          return wrong(`${name} given twice`, {
            ...call,
            query: { ...call.query, [name]: [value, value].flat() },
          })
        }),
      ),
    ],
  },
  {
    wrong: 'webhook events that are unknown or empty',
    code: 'invalid_events',
    calls: [['job.started'], ['job.failed', 'job.failed'], 'job.failed', [null], [1]].flatMap((events) =>
      bodies(['createWebhook'], { url: 'https://hooks.example.com/lotline', events }),
    ),
  },
  {
    wrong: 'an unparseable body',
    code: 'invalid_json',
    calls: bodies(WITH_BODY, '{', '{"filters":', 'url=x', '{"a":1,}', '\u0000'),
  },
]

/** `format type since limit offset` of an operation that takes them. */
function wrongOptions(id: OperationId): WrongCall[] {
  const values: Readonly<Record<string, readonly string[]>> = {
    format: ['xml', 'CSV', 'json,csv'],
    type: ['batch'],
    since: [
      'yesterday',
      '2026-11-20',
      '1795194133',
      '2026-13-01T00:00:00Z',
      '2026-02-29T00:00:00Z',
      '2026-11-20T00:00:00',
      '2026-11-20\u00a000:00:00Z',
      '2026-11-20T00:00:00+24:00',
      '+12026-11-20T00:00:00Z',
    ],
    limit: ['0', '-1', '1001', '1.5', 'ten', '9'.repeat(30)],
    offset: ['-1', '1.5', 'ten', '2147483648'],
    fields: ['x'.repeat(4001)],
  }
  return operations[id].queryParameters.flatMap((name) =>
    (values[name] ?? []).flatMap((value) => queries([id], { [name]: value })),
  )
}

/** @param ring such as `0,0 1,0 1,1 0,0` */
function areaOf(ring: string): object {
  const corners = ring.split(' ').map((corner) => corner.split(',').map(Number))
  return { area: { type: 'Polygon', coordinates: [corners] } }
}

function listingUrls(url: string): WrongCall[] {
  return [
    ...queries(['getPropertyByUrl', 'getBuildingUnits'], { url }),
    ...bodies(['createPropertyBatch'], { urls: [url] }, { urls: [HOME, url] }),
  ]
}

function addresses(address: string): WrongCall[] {
  return [
    ...queries(['getPropertyByAddress'], { address }),
    ...bodies(['createPropertyBatch'], { addresses: [address] }, { addresses: [ADDRESS, address] }),
  ]
}

function queries(ids: readonly OperationId[], query: Readonly<Record<string, string>>): WrongCall[] {
  return ids.map((id) => {
    const call = minimalCall(id)
    return wrong(shown(query), { ...call, query: { ...call.query, ...query } })
  })
}

function bodies(ids: readonly OperationId[], ...wrongBodies: readonly unknown[]): WrongCall[] {
  return ids.flatMap((id) => wrongBodies.map((body) => wrong(shown(body), { ...minimalCall(id), body })))
}

function without(call: ExampleCall, name: string): ExampleCall {
  const { [name]: _left, ...query } = call.query
  return { ...call, query }
}

function wrong(name: string, call: ExampleCall): WrongCall {
  return { name: `${call.id}: ${name}`, call }
}

/** Long ones that differ are told apart by their length. */
function shown(input: unknown): string {
  const text = JSON.stringify(input)
  return text.length > 100 ? `${text.slice(0, 100)}… (${text.length} characters)` : text
}

export const wrongInputs: readonly BadRequest[] = WRONG_INPUTS.flatMap(({ wrong, code, calls }) =>
  calls.map(({ name, call }) => ({
    name: `${name} (${wrong})`,
    operation: call.id,
    method: operations[call.id].method,
    path: pathOf(call),
    ...(call.body !== undefined && { body: call.body }),
    expect: { status: 400, code },
  })),
)
