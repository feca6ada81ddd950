// Provider queries of calls and jobs that are not paid for are failed lookups: a search with details that finds nothing, a
// call whose client disconnects before it is charged, a call whose credits were used up meanwhile, a page that the provider
// cannot send whole. No loop of such calls queries the provider more often than the plan allows. The searches of watches over
// a remote provider are not counted: what bounds them are the watches and matches that a plan allows.

import { describe, expect, it } from 'vitest'
import type { Provider } from '../../../src/data/sources/provider.ts'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { plans } from '../../../src/money/accounts/plans.ts'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, startJob, until, untilEnded, withWorker } from '../../work/jobs/job-calls.ts'

const LIMIT = plans.free.failedLookupsPerMinute
const testDatabase = withTestDatabase()
const memory = createMemoryProvider()
/** Decides the result of a search. The next search is answered immediately. */
let answerSearch: (search: () => ReturnType<Provider['search']>) => ReturnType<Provider['search']> = (
  search,
) => search()
let searched = 0
const server = withTestServer(testDatabase, {
  parts: {
    provider: {
      ...memory,
      findUnits: (building, kind, asking) =>
        JSON.stringify(building).includes('5XqEmp')
          ? Promise.resolve({ units: [] })
          : memory.findUnits(building, kind, asking),
      search: (search, page, asking) => {
        searched++
        return answerSearch(() => memory.search(search, page, asking))
      },
    },
  },
})
withWorker(server)

const openFree = () => server.openAccount({ plan: 'free', credits: 1000, ratePerMinute: 1000 })

let nth = 0
/** Empty places, all different: equal concurrent queries would be one query. */
const nowhere = () => {
  const west = nth++ / 1000
  return { west, south: 0, east: west + 0.0005, north: 0.001 }
}
const searchOf = (bbox: object) => ({ filters: { bbox } })
const searchUrlOf = (mapBounds: object) => ({
  url: `https://www.zillow.com/homes/?searchQueryState=${encodeURIComponent(JSON.stringify({ mapBounds }))}`,
})

async function failedLookups(key: string): Promise<number> {
  return (await server.get('/v1/me', { key })).json.data.limits.failed_lookups_per_minute.used
}

