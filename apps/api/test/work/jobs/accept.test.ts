// Accepting a job: refusals before anything is stored, and repeated calls that start nothing twice.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { issueKey } from '../../../src/money/accounts/open-account.ts'
import type { JobSpec } from '../../../src/work/jobs/job.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'
import { BOX, homeUrl, startJob, untilEnded, withWorker } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { makeAccount, makeJob } from './made-jobs.ts'
import { HOMES, SAMPLE } from './sample-homes.ts'

const testDatabase = withTestDatabase()
const provider = createListProvider(SAMPLE)
const server = withTestServer(testDatabase, { parts: { provider } })
withWorker(server)

const HOME = homeUrl(HOMES[0]!.zpid)
const SEARCH = { filters: { status: 'for_sale', bbox: BOX }, maxItems: 60 }
const STARTS: readonly [string, Record<string, unknown>, Record<string, unknown>][] = [
  ['/v1/properties/batch', { urls: [HOME] }, { urls: [HOME, homeUrl(2)] }],
  ['/v1/search', SEARCH, { ...SEARCH, maxItems: 61 }],
  ['/v1/listings/for-sale', SEARCH, { ...SEARCH, maxItems: 61 }],
  ['/v1/listings/for-rent', SEARCH, { ...SEARCH, maxItems: 61 }],
  ['/v1/listings/sold', SEARCH, { ...SEARCH, maxItems: 61 }],
  ['/v1/search/with-details', { ...SEARCH, maxItems: 3 }, { ...SEARCH, maxItems: 4 }],
]

async function countJobs(accountId: string): Promise<number> {
  const { rows } = await testDatabase.database.query<{ jobs: number }>(
    'select count(*) as jobs from jobs where account_id = $1',
    [accountId],
  )
  return rows[0]!.jobs
}

describe('a batch with an invalid entry is refused as a whole', () => {
  it.each([
    ['missing_input', {}],
    ['missing_input', { urls: [], addresses: [] }],
    ['invalid_url', { urls: [HOME, 'https://example.com/homedetails/1_zpid/'] }],
    ['invalid_url', { urls: [HOME, 'https://www.zillow.com/homedetails/nothing/'] }],
    ['invalid_address', { addresses: ['Seattle, WA'] }],
    ['invalid_address', { urls: [HOME], addresses: ['2114'] }],
    ['invalid_status', { urls: [HOME], propertyStatus: 'SOLD' }],
    ['invalid_extract_units', { urls: [HOME], extractBuildingUnits: 'some' }],
    ['invalid_parameter', { urls: [HOME], maxItems: 0 }],
    ['invalid_parameter', { urls: [HOME], maxItems: 501 }],
    [
      'invalid_parameter',
      {
        urls: Array.from({ length: 300 }, (_, at) => homeUrl(at + 1)),
        addresses: Array.from({ length: 201 }, (_, at) => `${at + 1} Main St, Seattle, WA 98101`),
      },
    ],
  ])('%s: %o', async (code, body) => {
    const { key, accountId } = await server.openAccount()
    const answer = await server.post('/v1/properties/batch', body, { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, code, 0])
    expect(await countJobs(accountId)).toBe(0)
  })

  it('names the invalid entry', async () => {
    const { key } = await server.openAccount()
    const urls = [HOME, 'https://www.zillow.com/b/a/b/c/d/']
    const answer = await server.post('/v1/properties/batch', { urls }, { key })
    expect(answer.json.error).toMatchObject({
      code: 'invalid_url',
      message: expect.stringMatching(/^urls\.1 must be/),
      details: { parameter: 'urls.1' },
    })
  })
})

