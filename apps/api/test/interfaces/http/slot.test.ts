import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import type { Provider } from '../../../src/data/sources/provider.ts'
import type { Call } from '../../../src/requests/engine/call.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../../setup/test-server.ts'

const testDatabase = withTestDatabase()

let providers = 0

/** A source that answers when the test lets it, and knows which homes it was asked for and how many at a time. */
function createHeldProvider() {
  const asked: string[] = []
  const open = Promise.withResolvers<void>()
  const inFlight = { now: 0, most: 0 }
  const provider = {
    // The cache is shared by all tests of the file and keeps sources apart by name.
    name: `held ${++providers}`,
    searchCap: 1,
    async findByZpid(zpid: string) {
      asked.push(zpid)
      inFlight.most = Math.max(inFlight.most, ++inFlight.now)
      await open.promise
      inFlight.now--
      return { record: { zpid } as Property, generation: null }
    },
  } as unknown as Provider
  return { provider, asked, inFlight, open: open.resolve }
}

async function withServer(
  options: TestServerOptions,
  work: (server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await startTestServer(testDatabase, options)
  try {
    await work(server)
    expect(server.app.queues.size).toBe(0)
  } finally {
    await server.close()
  }
}

/** Notes the homes of calls in the order in which they begin to wait for their key's slot. */
function noteArrivals({ app }: TestServer): string[] {
  const arrivals: string[] = []
  const { take } = app.queues
  app.queues.take = (keyId, call) => {
    arrivals.push((call as Call).endpoint.split('/').at(-1)!)
    return take(keyId, call)
  }
  return arrivals
}

/** Bytes, after a garbage collection. */
function usedHeap(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await holds()); attempt++) {
    if (attempt > 2000) throw new Error('It never came to that.')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

async function usageOf(accountId: string) {
  const { rows } = await testDatabase.database.query<{
    endpoint: string
    status_code: number
    credits_charged: number
  }>('select endpoint, status_code, credits_charged from usage_rows where account_id = $1 order by id', [
    accountId,
  ])
  return rows
}

describe("a key's slot", () => {
  it('serves 1,000 concurrent calls in order of arrival, one at a time, and bills none of the 400 that disconnect', async () => {
    const held = createHeldProvider()
    await withServer({ parts: { provider: held.provider } }, async (server) => {
      const { key, accountId } = await server.openAccount()
      const arrivals = noteArrivals(server)
      const calls = Array.from({ length: 1000 }, (_, call) => {
        const leaving = new AbortController()
        const zpid = String(call)
        const sent = server.get(`/v1/properties/${zpid}`, { key, signal: leaving.signal })
        return { zpid, leaving, sent: sent.then(({ status }) => status).catch(() => 'left' as const) }
      })
      await until(() => arrivals.length === 1000)

      const served = new Set(held.asked)
      const leavers = calls.filter(({ zpid }, call) => call % 5 < 2 && !served.has(zpid))
      for (const { leaving } of leavers) leaving.abort()
      // The server has seen them leave when each has its row.
      await until(async () => (await usageOf(accountId)).length === leavers.length)
      held.open()

      const statuses = await Promise.all(calls.map(({ sent }) => sent))
      expect(statuses.filter((status) => status === 200)).toHaveLength(1000 - leavers.length)
      expect(held.inFlight.most).toBe(1)
      const left = new Set(leavers.map(({ zpid }) => zpid))
      expect(held.asked).toEqual(arrivals.filter((zpid) => !left.has(zpid)))

      await until(async () => (await usageOf(accountId)).length === 1000)
      for (const row of await usageOf(accountId)) {
        const hasDisconnected = left.has(row.endpoint.split('/').at(-1)!)
        expect([row.status_code, row.credits_charged]).toEqual(hasDisconnected ? [499, 0] : [200, 1])
      }
    })
  })

  it('is not taken for a client that disconnected before its key was checked, and the call is free', async () => {
    const held = createHeldProvider()
    await withServer({ parts: { provider: held.provider } }, async (server) => {
      const { key, accountId } = await server.openAccount()
      const leaving = new AbortController()
      const asked = Promise.withResolvers<void>()
      const known = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      const { find } = server.app.principals
      server.app.principals.find = async (keyHash) => {
        asked.resolve()
        await known.promise
        return find(keyHash)
      }
      const onRequest = (message: unknown) =>
        (message as { response: ServerResponse }).response.once('close', () => closed.resolve())
      subscribe('http.server.request.start', onRequest)
      const sent = server.get('/v1/properties/1', { key, signal: leaving.signal }).catch(() => 'left')
      await asked.promise
      leaving.abort()
      await closed.promise
      unsubscribe('http.server.request.start', onRequest)
      known.resolve()
      expect(await sent).toBe('left')
      await until(async () => (await usageOf(accountId)).length === 1)
      expect(await usageOf(accountId)).toMatchObject([{ status_code: 499, credits_charged: 0 }])
      expect(held.asked).toEqual([])
    })
  })

  it("does not keep unused parts of a waiting call's body in memory", async () => {
    const held = createHeldProvider()
    // The bound on what waiting calls may hold counts what was sent, and would refuse most of these.
    const parts = { provider: held.provider, maxWaitingBytes: Infinity }
    await withServer({ parts }, async (server) => {
      const { key, keyId } = await server.openAccount({ ratePerMinute: 100 })
      const slot = await server.app.queues.take(keyId, new AbortController())
      const arrivals = noteArrivals(server)
      // Each is some 20 MB when it is parsed.
      const body = {
        filters: { status: 'for_sale', bbox: { west: -1, south: -1, east: 1, north: 1 } },
        padding: Array.from({ length: 340_000 }, () => ({})),
      }
      const before = usedHeap()
      const leaving = new AbortController()
      const sent = Array.from({ length: 5 }, () =>
        server.post('/v1/search', body, { key, signal: leaving.signal }).catch(() => 'left'),
      )
      await until(() => arrivals.length === 5)
      const kept = usedHeap() - before
      leaving.abort()
      expect(new Set(await Promise.all(sent))).toEqual(new Set(['left']))
      slot.release()
      await until(() => server.app.queues.size === 0)
      expect(kept).toBeLessThan(40_000_000)
    })
  })

  it('is not needed to refuse invalid input', async () => {
    const held = createHeldProvider()
    await withServer({ parts: { provider: held.provider } }, async (server) => {
      const { key } = await server.openAccount()
      const waiting = server.get('/v1/properties/1', { key })
      await until(() => held.asked.length === 1)
      expect((await server.get('/v1/properties/abc', { key })).code).toBe('invalid_zpid')
      expect((await server.get('/v1/properties/2?fields=a..b', { key })).code).toBe('invalid_parameter')
      held.open()
      expect((await waiting).status).toBe(200)
    })
  })

  it('does not block other keys of the same account', async () => {
    const held = createHeldProvider()
    await withServer({ parts: { provider: held.provider } }, async (server) => {
      const { key, accountId } = await server.openAccount()
      const { issueKey } = await import('../../../src/money/accounts/open-account.ts')
      const other = await issueKey(testDatabase.database, accountId)
      const waiting = server.get('/v1/properties/1', { key })
      await until(() => held.asked.length === 1)
      expect((await server.get('/v1/me', { key: other.key })).status).toBe(200)
      held.open()
      await waiting
    })
  })

  it('times out a waiting call for free, and the error says that it waited for the key', async () => {
    const held = createHeldProvider()
    await withServer(
      { parts: { provider: held.provider }, env: { SYNC_TIMEOUT_MS: '300' } },
      async (server) => {
        const { key, keyId, accountId } = await server.openAccount()
        const slot = await server.app.queues.take(keyId, new AbortController())
        const waiting = await server.get('/v1/me', { key })
        expect([waiting.status, waiting.code, waiting.json.error.details]).toEqual([
          504,
          'upstream_timeout',
          { phase: 'queue' },
        ])
        slot.release()
        const late = await server.get('/v1/properties/1', { key })
        expect([late.status, late.code, late.json.error.details]).toEqual([
          504,
          'upstream_timeout',
          { phase: 'upstream' },
        ])
        held.open()
        for (const row of await usageOf(accountId))
          expect([row.status_code, row.credits_charged]).toEqual([504, 0])
      },
    )
  })

  it('is not given to a call whose key was revoked or whose account was suspended while it waited', async () => {
    for (const [statement, status, code] of [
      ['update api_keys set revoked_at = now() where account_id = $1', 401, 'invalid_api_key'],
      ["update accounts set status = 'suspended' where id = $1", 403, 'account_suspended'],
    ] as const) {
      const held = createHeldProvider()
      await withServer({ parts: { provider: held.provider } }, async (server) => {
        const { key, accountId } = await server.openAccount()
        const first = server.get('/v1/properties/1', { key })
        await until(() => held.asked.length === 1)
        const waiting = server.get('/v1/properties/2', { key })
        await testDatabase.database.query(statement, [accountId])
        // What the server knows of a caller is half a second old at most.
        await new Promise((resolve) => setTimeout(resolve, 600))
        held.open()
        expect((await first).status).toBe(200)
        const refused = await waiting
        expect([refused.status, refused.code]).toEqual([status, code])
        expect(held.asked).toEqual(['1'])
      })
    }
  })
})
