// Key limits over HTTP: responses to clients, reduced results, and which of several limits is named.

import { operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CreditLimit, findKeyAllowance, setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { placeHold, releaseHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { ENV } from '../../setup/deliveries.ts'
import { minimalCall, sendCall } from '../../setup/example-calls.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'
import { HASTE, startJob, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'
import { callOf, filters, HOMES, LIMITED, provider, TOWER, urls } from './limited-calls.ts'
import { acceptJob, callOf as moneyCall } from './money.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: ENV, parts: { provider, providerRetry: HASTE } })
withWorker(server)

/** A key of an account with `balance` credits. */
async function openLimited(credits: number, per: CreditLimit['per'] = 'total', balance = 10_000) {
  const account = await server.openAccount({ credits: balance })
  await setKeyLimit(testDatabase.database, account.keyId, { credits, per })
  return account
}

const keyLeftOf = ({ headers }: { headers: Headers }) => {
  const left = headers.get('x-key-credits-remaining')
  return left === null ? null : Number(left)
}
const usedOf = async (keyId: string) => (await findKeyAllowance(testDatabase.database, keyId))!.used

describe('a key whose limit is used up', () => {
  let exhausted = { key: '', accountId: '' }
  beforeAll(async () => {
    exhausted = await openLimited(0, 'day')
  })

  it.each(LIMITED)('is refused %s with 402 at no charge, and the error names the limit', async (id) => {
    const { key, accountId } = exhausted
    const answer = await sendCall(server, callOf(id), { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([402, 'key_limit_reached', 0])
    const required = operations[id].price.stages.reduce((sum, { price }) => sum + price, 0)
    const midnight = new Date()
    midnight.setUTCHours(24, 0, 0, 0)
    expect(answer.json.error.details).toEqual({
      required,
      remaining: 0,
      limit: 0,
      per: 'day',
      resets_at: midnight.toISOString(),
    })
    expect([answer.remaining, keyLeftOf(answer)]).toEqual([10_000, 0])
    expect(await usageOf(testDatabase.database, answer)).toMatchObject([
      { operation: id, status_code: 402, units: 0, credits_charged: 0 },
    ])
    const { rows } = await testDatabase.database.query('select from holds where account_id = $1', [accountId])
    expect(rows).toEqual([])
  })

  it('can still make free calls', async () => {
    for (const path of ['/v1/me', '/v1/usage', '/v1/jobs'])
      expect((await server.get(path, { key: exhausted.key })).status).toBe(200)
  })
})

describe('the limit of a key', () => {
  it('of 57 credits allows exactly 57 of 200 concurrent calls', async () => {
    const { key, keyId } = await openLimited(57)
    const call = minimalCall('getProperty')
    const answers = await Promise.all(Array.from({ length: 200 }, () => sendCall(server, call, { key })))
    expect(answers.reduce((sum, { charged }) => sum + charged, 0)).toBe(57)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(57)
    expect(answers.filter(({ code }) => code === 'key_limit_reached')).toHaveLength(143)
    expect(await usedOf(keyId)).toBe(57)
  })

  it('is in every response to its key, and in no response to other keys', async () => {
    const { key, accountId } = await openLimited(10)
    const other = await issueKey(testDatabase.database, accountId)
    expect(keyLeftOf(await sendCall(server, minimalCall('getProperty'), { key }))).toBe(9)
    expect(keyLeftOf(await server.get('/v1/properties/x', { key }))).toBe(9)
    expect(keyLeftOf(await server.get('/v1/none', { key }))).toBe(9)
    expect(keyLeftOf(await server.get('/v1/me', { key: other.key }))).toBeNull()
  })

  it('is shown by GET /v1/me', async () => {
    const { key, keyId, accountId } = await openLimited(10, 'month')
    await sendCall(server, minimalCall('getPropertyByAddress'), { key })
    const month = new Date()
    const resets = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1))
    const me = await server.get('/v1/me', { key })
    expect(me.json.data.key).toEqual({
      limit: { credits: 10, per: 'month' },
      used: 3,
      remaining: 7,
      resets_at: resets.toISOString(),
    })
    const other = await issueKey(testDatabase.database, accountId)
    const none = { limit: null, used: null, remaining: null, resets_at: null }
    expect((await server.get('/v1/me', { key: other.key })).json.data.key).toEqual(none)
    await setKeyLimit(testDatabase.database, keyId, { credits: 3, per: 'total' })
    const total = { limit: { credits: 3, per: 'total' }, used: 0, remaining: 3, resets_at: null }
    expect((await server.get('/v1/me', { key })).json.data.key).toEqual(total)
  })

  it('applies within a second when it is set at run time', async () => {
    const { key, keyId } = await server.openAccount()
    expect((await sendCall(server, minimalCall('getProperty'), { key })).status).toBe(200)
    await setKeyLimit(testDatabase.database, keyId, { credits: 2, per: 'week' })
    const statuses: number[] = []
    for (let at = 0; at < 3; at++)
      statuses.push((await sendCall(server, minimalCall('getProperty'), { key })).status)
    expect(statuses).toEqual([200, 200, 402])
  })
})

describe('a key whose limit has credits again is admitted immediately:', () => {
  const RELEASE = 'a job that held all of it is aborted'
  const changes: readonly (readonly [string, (keyId: string) => Promise<unknown>])[] = [
    [
      'its period ends',
      (keyId) =>
        testDatabase.database.query(
          'update key_limits set period_ends = now() where id = (select limit_id from api_keys where id = $1)',
          [keyId],
        ),
    ],
    ['it is raised', (keyId) => setKeyLimit(testDatabase.database, keyId, { credits: 6, per: 'day' })],
    ['it is removed', (keyId) => setKeyLimit(testDatabase.database, keyId, null)],
  ]
  const call = minimalCall('getPropertyByAddress')

  /** The numbers of credits that were used when the limit was reached, by event. */
  const eventsOf = async (accountId: string) => {
    const { rows } = await testDatabase.database.query<{ data: string }>(
      `select data from webhook_events where account_id = $1 and type = 'key.limit_reached' order by happened_at, id`,
      [accountId],
    )
    return rows.map(({ data }) => JSON.parse(data).used)
  }

  async function openWatched(credits: number) {
    const account = await openLimited(credits, 'day')
    const webhook = { url: 'https://example.com/hook', events: ['key.limit_reached'] }
    expect((await server.post('/v1/webhooks', webhook, account)).status).toBe(201)
    return account
  }

  it.each(changes)('%s', async (name, change) => {
    const { key, keyId, accountId } = await openWatched(3)
    expect((await sendCall(server, call, { key })).charged).toBe(3)
    const refused = await sendCall(server, call, { key })
    expect([refused.code, await eventsOf(accountId)]).toEqual(['key_limit_reached', [3]])
    await change(keyId)
    const answer = await sendCall(server, call, { key })
    expect([answer.status, answer.charged]).toEqual([200, 3])
    // The event was not used up by a refusal that was not sent.
    expect(await eventsOf(accountId)).toEqual(
      name === 'it is removed' ? [3] : name === 'it is raised' ? [3, 6] : [3, 3],
    )
    if (name === 'it is removed') return
    const next = await sendCall(server, call, { key })
    const limit = (await findKeyAllowance(testDatabase.database, keyId))!
    expect(next.json.error.details).toEqual({
      required: 3,
      remaining: 0,
      limit: limit.credits,
      per: 'day',
      resets_at: limit.resetsAt!.toISOString(),
    })
  })

  it(RELEASE, async () => {
    const { database } = testDatabase
    const { key, keyId, accountId } = await openWatched(5)
    const job = await acceptJob(database, { key, accountId, keyId })
    await placeHold(database, { ...job, wanted: 20, least: 1, keyId })
    expect((await sendCall(server, call, { key })).code).toBe('key_limit_reached')
    expect(await eventsOf(accountId)).toEqual([5])
    await releaseHold(database, job)
    expect((await sendCall(server, call, { key })).charged).toBe(3)
    // Held credits alone did not consume the event.
    expect((await sendCall(server, call, { key })).code).toBe('key_limit_reached')
    expect(await eventsOf(accountId)).toEqual([5, 3])
  })

  it('a late refusal of an earlier call does not trigger another low-credits event', async () => {
    const account = await openWatched(5)
    const ledger = createLedger(testDatabase.database)
    const refused = { mode: 'key_limit', status: 402, units: 0, price: 3 } as const
    await ledger.settle(moneyCall(account, 'getPropertyByAddress', 0, refused))
    expect(await eventsOf(account.accountId)).toEqual([])
    await ledger.settle(moneyCall(account, 'getPropertyByAddress', 0, { ...refused, price: 6 }))
    expect(await eventsOf(account.accountId)).toEqual([0])
  })
})

describe('the smallest of balance, key limit, and call limit applies and is named:', () => {
  const codes = { balance: 'out_of_credits', key: 'key_limit_reached', call: 'max_credits_exceeded' }
  const cuts = { balance: 'credits', key: 'key_limit', call: 'max_credits' }

  it.each([
    [1, 2, 2, 'balance'],
    [1, 2, undefined, 'balance'],
    [2, 1, 2, 'key'],
    [1, 1, 2, 'key'],
    [2, 0, undefined, 'key'],
    [2, 2, 1, 'call'],
    [1, 1, 1, 'call'],
    [5, 1, 0, 'call'],
  ] as const)('for a call of 3 credits, with %i, %i and %s', async (balance, ofKey, ofCall, named) => {
    const { key } = await openLimited(ofKey, 'total', balance)
    const headers = ofCall === undefined ? {} : { 'x-max-credits': String(ofCall) }
    const answer = await sendCall(server, minimalCall('getPropertyByAddress'), { key, headers })
    expect([answer.status, answer.code, answer.charged]).toEqual([402, codes[named], 0])
  })

  it.each([
    [5, 9, 9, 'balance'],
    [9, 5, undefined, 'key'],
    [9, 5, 9, 'key'],
    [5, 5, 9, 'key'],
    [9, 9, 5, 'call'],
    [5, 5, 5, 'call'],
  ] as const)('for rows of 1 credit, with %i, %i and %s', async (balance, ofKey, ofCall, named) => {
    const { key } = await openLimited(ofKey, 'total', balance)
    const headers = ofCall === undefined ? {} : { 'x-max-credits': String(ofCall) }
    const answer = await sendCall(server, callOf('listListings'), { key, headers })
    expect([answer.status, answer.charged, answer.json.meta.truncated_by]).toEqual([200, 5, cuts[named]])
  })

  it('for rows as CSV', async () => {
    const { key } = await openLimited(4)
    const call = callOf('listListings')
    const answer = await sendCall(server, { ...call, query: { ...call.query, format: 'csv' } }, { key })
    expect([answer.charged, answer.headers.get('x-truncated-by')]).toEqual([4, 'key_limit'])
  })

  // A job leaves the account its last credit, and needs one credit for each of its two stages.
  it.each([
    [2, 9, undefined, 'balance'],
    [2, 2, 2, 'balance'],
    [2, 1, undefined, 'key'],
    [9, 1, 9, 'key'],
    [9, 9, 1, 'call'],
    [9, 1, 1, 'call'],
  ] as const)('for a job, with %i, %i and %s', async (balance, ofKey, maxCredits, named) => {
    const { key } = await openLimited(ofKey, 'total', balance)
    const body = { filters, maxItems: 3, ...(maxCredits !== undefined && { maxCredits }) }
    const asked = { operation: 'searchWithDetails', input: { body } }
    const estimated = await server.post('/v1/estimate', asked, { key })
    const answer = await server.post('/v1/search/with-details', body, { key })
    expect([answer.status, answer.code]).toEqual([402, codes[named]])
    expect(estimated.json.data.error_code).toBe(codes[named])
  })
})

describe('a job of a key with a limit', () => {
  const jobs = [
    ['a batch', '/v1/properties/batch', { urls }, 1],
    ['a search', '/v1/search', { filters, async: true, maxItems: 55 }, 1],
    ['a search with details', '/v1/search/with-details', { filters, maxItems: 15 }, 2],
    ['an exhaustive search', '/v1/search', { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }, 1],
    [
      'a batch that extracts units',
      '/v1/properties/batch',
      { urls: [TOWER], extractBuildingUnits: 'all' },
      1,
    ],
  ] as const

  it.each(jobs)(
    '%s succeeds with the rows that the limit covers, and releases the rest',
    async (_, path, body, perRow) => {
      const { key, keyId } = await openLimited(5)
      const { id, answer } = await startJob(server, path as string, body, { key })
      expect(keyLeftOf(answer)).toBeLessThan(5)
      const job = await untilEnded(server, key, id)
      const count = Math.floor(5 / Number(perRow))
      expect([job.status, job.result_count, job.credits_charged, job.truncated_by]).toEqual([
        'succeeded',
        count,
        count * Number(perRow),
        'key_limit',
      ])
      if (path === '/v1/properties/batch') expect(job.skipped?.[0]?.reason).toBe('key_limit')
      expect(await usedOf(keyId)).toBe(job.credits_charged)
    },
  )

  it('has a hold that grows within the limit, and is charged to it', async () => {
    const { key, keyId } = await openLimited(1_000)
    const body = { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
    const { id } = await startJob(server, '/v1/search', body, { key })
    const job = await untilEnded(server, key, id)
    expect([job.credits_charged, await usedOf(keyId)]).toEqual([HOMES, HOMES])
    await expectBooksToBalance(testDatabase.database)
  })
})
