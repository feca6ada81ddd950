// The jobs endpoints: what is listed and found, and that a job of another account might as well not exist.

import { randomUUID } from 'node:crypto'
import type { Job } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, homeUrl, startBuildingJob, startJob, untilEnded, withWorker } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { BUILDINGS, HOMES, SAMPLE } from './sample-homes.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { parts: { provider: createListProvider(SAMPLE) } })
withWorker(server)

let key = ''
let stranger = ''
/** In the order in which they were started. */
let jobs: Job[] = []
beforeAll(async () => {
  key = (await server.openAccount({ credits: 100_000 })).key
  stranger = (await server.openAccount()).key
  const filters = { status: 'for_sale', bbox: BOX }
  const ids = [
    (await startJob(server, '/v1/properties/batch', { urls: [homeUrl(HOMES[0]!.zpid)] }, { key })).id,
    (await startJob(server, '/v1/search', { filters, async: true, maxItems: 3 }, { key })).id,
    (await startJob(server, '/v1/search/with-details', { filters, maxItems: 2 }, { key })).id,
    (await startBuildingJob(server, BUILDINGS[0]!.url, { key })).id,
    (await startBuildingJob(server, 'https://www.zillow.com/b/nowhere-seattle-wa-9ZzZzZ/', { key })).id,
  ]
  jobs = []
  for (const id of ids) jobs.push(await untilEnded(server, key, id))
})

describe('GET /v1/jobs', () => {
  it("lists the account's jobs in the form of GET /v1/jobs/{id}, latest first", async () => {
    const { json } = await server.get('/v1/jobs', { key })
    expect(json.data).toEqual(jobs.toReversed())
    expect(json.meta).toEqual({ count: 5, limit: 50, offset: 0, has_more: false })
  })

  it.each([
    ['status=succeeded', [0, 1, 2, 3]],
    ['status=failed', [4]],
    ['status=running', []],
    ['type=search', [1]],
    ['type=batch_detail', [0]],
    ['type=chained_search_detail', [2]],
    ['type=building_units', [3, 4]],
    ['type=building_units&status=succeeded', [3]],
    ['since=2020-01-01T00:00:00Z', [0, 1, 2, 3, 4]],
    ['since=2120-01-01T00:00:00%2B02:00', []],
  ])('with %s returns the matching jobs', async (query, wanted) => {
    const { json } = await server.get(`/v1/jobs?${query}`, { key })
    expect(json.data.map(({ id }: Job) => id)).toEqual(wanted.toReversed().map((at) => jobs[at]!.id))
  })

  it("accepts a job's createdAt as an inclusive `since`", async () => {
    // The instant is shown in milliseconds, and kept in microseconds.
    await testDatabase.database.query(`update jobs set created_at = date_trunc('milliseconds', created_at)`)
    const { json } = await server.get(`/v1/jobs?since=${encodeURIComponent(jobs[2]!.created_at)}`, { key })
    expect(json.data.map(({ id }: Job) => id)).toContain(jobs[2]!.id)
  })

  it('pages by limit and offset, and reports whether there are more', async () => {
    const seen: string[] = []
    for (let offset = 0; ; offset += 2) {
      const { json } = await server.get(`/v1/jobs?limit=2&offset=${offset}`, { key })
      seen.push(...json.data.map(({ id }: Job) => id))
      expect(json.meta).toEqual({
        count: json.data.length,
        limit: 2,
        offset,
        has_more: offset + 2 < 5,
        ...(offset + 2 < 5 && { next_cursor: expect.any(String) }),
      })
      if (!json.meta.has_more) break
    }
    expect(seen).toEqual(jobs.toReversed().map(({ id }) => id))
    expect((await server.get('/v1/jobs?offset=99', { key })).json.data).toEqual([])
  })

  it.each([
    ['status=done', 'invalid_status'],
    ['type=everything', 'invalid_parameter'],
    ['since=yesterday', 'invalid_parameter'],
    ['limit=0', 'invalid_parameter'],
    ['limit=501', 'invalid_parameter'],
    ['offset=-1', 'invalid_parameter'],
  ])('refuses %s with %s', async (query, code) => {
    const answer = await server.get(`/v1/jobs?${query}`, { key })
    expect([answer.status, answer.code]).toEqual([400, code])
  })

  it('returns nothing to another account', async () => {
    expect((await server.get('/v1/jobs', { key: stranger })).json.data).toEqual([])
  })
})