describe.each(STARTS)('POST %s', (path, body, otherBody) => {
  it('with the same Idempotency-Key and body returns the first 202 again, and holds and charges nothing more', async () => {
    const { key, accountId } = await server.openAccount({ credits: 5000 })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await startJob(server, path, body, { key, headers })
    const reordered = Object.fromEntries(Object.entries(body).reverse())
    const second = await startJob(server, path, reordered, { key, headers })
    expect(second.answer.json.data).toEqual(first.answer.json.data)
    expect(second.answer.json.request_id).not.toBe(first.answer.json.request_id)
    const job = await untilEnded(server, key, first.id)
    const third = await startJob(server, path, body, { key, headers })
    expect(third.answer.json.data).toEqual(first.answer.json.data)
    expect(third.answer.remaining).toBe(5000 - job.credits_charged)
    expect(await countJobs(accountId)).toBe(1)
    const replayed = [first, second, third].map(({ answer }) => answer.headers.get('idempotent-replayed'))
    expect(replayed).toEqual([null, 'true', 'true'])
    // Each of the calls has its own row; the job's charge stands in that of the first.
    for (const { answer } of [second, third]) {
      expect(await usageOf(testDatabase.database, answer)).toMatchObject([
        { status_code: 202, units: 0, credits_charged: 0 },
      ])
    }
  })

  it('with the same Idempotency-Key returns the first 202 even when the account has no credits left', async () => {
    const { key, accountId } = await server.openAccount({ credits: 5000 })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await startJob(server, path, body, { key, headers })
    await untilEnded(server, key, first.id)
    // As other jobs would: they hold all but one credit, and a lookup spends that.
    const hold = [accountId, randomUUID()]
    await testDatabase.database.query('select place_hold($1, $2, 5000, 1)', hold)
    const lookup = await server.get(`/v1/properties/${HOMES[0]!.zpid}`, { key })
    expect([lookup.status, lookup.remaining]).toEqual([200, 0])
    const again = await server.post(path, body, { key, headers })
    expect([again.status, again.json.data]).toEqual([202, first.answer.json.data])
    const other = await server.post(path, otherBody, { key })
    expect([other.status, other.code, other.charged]).toEqual([402, 'out_of_credits', 0])
    await testDatabase.database.query("select close_hold($1, $2, 'released', '{}', '{}', '{}', '{}')", hold)
  })

  it('with the same Idempotency-Key and another body is refused', async () => {
    const { key, accountId } = await server.openAccount()
    const headers = { 'idempotency-key': randomUUID() }
    await startJob(server, path, body, { key, headers })
    const answer = await server.post(path, otherBody, { key, headers })
    expect([answer.status, answer.code, answer.charged]).toEqual([409, 'idempotency_key_reused', 0])
    expect(await countJobs(accountId)).toBe(1)
    expect(await usageOf(testDatabase.database, answer)).toMatchObject([{ status_code: 409 }])
  })

  it('without a key starts a job each time', async () => {
    const { key, accountId } = await server.openAccount()
    const first = await startJob(server, path, body, { key })
    const second = await startJob(server, path, body, { key })
    expect(second.id).not.toBe(first.id)
    expect(await countJobs(accountId)).toBe(2)
  })
})

describe('an Idempotency-Key', () => {
  it('starts one job, however many calls with it come at the same moment', async () => {
    const { key, accountId } = await server.openAccount({ credits: 5000 })
    const keys = [key]
    for (let i = 0; i < 9; i++) keys.push((await issueKey(testDatabase.database, accountId)).key)
    const headers = { 'idempotency-key': 'the same' }
    const started = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        startJob(server, '/v1/properties/batch', { urls: [HOME] }, { key: keys[at % keys.length]!, headers }),
      ),
    )
    expect(new Set(started.map(({ id }) => id)).size).toBe(1)
    expect(await countJobs(accountId)).toBe(1)
    await untilEnded(server, key, started[0]!.id)
    expect((await server.get('/v1/me', { key })).json.data.credits).toMatchObject({ balance: 4999, held: 0 })
  })

  it('is free again after its call was refused', async () => {
    const { key } = await server.openAccount({ credits: 2 })
    const headers = { 'idempotency-key': 'k' }
    const refused = await server.post('/v1/search/with-details', SEARCH, { key, headers })
    expect([refused.status, refused.code]).toEqual([402, 'out_of_credits'])
    await startJob(server, '/v1/properties/batch', { urls: [HOME] }, { key, headers })
  })

  it('is scoped to one account', async () => {
    const [one, other] = [await server.openAccount(), await server.openAccount()]
    const headers = { 'idempotency-key': 'shared' }
    const first = await startJob(server, '/v1/properties/batch', { urls: [HOME] }, { key: one.key, headers })
    const second = await startJob(
      server,
      '/v1/properties/batch',
      { urls: [homeUrl(3)] },
      { key: other.key, headers },
    )
    expect(second.id).not.toBe(first.id)
  })

  it('identifies its request for 24 hours, and can then be reused', async () => {
    const { key, accountId } = await server.openAccount()
    const headers = { 'idempotency-key': 'daily' }
    const first = await startJob(server, '/v1/properties/batch', { urls: [HOME] }, { key, headers })
    const age = (interval: string) =>
      testDatabase.database.query(
        `update idempotency_keys set created_at = now() - $2::interval where account_id = $1`,
        [accountId, interval],
      )
    await age('23 hours 59 minutes')
    expect((await startJob(server, '/v1/properties/batch', { urls: [HOME] }, { key, headers })).id).toBe(
      first.id,
    )
    await age('24 hours')
    const later = await startJob(server, '/v1/properties/batch', { urls: [homeUrl(4)] }, { key, headers })
    expect(later.id).not.toBe(first.id)
  })

  it('has no effect on a search that is answered synchronously', async () => {
    const { key, accountId } = await server.openAccount()
    const headers = { 'idempotency-key': 'sync' }
    for (const maxItems of [5, 6]) {
      const answer = await server.post('/v1/search', { ...SEARCH, maxItems }, { key, headers })
      expect([answer.status, answer.charged]).toEqual([200, maxItems])
    }
    expect(await countJobs(accountId)).toBe(0)
  })
})