/** Searches, disconnects after `queries` provider queries, and waits for the usage row. */
async function searchAndLeave(key: string, accountId: string, body: unknown, queries = 1): Promise<void> {
  const leave = new AbortController()
  const before = searched
  const sent = fetch(`${server.url}/v1/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leave.signal,
  })
  await until(
    async () => searched - before,
    (asked) => asked === queries,
  )
  const rows = await disconnected(accountId)
  leave.abort()
  await expect(sent).rejects.toThrow()
  await until(
    () => disconnected(accountId),
    (now) => now === rows + 1,
  )
}

async function disconnected(accountId: string): Promise<number> {
  const { rows } = await testDatabase.database.query<{ count: number }>(
    'select count(*) from usage_rows where account_id = $1 and status_code = 499',
    [accountId],
  )
  return Number(rows[0]!.count)
}

const hang = () => new Promise<never>(() => {})

describe('searches with details that find nothing', () => {
  it('query the provider as often as the plan allows; then the job waits for the next minute', async () => {
    const { key, accountId } = await openFree()
    const before = searched
    for (let made = 1; made <= LIMIT; made++) {
      const { id } = await startJob(server, '/v1/search/with-details', searchOf(nowhere()), { key })
      const job = await untilEnded(server, key, id)
      expect(job).toMatchObject({ status: 'succeeded', credits_charged: 0, result_count: 0 })
      expect(searched - before).toBe(made)
    }
    expect(await failedLookups(key)).toBe(LIMIT)
    const { id } = await startJob(server, '/v1/search/with-details', searchOf(nowhere()), { key })
    await until(
      async () => {
        const { rows } = await testDatabase.database.query<{ waits: boolean }>(
          'select not_before > now() as waits from jobs where id = $1',
          [id],
        )
        return rows[0]!.waits
      },
      (waits) => waits === true,
    )
    expect(searched - before).toBe(LIMIT)

    await testDatabase.database.query(
      `update budgets set ends_at = ends_at - interval '1 minute' where subject = $1 and seconds = 60`,
      [accountId],
    )
    await testDatabase.database.query('update jobs set not_before = now() where id = $1', [id])
    expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded', credits_charged: 0 })
    expect(searched - before).toBe(LIMIT + 1)
  })

  it('are not counted when they find homes', async () => {
    const { key } = await openFree()
    const { id } = await startJob(server, '/v1/search/with-details', searchOf(BOX), { key })
    expect((await untilEnded(server, key, id)).credits_charged).toBeGreaterThan(0)
    await server.app.budget.drain()
    expect(await failedLookups(key)).toBe(0)
  })
})

describe('searches whose client disconnects', () => {
  it('query the provider as often as the plan allows, then get 429 without a provider query', async () => {
    const { key, accountId } = await openFree()
    answerSearch = hang
    for (let made = 0; made < LIMIT; made++) await searchAndLeave(key, accountId, searchOf(nowhere()))
    answerSearch = (search) => search()
    expect(await failedLookups(key)).toBe(LIMIT)
    const before = searched
    const refused = await server.post('/v1/search', searchOf(nowhere()), { key })
    expect([refused.status, refused.code, refused.charged]).toEqual([429, 'lookup_budget_exceeded', 0])
    expect(searched).toBe(before)
    expect(refused.remaining).toBe(1000)
  })

  it('count each of their queries, including those that were answered before', async () => {
    const { key, accountId } = await openFree()
    const before = searched
    answerSearch = (search) => (searched - before < 3 ? search() : hang())
    const searchUrls = [nowhere(), nowhere(), nowhere(), nowhere()].map(searchUrlOf)
    await searchAndLeave(key, accountId, { searchUrls }, 3)
    answerSearch = (search) => search()
    await until(
      () => failedLookups(key),
      (failed) => failed === 3,
    )
  })

  it('do not count if they are charged', async () => {
    const { key } = await openFree()
    for (let made = 0; made < 3; made++)
      expect((await server.post('/v1/search', searchOf(nowhere()), { key })).charged).toBe(1)
    await server.app.budget.drain()
    expect(await failedLookups(key)).toBe(0)
  })
})

it('count, except the charged one, if calls of several keys queried the provider for the same last credit', async () => {
  const { key, accountId } = await server.openAccount({ plan: 'free', credits: 1, ratePerMinute: 1000 })
  const keys = [key]
  while (keys.length < 4) keys.push((await issueKey(testDatabase.database, accountId)).key)
  let open: () => void = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  answerSearch = (search) => isOpen.then(search)
  const before = searched
  const sent = keys.map((each) => server.post('/v1/search', searchOf(nowhere()), { key: each }))
  await until(
    async () => searched - before,
    (asked) => asked === keys.length,
  )
  open()
  const answers = await Promise.all(sent)
  answerSearch = (search) => search()
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 402, 402, 402])
  await server.app.budget.drain()
  const { rows } = await testDatabase.database.query(
    'select taken from budgets where subject = $1 and seconds = 60',
    [accountId],
  )
  expect(rows).toEqual([{ taken: 3 }])
})

it('are refused, and count, if an order needs more rows than the provider returns', async () => {
  const { key } = await openFree()
  const before = searched
  answerSearch = (search) => search().then((found) => ({ ...found, total: 1_000_000 }))
  const body = { ...searchOf(BOX), sort: 'price' }
  const refused = await server.post('/v1/search', body, { key })
  answerSearch = (search) => search()
  expect([refused.status, refused.code, refused.charged], refused.text).toEqual([400, 'invalid_parameter', 0])
  expect(refused.json.error.message).toContain('needs all listings of the area')
  const queries = searched - before
  expect(queries).toBeGreaterThan(1)
  expect(await failedLookups(key)).toBe(Math.min(queries, LIMIT))
})

it('count for a building of a batch without such units, which gives no record and no failure', async () => {
  const { key, accountId } = await openFree()
  const urls = ['https://www.zillow.com/b/empty-seattle-wa-5XqEmp/']
  const { id } = await startJob(
    server,
    '/v1/properties/batch',
    { urls, extractBuildingUnits: 'for_rent' },
    { key },
  )
  expect(await untilEnded(server, key, id)).toMatchObject({ credits_charged: 0 })
  await server.app.budget.drain()
  const { rows } = await testDatabase.database.query(
    'select taken from budgets where subject = $1 and seconds = 60',
    [accountId],
  )
  expect(rows).toEqual([{ taken: 1 }])
})

describe('searches by ZIP code for which the provider has no home among very many others', () => {
  const zips = ['98109']
  const tooMany = async () => ({ records: [], total: 100_000 })

  it('are refused without a charge if the result would be incomplete, with the parameter that was sent', async () => {
    const { key } = await server.openAccount({ credits: 1000 })
    answerSearch = tooMany
    const posted = await server.post('/v1/search', { filters: { zips } }, { key })
    expect([posted.status, posted.code, posted.charged]).toEqual([400, 'invalid_parameter', 0])
    expect(posted.json.error.details).toMatchObject({ parameter: 'filters.zips' })
    const got = await server.get('/v1/listings?city=Seattle,%20WA', { key })
    expect([got.status, got.code, got.charged]).toEqual([400, 'invalid_parameter', 0])
    expect(got.json.error.details).toMatchObject({ parameter: 'city' })
  })

  it('query the provider in a job as often as the plan allows, and once more for its minimum price', async () => {
    const { key } = await openFree()
    answerSearch = tooMany
    const before = searched
    const body = { filters: { zips }, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
    const { id } = await startJob(server, '/v1/search', body, { key })
    await until(
      async () => {
        const { rows } = await testDatabase.database.query<{ waits: boolean }>(
          'select not_before > now() as waits from jobs where id = $1',
          [id],
        )
        return rows[0]!.waits
      },
      (waits) => waits === true,
    )
    expect(searched - before).toBe(LIMIT + 1)
    expect(await failedLookups(key)).toBe(LIMIT)
    answerSearch = (search) => search()
  })
})
