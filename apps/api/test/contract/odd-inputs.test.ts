// Unused input of a call: empty values mean the same as absent ones, and the response lists everything else that the service did not use.

import { type OperationId, operations } from '@lotline/contract'
import {
  emptyInputs,
  estimatedInputs,
  unknownInputs,
  unreadSearchUrls,
  unusedInputs,
} from '@lotline/contract/odd-inputs'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { exchangeOne, head } from '../setup/raw-http.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withoutReadTimes, withTestServer } from '../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createMemoryProvider() } })
let key = ''
beforeAll(async () => {
  key = (await server.openAccount({ credits: 1_000_000 })).key
})

const send = (call: Parameters<typeof sendCall>[1], headers: Readonly<Record<string, string>> = {}) =>
  sendCall(server, call, { key, headers })

it.each(emptyInputs)('an empty value means the same as an absent one: $name', async ({ call, plain }) => {
  const answer = await send(call)
  const expected = await send(plain)
  expect([answer.status, answer.code, answer.charged]).toEqual([
    expected.status,
    expected.code,
    expected.charged,
  ])
  expect(answer.json?.meta?.ignored).toBeUndefined()
  // Ids and times of created resources differ; rows do not.
  if (expected.status === 200 && !/me|usage|jobs|webhooks/.test(operations[call.id].path)) {
    expect(withoutReadTimes(answer.json.data)).toEqual(withoutReadTimes(expected.json.data))
  }
})

it.each(unknownInputs)('the response lists the unused input: $name', async ({ call, plain, ignored }) => {
  const answer = await send(call)
  const expected = await send(plain)
  expect([answer.status, answer.charged]).toEqual([expected.status, expected.charged])
  expect(expected.json?.meta?.ignored).toBeUndefined()
  if (answer.status >= 400) expect(answer.text).not.toContain('ignored')
  else if (answer.status === 204) expect(answer.headers.get('x-ignored-input')).toBe(ignored.join(', '))
  else expect([...answer.json.meta.ignored].sort()).toEqual(ignored)
})

it.each(unusedInputs)(
  'the response lists the fields that the call does not use: $name',
  async ({ call, plain, headers, ignored }) => {
    const expected = await send(plain)
    const answer = await send(call, headers)
    expect([answer.status, answer.charged], answer.text).toEqual([expected.status, expected.charged])
    expect(expected.json?.meta?.ignored).toBeUndefined()
    if (answer.status >= 400) expect(answer.text).not.toContain('ignored')
    else if (answer.status === 204) expect(answer.headers.get('x-ignored-input')).toBe(ignored.join(', '))
    else expect([...answer.json.meta.ignored].sort()).toEqual(ignored)
    if (answer.status === 202) {
      const job = await server.get(`/v1/jobs/${answer.json.data.job_id}`, { key })
      expect([...job.json.data.ignored].sort()).toEqual(ignored)
    }
  },
)

/** A result with many rows differs from the plain call's. Estimates are free, so the plain response stays the same. */
const plainEstimates = new Map<string, ReturnType<typeof send>>()

function plainEstimate(plain: Parameters<typeof send>[0]): ReturnType<typeof send> {
  const text = JSON.stringify(plain)
  const answer = plainEstimates.get(text) ?? send(plain)
  plainEstimates.set(text, answer)
  return answer
}

it.each(estimatedInputs)(
  'the estimate of a call reads it like the call itself: $name',
  async ({ call, plain, ignored }) => {
    const answer = await send(call)
    const expected = await plainEstimate(plain)
    expect([answer.status, answer.code, answer.charged], answer.text).toEqual([
      expected.status,
      expected.code,
      0,
    ])
    expect(withoutReadTimes(answer.json.data)).toEqual(withoutReadTimes(expected.json.data))
    if (answer.status === 200) expect([...(answer.json.meta?.ignored ?? [])].sort()).toEqual(ignored)
  },
)

it('empty query values and unknown names in the path of an estimated call are read as in a URL', async () => {
  const input = { path: { zpid: '48749425', pirce: 1 }, query: { fields: null, max_credits: [], page: 2 } }
  const answer = await server.post('/v1/estimate', { operation: 'getProperty', input }, { key })
  expect(answer.status, answer.text).toBe(200)
  expect(answer.json.meta.ignored).toEqual(['input.path.pirce', 'input.query.page'])
})

