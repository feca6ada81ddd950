// Jobs over real HTTP, as a client sees them.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '@lotline/contract'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import type { RunningJobs } from '../../../src/work/jobs/jobs.ts'
import { PROVIDER_RETRY } from '../../../src/work/jobs/run/provider-retry.ts'
import type { RequestOptions, TestResponse, TestServer } from '../../setup/test-server.ts'

export const BOX = { west: -180, south: -90, east: 180, north: 90 }
/** Waits for a source a hundred times less than a server does. */
export const HASTE = {
  shortMs: PROVIDER_RETRY.shortMs / 100,
  longMs: PROVIDER_RETRY.longMs / 100,
  firstPauseMs: PROVIDER_RETRY.firstPauseMs / 100,
  longestPauseMs: PROVIDER_RETRY.longestPauseMs / 100,
}

/** Works on jobs as long as the test file (or `describe`) lives that calls this at its top. */
export function withWorker(server: TestServer): void {
  let running: RunningJobs | undefined
  beforeAll(() => {
    running = server.app.jobs.start({ work: true })
  })
  afterAll(() => running?.stop())
}

/** Asks until the condition holds. */
export async function until<T>(
  ask: () => Promise<T>,
  holds: (value: T) => boolean,
  boundMs = 45_000,
): Promise<T> {
  const end = performance.now() + boundMs
  for (;;) {
    const value = await ask()
    if (holds(value)) return value
    if (performance.now() > end) throw new Error(`Not within ${boundMs} ms: ${JSON.stringify(value)}`)
    await sleep(15)
  }
}

export async function getJob(server: TestServer, key: string, id: string): Promise<Job> {
  const answer = await server.get(`/v1/jobs/${id}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data as Job
}

export function untilEnded(server: TestServer, key: string, id: string, boundMs?: number): Promise<Job> {
  return until(
    () => getJob(server, key, id),
    (job) => job.completed_at !== null,
    boundMs,
  )
}

export interface StartedJob {
  readonly id: string
  readonly answer: TestResponse
}

/** POSTs and expects a 202. */
export async function startJob(
  server: TestServer,
  path: string,
  body: unknown,
  sent: RequestOptions,
): Promise<StartedJob> {
  return accepted(await server.post(path, body, sent))
}

export async function startBuildingJob(
  server: TestServer,
  url: string,
  sent: RequestOptions,
  units = 'all',
): Promise<StartedJob> {
  const query = new URLSearchParams({ url, sync: 'false', include_units: units })
  return accepted(await server.get(`/v1/buildings/by-url?${query}`, sent))
}

function accepted(answer: TestResponse): StartedJob {
  expect(answer.status, answer.text).toBe(202)
  expect([answer.charged, answer.json.data.status]).toEqual([0, 'queued'])
  return { id: answer.json.data.job_id as string, answer }
}

/** Starts a batch and waits for its end. */
export async function runBatch(server: TestServer, key: string, body: object): Promise<Job> {
  return untilEnded(server, key, (await startJob(server, '/v1/properties/batch', body, { key })).id)
}

// biome-ignore lint/suspicious/noExplicitAny: rows are of four kinds, which the tests know
export async function readRows(server: TestServer, key: string, id: string): Promise<any[]> {
  const rows: unknown[] = []
  for (let offset = 0; ; offset += 1000) {
    const page = await server.get(`/v1/jobs/${id}/results?limit=1000&offset=${offset}`, { key })
    expect(page.status, page.text).toBe(200)
    rows.push(...page.json.data)
    if (!page.json.meta.has_more) return rows
  }
}

export interface JobUsage {
  readonly stage: string | null
  readonly actor: string
  readonly status_code: number
  readonly units: number
  readonly credits_charged: number
}

export async function usageOfJob(database: Database, id: string): Promise<JobUsage[]> {
  const { rows } = await database.query<JobUsage>(
    `select stage, actor, status_code, units, credits_charged from usage_rows where job_id = $1 order by id`,
    [id],
  )
  return rows
}

export function homeUrl(zpid: unknown): string {
  return `https://www.zillow.com/homedetails/${zpid}_zpid/`
}

/** Positions are 0, 1, 2 …, and no home is there twice. */
export async function expectWholeRows(database: Database, id: string, count: number): Promise<void> {
  const { rows } = await database.query<{ rows: number; least: number; most: number; homes: number }>(
    `select count(*) as rows, min(position) as least, max(position) as most,
       count(distinct (body::json ->> 'zpid')) as homes from job_rows where job_id = $1`,
    [id],
  )
  expect(rows[0]).toEqual({ rows: count, least: 0, most: count - 1, homes: count })
}
