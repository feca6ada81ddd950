// The limits on free work hold for every operation that documents them: an account that has used up its failed lookups
// gets 429 from each operation that looks something up, and an account with all its jobs open gets 409 from each that
// starts a job. Both are free, reach no provider, and leave no job and no hold.

import { operationIds, operations } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { plans } from '../../src/money/accounts/plans.ts'
import { type ExampleCall, minimalCall, sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { usageOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })
const FREE = plans.free
const CREDITS = 1000

const documenting = (status: number, code: string) =>
  operationIds.filter((id) =>
    (operations[id].statuses[status]?.errors as readonly string[] | undefined)?.includes(code),
  )

const openFree = () => server.openAccount({ plan: 'free', credits: CREDITS, ratePerMinute: 1000 })

describe('an account that has used up its failed lookups for this minute', () => {
  let key = ''
  beforeAll(async () => {
    key = (await openFree()).key
    for (let made = 0; made < FREE.failedLookupsPerMinute; made++)
      expect((await server.get(`/v1/properties/${90_000_000 + made}`, { key })).status).toBe(404)
  })

  it.each(documenting(429, 'lookup_budget_exceeded'))('gets 429 from %s', async (id) => {
    const askedBefore = provider.asked
    const answer = await sendCall(server, minimalCall(id), { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([429, 'lookup_budget_exceeded', 0])
    expect(answer.json.error.details).toEqual({
      plan: 'free',
      window: 'minute',
      limit: FREE.failedLookupsPerMinute,
    })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(2)
    expect(answer.remaining).toBe(CREDITS)
    expect(provider.asked).toBe(askedBefore)
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: id, status_code: 429, units: 0, credits_charged: 0 },
    ])
  })
})

describe('an account with the maximum number of open jobs', () => {
  let key = ''
  let accountId = ''
  beforeAll(async () => {
    ;({ key, accountId } = await openFree())
    for (let open = 0; open < FREE.maxOpenJobs; open++) {
      const urls = ['https://www.zillow.com/homedetails/48749425_zpid/']
      expect((await server.post('/v1/properties/batch', { urls }, { key })).status).toBe(202)
    }
  })

  /** The same call as a job, where the operation can also answer at once. */
  function asJob(call: ExampleCall): ExampleCall {
    if (call.body === undefined) return { ...call, query: { ...call.query, sync: 'false' } }
    const canBeSync = operations[call.id].statuses[200] !== undefined
    return canBeSync ? { ...call, body: { ...(call.body as object), async: true } } : call
  }

  it.each(documenting(409, 'job_limit'))('gets 409 from %s', async (id) => {
    const before = await stateOf(accountId)
    const askedBefore = provider.asked
    const answer = await sendCall(server, asJob(minimalCall(id)), { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([409, 'job_limit', 0])
    expect(answer.json.error.details).toEqual({
      plan: 'free',
      bound: 'open_jobs',
      value: FREE.maxOpenJobs,
      limit: FREE.maxOpenJobs,
    })
    expect(await stateOf(accountId)).toEqual(before)
    expect(provider.asked).toBe(askedBefore)
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: id, status_code: 409, units: 0, credits_charged: 0 },
    ])
  })
})

async function stateOf(accountId: string): Promise<unknown> {
  const { rows } = await testDatabase.database.query(
    `select (select count(*) from jobs where account_id = $1) as jobs,
       (select count(*) from holds where account_id = $1) as holds,
       (select held from accounts where id = $1) as held,
       (select balance from accounts where id = $1) as balance`,
    [accountId],
  )
  return rows[0]
}
