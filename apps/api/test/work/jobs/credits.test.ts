// Holds of jobs, cuts for lack of credits, and the last credit that every account keeps.

import { describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import {
  BOX,
  expectWholeRows,
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

/** 2,100 homes for sale on a grid, and a building of 1,300 units. */
const GRID = Array.from({ length: 2100 }, (_, at) => ({
  zpid: String(500_000 + at),
  homeStatus: 'FOR_SALE',
  latitude: 30 + Math.floor(at / 50) / 100,
  longitude: -90 + (at % 50) / 100,
}))
const TOWER = 'https://www.zillow.com/b/tower-seattle-wa-TowErX/'
const towerPath = new URL(TOWER).pathname
const UNITS = Array.from({ length: 1300 }, (_, at) => ({
  zpid: String(700_000 + at),
  homeStatus: 'FOR_RENT',
  unitNumber: String(at),
  bdpUrl: towerPath,
}))
const TOWER_RECORDS = [{ zpid: '699999', isBuilding: true, bdpUrl: towerPath }, ...UNITS]

const testDatabase = withTestDatabase()
const provider = createListProvider([...SAMPLE, ...GRID, ...TOWER_RECORDS])
const server = withTestServer(testDatabase, { parts: { provider, providerRetry: HASTE } })
withWorker(server)

const GRID_BOX = { west: -91, south: 29, east: -89, north: 31 }
const urls = HOMES.map(({ zpid }) => homeUrl(zpid))
/** 500 entries, most of them homes. */
const FULL_BATCH = [...urls, ...Array.from({ length: 500 }, (_, at) => homeUrl(at + 1))].slice(0, 500)

async function creditsOf(key: string) {
  const { balance, held, available } = (await server.get('/v1/me', { key })).json.data.credits
  return { balance, held, available }
}

describe('a free account with 100 credits', () => {
  it('runs a batch of 500 entries and can read its rows', async () => {
    const { key } = await server.openAccount({ plan: 'free', credits: 100 })
    const { id, answer } = await startJob(server, '/v1/properties/batch', { urls: FULL_BATCH }, { key })
    expect(answer.remaining).toBe(1)
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'succeeded',
      result_count: 99,
      credits_charged: 99,
      credits_held: 0,
      truncated_by: 'credits',
    })
    expect(await creditsOf(key)).toEqual({ balance: 1, held: 0, available: 1 })
    const page = await server.get(`/v1/jobs/${id}/results`, { key })
    expect(page.json.meta).toEqual({
      count: 99,
      total: 99,
      limit: 100,
      offset: 0,
      has_more: false,
      truncated: true,
      truncated_by: 'credits',
    })
    expect(page.headers.get('x-truncated-by')).toBe('credits')
  })

  it('gets from a chained job with 820 hits a detail for each search row charged', async () => {
    const { key } = await server.openAccount({ plan: 'free', credits: 100 })
    const body = { filters: { status: 'for_sale', bbox: GRID_BOX } }
    const { id } = await startJob(server, '/v1/search/with-details', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'succeeded',
      result_count: 49,
      credits_charged: 98,
      truncated_by: 'credits',
    })
    expect(await usageOfJob(testDatabase.database, id)).toMatchObject([
      { stage: 'search', units: 49, credits_charged: 49 },
      { stage: 'detail', units: 49, credits_charged: 49 },
    ])
    expect(await creditsOf(key)).toEqual({ balance: 2, held: 0, available: 2 })
  })
})

