// Wrong bodies of the POST operations, each wrong in one thing.

import type { OperationId } from '../src/generated/operations.ts'
import { operationIds, operations } from '../src/generated/operations.ts'
import { listParameters } from '../src/nodes.ts'
import { KEY_CASES } from './bad-key-inputs.ts'
import type { BadRequest, Case } from './bad-request.ts'
import { exampleCallPath, minimalCall } from './example-calls.ts'
import { ADDRESS, BOX, HOME_URL, SEARCH_URL, searchUrl, WEBHOOK_URL } from './valid-input.ts'

type Code = BadRequest['expect']['code']

const SEARCHES: readonly OperationId[] = ['searchListings', 'searchForSale', 'searchForRent', 'searchSold']

/** What is wrong in `filters`, of any operation that takes them. */
const FILTERS: readonly (readonly [name: string, filters: unknown])[] = [
  ['a location alone', { location: 'Seattle, WA' }],
  ['no filter at all', {}],
  ['filters that are a text', 'Seattle'],
  ['an empty list of ZIP codes', { zips: [] }],
  ['a misspelled area alone', { aera: { type: 'circle', center: [-122.3, 47.6], radius_m: 500 } }],
  ['a ZIP code with four digits', { zips: ['9810'] }],
  ['101 ZIP codes', { zips: Array(101).fill('98109') }],
  ['a city without a state', { cities: ['Seattle'] }],
  ['21 cities', { cities: Array(21).fill('Seattle, WA') }],
  ['an area of an unknown type', { area: { type: 'square' } }],
  [
    'an unclosed polygon',
    {
      area: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
    },
  ],
  ['a place of an unknown kind', { area: { type: 'place', kind: 'planet', id: '3' } }],
  ['a place without an id or a name', { area: { type: 'place', kind: 'county' } }],
  ['a place with an id and a name', { area: { type: 'place', kind: 'state', id: '53', name: 'Washington' } }],
  ['a circle without a radius', { area: { type: 'circle', center: [-122.3, 47.6] } }],
  ['21 areas', { area: Array(21).fill({ type: 'circle', center: [-122.3, 47.6], radius_m: 500 }) }],
  ['a bbox as a text', { bbox: '-122.375,47.622,-122.34,47.65' }],
  ['a bbox as a list', { bbox: [-122.375, 47.622, -122.34, 47.65] }],
  ['a bbox without north', { bbox: { west: -122.375, south: 47.622, east: -122.34 } }],
  ['a bbox of texts', { bbox: { ...BOX, west: '-122.375' } }],
  ['a bbox beyond 180 degrees', { bbox: { ...BOX, west: -180.1 } }],
  ['a bbox beyond 90 degrees', { bbox: { ...BOX, north: 90.1 } }],
  ['a bbox with null', { bbox: { ...BOX, east: null } }],
  ['a bbox upside down', { bbox: { ...BOX, south: BOX.north, north: BOX.south } }],
  ['a filter on an unknown status', { bbox: BOX, status: 'FOR_SALE' }],
  ['a price that is a number', { bbox: BOX, price: 500_000 }],
  ['a price range of texts', { bbox: BOX, price: { min: '500000' } }],
  ['a negative price', { bbox: BOX, price: { min: -1 } }],
  ['a year with a fraction', { bbox: BOX, yearBuilt: { min: 1990.5 } }],
  ...['price', 'beds', 'baths', 'sqft', 'yearBuilt'].map(
    (range) => [`a ${range} range upside down`, { bbox: BOX, [range]: { min: 2, max: 1 } }] as const,
  ),
  ['an unknown home type', { bbox: BOX, homeTypes: ['house', 'castle'] }],
  ['a home type that is no list', { bbox: BOX, homeTypes: 'house' }],
  ['a price range with an unknown field', { bbox: BOX, price: { minimum: 5 } }],
  ['a bbox with an unknown field', { bbox: { ...BOX, zoom: 12 } }],
  ['unknown days on site', { bbox: BOX, daysOnSite: '31' }],
  ['days on site as a number', { bbox: BOX, daysOnSite: 30 }],
  ['a pool that is neither true nor false', { bbox: BOX, hasPool: 'yes' }],
]

