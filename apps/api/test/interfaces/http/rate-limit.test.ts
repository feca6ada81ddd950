import { parseItem, parseList } from 'structured-headers'
import { describe, expect, it } from 'vitest'
import { issueKey } from '../../../src/money/accounts/open-account.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, withTestServer } from '../../setup/test-server.ts'
import { usageOf } from '../../setup/usage.ts'

const testDatabase = withTestDatabase()
const clock = { now: 0 }
const server = withTestServer(testDatabase, { parts: { now: () => clock.now } })

describe('the rate limit', () => {
  it("admits the plan's calls and refuses the next, with the plan and its limit", async () => {
    const { key } = await server.openAccount({ plan: 'free', ratePerMinute: 20 })
    for (let call = 0; call < 20; call++) {
      const answer = await server.get('/v1/me', { key })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit')).toBe(`"default";r=${19 - call};t=60`)
    }
    const refused = await server.get('/v1/me', { key })
    expect([refused.status, refused.code, refused.charged]).toEqual([429, 'rate_limited', 0])
    expect(refused.json.error.message).toContain('Free plan allows 20 requests per minute')
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await usageOf(testDatabase.database, refused)).toEqual([])
  })

  it('uses the structured fields of the IETF draft', async () => {
    const { key } = await server.openAccount({ ratePerMinute: 20 })
    const { headers } = await server.get('/v1/me', { key })
    const [policy] = parseList(headers.get('ratelimit-policy')!)
    expect([policy![0], Object.fromEntries(policy![1])]).toEqual(['default', { q: 20, w: 60 }])
    const [state, left] = parseItem(headers.get('ratelimit')!)
    expect([state, Object.fromEntries(left)]).toEqual(['default', { r: 19, t: 60 }])
  })

  it('requests a wait of at least two seconds, and admits a client that waited that long', async () => {
    const { key } = await server.openAccount({ ratePerMinute: 2 })
    clock.now = 1_000_000
    await server.get('/v1/me', { key })
    clock.now += 30_000
    await server.get('/v1/me', { key })
    clock.now += 29_500
    const refused = await server.get('/v1/me', { key })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    clock.now += 2000
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    const next = await server.get('/v1/me', { key })
    expect([next.status, next.headers.get('retry-after')]).toEqual([429, '29'])
    clock.now += 29_000
    expect((await server.get('/v1/me', { key })).status).toBe(200)
  })

  it('is separate for each key', async () => {
    const { key, accountId } = await server.openAccount({ ratePerMinute: 1 })
    const other = await issueKey(testDatabase.database, accountId)
    expect((await server.get('/v1/me', { key })).status).toBe(200)
    expect((await server.get('/v1/me', { key })).status).toBe(429)
    expect((await server.get('/v1/me', { key: other.key })).status).toBe(200)
  })

  it('counts invalid calls, and not calls that were refused earlier', async () => {
    const { key } = await server.openAccount({ ratePerMinute: 3 })
    expect((await server.get('/v1/properties/abc', { key })).status).toBe(400)
    expect((await server.get('/v1/nowhere', { key })).status).toBe(404)
    expect((await server.get('/v1/properties/0', { key })).status).toBe(404)
    expect((await server.get('/v1/me', { key })).status).toBe(429)
  })

  it('is not reset by a restart, and lasts at most a minute', async () => {
    const { key, accountId } = await server.openAccount({ ratePerMinute: 5 })
    for (let call = 0; call < 5; call++) await server.get('/v1/me', { key })

    const restarted = await startTestServer(testDatabase)
    try {
      expect((await restarted.get('/v1/me', { key })).status).toBe(429)
    } finally {
      await restarted.close()
    }
    // Nothing but a test may shift the past.
    await testDatabase.database.query(`
      grant update on usage_rows to current_user;
      update usage_rows set created_at = created_at - interval '61 seconds' where account_id = '${accountId}';
      revoke update on usage_rows from current_user;
      grant update (units, credits_charged) on usage_rows to current_user`)
    const later = await startTestServer(testDatabase)
    try {
      const admitted = await later.get('/v1/me', { key })
      expect([admitted.status, admitted.headers.get('ratelimit')]).toEqual([200, '"default";r=4;t=60'])
    } finally {
      await later.close()
    }
  })
})
