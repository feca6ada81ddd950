// A job with a limit of credits whose worker dies at one of its checkpoints, right before it or right after it: another worker
// ends it, and it is charged no more than the limit, for the rows of a job that nothing happened to.

import { describe, expect, it } from 'vitest'
import type { Provider } from '../../../src/data/sources/provider.ts'
import { createSemaphore } from '../../../src/data/sources/resilience/semaphore.ts'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import { findKeyAllowance, setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { runJob } from '../../../src/work/jobs/run/run-job.ts'
import { handBackJob } from '../../../src/work/jobs/store/claim-jobs.ts'
import { writeJobEvent } from '../../../src/work/jobs/store/settle-job.ts'
import { Lease } from '../../../src/work/loop/lease.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { getJob, HASTE, homeUrl, readRows, startJob } from './job-calls.ts'
import { createListProvider, type ListProvider } from './list-provider.ts'
import { claimJob } from './made-jobs.ts'

const TOWER = '/b/tower-seattle-wa-TowErX/'
const GRID = Array.from({ length: 120 }, (_, at) => ({
  zpid: String(500_000 + at),
  homeStatus: 'FOR_SALE',
  longitude: -90 + (at % 50) / 100,
  latitude: 30 + Math.floor(at / 50) / 100,
}))
const UNITS = Array.from({ length: 40 }, (_, at) => ({
  zpid: String(700_000 + at),
  homeStatus: 'FOR_RENT',
  unitNumber: String(at),
  bdpUrl: TOWER,
}))

const testDatabase = withTestDatabase()
const provider = createListProvider([...GRID, ...UNITS])
/** A data set whose searches return ten rows at most, so that jobs search ahead. */
const dataSet = Object.assign(createListProvider(GRID, { searchCap: 10 }), { knowsAreas: true })
const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })

class WorkerKilled extends Error {}

/** The database as a worker has it that dies with its checkpoint number `at`: before it is written, or after. */
function dying(database: Database, at: number, when: 'before' | 'after'): Database {
  let checkpoints = 0
  const query = async (text: string, values?: unknown[], options?: { readonly name?: string }) => {
    const isLast = options?.name === 'write_job_step' && ++checkpoints === at
    if (isLast && when === 'before') throw new WorkerKilled()
    const result = await database.query(text, values, options)
    if (isLast) throw new WorkerKilled()
    return result
  }
  return new Proxy(database, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  })
}

/** One worker with this database. Whether it was killed. */
async function work(
  accountId: string,
  jobId: string,
  database: Database,
  searched: Provider = provider,
): Promise<'killed' | 'done'> {
  const { records, sites, sources, log } = server.app
  const job = await claimJob(testDatabase.database, { accountId, jobId })
  const tools = {
    database,
    log,
    records,
    sites,
    sources,
    providerRetry: HASTE,
    writeEvent: writeJobEvent,
    provider: searched,
    pages: createSemaphore({ count: 8, heldMs: 5_000 }),
    onBalance: () => {},
  }
  try {
    expect(await runJob(tools, job, new Lease(performance.now() + 60_000))).toBe('done')
    return 'done'
  } catch (error) {
    if (!(error instanceof WorkerKilled)) throw error
    await handBackJob(testDatabase.database, job)
    return 'killed'
  }
}

const filters = { status: 'for_sale', bbox: { west: -91, south: 29, east: -89, north: 31 } }
const JOBS = [
  ['a batch', '/v1/properties/batch', { urls: GRID.slice(0, 60).map(({ zpid }) => homeUrl(zpid)) }, 37, 37],
  ['a search', '/v1/search', { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }, 53, 53],
  ['a search with details', '/v1/search/with-details', { filters, maxItems: 60 }, 41, 20],
  [
    'a batch that extracts units',
    '/v1/properties/batch',
    { urls: [`https://www.zillow.com${TOWER}`], extractBuildingUnits: 'all' },
    9,
    9,
  ],
] as const