const SEARCH: readonly Case[] = [
  ['a cursor that is not one', { filters: { bbox: BOX }, cursor: 'not a cursor' }, 'invalid_cursor'],
  ['an unknown order', { filters: { bbox: BOX }, sort: 'cheapest' }, 'invalid_parameter'],
  ['a distance without a circle', { filters: { bbox: BOX }, sort: 'distance' }, 'invalid_parameter'],
  ['an order for a job', { filters: { bbox: BOX }, sort: 'price', maxItems: 51 }, 'invalid_parameter'],
  ['no body', undefined, 'missing_input'],
  ['an empty body', '', 'missing_input'],
  ['neither filters nor searchUrls', {}, 'missing_input'],
  ['an empty list of searchUrls', { searchUrls: [] }, 'missing_input'],
  ['a list as the body', [], 'invalid_parameter'],
  ...FILTERS.map(([name, filters]) => [name, { filters }, 'invalid_filters'] as const),
  [
    'filters and searchUrls',
    { filters: { bbox: BOX }, searchUrls: [{ url: SEARCH_URL }] },
    'invalid_filters',
  ],
  ['searchUrls that are no list', { searchUrls: SEARCH_URL }, 'invalid_search_url'],
  ['a search URL without an object', { searchUrls: [SEARCH_URL] }, 'invalid_search_url'],
  ['a search URL object without url', { searchUrls: [{}] }, 'invalid_search_url'],
  ['101 search URLs', { searchUrls: Array(101).fill({ url: SEARCH_URL }) }, 'invalid_search_url'],
  ...(
    [
      ['without searchQueryState', 'https://www.zillow.com/seattle-wa/'],
      ['with an empty searchQueryState', 'https://www.zillow.com/seattle-wa/?searchQueryState='],
      ['whose searchQueryState is no JSON', searchUrl('{mapBounds}')],
      ['whose searchQueryState is a list', searchUrl('[]')],
      ['without mapBounds', searchUrl('{"filterState":{}}')],
      ['with half a mapBounds', searchUrl('{"mapBounds":{"west":-122,"east":-121}}')],
      ['on another host', searchUrl(JSON.stringify({ mapBounds: BOX }), 'example.com')],
    ] as const
  ).map(([name, url]) => [`a search URL ${name}`, { searchUrls: [{ url }] }, 'invalid_search_url'] as const),
  ['an unknown extraction method', search({ extractionMethod: 'pagination' }), 'invalid_parameter'],
  ['maxItems of 0', search({ maxItems: 0 }), 'invalid_parameter'],
  ['maxItems as a text', search({ maxItems: '10' }), 'invalid_parameter'],
  ['maxItems with a fraction', search({ maxItems: 1.5 }), 'invalid_parameter'],
  ['maxItems of 821', search({ maxItems: 821 }), 'invalid_parameter'],
  [
    'maxItems of 501 with MAP_MARKERS',
    search({ extractionMethod: 'MAP_MARKERS', maxItems: 501 }),
    'invalid_parameter',
  ],
  [
    'maxItems of 1,000,001 with PAGINATION_WITH_ZOOM_IN',
    search({ extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 1_000_001 }),
    'invalid_parameter',
  ],
  ['async as a text', search({ async: 'true' }), 'invalid_parameter'],
]