describe.each([0, 1, 2, 3, 4])('with %i credits', (credits) => {
  const starts: readonly [
    string,
    number,
    (key: string) => Promise<{ status: number; code: string | undefined }>,
  ][] = [
    ['a batch', 1, (key) => server.post('/v1/properties/batch', { urls }, { key })],
    [
      'a search',
      1,
      (key) => server.post('/v1/search', { filters: { bbox: GRID_BOX }, async: true }, { key }),
    ],
    [
      'a chained job',
      2,
      (key) => server.post('/v1/search/with-details', { filters: { bbox: GRID_BOX } }, { key }),
    ],
    [
      'a building job',
      1,
      (key) => server.get(`/v1/buildings/by-url?sync=false&url=${encodeURIComponent(TOWER)}`, { key }),
    ],
  ]
  it.each(starts)(
    '%s starts with at least %i available credits and one more, and otherwise is refused for free',
    async (_what, least, start) => {
      const { key } = await server.openAccount({ credits })
      const answer = await start(key)
      if (credits > least) {
        expect(answer.status).toBe(202)
        const id = (answer as unknown as { json: { data: { job_id: string } } }).json.data.job_id
        const job = await untilEnded(server, key, id)
        expect(job).toMatchObject({ status: 'succeeded', truncated_by: 'credits' })
        expect(job.credits_charged).toBeGreaterThan(0)
        expect((await creditsOf(key)).balance).toBe(credits - job.credits_charged)
        return
      }
      expect([answer.status, answer.code]).toEqual([402, 'out_of_credits'])
      const { rows } = await testDatabase.database.query(
        'select count(*) as jobs from jobs j join api_keys k using (account_id) where k.last4 = $1',
        [key.slice(-4)],
      )
      expect(rows).toEqual([{ jobs: 0 }])
    },
  )
})

describe('a job with an unknown cost', () => {
  it('extends its hold by 500 as rows of an exhaustive search arrive, and releases the rest', async () => {
    const { key, accountId } = await server.openAccount({ credits: 10_000 })
    const body = {
      filters: { status: 'for_sale', bbox: GRID_BOX },
      extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
    }
    const { id, answer } = await startJob(server, '/v1/search', body, { key })
    expect(answer.remaining).toBe(9500)
    expect(await untilEnded(server, key, id)).toMatchObject({ result_count: 2100, credits_charged: 2100 })
    expect(await creditsOf(key)).toEqual({ balance: 7900, held: 0, available: 7900 })
    expect(await holdsOf(accountId)).toEqual([500, 500, 500, 500, 500])
    await expectWholeRows(testDatabase.database, id, 2100)
  })

  it('is cut when its hold cannot grow, and returns the paid rows as a complete result', async () => {
    const { key } = await server.openAccount({ credits: 701 })
    const body = {
      filters: { status: 'for_sale', bbox: GRID_BOX },
      extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
    }
    const { id } = await startJob(server, '/v1/search', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'succeeded',
      result_count: 700,
      credits_charged: 700,
      truncated_by: 'credits',
      progress: { done: 700, total: null },
      coverage: { total: 2100, rows: 700 },
    })
    await expectWholeRows(testDatabase.database, id, 700)
    expect(await creditsOf(key)).toEqual({ balance: 1, held: 0, available: 1 })
  })

  it('uses credits that are topped up while it runs', async () => {
    const { key, accountId } = await server.openAccount({ credits: 600 })
    provider.before = async (query) => {
      if (!query.startsWith('search')) return
      provider.before = () => {}
      await testDatabase.database.query('update accounts set balance = balance + 5000 where id = $1', [
        accountId,
      ])
      await testDatabase.database.query(
        `insert into movements (account_id, kind, amount) values ($1, 'topup', 5000)`,
        [accountId],
      )
    }
    const body = {
      filters: { status: 'for_sale', bbox: GRID_BOX },
      extractionMethod: 'PAGINATION_WITH_ZOOM_IN',
    }
    const { id } = await startJob(server, '/v1/search', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ result_count: 2100, truncated_by: null })
  })

  it.each([
    [5000, 1300, null],
    [801, 800, 'credits'],
  ])('a building of 1,300 units with %i credits returns %i of them', async (credits, count, truncatedBy) => {
    const { key } = await server.openAccount({ credits })
    const { id } = await startBuildingJob(server, TOWER, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'succeeded',
      result_count: count + 1,
      credits_charged: count,
      truncated_by: truncatedBy,
    })
    const rows = await readRows(server, key, id)
    expect(rows[0]).not.toHaveProperty('unitNumber')
    expect(rows.slice(1).every(({ unitNumber }) => unitNumber !== undefined)).toBe(true)
  })

  it.each([
    [5000, 1302, null],
    [901, 900, 'credits'],
    [2, 1, 'credits'],
  ])(
    'a batch with a building of 1,300 units with %i credits charges %i',
    async (credits, charged, truncatedBy) => {
      const { key } = await server.openAccount({ credits })
      const body = { urls: [urls[0], TOWER, urls[1]], extractBuildingUnits: 'all' }
      const job = await runBatch(server, key, body)
      expect(job).toMatchObject({ status: 'succeeded', credits_charged: charged, truncated_by: truncatedBy })
      // A building that could not have a single unit is not shown alone.
      expect(job.result_count).toBe(charged === 1 ? 1 : charged + 1)
    },
  )

  it('spends at most half its credits on the search stage of a chained job over buildings', async () => {
    const { key } = await server.openAccount({ credits: 21 })
    const body = { filters: { status: 'for_sale', bbox: GRID_BOX }, extractBuildingUnits: 'all' }
    const { id } = await startJob(server, '/v1/search/with-details', body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ result_count: 10, credits_charged: 20 })
  })
})

