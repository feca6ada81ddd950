// Wrong paths and queries of the GET operations, each wrong in one thing.

import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import type { BadRequest } from './bad-request.ts'
import { minimalCall } from './example-calls.ts'
import { ADDRESS, BOX_TEXT, BUILDING_URL, HOME_URL, samplePath, UUID, withQuery } from './valid-input.ts'

type Query = Readonly<Record<string, string | readonly string[]>>
type Code = BadRequest['expect']['code']
/** What is wrong, the change of the valid query (null leaves a parameter out), and the code. */
type QueryCase = readonly [
  name: string,
  change: Readonly<Record<string, string | readonly string[] | null>>,
  code: Code,
]

const VALID: Partial<Record<OperationId, Query>> = {
  getPropertyByUrl: { url: HOME_URL },
  getPropertyByAddress: { address: ADDRESS },
  getBuildingUnits: { url: BUILDING_URL },
  listListings: { bbox: BOX_TEXT },
}

const CASES: Partial<Record<OperationId, readonly QueryCase[]>> = {
  getPropertyByUrl: [
    ['no url', { url: null }, 'missing_input'],
    ['no URL as url', { url: 'not a url' }, 'invalid_url'],
    ['an empty url', { url: '' }, 'invalid_url'],
    ['a URL of another kind of page', { url: 'https://www.zillow.com/profile/somebody/' }, 'invalid_url'],
    ['a URL without a path', { url: 'https://www.zillow.com/' }, 'invalid_url'],
    ['a URL of another scheme', { url: 'ftp://www.zillow.com/homedetails/48749425_zpid/' }, 'invalid_url'],
    ['a URL on another host', { url: 'https://example.com/homedetails/48749425_zpid/' }, 'invalid_url'],
    [
      'a URL on a host with a similar name',
      { url: 'https://notzillow.com/homedetails/48749425_zpid/' },
      'invalid_url',
    ],
    [
      'a home URL without a zpid',
      { url: 'https://www.zillow.com/homedetails/2114-Bigelow-Ave-N/' },
      'invalid_url',
    ],
    ['an unknown status', { status: 'sold' }, 'invalid_status'],
    ['unknown units', { extract_units: 'some' }, 'invalid_extract_units'],
    ['two urls', { url: [HOME_URL, HOME_URL] }, 'invalid_parameter'],
    ['two statuses', { status: ['FOR_SALE', 'FOR_RENT'] }, 'invalid_parameter'],
  ],
  getPropertyByAddress: [
    ['no address', { address: null }, 'missing_input'],
    ['an address of five characters', { address: '1 A S' }, 'invalid_address'],
    ['an address without a street', { address: 'Seattle, WA 98109' }, 'invalid_address'],
    ['an address without city and ZIP code', { address: '2114 Bigelow Ave N, WA' }, 'invalid_address'],
    ['an unknown status', { status: 'for_sale' }, 'invalid_status'],
    ['two addresses', { address: [ADDRESS, ADDRESS] }, 'invalid_parameter'],
  ],
  getProperty: [['fields given twice', { fields: ['zpid', 'price'] }, 'invalid_parameter']],
  getBuildingUnits: [
    ['no url', { url: null }, 'missing_input'],
    ['the URL of a home', { url: HOME_URL }, 'invalid_url'],
    ['a URL on another host', { url: 'https://example.com/b/the-marlowe-5XjKqF/' }, 'invalid_url'],
    ['unknown units', { include_units: 'disabled' }, 'invalid_extract_units'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
    ['a sync that is neither true nor false', { sync: 'maybe' }, 'invalid_parameter'],
    ['two urls', { url: [BUILDING_URL, BUILDING_URL] }, 'invalid_parameter'],
  ],
  listListings: [
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
    ['a distance without a circle', { sort: 'distance' }, 'invalid_parameter'],
    ['no bbox', { bbox: null }, 'missing_input'],
    ['a location alone', { bbox: null, location: 'Seattle, WA' }, 'missing_input'],
    ['a radius alone', { bbox: null, radius_m: '500' }, 'invalid_filters'],
    ['a center without a radius', { bbox: null, near: '-122.3,47.6' }, 'invalid_filters'],
    ['a polygon of two corners', { bbox: null, polygon: '0,0;1,1' }, 'invalid_filters'],
    [
      'a center with the latitude first',
      { bbox: null, near: '47.6,-122.3', radius_m: '500' },
      'invalid_filters',
    ],
    ['a crossing polygon', { bbox: null, polygon: '0,0;1,1;1,0;0,1' }, 'invalid_filters'],
    ['a corner with the latitude first', { bbox: null, polygon: '0,0;1,0;47.6,-122.3' }, 'invalid_filters'],
    ['a ZIP code with four digits', { zip: '9810' }, 'invalid_filters'],
    ['a city without a state', { city: 'Seattle' }, 'invalid_filters'],
    ['a bbox of three numbers', { bbox: '-122.375,47.622,-122.340' }, 'invalid_filters'],
    ['a bbox of words', { bbox: 'west,south,east,north' }, 'invalid_filters'],
    ['a bbox beyond 180 degrees', { bbox: '-190,47,-122,48' }, 'invalid_filters'],
    ['a bbox beyond 90 degrees', { bbox: '-123,47,-122,91' }, 'invalid_filters'],
    ['a bbox upside down', { bbox: '-122.375,47.650,-122.340,47.622' }, 'invalid_filters'],
    ['a place without a kind', { place: '53033' }, 'invalid_filters'],
    ['a place of an unknown kind', { place: 'planet:3' }, 'invalid_filters'],
    [
      'a place and a circle',
      { place: 'county:53033', near: '-122.3,47.6', radius_m: '5' },
      'invalid_filters',
    ],
    ['an unknown status', { status: 'FOR_SALE' }, 'invalid_filters'],
    ['a price that is no number', { price_min: 'cheap' }, 'invalid_filters'],
    ['a price with cents', { price_min: '100.5' }, 'invalid_filters'],
    ['a negative number of beds', { beds_min: '-1' }, 'invalid_filters'],
    ['a price range upside down', { price_min: '2', price_max: '1' }, 'invalid_filters'],
    ['a beds range upside down', { beds_min: '2', beds_max: '1' }, 'invalid_filters'],
    ['a baths range upside down', { baths_min: '2', baths_max: '1' }, 'invalid_filters'],
    ['an area range upside down', { sqft_min: '2', sqft_max: '1' }, 'invalid_filters'],
    ['a year range upside down', { year_built_min: '2', year_built_max: '1' }, 'invalid_filters'],
    ['an unknown home type', { home_types: 'house,castle' }, 'invalid_filters'],
    ['unknown days on site', { days_on_site: '31' }, 'invalid_filters'],
    ['max_items of 0', { max_items: '0' }, 'invalid_parameter'],
    ['max_items of 51', { max_items: '51' }, 'invalid_parameter'],
    ['max_items that is no number', { max_items: 'all' }, 'invalid_parameter'],
    ['an unknown format', { format: 'xml' }, 'invalid_parameter'],
    ['two boxes', { bbox: [BOX_TEXT, BOX_TEXT] }, 'invalid_parameter'],
    ['two formats', { format: ['csv', 'json'] }, 'invalid_parameter'],
  ],
  listJobs: [
    ['an unknown status', { status: 'done' }, 'invalid_status'],
    ['an unknown type', { type: 'batch' }, 'invalid_parameter'],
    ['a since that is a date', { since: '2026-11-20' }, 'invalid_parameter'],
    ['a since that is no instant', { since: 'yesterday' }, 'invalid_parameter'],
    ['a since with a space that does not break', { since: '2026-11-20\u00a000:00:00Z' }, 'invalid_parameter'],
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 501', { limit: '501' }, 'invalid_parameter'],
    ['a limit that is no number', { limit: 'ten' }, 'invalid_parameter'],
    ['a negative offset', { offset: '-1' }, 'invalid_parameter'],
    ['two limits', { limit: ['1', '2'] }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
    ['a cursor and an offset', { cursor: 'abc.def', offset: '1' }, 'invalid_parameter'],
  ],
  getJobResults: [
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 1,001', { limit: '1001' }, 'invalid_parameter'],
    ['a limit of 1,001 rows of CSV', { limit: '1001', format: 'csv' }, 'invalid_parameter'],
    ['an offset that is no whole number', { offset: '1.5' }, 'invalid_parameter'],
    ['an unknown format', { format: 'CSV' }, 'invalid_parameter'],
    ['two offsets', { offset: ['0', '1'] }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
    ['a cursor and an offset', { cursor: 'abc.def', offset: '1' }, 'invalid_parameter'],
  ],
  listWebhookDeliveries: [
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 201', { limit: '201' }, 'invalid_parameter'],
    ['two limits', { limit: ['1', '2'] }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
  ],
  listWatchEvents: [
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
    ['a cursor and an after', { cursor: 'abc.def', after: '1' }, 'invalid_parameter'],
  ],
  listWebhooks: [
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 1,001', { limit: '1001' }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
  ],
  listWatches: [
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 1,001', { limit: '1001' }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
  ],
  listKeys: [
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 1,001', { limit: '1001' }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
  ],
  rotateKey: [
    ['a grace period below 0', { grace_minutes: '-1' }, 'invalid_parameter'],
    ['a grace period of more than 30 days', { grace_minutes: '43201' }, 'invalid_parameter'],
    ['a grace period that is no number', { grace_minutes: 'an hour' }, 'invalid_parameter'],
  ],
  rotateWebhookSecret: [
    ['an overlap below 0', { overlap_hours: '-1' }, 'invalid_parameter'],
    ['an overlap of 25 hours', { overlap_hours: '25' }, 'invalid_parameter'],
    ['an overlap that is no number', { overlap_hours: 'a day' }, 'invalid_parameter'],
  ],
  listUsage: [
    ['a since that is no instant', { since: '1795194133' }, 'invalid_parameter'],
    ['a since with a space that does not break', { since: '2026-11-20\u00a000:00:00Z' }, 'invalid_parameter'],
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 1,001', { limit: '1001' }, 'invalid_parameter'],
    ['a negative offset', { offset: '-1' }, 'invalid_parameter'],
    ['two limits', { limit: ['1', '2'] }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
    ['a cursor and an offset', { cursor: 'abc.def', offset: '1' }, 'invalid_parameter'],
  ],
  summarizeUsage: [
    ['an unknown grouping', { by: 'month' }, 'invalid_parameter'],
    ['a since that is no instant', { since: 'yesterday' }, 'invalid_parameter'],
    ['an until that is a date', { until: '2026-11-20' }, 'invalid_parameter'],
    ['an unknown format', { format: 'xml' }, 'invalid_parameter'],
    ['two groupings', { by: ['day', 'key'] }, 'invalid_parameter'],
    ['a limit of 0', { limit: '0' }, 'invalid_parameter'],
    ['a limit of 1,001', { limit: '1001' }, 'invalid_parameter'],
    ['a cursor that is not one', { cursor: 'not a cursor' }, 'invalid_cursor'],
  ],
}

const wrongQueries: readonly BadRequest[] = operationIds.flatMap((operation) =>
  (CASES[operation] ?? []).map(([name, change, code]) => {
    const query = Object.entries({ ...VALID[operation], ...change }).filter(([, value]) => value !== null)
    const path = samplePath(operations[operation].path)
    return {
      name: `${operation} with ${name}`,
      operation,
      method: operations[operation].method,
      path: withQuery(path, Object.fromEntries(query) as Query),
      expect: { status: 400, code },
    }
  }),
)

const wrongZpids: readonly BadRequest[] = operationIds
  .filter((operation) => operations[operation].path.includes('{zpid}'))
  .flatMap((operation) =>
    [
      ['nothing', ''],
      ['letters', 'abc'],
      ['digits and a letter', '4874942x'],
      ['a sign', '-48749425'],
      ['300 digits', '1'.repeat(300)],
      ['21 digits', '1'.repeat(21)],
      ['an encoded slash', '1%2F2'],
      ['an escape that cannot be decoded', '%zz'],
    ].map(([name = '', zpid = '']) => ({
      name: `${operation} with a zpid of ${name}`,
      operation,
      method: 'GET',
      path: operations[operation].path.replace('{zpid}', zpid),
      expect: { status: 400, code: 'invalid_zpid' as const },
    })),
  )

const wrongIds: readonly BadRequest[] = operationIds
  .filter((operation) => operations[operation].path.includes('{id}'))
  .flatMap((operation) => {
    const code = operation.includes('Job') ? ('job_not_found' as const) : ('not_found' as const)
    return [
      ['an id that is no UUID', 'abc'],
      ['an id that is a number', '17'],
      ['an id that is almost a UUID', UUID.slice(0, -1)],
      ['an id that is the URN of a UUID', `urn:uuid:${UUID}`],
    ].map(([name = '', id = '']) => ({
      name: `${operation} with ${name}`,
      operation,
      method: operations[operation].method,
      path: samplePath(operations[operation].path.replace('{id}', id)),
      ...(operations[operation].hasBody && { body: minimalCall(operation).body }),
      expect: { status: 404, code },
    }))
  })

const wrongDeliveryIds: readonly BadRequest[] = ['0', '-1', '1.5', 'abc', '1'.repeat(19)].map((id) => ({
  name: `redeliverWebhookEvent with the delivery id ${id}`,
  operation: 'redeliverWebhookEvent',
  method: 'POST',
  path: `/v1/webhooks/${UUID}/deliveries/${id}/redeliver`,
  expect: { status: 404, code: 'not_found' as const },
}))

/** Paths that read as a home. */
const readAsHomes: readonly BadRequest[] = ['unknown', 'batches'].map((name) => ({
  name: `GET /v1/properties/${name}, which reads as a zpid`,
  operation: 'getProperty',
  method: 'GET',
  path: `/v1/properties/${name}`,
  expect: { status: 400, code: 'invalid_zpid' },
}))

export const badQueries: readonly BadRequest[] = [
  ...wrongQueries,
  ...wrongZpids,
  ...wrongIds,
  ...wrongDeliveryIds,
  ...readAsHomes,
]
