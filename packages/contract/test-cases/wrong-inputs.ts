// Wrong input, fault by fault: what is wrong, the code it gets, and the calls it concerns, which for most faults are those
// of every operation that takes such input, whatever its method.

import type { ErrorCode } from '../src/generated/errors.ts'
import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import type { BadRequest } from './bad-request.ts'
import { type ExampleCall, exampleCallPath, minimalCall, requiredQueryParameters } from './example-calls.ts'
import { BOX, WRONG_FILTERS } from './wrong-filters.ts'

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

const HOME = 'https://www.zillow.com/homedetails/48749425_zpid/'
const BUILDING = 'https://www.zillow.com/b/the-marlowe-seattle-wa-5XjKqF/'
const ADDRESS = '2114 Bigelow Ave N, Seattle, WA 98109'
const searchUrl = (state: unknown) =>
  `https://www.zillow.com/seattle-wa/?searchQueryState=${encodeURIComponent(JSON.stringify(state))}`

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
    path: exampleCallPath(call),
    ...(call.body !== undefined && { body: call.body }),
    expect: { status: 400, code },
  })),
)
