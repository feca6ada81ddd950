import { formatApiKey } from '@lotline/contract/checks'
import { describe, expect, it } from 'vitest'
import { plans } from '../../../src/money/accounts/plans.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

describe('an HTTP request', () => {
  it('for /v1/me returns the account and charges nothing', async () => {
    const { key, accountId } = await server.openAccount({
      plan: 'monthly',
      credits: 1000,
      email: 'ana@example.com',
    })
    const me = await server.get('/v1/me', { key })
    expect(me.status).toBe(200)
    expect(me.json.data).toMatchObject({ id: accountId, email: 'ana@example.com', plan_id: 'monthly' })
    expect(me.charged).toBe(0)
    expect(me.remaining).toBe(1000)
  })

  it('for /v1/me returns each limit on free work as used and limit, without a usage object', async () => {
    const { key } = await server.openAccount({ plan: 'free' })
    await server.post('/v1/watches', { name: 'One home', zpids: ['48749425'] }, { key })
    const { data } = (await server.get('/v1/me', { key })).json
    expect(data).not.toHaveProperty('usage')
    expect(Object.keys(data.plan)).toEqual([
      'id',
      'credits_per_cycle',
      'rate_limit_per_minute',
      'max_watch_matches',
    ])
    const of = (used: number, limit: number) => ({ used, limit })
    expect(data.limits).toEqual({
      failed_lookups_per_minute: of(0, plans.free.failedLookupsPerMinute),
      failed_lookups_per_day: of(0, plans.free.failedLookupsPerDay),
      open_jobs: of(0, plans.free.maxOpenJobs),
      stored_rows: of(0, plans.free.maxStoredRows),
      stored_bytes: of(0, plans.free.maxStoredBytes),
      watches: of(1, plans.free.maxWatches),
      watch_queries_per_hour: of(0, plans.free.watchQueriesPerHour),
    })
  })

  it("for /v1/me returns the last hour's watch queries to a remote source", async () => {
    const { key, accountId } = await server.openAccount({ plan: 'free' })
    const used = async () =>
      (await server.get('/v1/me', { key })).json.data.limits.watch_queries_per_hour.used
    const spend = (until: string) =>
      testDatabase.database.query(
        `insert into budgets values ('watch_queries', $1, 3600, now() + $2::interval, 0)
         on conflict (kind, subject, seconds) do update set ends_at = excluded.ends_at`,
        [accountId, until],
      )
    await spend('-2 hours')
    expect(await used()).toBe(0)
    await spend('0 s')
    const all = await used()
    expect(all).toBeGreaterThan(plans.free.watchQueriesPerHour * 0.95)
    expect(all).toBeLessThanOrEqual(plans.free.watchQueriesPerHour)
  })

  it.each(['lot_test_', 'lot_c7_', 'lot_test_c7_'])(
    'with a well-formed unknown key that begins with %s is refused',
    async (prefix) => {
      const unknown = await server.get('/v1/me', { key: formatApiKey('A'.repeat(32), prefix) })
      expect([unknown.status, unknown.code]).toEqual([401, 'invalid_api_key'])
      const today = await server.get('/v1/me', { key: formatApiKey('A'.repeat(32)) })
      const malformed = await server.get('/v1/me', { key: `${prefix}${'A'.repeat(38)}` })
      expect(unknown.json.error.message).toBe(today.json.error.message)
      expect(unknown.json.error.message).not.toBe(malformed.json.error.message)
    },
  )

  it('leaves no key in the database, not even one sent in a path', async () => {
    const { key } = await server.openAccount({ plan: 'monthly' })
    for (const path of [key, key.replace('_', '%5F'), key.slice(4)]) {
      expect((await server.get(`/v1/${path}/me`, { key })).status).toBe(404)
    }
    const usage = await server.get('/v1/usage', { key })
    expect(usage.json.data.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      '/v1/…/me',
      '/v1/lot%…/me',
      '/v1/lot_…/me',
    ])
  })
})
