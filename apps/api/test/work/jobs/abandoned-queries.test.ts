// Queries of ended jobs: they are aborted with their job, and no other job waits for them.

import { describe, expect, it } from 'vitest'
import { orAborted } from '../../../src/infrastructure/platform/or-aborted.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import {
  BOX,
  getJob,
  HASTE,
  homeUrl,
  readRows,
  startJob,
  until,
  untilEnded,
  withWorker,
} from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { HOMES, SAMPLE } from './sample-homes.ts'

const testDatabase = withTestDatabase()
const provider = createListProvider(SAMPLE)
// No timeout of the provider ends a query within the time of a test.
const server = withTestServer(testDatabase, {
  parts: { provider, providerRetry: HASTE },
  env: { PROVIDER_TIMEOUT_MS: '300000', JOB_LEASE_MS: '3000' },
})
withWorker(server)

/** From now on no query is answered. Lists the abort reasons of the queries. */
function hang(): readonly unknown[] {
  const aborted: unknown[] = []
  provider.asked.length = 0
  provider.before = async (_query, { signal }) => {
    signal.addEventListener('abort', () => aborted.push(signal.reason))
    await orAborted(new Promise<never>(() => {}), signal)
  }
  return aborted
}

const bodies = [
  ['a lookup', '/v1/properties/batch', { urls: [homeUrl(HOMES[0]!.zpid)] }],
  [
    'a lookup of the listing that is preferred',
    '/v1/properties/batch',
    { urls: [homeUrl(HOMES[1]!.zpid)], prefer: 'sold' },
  ],
  ['a search', '/v1/search', { filters: { bbox: BOX }, async: true, maxItems: 5 }],
] as const

describe('When an account aborts a job whose query hangs', () => {
  it.each(bodies)(
    "the query of the %s job is aborted, and another account's job sends its own query",
    async (_, path, body) => {
      const [one, other] = [
        await server.openAccount({ credits: 500 }),
        await server.openAccount({ credits: 500 }),
      ]
      const aborted = hang()
      const hanging = await startJob(server, path, body, one)
      await until(
        async () => provider.asked.length,
        (asked) => asked === 1,
      )
      expect((await server.send('POST', `/v1/jobs/${hanging.id}/abort`, one)).status).toBe(200)
      provider.before = () => {}
      const { id } = await startJob(server, path, body, other)
      expect(await untilEnded(server, other.key, id)).toMatchObject({ status: 'succeeded' })
      expect((await readRows(server, other.key, id)).length).toBeGreaterThan(0)
      expect(await getJob(server, one.key, hanging.id)).toMatchObject({
        status: 'aborted',
        credits_charged: 0,
      })
      await until(
        async () => aborted.length,
        (count) => count === 1,
      )
      expect(provider.asked.length).toBeGreaterThan(1)
    },
  )
})

// Ends a job without its worker, which notices it when it renews its lease.
const ends = [
  [
    'has passed to another worker',
    "update jobs set lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour' where id = $1",
    'running',
    HOMES[3]!.zpid,
  ],
  [
    'has run out of time',
    "update jobs set deadline_at = now() - interval '1 ms' where id = $1",
    'timed_out',
    HOMES[4]!.zpid,
  ],
] as const

describe.each(ends)('When a job with a hanging query %s', (_, end, status, home) => {
  it("the query is aborted, and another account's job sends its own query", async () => {
    const [one, other] = [
      await server.openAccount({ credits: 500 }),
      await server.openAccount({ credits: 500 }),
    ]
    // Of a home that no cache has.
    const [path, body] = ['/v1/properties/batch', { urls: [homeUrl(home)] }]
    const aborted = hang()
    const hanging = await startJob(server, path, body, one)
    await until(
      async () => provider.asked.length,
      (asked) => asked === 1,
    )
    await testDatabase.database.query(end, [hanging.id])
    await until(
      async () => aborted.length,
      (count) => count === 1,
    )
    expect(await getJob(server, one.key, hanging.id)).toMatchObject({ status, credits_charged: 0 })
    provider.before = () => {}
    const { id } = await startJob(server, path, body, other)
    expect(await untilEnded(server, other.key, id)).toMatchObject({ status: 'succeeded' })
  })
})

describe("When a client disconnects while its call's query hangs", () => {
  it('the same call of another account sends its own query', async () => {
    const [one, other] = [await server.openAccount({ credits: 5 }), await server.openAccount({ credits: 5 })]
    const zpid = HOMES[2]!.zpid
    const gone = new AbortController()
    const aborted = hang()
    const first = fetch(`${server.url}/v1/properties/${zpid}`, {
      headers: { authorization: `Bearer ${one.key}` },
      signal: gone.signal,
    }).catch(() => 'gone')
    await until(
      async () => provider.asked.length,
      (asked) => asked === 1,
    )
    gone.abort()
    expect(await first).toBe('gone')
    provider.before = () => {}
    await until(
      async () => aborted.length,
      (count) => count === 1,
    )
    const answer = await server.get(`/v1/properties/${zpid}`, other)
    expect([answer.status, answer.charged]).toEqual([200, 1])
  })
})