it('a client that disconnects after its job was accepted still has the job', async () => {
  const { key, accountId } = await server.openAccount()
  const controller = new AbortController()
  const sent = server
    .post('/v1/properties/batch', { urls: [HOME] }, { key, signal: controller.signal })
    .catch(() => undefined)
  while ((await countJobs(accountId)) === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  controller.abort()
  await sent
  const listed = await server.get('/v1/jobs', { key })
  const job = await untilEnded(server, key, listed.json.data[0].id)
  expect(job).toMatchObject({ status: 'succeeded', credits_charged: 1 })
})

describe('a job whose commit got no response', () => {
  it('exists if the commit succeeded, and its call is accepted', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const forgetful: Database = {
      ...database,
      transaction: async (work) => {
        await database.transaction(work)
        throw new DatabaseUnavailable('the connection broke', { outcomeUnknown: true })
      },
    }
    const { jobId } = await makeJob(forgetful, account, { wanted: 7 })
    expect(await countJobs(account.accountId)).toBe(1)
    const { rows } = await database.query('select units, status_code from usage_rows where job_id = $1', [
      jobId,
    ])
    expect(rows).toEqual([{ units: 0, status_code: 202 }])
  })

  it('does not exist if the commit failed, and its call fails', async () => {
    const { database } = testDatabase
    const account = await makeAccount(database)
    const broken: Database = {
      ...database,
      transaction: () => Promise.reject(new DatabaseUnavailable('broke', { outcomeUnknown: true })),
    }
    await expect(makeJob(broken, account)).rejects.toMatchObject({ charge: 'free' })
    expect(await countJobs(account.accountId)).toBe(0)
  })

  const CHAINED: JobSpec = {
    type: 'chained_search_detail',
    operation: 'searchWithDetails',
    request: {
      search: { status: 'for_sale', bbox: BOX },
      method: 'PAGINATION',
      maxItems: 5,
      prefer: 'FOR_SALE',
      units: 'disabled',
    },
  }

  it.each([
    ['a batch', undefined],
    ['a search with details, which has a usage row for each stage', CHAINED],
  ])(
    'is never stored after its call has failed, even if the commit arrives afterwards: %s',
    async (_what, order) => {
      const { database } = testDatabase
      const account = await makeAccount(database)
      let arrive: (() => Promise<unknown>) | undefined
      const late: Database = {
        ...database,
        transaction: (work) => {
          arrive = () => database.transaction(work)
          return Promise.reject(new DatabaseUnavailable('broke', { outcomeUnknown: true }))
        },
      }
      await expect(makeJob(late, account, order ? { order } : {})).rejects.toMatchObject({ charge: 'free' })
      await expect(arrive!()).rejects.toMatchObject({ code: '23505' })
      expect(await countJobs(account.accountId)).toBe(0)
    },
  )
})

it("a job returns the client's input unchanged, even unusual values", async () => {
  const { key } = await server.openAccount()
  const odd = ['1 Main St \u{1f3e0}, Seattle, WA 98101', '2 Main "St" \\ \u2028\t, Seattle, WA 98101']
  const { id } = await startJob(server, '/v1/properties/batch', { addresses: odd }, { key })
  const job = await untilEnded(server, key, id)
  expect(job.failures.map(({ input }) => input)).toEqual(odd)
  // Input that could not be returned unchanged is refused.
  const refused = await server.post('/v1/properties/batch', { addresses: ['1 Main\0 St, Seattle'] }, { key })
  expect([refused.status, refused.code]).toEqual([400, 'invalid_parameter'])
  const half = await server.post(
    '/v1/properties/batch',
    { addresses: ['1 Main St \ud800, Seattle'] },
    { key },
  )
  expect([half.status, half.code]).toEqual([400, 'invalid_parameter'])
})