describe('credits held by jobs', () => {
  it('cannot be spent on anything else, and pay for the job despite concurrent calls', async () => {
    const { key } = await server.openAccount({ credits: 61 })
    provider.before = (query) =>
      query.startsWith('zpid') ? new Promise((resolve) => setTimeout(resolve, 150)) : undefined
    const { id, answer } = await startJob(
      server,
      '/v1/properties/batch',
      { urls: urls.slice(100, 150) },
      { key },
    )
    expect(answer.remaining).toBe(11)
    const beside = await server.post('/v1/search', { filters: { bbox: BOX }, maxItems: 50 }, { key })
    expect([beside.status, beside.charged, beside.json.meta.truncated_by]).toEqual([200, 11, 'credits'])
    const refused = await server.get(`/v1/properties/${HOMES[0]!.zpid}`, { key })
    expect([refused.status, refused.code]).toEqual([402, 'out_of_credits'])
    expect(refused.json.error.details).toEqual({ balance: 50, held: 50, required: 1 })
    provider.before = () => {}
    const ended = await until(
      async () =>
        (await testDatabase.database.query<{ status: string }>('select status from jobs where id = $1', [id]))
          .rows[0]!,
      ({ status }) => status === 'succeeded',
    )
    expect(ended).toEqual({ status: 'succeeded' })
  })

  it('are fully released when the job fails', async () => {
    const { key } = await server.openAccount({ credits: 100 })
    const { id } = await startBuildingJob(server, 'https://www.zillow.com/b/nowhere-seattle-wa-9ZzZzZ/', {
      key,
    })
    expect(await untilEnded(server, key, id)).toMatchObject({
      status: 'failed',
      credits_charged: 0,
      credits_held: 0,
    })
    expect(await creditsOf(key)).toEqual({ balance: 100, held: 0, available: 100 })
  })

  it('a repeated entry is looked up, charged, and returned once', async () => {
    const { key } = await server.openAccount()
    const [home] = HOMES
    const before = provider.asked.length
    const job = await runBatch(server, key, {
      urls: [BUILDINGS[0]!.url, homeUrl(home!.zpid), `${homeUrl(home!.zpid)}?utm=1`, BUILDINGS[0]!.url],
    })
    expect(job).toMatchObject({ result_count: 2, credits_charged: 2, progress: { done: 2, total: 2 } })
    expect(provider.asked.slice(before).filter((query) => query.startsWith('url'))).toHaveLength(1)
  })
})

/** Steps in which the hold of the account's only job was made. */
async function holdsOf(accountId: string): Promise<number[]> {
  const { rows } = await testDatabase.database.query<{ held_change: number }>(
    `select held_change from postings where account_id = $1 and kind = 'hold' order by id`,
    [accountId],
  )
  return rows.map((row) => row.held_change)
}