/** Of a new watch and of one that is changed. */
const WATCH: readonly Case[] = [
  ['no body', undefined, 'missing_input'],
  ['an empty body', '', 'missing_input'],
  ['a list as the body', [], 'invalid_parameter'],
  ['filters and zpids', watch({ zpids: ['48749425'] }), 'invalid_filters'],
  ...FILTERS.map(([name, filters]) => [name, watch({ filters }), 'invalid_filters'] as const),
  ['days on site', watch({ filters: { bbox: BOX, daysOnSite: '7' } }), 'invalid_filters'],
  ['open houses', watch({ filters: { bbox: BOX, openHouse: false } }), 'invalid_filters'],
  ['a zpid that is none', { name: 'Homes', zpids: ['48749425', 'x'] }, 'invalid_zpid'],
  ['a number as a zpid', { name: 'Homes', zpids: [48749425] }, 'invalid_zpid'],
  ['1,001 zpids', { name: 'Homes', zpids: Array(1001).fill('48749425') }, 'invalid_parameter'],
  ['an unknown event', watch({ events: ['listing.gone'] }), 'invalid_events'],
  ['an event named twice', watch({ events: ['listing.new', 'listing.new'] }), 'invalid_events'],
  ['a name that is too long', watch({ name: 'x'.repeat(101) }), 'invalid_parameter'],
  ['an empty name', watch({ name: '' }), 'invalid_parameter'],
  ['metadata that is no object', watch({ metadata: 'x' }), 'invalid_metadata'],
  ['metadata of a number', watch({ metadata: { key: 1 } }), 'invalid_metadata'],
  ['a value of metadata that is too long', watch({ metadata: { key: 'x'.repeat(501) } }), 'invalid_metadata'],
  [
    'a name of metadata that is too long',
    watch({ metadata: { ['x'.repeat(101)]: 'value' } }),
    'invalid_metadata',
  ],
  ['NUL in a name of metadata', watch({ metadata: { 'a\0b': 'value' } }), 'invalid_parameter'],
  [
    '17 values of metadata',
    watch({ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`key${at}`, 'x'])) }),
    'invalid_metadata',
  ],
  ['an unknown interval', watch({ every: '2h' }), 'invalid_parameter'],
  ['a negative minimum change', watch({ min_change: { amount: -1 } }), 'invalid_parameter'],
  ['a minimum change of 101 percent', watch({ min_change: { percent: 101 } }), 'invalid_parameter'],
  ['a minimum change that is a number', watch({ min_change: 5 }), 'invalid_parameter'],
  ['paused as a text', watch({ paused: 'true' }), 'invalid_parameter'],
  ['a subscriber that is a text', watch({ subscriber: 'a@example.com' }), 'invalid_parameter'],
  ['a subscriber without an address', watch({ subscriber: {} }), 'missing_input'],
  [
    'a subscriber that is a person and a webhook',
    watch({ subscriber: { email: 'a@example.com', webhook_id: 'a3c1f5d2-0b4e-4f6a-8d7c-9e2b1a0c3d4f' } }),
    'invalid_parameter',
  ],
  ['a subscriber whose address is none', watch({ subscriber: { email: 'a at b' } }), 'invalid_parameter'],
  [
    'an unknown frequency of digests',
    watch({ subscriber: { email: 'a@example.com', frequency: 'hourly' } }),
    'invalid_parameter',
  ],
  ['a subscriber whose webhook is no id', watch({ subscriber: { webhook_id: 'x' } }), 'invalid_parameter'],
]

