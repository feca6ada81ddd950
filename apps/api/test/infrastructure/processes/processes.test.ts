// Several real API and worker processes with one database and one store.

import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { driftOf } from '../../money/credits/drift.ts'
import { type ServerProcess, startServer } from '../../process/start/server-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startWorker } from '../../work/jobs/worker-process.ts'
import { until } from './members.ts'
import { startRoundRobin } from './round-robin.ts'
import { type StoreProcess, startStore, storeProgram } from './store-process.ts'
import { homeOf, startWatchingProvider, type WatchingProvider } from './watching-provider.ts'

const run = promisify(execFile)
const testDatabase = withTestDatabase()
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')
const CALLS = process.env.LOTLINE_FULL === '1' ? 400 : 48

interface TimedResponse {
  readonly status: number
  readonly requestId: string
  readonly charged: number
  readonly body: { data?: { job_id?: string; status?: string }; error?: { code: string } }
  readonly retryAfter: string | null
}

async function call(url: string, key: string, path: string, body?: unknown): Promise<TimedResponse> {
  const response = await fetch(url + path, {
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id')!,
    charged: Number(response.headers.get('x-credits-charged')),
    body: (await response.json()) as TimedResponse['body'],
    retryAfter: response.headers.get('retry-after'),
  }
}

describe.skipIf(!storeProgram)('processes that share one store', () => {
  let store: StoreProcess
  beforeAll(async () => {
    store = await startStore()
  })
  afterAll(() => store?.close())

  async function startApis(count: number, provider: WatchingProvider): Promise<ServerProcess[]> {
    const env = { DATABASE_URL: testDatabase.url, VALKEY_URL: store.url, ROLE: 'api', LOG_LEVEL: 'warn' }
    return Promise.all(
      Array.from({ length: count }, () =>
        startServer({ ...env, SECRETS_KEY, SAMPLE_DATA: 'off', ...provider.env }),
      ),
    )
  }

  const open = (ratePerMinute: number, credits = 100_000) =>
    openAccount(testDatabase.database, { plan: 'custom', credits, ratePerMinute })

  it('enforce limits, order, and charges together, with 3 API and 2 worker processes', async () => {
    const provider = await startWatchingProvider()
    const servers = await startApis(3, provider)
    const worker = { databaseUrl: testDatabase.url, env: { SECRETS_KEY, ...provider.env } }
    await Promise.all([startWorker(worker), startWorker(worker)])
    const proxy = await startRoundRobin(servers.map(({ url }) => url))

    // The last key has a lower limit than its clients' calls.
    const limits = [100_000, 100_000, 100_000, 25]
    const accounts = await Promise.all(limits.map((limit) => open(limit)))
    const seen: TimedResponse[] = []
    const jobs: { key: string; id: string }[] = []
    await Promise.all(
      accounts.flatMap(({ key }, at) =>
        [0, 1, 2].map(async (client) => {
          for (let home = client; home < CALLS; home += 3) {
            const zpid = homeOf(at + 1, home)
            seen.push(await call(proxy.url, key, `/v1/properties/${zpid}`))
            if (at === 3 || home % 20 !== client) continue
            const urls = [1, 2, 3].map(
              (n) => `https://www.zillow.com/homedetails/9${homeOf(at + 1, home * 10 + n)}_zpid/`,
            )
            const accepted = await call(proxy.url, key, '/v1/properties/batch', { urls })
            expect(accepted.status).toBe(202)
            seen.push(accepted)
            jobs.push({ key, id: accepted.body.data!.job_id! })
          }
        }),
      ),
    )
    await until(async () => {
      const states = await Promise.all(jobs.map(({ key, id }) => call(proxy.url, key, `/v1/jobs/${id}`)))
      seen.push(...states)
      await sleep(200)
      return states.every(({ body }) => body.data!.status === 'succeeded')
    }, 30_000)

    expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 202, 429]))
    expect(provider.mostOfOneKey).toBe(1)
    expect(jobs.length).toBeGreaterThan(5)
    const limited = accounts[3]!
    const { rows } = await testDatabase.database.query<{ calls: number }>(
      'select count(*) as calls from usage_rows where account_id = $1',
      [limited.accountId],
    )
    expect(rows[0]!.calls).toBe(25)
    await expectEachOnce(seen)
    expect(await driftOf(testDatabase.database)).toEqual([])
  })

  /** Expects one usage row for each successful response, with the reported credits. */
  async function expectEachOnce(seen: readonly TimedResponse[]): Promise<void> {
    const { rows } = await testDatabase.database.query<{
      request_id: string
      status_code: number
      credits_charged: number
    }>('select request_id, status_code, credits_charged from usage_rows where request_id = any ($1)', [
      seen.map(({ requestId }) => requestId),
    ])
    const booked = Map.groupBy(rows, (row) => row.request_id)
    for (const { status, requestId, charged } of seen) {
      const own = booked.get(requestId) ?? []
      if (status === 200) expect(own).toMatchObject([{ status_code: 200, credits_charged: charged }])
      else if (status === 202) expect(own).toMatchObject([{ status_code: 202 }])
      else expect(own).toEqual([])
    }
  }

  it('release the queue tickets of a frozen or killed process, and a frozen one charges nothing when it resumes', async () => {
    const provider = await startWatchingProvider()
    const [first, second] = await startApis(2, provider)
    for (const end of ['SIGSTOP', 'SIGKILL'] as const) {
      const gate = Promise.withResolvers<void>()
      const before = provider.asked.length
      provider.delay = () => (provider.asked.length === before + 1 ? gate.promise : sleep(1))
      const { key, accountId } = await open(1000)
      const homes = [1, 2, 3].map((home) => homeOf(accountId.charCodeAt(0), before + home))
      const inFlight = call(first!.url, key, `/v1/properties/${homes[0]}`).catch(() => undefined)
      await until(() => provider.waiting === 1)
      // The queue has another ticket of the process that will end, before one of the live process.
      const queued = call(first!.url, key, `/v1/properties/${homes[1]}`).catch(() => undefined)
      await until(() => ticketsInStore(2))
      const next = call(second!.url, key, `/v1/properties/${homes[2]}`)
      await until(() => ticketsInStore(3))

      first!.kill(end)
      if (end === 'SIGSTOP') await until(() => isStopped(first!.pid), 20_000)
      // The first call still waits for the provider, so this one is answered only because the tickets before it are gone.
      expect((await next).status).toBe(200)
      expect(provider.asked.slice(before)).toEqual([homes[0], homes[2]])
      if (end === 'SIGSTOP') expect(await isStopped(first!.pid)).toBe(true)

      gate.resolve()
      if (end === 'SIGSTOP') {
        first!.kill('SIGCONT')
        const late = await inFlight
        expect([late?.status, late?.body.error?.code, late?.charged]).toEqual([503, 'service_unavailable', 0])
        // A call that only waited is not affected.
        expect((await queued)?.status).toBe(200)
      }
      const { rows } = await testDatabase.database.query<{ status_code: number; credits_charged: number }>(
        'select status_code, credits_charged from usage_rows where account_id = $1 order by credits_charged',
        [accountId],
      )
      const kept = rows.map((row) => [row.status_code, row.credits_charged])
      expect(kept).toEqual(
        end === 'SIGKILL'
          ? [[200, 1]]
          : [
              [503, 0],
              [200, 1],
              [200, 1],
            ],
      )
    }
    second!.kill('SIGTERM')
    expect((await second!.exited).code).toBe(0)
  })

  /** Whether the process is there and does not run. */
  async function isStopped(pid: number): Promise<boolean> {
    const { stdout } = await run('ps', ['-o', 'state=', '-p', String(pid)])
    return stdout.trim().startsWith('T')
  }

  async function ticketsInStore(count: number): Promise<boolean> {
    const queues = await store.client.keys('{lotline}:*:queue:*')
    const sizes = await Promise.all(queues.map((queue) => store.client.llen(queue)))
    // The list of a queue begins with a mark.
    return sizes.includes(count + 1)
  }

  it('answer 503 with Retry-After and report that they are not ready while the store is down', async () => {
    const provider = await startWatchingProvider()
    const [server] = await startApis(1, provider)
    const { key } = await open(1000)
    expect((await call(server!.url, key, '/v1/me')).status).toBe(200)
    await store.stop()
    const refused = await call(server!.url, key, '/v1/me')
    expect([refused.status, refused.body.error?.code, refused.retryAfter]).toEqual([
      503,
      'service_unavailable',
      '2',
    ])
    expect((await fetch(`${server!.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${server!.url}/healthz`)).status).toBe(200)
    await store.start()
    await until(async () => (await fetch(`${server!.url}/readyz`)).status === 200)
    expect((await call(server!.url, key, '/v1/me')).status).toBe(200)
    server!.kill('SIGTERM')
    expect((await server!.exited).code).toBe(0)
  })
})