describe('a job of another account', () => {
  it.each(['', '/results'])(
    'gets the same response at /v1/jobs/{id}%s as an unknown job or an invalid id',
    async (path) => {
      const answers = []
      for (const id of [jobs[0]!.id, randomUUID(), 'not-an-id']) {
        const { status, json } = await server.get(`/v1/jobs/${id}${path}`, { key: stranger })
        answers.push({ status, code: json.error.code })
      }
      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
        new Set(['{"status":404,"code":"job_not_found"}']),
      )
      const foreign = await server.get(`/v1/jobs/${jobs[0]!.id}${path}`, { key: stranger })
      const unknown = await server.get(`/v1/jobs/${randomUUID()}${path}`, { key: stranger })
      expect(foreign.json.error.message).toBe(unknown.json.error.message)
    },
  )
})

it('a job with many failures shows all of them; in lists and in its event it has the first 20 and the total', async () => {
  const { key: own } = await server.openAccount()
  await server.post('/v1/webhooks', { url: 'https://hooks.example.com/lotline' }, { key: own })
  const unknown = Array.from({ length: 25 }, (_, at) => homeUrl(at + 1))
  const urls = [...unknown, homeUrl(HOMES[0]!.zpid)]
  const { id } = await startJob(server, '/v1/properties/batch', { urls }, { key: own })
  const job = await untilEnded(server, own, id)
  expect(job.failures.map(({ input }) => input)).toEqual(unknown)
  expect(job).toMatchObject({ failure_count: 25, result_count: 1 })

  const inBrief = { ...job, failures: job.failures.slice(0, 20) }
  expect((await server.get('/v1/jobs', { key: own })).json.data).toEqual([inBrief])
  const { rows: events } = await testDatabase.database.query<{ data: string }>(
    `select data from webhook_events where subject_type = 'job' and subject_id = $1`,
    [id],
  )
  expect(events.map(({ data }) => JSON.parse(data))).toEqual([{ job: inBrief }])
})

describe('a job that ended 30 days ago', () => {
  it('is not found, listed, or readable', async () => {
    const { id } = await startJob(server, '/v1/properties/batch', { urls: [homeUrl(1)] }, { key: stranger })
    await untilEnded(server, stranger, id)
    const age = (interval: string) =>
      testDatabase.database.query('update jobs set completed_at = now() - $2::interval where id = $1', [
        id,
        interval,
      ])
    await age('29 days 23 hours 59 minutes')
    expect((await server.get(`/v1/jobs/${id}/results`, { key: stranger })).status).toBe(200)
    await age('30 days 1 second')
    for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/results`]) {
      const answer = await server.get(path, { key: stranger })
      expect([answer.status, answer.code]).toEqual([404, 'job_not_found'])
    }
    expect((await server.get('/v1/jobs', { key: stranger })).json.data).toEqual([])
  })
})

it('job endpoints are free, count in the rate window, and have one usage row each', async () => {
  const { key: own, accountId } = await server.openAccount({ credits: 5, ratePerMinute: 3 })
  for (const path of ['/v1/jobs', `/v1/jobs/${randomUUID()}`, `/v1/jobs/${randomUUID()}/results`]) {
    expect((await server.get(path, { key: own })).charged).toBe(0)
  }
  expect((await server.get('/v1/jobs', { key: own })).status).toBe(429)
  const { rows } = await testDatabase.database.query(
    'select operation, actor, status_code, credits_charged from usage_rows where account_id = $1 order by id',
    [accountId],
  )
  expect(rows).toEqual([
    { operation: 'listJobs', actor: 'account', status_code: 200, credits_charged: 0 },
    { operation: 'getJob', actor: 'account', status_code: 404, credits_charged: 0 },
    { operation: 'getJobResults', actor: 'account', status_code: 404, credits_charged: 0 },
  ])
})
