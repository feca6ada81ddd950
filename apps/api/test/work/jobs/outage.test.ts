// A provider that goes away in the middle of jobs, for a while or for good, and one that fails for some entries only.
// By default the outage and the time for retries are a hundredth of what they are in a full run.

import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { ProviderFailure, ProviderTimeout, TransientFailure } from '../../../src/data/sources/provider.ts'
import { PROVIDER_RETRY } from '../../../src/work/jobs/run/provider-retry.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import {
  expectWholeRows,
  getJob,
  HASTE,
  homeUrl,
  readRows,
  runBatch,
  startBuildingJob,
  startJob,
  until,
  untilEnded,
  usageOfJob,
  withWorker,
} from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { BUILDINGS, HOMES, SAMPLE } from './sample-homes.ts'

const FULL = Boolean(process.env.LOTLINE_FULL)
const OUTAGE_MS = FULL ? 60_000 : 1_000
const BOUND_MS = FULL ? 240_000 : 45_000

/**
 * The circuit in front of the provider takes up to a second to see that it is back. The short time is shorter than the outage, and
 * long enough for a busy machine to store what a job has found.
 */
const SOON = { ...HASTE, shortMs: 700, longMs: 4000 }

const GRID = Array.from({ length: 900 }, (_, at) => ({
  zpid: String(500_000 + at),
  homeStatus: 'FOR_SALE',
  latitude: 30 + Math.floor(at / 30) / 100,
  longitude: -90 + (at % 30) / 100,
}))
const GRID_BOX = { west: -91, south: 29, east: -89, north: 31 }

const testDatabase = withTestDatabase()
const provider = createListProvider([...SAMPLE, ...GRID], { searchCap: 100 })
const server = withTestServer(testDatabase, {
  parts: { provider, providerRetry: FULL ? PROVIDER_RETRY : SOON },
  env: { PROVIDER_TIMEOUT_MS: '1000' },
})
withWorker(server)

const failFor = (failing: (query: string) => boolean, error: () => Error) => {
  provider.before = async (query) => {
    if (failing(query)) throw error()
    await sleep(2)
  }
}
const always = () => true
const down = () => new TransientFailure('no answer')

let probes = 999_000_000
beforeEach(async () => {
  // The circuit in front of the provider closes with the first answer.
  provider.before = async () => {
    await sleep(2)
  }
  await testDatabase.database.query('delete from cached_records')
  await until(
    () =>
      // Another home each time: a miss is remembered, and the query would not reach the provider.
      server.app.provider
        .findByZpid(String(++probes), { signal: AbortSignal.timeout(5000) })
        .then(always, () => false),
    (up) => up,
  )
})

const HOME_ENTRIES = HOMES.slice(0, 120).map(({ address }) => ({
  text: `${address!.streetAddress}, ${address!.city}, ${address!.state} ${address!.zipcode}`,
}))
const addresses = HOME_ENTRIES.map(({ text }) => text)

describe(`a provider outage of ${OUTAGE_MS / 1000} s in the middle of a job`, () => {
  const filters = { status: 'for_sale', bbox: GRID_BOX }
  const kinds: readonly [string, (key: string) => Promise<{ id: string }>, number][] = [
    ['a batch', (key) => startJob(server, '/v1/properties/batch', { addresses }, { key }), 120],
    [
      'an exhaustive search',
      (key) =>
        startJob(server, '/v1/search', { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }, { key }),
      900,
    ],
    [
      'a chained job',
      (key) => startJob(server, '/v1/search/with-details', { filters, maxItems: 150 }, { key }),
      150,
    ],
  ]

  it.each(kinds)(
    'costs %s time and nothing else',
    async (_what, start, count) => {
      const { key } = await server.openAccount({ credits: 10_000 })
      let answered = 0
      provider.before = async () => {
        await sleep(4)
        // The source fails after the job has found something.
        if (++answered === 12) {
          provider.before = () => Promise.reject(down())
          setTimeout(() => {
            provider.before = () => {}
          }, OUTAGE_MS)
        }
      }
      const { id } = await start(key)
      const job = await untilEnded(server, key, id, BOUND_MS)
      expect(job).toMatchObject({ status: 'succeeded', result_count: count, failures: [], error: null })
      await expectWholeRows(testDatabase.database, id, count)
    },
    BOUND_MS + 10_000,
  )
})

