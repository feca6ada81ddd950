// Checks 1 to 5 of the engine, for every operation of the contract: a call that may not be made is refused before anything
// else is checked. The refusal is free, and the provider is not queried.

import { operationIds } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, revokeKey } from '../../src/money/accounts/keys.ts'
import { minimalCall, sendCall } from '../setup/example-calls.ts'
import { createMemoryProvider } from '../setup/memory-provider.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { type TestResponse, withTestServer } from '../setup/test-server.ts'
import { usageOf } from '../setup/usage.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider, now: () => 0 } })

const keys = { revoked: '', suspended: '', withoutCredits: '', limited: '', denied: '', forOthers: '' }

beforeAll(async () => {
  const { database } = testDatabase
  const revoked = await server.openAccount()
  await revokeKey(database, revoked.keyId)
  const suspended = await server.openAccount()
  await database.query(`update accounts set status = 'suspended' where id = $1`, [suspended.accountId])
  const withoutCredits = await server.openAccount({ credits: 0 })
  const limited = await server.openAccount({ plan: 'free', ratePerMinute: 1 })
  await server.get('/v1/me', { key: limited.key })
  const denied = await server.openAccount()
  await database.query('update accounts set denied_operations = $2 where id = $1', [
    denied.accountId,
    operationIds,
  ])
  const forOthers = await server.openAccount()
  await database.query('update api_keys set allowed_operations = $2 where id = $1', [forOthers.keyId, []])
  keys.forOthers = forOthers.key
  keys.revoked = revoked.key
  keys.suspended = suspended.key
  keys.withoutCredits = withoutCredits.key
  keys.limited = limited.key
  keys.denied = denied.key
})

/** A key of the right form that does not exist. */
function withOtherLastCharacter(key: string): string {
  return key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
}

describe.each(operationIds)('%s', (id) => {
  const call = minimalCall(id)

  async function refusedBeforeAdmission(key: string | undefined, headers = {}): Promise<TestResponse> {
    const askedBefore = provider.asked
    const answer = await sendCall(server, call, { ...(key !== undefined && { key }), headers })
    expect(await usageOf(testDatabase.database, answer)).toEqual([])
    expect(provider.asked).toBe(askedBefore)
    return answer
  }

  it('requires a key', async () => {
    const answer = await refusedBeforeAdmission(undefined)
    expect([answer.status, answer.code]).toEqual([401, 'missing_api_key'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="lotline"')
  })

  it.each([
    ['is empty', () => ''],
    ['is of another form', () => 'sk_live_51Habc'],
    ['has a wrong checksum', () => withOtherLastCharacter(createApiKey())],
    ['is unknown', () => createApiKey()],
    ['is revoked', () => keys.revoked],
    ['has something after it', () => `${keys.denied} more`],
  ])('refuses a key that %s', async (_what, key) => {
    const answer = await refusedBeforeAdmission(key())
    expect([answer.status, answer.code]).toEqual([401, 'invalid_api_key'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="lotline"')
    expect(answer.headers.get('x-credits-remaining')).toBeNull()
  })

  it('refuses a scheme other than Bearer', async () => {
    const answer = await refusedBeforeAdmission(undefined, { authorization: `Basic ${keys.denied}` })
    expect([answer.status, answer.code]).toEqual([401, 'invalid_api_key'])
  })

  it('refuses a suspended account', async () => {
    const answer = await refusedBeforeAdmission(keys.suspended)
    expect([answer.status, answer.code, answer.charged]).toEqual([403, 'account_suspended', 0])
  })

  it('refuses an account without credits, whatever the call costs', async () => {
    const answer = await refusedBeforeAdmission(keys.withoutCredits)
    expect([answer.status, answer.code, answer.charged]).toEqual([402, 'out_of_credits', 0])
    expect(answer.json.error.details).toEqual({ balance: 0, held: 0, required: 1 })
  })

  it('refuses a call over the rate limit, with the plan and its limit', async () => {
    const answer = await refusedBeforeAdmission(keys.limited)
    expect([answer.status, answer.code, answer.charged]).toEqual([429, 'rate_limited', 0])
    expect(answer.json.error.message).toMatch(/\bFree plan\b.*\b1 request/)
    expect(answer.headers.get('retry-after')).toBe('60')
    expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=1;w=60')
    expect(answer.headers.get('ratelimit')).toBe('"default";r=0;t=60')
  })

  it('refuses a plan without the operation, for free, as a counted call', async () => {
    const askedBefore = provider.asked
    const answer = await sendCall(server, call, { key: keys.denied })
    expect([answer.status, answer.code, answer.charged]).toEqual([403, 'plan_not_allowed', 0])
    expect(answer.remaining).toBe(10_000)
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: id, status_code: 403, units: 0, credits_charged: 0 },
    ])
    expect(provider.asked).toBe(askedBefore)
  })

  it('refuses a key without permission, for free, as a counted call', async () => {
    const askedBefore = provider.asked
    const answer = await sendCall(server, call, { key: keys.forOthers })
    expect([answer.status, answer.code, answer.charged]).toEqual([403, 'key_not_allowed', 0])
    expect(await usageOf(testDatabase.database, answer)).toEqual([
      { operation: id, status_code: 403, units: 0, credits_charged: 0 },
    ])
    expect(provider.asked).toBe(askedBefore)
  })
})

describe('credits below the minimum price of a call', () => {
  it('refuse getPropertyByAddress, which costs 3, if 2 are left, and charge nothing', async () => {
    const { key } = await server.openAccount({ credits: 2 })
    const askedBefore = provider.asked
    const answer = await sendCall(server, minimalCall('getPropertyByAddress'), { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([402, 'out_of_credits', 0])
    expect(answer.json.error.details).toEqual({ balance: 2, held: 0, required: 3 })
    expect(answer.remaining).toBe(2)
    expect(await usageOf(testDatabase.database, answer)).toMatchObject([
      { status_code: 402, credits_charged: 0 },
    ])
    expect(provider.asked).toBe(askedBefore)
  })
})