describe('a job whose worker is killed at each checkpoint', () => {
  it.each(JOBS)('%s is charged no more than its limit', async (_, path, body, limit, count) => {
    const { database } = testDatabase
    const credits = path === '/v1/search/with-details' ? 2 * Number(count) : count
    const { key, accountId } = await server.openAccount()
    let at = 0
    for (let outcome = 'killed'; outcome === 'killed'; ) {
      at++
      for (const when of ['before', 'after'] as const) {
        const sent = { ...(body as object), maxCredits: limit }
        const { id } = await startJob(server, path as string, sent, { key })
        outcome = await work(accountId, id, dying(database, at, when))
        if (outcome === 'killed') expect(await work(accountId, id, database)).toBe('done')
        const job = await getJob(server, key, id)
        expect([at, when, job.status, job.truncated_by, job.result_count, job.credits_charged]).toEqual([
          at,
          when,
          'succeeded',
          'max_credits',
          count,
          credits,
        ])
        const rows = await readRows(server, key, id)
        expect(new Set(rows.map((row) => row.zpid ?? row.data?.zpid)).size).toBe(count)
      }
    }
    // The last worker lived: every checkpoint was one to die at.
    expect(at).toBeGreaterThan(1)
    await expectBooksToBalance(database)
  })

  it('a search that prefetches pages is charged at most its limit, for the same rows as without prefetching', async () => {
    const { database } = testDatabase
    const { key, accountId } = await server.openAccount()
    const sent = { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxCredits: 53 }
    const inTurn = createListProvider(GRID, { searchCap: 10 })
    const plain = await startJob(server, '/v1/search', sent, { key })
    expect(await work(accountId, plain.id, database, inTurn)).toBe('done')
    const rows = await readRows(server, key, plain.id)
    let at = 0
    for (let outcome = 'killed'; outcome === 'killed'; ) {
      at++
      for (const when of ['before', 'after'] as const) {
        const { id } = await startJob(server, '/v1/search', sent, { key })
        outcome = await work(accountId, id, dying(database, at, when), dataSet)
        if (outcome === 'killed') expect(await work(accountId, id, database, dataSet)).toBe('done')
        const job = await getJob(server, key, id)
        expect([at, when, job.status, job.truncated_by, job.result_count, job.credits_charged]).toEqual([
          at,
          when,
          'succeeded',
          'max_credits',
          53,
          53,
        ])
        expect(await readRows(server, key, id)).toEqual(rows)
      }
    }
    expect(at).toBeGreaterThan(4)
    await expectBooksToBalance(database)
  })

  it.each(JOBS)('%s is charged no more than the limit of its key', async (_, path, body, limit, count) => {
    const { database } = testDatabase
    const credits = path === '/v1/search/with-details' ? 2 * Number(count) : count
    const { key, keyId, accountId } = await server.openAccount()
    let at = 0
    for (let outcome = 'killed'; outcome === 'killed'; ) {
      at++
      await setKeyLimit(database, keyId, null)
      await setKeyLimit(database, keyId, { credits: Number(limit), per: 'total' })
      const { id } = await startJob(server, path as string, body, { key })
      outcome = await work(accountId, id, dying(database, at, at % 2 ? 'before' : 'after'))
      if (outcome === 'killed') expect(await work(accountId, id, database)).toBe('done')
      const job = await getJob(server, key, id)
      expect([at, job.status, job.truncated_by, job.result_count, job.credits_charged]).toEqual([
        at,
        'succeeded',
        'key_limit',
        count,
        credits,
      ])
      expect((await findKeyAllowance(database, keyId))!.used).toBe(credits)
    }
    expect(at).toBeGreaterThan(1)
    await expectBooksToBalance(database)
  })
})

describe('a search job over the data set', () => {
  /** The queries of a job, and how many had been made when each of its checkpoints was written. */
  async function run(searched: ListProvider) {
    const { database } = testDatabase
    const { key, accountId } = await server.openAccount()
    const sent = { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 75 }
    const { id } = await startJob(server, '/v1/search', sent, { key })
    const from = searched.asked.length
    const atCheckpoints: number[] = []
    const query: Database['query'] = (text, values, options) => {
      if (options?.name === 'write_job_step') atCheckpoints.push(searched.asked.length - from)
      return database.query(text, values, options)
    }
    const watched = new Proxy(database, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
    })
    expect(await work(accountId, id, watched, searched)).toBe('done')
    return { asked: searched.asked.slice(from), atCheckpoints, rows: await readRows(server, key, id) }
  }

  it('prefetches the next page while a page is stored, with the same queries as without prefetching', async () => {
    const inTurn = await run(createListProvider(GRID, { searchCap: 10 }))
    const ahead = await run(dataSet)
    expect(ahead.rows).toEqual(inTurn.rows)
    expect(ahead.asked).toEqual(inTurn.asked)
    const pages = inTurn.atCheckpoints.length
    expect(inTurn.atCheckpoints).toEqual(Array.from({ length: pages }, (_, at) => at + 1))
    // Near its end, the rows of a page decide whether another one is wanted.
    expect(ahead.atCheckpoints.slice(0, 4)).toEqual([2, 3, 4, 5])
    expect(ahead.atCheckpoints.at(-1)).toBe(ahead.asked.length)
  })

  it.each([
    ['its limit', { maxCredits: 5 }, undefined],
    ['the credits of its account', {}, 6],
  ])('requests only one page if %s ends the search there', async (_, limit, credits) => {
    const { key, accountId } = await server.openAccount(credits === undefined ? {} : { credits })
    const sent = { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN', ...limit }
    const { id } = await startJob(server, '/v1/search', sent, { key })
    const from = dataSet.asked.length
    expect(await work(accountId, id, testDatabase.database, dataSet)).toBe('done')
    expect(dataSet.asked.length - from).toBe(1)
    expect((await getJob(server, key, id)).result_count).toBe(5)
  })

  it('discards the prefetched page when it fails', async () => {
    const { database } = testDatabase
    const { key, accountId } = await server.openAccount()
    const sent = { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
    const { id } = await startJob(server, '/v1/search', sent, { key })
    const slow = Object.assign(createListProvider(GRID, { searchCap: 10 }), { knowsAreas: true })
    slow.before = (_query, { signal }) =>
      slow.asked.length < 2
        ? undefined
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    expect(await work(accountId, id, dying(database, 1, 'before'), slow)).toBe('killed')
    expect(slow.asked).toHaveLength(2)
    expect(await work(accountId, id, database, dataSet)).toBe('done')
  })
})
