// Responses of every operation to a valid call: the documented success, in each documented format, at its price; 404 for a missing
// resource; 501 for an operation that this build lacks.

import { type OperationId, operationIds, operations, price } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ExampleCall, everyExampleCall, minimalCall, sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { TAKES_ADDRESSES, type TestResponse, withTestServer } from '../setup/test-server.ts'
import { usageOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, {
  env: TAKES_ADDRESSES,
  parts: { provider: createMemoryProvider() },
})

/** Operations that need no existing job or webhook. */
const direct = operationIds.filter(
  (id) => 200 in operations[id].statuses && !operations[id].path.includes('{id}'),
)

let key = ''
beforeAll(async () => {
  key = (await server.openAccount({ credits: 100_000 })).key
})

/** The number of rows in the response, or 1. */
function unitsOf(id: OperationId, { json, headers }: TestResponse): number {
  if (operations[id].price.stages[0]?.per !== 'row') return 1
  const { data, meta } = json ?? {}
  return meta?.count ?? (Array.isArray(data) || !json ? Number(headers.get('x-row-count')) : 1)
}

async function expectCharged(id: OperationId, answer: TestResponse): Promise<void> {
  const charge = price(id, null, unitsOf(id, answer))
  expect(answer.charged).toBe(charge)
  expect(await usageOf(testDatabase.database, answer)).toMatchObject([
    { operation: id, status_code: answer.status, credits_charged: charge },
  ])
}

describe.each(direct)('%s', (id) => {
  it("answers the minimal valid call with 200, charged at the contract's price", async () => {
    const answer = await sendCall(server, minimalCall(id), { key })
    expect(answer.status, answer.text).toBe(200)
    await expectCharged(id, answer)
  })
})

const examples = operationIds.flatMap((id) =>
  everyExampleCall(id).map(({ name, call }) => ({ id, name, call })),
)

it.each(examples)("the contract's own example is accepted: $id, $name", async ({ id, call }) => {
  const answer = await sendCall(server, call, { key })
  // 404 is also valid: the test's homes are fewer than those in the examples.
  expect([200, 201, 202, 204, 404], answer.text).toContain(answer.status)
  if (answer.status === 200) await expectCharged(id, answer)
  else expect(answer.charged).toBe(0)
})

const inFormats = direct.flatMap((id) =>
  operations[id].acceptsFormats
    .filter((type) => type !== 'application/json')
    .map((type) => ({ id, type, format: type === 'text/csv' ? 'csv' : 'ndjson' })),
)

describe.each(inFormats)('$id as $type', ({ id, type, format }) => {
  const minimal = minimalCall(id)

  async function expectRows(answer: TestResponse): Promise<void> {
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${type}`))
    const lines = answer.text.trimEnd().split(/\r?\n/)
    const rows = Number(answer.headers.get('x-row-count'))
    expect(lines).toHaveLength(format === 'csv' ? rows + 1 : rows)
    expect(rows).toBeGreaterThan(0)
    expect(answer.headers.get('x-total-count')).toBe(String(rows))
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    await expectCharged(id, answer)
  }

  it('is selected by the parameter format', async () => {
    await expectRows(await sendCall(server, { ...minimal, query: { ...minimal.query, format } }, { key }))
  })

  it('is selected by the Accept header', async () => {
    await expectRows(await sendCall(server, minimal, { key, headers: { accept: `${type}, */*;q=0.1` } }))
  })

  it('refuses invalid input in JSON', async () => {
    const call = { ...minimal, query: { ...minimal.query, format: [format, format] } }
    const answer = await sendCall(server, call, { key, headers: { accept: type } })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_parameter'])
  })
})

const unknown: Partial<Record<OperationId, Partial<ExampleCall>>> = {
  getPropertyByUrl: { query: { url: 'https://www.zillow.com/homedetails/99999999999_zpid/' } },
  getPropertyByAddress: { query: { address: '1 Nowhere Ln, Seattle, WA 98109' } },
  getBuildingUnits: { query: { url: 'https://www.zillow.com/b/nowhere-seattle-wa-9ZzZzZ/' } },
  // Ids of no resource of the account, well-formed ones included.
  getJob: { params: { id: 'job-1' } },
  getJobResults: { params: { id: 'job-1' } },
  getWatch: { params: { id: 'watch-1' } },
  updateWatch: { params: { id: 'watch-1' } },
  deleteWatch: { params: { id: 'watch-1' } },
  listWatchEvents: { params: { id: 'watch-1' } },
  abortJob: { params: { id: 'job-1' } },
  updateWebhook: { params: { id: 'webhook-1' } },
  testWebhook: { params: { id: 'webhook-1' } },
  rotateWebhookSecret: { params: { id: 'webhook-1' } },
  redeliverWebhookEvent: { params: { id: 'webhook-1', delivery_id: '1' } },
  rotateKey: { params: { id: 'key-1' } },
  deleteKey: { params: { id: 'key-1' } },
  deleteWebhook: { params: { id: 'webhook-1' } },
  listWebhookDeliveries: { params: { id: 'webhook-1' } },
}
const with404 = operationIds.filter((id) => 404 in operations[id].statuses)

it.each(with404)('%s returns 404 for a missing resource, for free', async (id) => {
  const call = { ...minimalCall(id), ...(unknown[id] ?? { params: { zpid: '99999999999' } }) }
  const answer = await sendCall(server, call, { key })
  expect(answer.status, answer.text).toBe(404)
  expect(answer.code).toBe(operations[id].tag === 'Jobs' ? 'job_not_found' : 'not_found')
  expect(answer.charged).toBe(0)
  expect(await usageOf(testDatabase.database, answer)).toEqual([
    { operation: id, status_code: 404, units: 0, credits_charged: 0 },
  ])
})

it("a result beyond the account's credits is cut, and reported as cut in every format", async () => {
  const call = minimalCall('listListings')
  const whole = await sendCall(server, call, { key })
  expect(whole.json.meta.count).toBeGreaterThan(1)
  for (const format of ['json', 'csv', 'ndjson']) {
    const poor = await server.openAccount({ credits: 1 })
    const cut = await sendCall(server, { ...call, query: { ...call.query, format } }, { key: poor.key })
    expect([cut.status, cut.charged, cut.remaining]).toEqual([200, 1, 0])
    if (format === 'json') {
      expect(cut.json.data).toHaveLength(1)
      expect(cut.json.meta).toMatchObject({ count: 1, truncated: true, truncated_by: 'credits' })
    } else {
      expect(cut.headers.get('x-row-count')).toBe('1')
      expect(cut.headers.get('x-truncated-by')).toBe('credits')
    }
    expect(cut.headers.get('x-total-count') ?? String(cut.json.meta.total)).toBe(
      String(whole.json.meta.total),
    )
  }
})

it('a search without results costs its minimum, and is an empty text in row formats', async () => {
  const query = { bbox: '10,50,10.1,50.1' }
  const call = { ...minimalCall('listListings'), query }
  const answer = await sendCall(server, call, { key })
  expect([answer.status, answer.charged]).toEqual([200, 1])
  expect(answer.json).toMatchObject({ data: [], meta: { count: 0, total: 0 } })
  for (const format of ['csv', 'ndjson']) {
    const empty = await sendCall(server, { ...call, query: { ...query, format } }, { key })
    expect([empty.status, empty.charged, empty.text]).toEqual([200, 1, ''])
  }
})