const CASES: Partial<Record<OperationId, readonly Case[]>> = {
  ...Object.fromEntries(SEARCHES.map((operation) => [operation, SEARCH])),
  searchWithDetails: [
    ['no body', undefined, 'missing_input'],
    ['an empty body', '', 'missing_input'],
    ['no filters', {}, 'missing_input'],
    ['searchUrls in place of filters', { searchUrls: [{ url: SEARCH_URL }] }, 'missing_input'],
    ['a list as the body', [], 'invalid_parameter'],
    ...FILTERS.map(([name, filters]) => [name, { filters }, 'invalid_filters'] as const),
    ['an unknown status', search({ propertyStatus: 'sold' }), 'invalid_status'],
    ['unknown units', search({ extractBuildingUnits: true }), 'invalid_extract_units'],
    ['an unknown extraction method', search({ extractionMethod: 'ZOOM' }), 'invalid_parameter'],
    ['maxItems of 0', search({ maxItems: 0 }), 'invalid_parameter'],
    ['maxItems of 821', search({ maxItems: 821 }), 'invalid_parameter'],
    [
      'maxItems of 501 with MAP_MARKERS',
      search({ extractionMethod: 'MAP_MARKERS', maxItems: 501 }),
      'invalid_parameter',
    ],
  ],
  createPropertyBatch: [
    ['no body', undefined, 'missing_input'],
    ['an empty body', '', 'missing_input'],
    ['no entries', {}, 'missing_input'],
    ['empty lists', { urls: [], addresses: [] }, 'missing_input'],
    ['only a status', { propertyStatus: 'FOR_SALE' }, 'missing_input'],
    ['a list as the body', [], 'invalid_parameter'],
    ['urls that are no list', { urls: HOME_URL }, 'invalid_parameter'],
    ['501 URLs', { urls: Array(501).fill(HOME_URL) }, 'invalid_parameter'],
    [
      '501 entries in both lists',
      { urls: Array(251).fill(HOME_URL), addresses: Array(250).fill(ADDRESS) },
      'invalid_parameter',
    ],
    ['a URL of another kind of page', { urls: ['https://www.zillow.com/profile/x/'] }, 'invalid_url'],
    ['a number among the URLs', { urls: [48749425] }, 'invalid_url'],
    ['a URL on another host', { urls: ['https://example.com/b/x-5XjKqF/'] }, 'invalid_url'],
    ['a wrong URL after a right one', { urls: [HOME_URL, 'nowhere'] }, 'invalid_url'],
    ['an address of five characters', { addresses: ['1 A S'] }, 'invalid_address'],
    ['an address without a street', { addresses: ['Seattle, WA 98109'] }, 'invalid_address'],
    ['an address without city and ZIP code', { addresses: ['2114 Bigelow Ave N'] }, 'invalid_address'],
    ['an unknown status', batch({ propertyStatus: 'for_sale' }), 'invalid_status'],
    ['unknown units', batch({ extractBuildingUnits: 'some' }), 'invalid_extract_units'],
    ['maxItems of 0', batch({ maxItems: 0 }), 'invalid_parameter'],
    ['maxItems of 501', batch({ maxItems: 501 }), 'invalid_parameter'],
  ],
  createWatch: [
    ...WATCH,
    ['no name', { zpids: ['48749425'] }, 'missing_input'],
    ['neither filters nor zpids', { name: 'Homes' }, 'missing_input'],
  ],
  updateWatch: WATCH,
  ...KEY_CASES,
  updateWebhook: [
    ['no body', undefined, 'missing_input'],
    ['an empty body', '', 'missing_input'],
    ['a list as the body', [], 'invalid_parameter'],
    ['no URL as url', { url: 'not a url' }, 'invalid_url'],
    ['a URL of another scheme', { url: 'ftp://hooks.example.com/lotline' }, 'invalid_url'],
    ['a URL with a user name', { url: 'https://user@hooks.example.com/lotline' }, 'invalid_url'],
    ['an unknown event', { events: ['job.started'] }, 'invalid_events'],
    ['an event named twice', { events: ['job.failed', 'job.failed'] }, 'invalid_events'],
    ['a description that is too long', { description: 'x'.repeat(501) }, 'invalid_parameter'],
    ['active as a text', { active: 'no' }, 'invalid_parameter'],
  ],
  createWebhook: [
    ['no body', undefined, 'missing_input'],
    ['an empty body', '', 'missing_input'],
    ['no url', { events: ['job.failed'] }, 'missing_input'],
    ['a list as the body', [], 'invalid_parameter'],
    ['no URL as url', { url: 'not a url' }, 'invalid_url'],
    ['an empty url', { url: '' }, 'invalid_url'],
    ['a number as url', { url: 17 }, 'invalid_url'],
    ['a URL of another scheme', { url: 'ftp://hooks.example.com/lotline' }, 'invalid_url'],
    ['an unknown event', webhook({ events: ['job.started'] }), 'invalid_events'],
    ['an event named twice', webhook({ events: ['job.failed', 'job.failed'] }), 'invalid_events'],
    ['an event that is no list', webhook({ events: 'job.failed' }), 'invalid_events'],
    ['a description that is too long', webhook({ description: 'x'.repeat(501) }), 'invalid_parameter'],
    ['NUL in the description', webhook({ description: 'a\0b' }), 'invalid_parameter'],
    ['NUL in the url', { url: `${WEBHOOK_URL}\0` }, 'invalid_url'],
    ['NUL in an event', webhook({ events: ['job.failed\0'] }), 'invalid_events'],
  ],
}

function search(rest: object): object {
  return { filters: { bbox: BOX }, ...rest }
}

function batch(rest: object): object {
  return { urls: [HOME_URL], ...rest }
}

function watch(rest: object): object {
  return { name: 'Homes', filters: { bbox: BOX }, ...rest }
}

function webhook(rest: object): object {
  return { url: WEBHOOK_URL, ...rest }
}

const wrongBodies: readonly BadRequest[] = Object.entries(CASES).flatMap(([id, cases]) =>
  cases.map(([name, body, code]) => ({
    name: `${id} with ${name}`,
    operation: id as OperationId,
    method: operations[id as OperationId].method,
    path: exampleCallPath(minimalCall(id as OperationId)),
    body,
    expect: { status: 400, code },
  })),
)