describe('a provider that goes down permanently', () => {
  it(
    'fails a search with partial results after its retry time, for free',
    async () => {
      const { key } = await server.openAccount({ credits: 10_000 })
      let answered = 0
      provider.before = async () => {
        if (++answered > 5) throw down()
      }
      const body = {
        filters: { status: 'for_sale', bbox: GRID_BOX },
        extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
      }
      const { id } = await startJob(server, '/v1/search', body, { key })
      expect(await untilEnded(server, key, id, BOUND_MS)).toMatchObject({
        status: 'failed',
        error: { code: 'upstream_error' },
        result_count: null,
        truncated_by: null,
        credits_held: 0,
        credits_charged: 0,
        coverage: { rows: expect.any(Number) },
      })
      expect(await usageOfJob(testDatabase.database, id)).toMatchObject([{ units: 0, credits_charged: 0 }])
      expect((await server.get('/v1/me', { key })).json.data.credits).toMatchObject({
        balance: 10_000,
        held: 0,
      })
    },
    BOUND_MS,
  )

  it.each([
    ['upstream_error', 30, () => new ProviderFailure('broken')],
    // Five timeouts in a row open the circuit. Two entries cannot, even if a busy machine runs the job a second time.
    ['upstream_timeout', 2, () => new ProviderTimeout('late')],
  ])('fails a batch if every entry failed, with %s, for free', async (code, count, error) => {
    const { key } = await server.openAccount({ credits: 1000 })
    failFor(always, error)
    const job = await runBatch(server, key, { addresses: addresses.slice(0, count) })
    expect(job).toMatchObject({ status: 'failed', error: { code }, credits_charged: 0, credits_held: 0 })
    expect(job.failures.map((failure) => failure.code)).toEqual(Array.from({ length: count }, () => code))
    expect(job.failures.map(({ input }) => input)).toEqual(addresses.slice(0, count))
  })

  it.each([
    ['upstream_error', () => new ProviderFailure('broken')],
    ['upstream_timeout', () => new ProviderTimeout('late')],
  ])('fails a building job with %s, for free', async (code, error) => {
    const { key } = await server.openAccount({ credits: 1000 })
    failFor(always, error)
    const { id } = await startBuildingJob(server, BUILDINGS[0]!.url, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'failed',
      error: { code },
      credits_charged: 0,
    })
  })

  it("never appears in the customer's error message", async () => {
    const { key } = await server.openAccount({ credits: 1000 })
    failFor(always, () => new ProviderFailure('password of db-7.internal'))
    const job = await runBatch(server, key, { addresses: addresses.slice(0, 3) })
    expect(JSON.stringify(job)).not.toContain('db-7')
  })
})

describe('a provider that fails for some entries', () => {
  it('does not fail the batch: failures lists them with their reasons, and the other records are returned', async () => {
    const { key } = await server.openAccount({ credits: 1000 })
    const zpids = HOMES.slice(0, 40).map(({ zpid }) => String(zpid))
    failFor(
      (query) => query === `zpid ${zpids[3]}` || query === `zpid ${zpids[20]}`,
      () => new ProviderFailure('bad record'),
    )
    const urls = [...zpids.map(homeUrl), homeUrl(1)]
    const job = await runBatch(server, key, { urls })
    expect(job).toMatchObject({
      status: 'succeeded',
      result_count: 38,
      credits_charged: 38,
      progress: { done: 41, total: 41 },
      failures: [
        { input: urls[3], code: 'upstream_error' },
        { input: urls[20], code: 'upstream_error' },
        { input: urls[40], code: 'not_found' },
      ],
    })
    const rows = await readRows(server, key, job.id)
    expect(rows.map(({ zpid }) => zpid)).toEqual(zpids.filter((_, at) => at !== 3 && at !== 20))
  })

  it('does not fail the batch if the others are unknown: there is nothing to return, and it is free', async () => {
    const { key } = await server.openAccount({ credits: 1000 })
    failFor(
      (query) => query === 'zpid 2',
      () => new ProviderFailure('bad record'),
    )
    const job = await runBatch(server, key, { urls: [homeUrl(1), homeUrl(2), homeUrl(3)] })
    expect(job).toMatchObject({ status: 'succeeded', result_count: 0, credits_charged: 0 })
    expect(job.failures.map(({ code }) => code)).toEqual(['not_found', 'upstream_error', 'not_found'])
  })

  it('leaves a chained job its other records: a home without a record costs only its row', async () => {
    const { key } = await server.openAccount({ credits: 1000 })
    const found = new Set<string>()
    failFor(
      (query) => {
        if (query.startsWith('zpid')) found.add(query)
        return [...found].indexOf(query) === 4
      },
      () => new ProviderFailure('bad record'),
    )
    const body = { filters: { status: 'for_sale', bbox: GRID_BOX }, maxItems: 20 }
    const { id } = await startJob(server, '/v1/search/with-details', body, { key })
    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({ status: 'succeeded', result_count: 19, credits_charged: 39 })
    expect(job.failures).toMatchObject([{ input: [...found][4]!.slice(5), code: 'upstream_error' }])
  })
})

describe('a short database outage', () => {
  it('has no effect on running jobs', async () => {
    const { key } = await server.openAccount({ credits: 1000 })
    provider.before = async () => {
      await sleep(15)
    }
    const { id } = await startJob(server, '/v1/properties/batch', { addresses }, { key })
    await until(
      () => getJob(server, key, id),
      ({ progress }) => progress.done > 10,
    )
    for (let time = 0; time < 4; time++) {
      await testDatabase.database
        .query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        )
        .catch(() => {})
      await sleep(60)
    }
    const job = await untilEnded(server, key, id)
    expect(job).toMatchObject({ status: 'succeeded', result_count: 120, credits_charged: 120 })
    await expectWholeRows(testDatabase.database, id, 120)
  })
})