it('the body of a GET is listed as unused, and not read', async () => {
  const headers = { authorization: `Bearer ${key}`, 'content-length': '2', connection: 'close' }
  const answer = await exchangeOne(server.port, [head('GET', '/v1/me', headers), '{}'], {
    method: 'GET',
    url: '/v1/me',
  })
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.text).meta.ignored).toEqual(['body'])
})

it('a known field is returned, and only the unknown one beside it is listed', async () => {
  const record = (await server.get('/v1/properties/48749425', { key })).json.data
  const name = Object.keys(record).find((each) => typeof record[each] === 'number')!
  const answer = await server.get(`/v1/properties/48749425?fields=${name},pirce`, { key })
  expect(answer.json.data).toEqual({ [name]: record[name] })
  expect(answer.json.meta.ignored).toEqual(['fields.pirce'])
})

const bbox = { west: -180, south: -90, east: 180, north: 90 }

describe('rows as CSV and NDJSON', () => {
  it.each(['csv', 'ndjson'])('%s: the header X-Ignored-Input lists the unused input', async (format) => {
    const answer = await server.post(
      `/v1/search?format=${format}&page=2`,
      { filters: { bbox, pirce: 1 } },
      { key },
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ignored-input')).toBe('page, filters.pirce')
    const plain = await server.post(`/v1/search?format=${format}`, { filters: { bbox } }, { key })
    expect(plain.headers.has('x-ignored-input')).toBe(false)
  })

  it('JSON reports the unused input only in meta', async () => {
    const answer = await server.post('/v1/search?page=2', { filters: { bbox } }, { key })
    expect(answer.headers.has('x-ignored-input')).toBe(false)
    expect(answer.json.meta.ignored).toEqual(['page'])
  })
})

describe('a job', () => {
  it('stores the unused input of its call, including hostile names', async () => {
    const body = { filters: { bbox, '\u0001\u2028': 1, pirce: 1 }, async: true }
    const { json } = await server.post('/v1/search', body, { key })
    const ignored = ['filters.\u0001\u2028', 'filters.pirce']
    expect(json.meta.ignored).toEqual(ignored)
    const job = await server.get(`/v1/jobs/${json.data.job_id}`, { key })
    expect(job.json.data.ignored).toEqual(ignored)
    const list = await server.get('/v1/jobs?limit=1', { key })
    expect(list.json.data[0].ignored).toEqual(ignored)
  })

  it('has no such field if it uses all of its input', async () => {
    const { json } = await server.post('/v1/search', { filters: { bbox }, async: true }, { key })
    const job = await server.get(`/v1/jobs/${json.data.job_id}`, { key })
    expect(job.json.data).not.toHaveProperty('ignored')
  })

  it('is the same job if its call is repeated with empty instead of absent values', async () => {
    const headers = { 'idempotency-key': 'odd-inputs' }
    const first = await server.post('/v1/search', { filters: { bbox }, async: true }, { key, headers })
    const body = { filters: { bbox, homeTypes: [], price: null }, searchUrls: null, async: true }
    const again = await server.post('/v1/search', body, { key, headers })
    expect(again.json.data.job_id).toBe(first.json.data.job_id)
  })
})

describe('a misspelled bound', () => {
  it.each([
    ['price', { price: { minimum: 5 } }, 'filters.price has the unknown field minimum. It takes min, max.'],
    [
      'bbox',
      { bbox: { ...bbox, zoom: 3 } },
      'filters.bbox has the unknown field zoom. It takes west, south, east, north.',
    ],
    [
      'an area of type bbox',
      { area: { type: 'bbox', ...bbox, zoom: 3 } },
      'filters.area.zoom is no field of a bbox. It takes type, west, south, east, north.',
    ],
    [
      'an area of type bbox in a list, where another type has the field',
      { area: [{ type: 'bbox', ...bbox, center: [1, 2] }] },
      'filters.area.0.center is no field of a bbox. It takes type, west, south, east, north.',
    ],
  ])('inside %s is refused, for free', async (_name, filters, message) => {
    const answer = await server.post('/v1/search', { filters: { bbox, ...filters } }, { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_filters', 0])
    expect(answer.json.error.message).toBe(message)
  })
})

it('every operation with parameters is covered', () => {
  const covered = new Set<OperationId>(unknownInputs.map(({ call }) => call.id))
  expect([...covered].sort()).toEqual(Object.keys(operations).sort())
})

it.each(unreadSearchUrls)('the response lists the unused fields: $name', async ({ call, ignored }) => {
  const answer = await send(call)
  expect(answer.status, answer.text).toBe(200)
  expect([...(answer.json.meta?.ignored ?? [])].sort()).toEqual(ignored)
})