/** Beside the body: the query and the headers of the same operations. */
const besideBodies: readonly BadRequest[] = [
  ...SEARCHES.flatMap((operation) =>
    [
      ['an unknown format', '?format=xml'],
      ['two formats', '?format=csv&format=json'],
    ].map(([name = '', query = '']) => ({
      name: `${operation} with ${name}`,
      operation,
      method: 'POST',
      path: operations[operation].path + query,
      body: search({}),
      expect: { status: 400, code: 'invalid_parameter' as const },
    })),
  ),
  ...operationIds
    .filter((id) => listParameters(id).some(({ name }) => name === 'Idempotency-Key'))
    .map((operation) => ({
      name: `${operation} with an Idempotency-Key that is too long`,
      operation,
      method: 'POST',
      path: exampleCallPath(minimalCall(operation)),
      headers: { 'idempotency-key': 'x'.repeat(256) },
      body: minimalCall(operation).body,
      expect: { status: 400, code: 'invalid_parameter' as const },
    })),
]

/** The parts of a record have no other parameter than the limit of credits. */
const wrongLimits: readonly BadRequest[] = operationIds
  .filter((id) => /^\/v1\/properties\/\{zpid\}\//.test(operations[id].path))
  .map((operation) => ({
    name: `${operation} with a limit of credits that is no number`,
    operation,
    method: 'GET',
    path: operations[operation].path.replace('{zpid}', '48749425'),
    headers: { 'x-max-credits': 'many' },
    expect: { status: 400, code: 'invalid_parameter' as const },
  }))

/** Of the call that is estimated: it is refused as the call itself would be. */
const ESTIMATES: readonly (readonly [name: string, operation: string, input: unknown, code: Code])[] = [
  ['a URL on another host', 'getPropertyByUrl', { query: { url: 'https://example.com/x' } }, 'invalid_url'],
  [
    'an address without a street',
    'getPropertyByAddress',
    { query: { address: 'Seattle, WA' } },
    'invalid_address',
  ],
  ['a zpid of letters', 'getProperty', { path: { zpid: 'x' } }, 'invalid_zpid'],
  [
    'an unknown status',
    'getPropertyByAddress',
    { query: { address: ADDRESS, status: 'gone' } },
    'invalid_status',
  ],
  [
    'unknown units',
    'createPropertyBatch',
    { body: { urls: [HOME_URL], extractBuildingUnits: 'some' } },
    'invalid_extract_units',
  ],
  ['filters without an area', 'searchListings', { body: { filters: {} } }, 'invalid_filters'],
  [
    'a search URL without a state',
    'searchListings',
    { body: { searchUrls: [{ url: 'https://www.zillow.com/seattle-wa/' }] } },
    'invalid_search_url',
  ],
  ['unknown events', 'createWebhook', { body: { url: WEBHOOK_URL, events: ['none'] } }, 'invalid_events'],
  [
    'metadata that is too long',
    'createWatch',
    { body: { name: 'Homes', zpids: ['48749425'], metadata: { key: 'x'.repeat(501) } } },
    'invalid_metadata',
  ],
  [
    'a list that is too long',
    'listListings',
    { query: { bbox: '-1,1,2,3', max_items: 51 } },
    'invalid_parameter',
  ],
  ['an unknown operation', 'buyHome', {}, 'invalid_parameter'],
  [
    'an estimate',
    'estimateCall',
    { body: { operation: 'getProperty', input: { path: { zpid: '48749425' } } } },
    'invalid_parameter',
  ],
  ['20,000 estimates inside each other', 'estimateCall', nestedEstimates(20_000), 'invalid_parameter'],
]

/** The input of an estimate of an estimate, and so on. */
function nestedEstimates(count: number): object {
  let input: object = {}
  for (let depth = 0; depth < count; depth++) input = { body: { operation: 'estimateCall', input } }
  return input
}

const wrongEstimates: readonly BadRequest[] = ESTIMATES.map(([name, asked, input, code]) => ({
  name: `estimateCall with ${name}`,
  operation: 'estimateCall',
  method: 'POST',
  path: operations.estimateCall.path,
  body: { operation: asked, input },
  expect: { status: 400, code },
}))

export const badInputs: readonly BadRequest[] = [
  ...wrongBodies,
  ...besideBodies,
  ...wrongLimits,
  ...wrongEstimates,
]
