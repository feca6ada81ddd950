// Reading results: pages that fit together in every format, at any offset, whatever the reader's pace.

import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { issueKey } from '../../../src/money/accounts/open-account.ts'
import { SUCCEEDED } from '../../../src/work/jobs/job.ts'
import { findResult } from '../../../src/work/jobs/store/job-rows.ts'
import { openPage } from '../../../src/work/jobs/store/result-page.ts'
import { settleJob } from '../../../src/work/jobs/store/settle-job.ts'
import { createBreakableDatabase } from '../../setup/breakable-database.ts'
import { startProcess } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { BOX, homeUrl, runBatch, startJob, untilEnded, withWorker } from './job-calls.ts'
import { createListProvider } from './list-provider.ts'
import { makeAccount, makeJob, settleTools, withoutClaims } from './made-jobs.ts'
import { HOMES, SAMPLE } from './sample-homes.ts'
import { MAIN } from './worker-process.ts'

const testDatabase = withTestDatabase()
const database = createBreakableDatabase(() => testDatabase.database)
const provider = createListProvider(SAMPLE)
const server = withTestServer({ database }, { parts: { provider } })
withWorker(server)

let key = ''
let searchId = ''
let batchId = ''
let searchRows = 0
beforeAll(async () => {
  key = (await server.openAccount({ credits: 100_000 })).key
  const body = { filters: { status: 'for_sale', bbox: BOX }, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
  searchId = (await startJob(server, '/v1/search', body, { key })).id
  searchRows = (await untilEnded(server, key, searchId)).result_count!
  batchId = (await runBatch(server, key, { urls: HOMES.slice(0, 130).map(({ zpid }) => homeUrl(zpid)) })).id
})

interface Page {
  readonly rows: readonly unknown[]
  readonly count: number
  readonly total: number
  readonly next: string | undefined
  readonly header?: string
}

async function readPage(path: string, format: string): Promise<Page> {
  const answer = await server.get(path, { key })
  expect(answer.status, answer.text).toBe(200)
  const next = /^<(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  const facts = {
    count: Number(answer.headers.get('x-row-count')),
    total: Number(answer.headers.get('x-total-count')),
    next,
  }
  if (format === 'json') {
    const { data, meta } = answer.json
    expect([meta.count, meta.total, meta.has_more]).toEqual([facts.count, facts.total, next !== undefined])
    return { rows: data, ...facts }
  }
  if (format === 'ndjson') {
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    return {
      rows: answer.text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
      ...facts,
    }
  }
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [header = '', ...lines] = answer.text.split('\r\n')
  return { rows: parse(`${header}\r\n${lines.join('\r\n')}`, { columns: true }), header, ...facts }
}

async function readAll(id: string, format: string, limit: number): Promise<Page[]> {
  const pages: Page[] = []
  let path: string | undefined = `/v1/jobs/${id}/results?limit=${limit}&format=${format}`
  while (path) {
    const page: Page = await readPage(path, format)
    pages.push(page)
    path = page.next
  }
  return pages
}

describe.each(['json', 'csv', 'ndjson'])('as %s', (format) => {
  it.each([1000, 100, 37])(
    'pages of %i, followed by their links, add up to the whole result',
    async (limit) => {
      for (const [id, total] of [
        [searchId, searchRows],
        [batchId, 130],
      ] as const) {
        const pages = await readAll(id, format, limit)
        const rows = pages.flatMap((page) => page.rows)
        expect(rows).toHaveLength(total)
        expect(pages.every((page) => page.count === page.rows.length && page.total === total)).toBe(true)
        expect(new Set(rows.map((row) => (row as { zpid: string }).zpid)).size).toBe(total)
        // Pages of CSV can be put together: they have one header, whatever their own rows fill.
        expect(new Set(pages.map((page) => page.header)).size).toBe(1)
      }
    },
  )

  it('a page past the end is empty and has no next link', async () => {
    const page = await readPage(`/v1/jobs/${searchId}/results?offset=2147483647&format=${format}`, format)
    expect(page).toMatchObject({ rows: [], count: 0, total: searchRows, next: undefined })
  })

  it('the Accept header can select the format, and the next link keeps it', async () => {
    const types = { json: 'application/json', csv: 'text/csv', ndjson: 'application/x-ndjson' }
    const accept = types[format as keyof typeof types]
    const answer = await server.get(`/v1/jobs/${searchId}/results?limit=2`, { key, headers: { accept } })
    expect(answer.headers.get('content-type')).toMatch(new RegExp(`^${accept}`))
    expect(answer.headers.get('link')).toBe(`</v1/jobs/${searchId}/results?limit=2&offset=2>; rel="next"`)
  })

  it('says that the result was cut because of credits', async () => {
    const poor = await server.openAccount({ credits: 4 })
    const { id } = await startJob(
      server,
      '/v1/search',
      { filters: { bbox: BOX }, async: true },
      { key: poor.key },
    )
    await untilEnded(server, poor.key, id)
    const answer = await server.get(`/v1/jobs/${id}/results?format=${format}`, { key: poor.key })
    expect([answer.headers.get('x-truncated-by'), answer.headers.get('x-row-count')]).toEqual([
      'credits',
      '3',
    ])
    if (format === 'json')
      expect(answer.json.meta).toMatchObject({ truncated: true, truncated_by: 'credits' })
  })
})

it('rows are the same in every format', async () => {
  const [json] = await readAll(batchId, 'json', 1000)
  const [ndjson] = await readAll(batchId, 'ndjson', 1000)
  expect(ndjson!.rows).toEqual(json!.rows)
  const [csv] = await readAll(batchId, 'csv', 1000)
  const firstOf = (page: Page) => page.rows[0] as Record<string, unknown>
  expect(firstOf(csv!)).toMatchObject({
    input: firstOf(json!).input,
    zpid: firstOf(json!).zpid,
    price: String(firstOf(json!).price),
  })
})

it('a search result as CSV reads only the requested rows', async () => {
  const { rows } = await testDatabase.database.query<{ columns: string[] }>(
    'select columns from jobs where id = $1',
    [searchId],
  )
  expect(rows[0]!.columns).toEqual(
    expect.arrayContaining(['zpid', 'latLong.latitude', 'hdpData.homeInfo.homeStatus']),
  )
})

describe('a job that has not finished', () => {
  const ENDED = ['failed', 'timed_out', 'aborted'] as const

  it.each(['queued', 'running', ...ENDED])('because it is %s returns 409, for free', async (status) => {
    const account = await makeAccount(testDatabase.database)
    await withoutClaims(testDatabase.database, async () => {
      const id = await makeJob(testDatabase.database, account)
      if (status !== 'queued') {
        await testDatabase.database.query(
          `update jobs set status = 'running', started_at = now(), lease_token = gen_random_uuid(),
             lease_until = now() + interval '1 hour' where id = $1`,
          [id.jobId],
        )
      }
      const end = ENDED.find((known) => known === status)
      const tools = settleTools(testDatabase.database)
      if (end) await settleJob(tools, id, { status: end, error: { code: 'upstream_error', message: 'x' } })
      const answer = await server.get(`/v1/jobs/${id.jobId}/results`, { key: account.key })
      expect([answer.status, answer.code, answer.charged]).toEqual([409, 'job_not_ready', 0])
      expect(answer.json.error.details).toEqual({ status })
      await settleJob(tools, id, { status: 'aborted', error: { code: 'aborted', message: 'x' } })
    })
  })
})

describe('rows that cannot be read', () => {
  const inRows = (statement: string) => /from job_rows/.test(statement)

  it('return 502, free, without internal details', async () => {
    database.fault = (statement) => (inRows(statement) ? new Error('invalid page in block 7') : undefined)
    try {
      for (const format of ['json', 'csv', 'ndjson']) {
        const answer = await server.get(`/v1/jobs/${searchId}/results?format=${format}`, { key })
        expect([answer.status, answer.code, answer.charged]).toEqual([502, 'upstream_error', 0])
        expect(answer.text).not.toContain('block')
      }
    } finally {
      database.fault = undefined
    }
  })

  it('within the timeout return 504, free', async () => {
    const late = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    database.fault = (statement) =>
      inRows(statement) ? new DatabaseUnavailable('late', { cause: late }) : undefined
    try {
      const answer = await server.get(`/v1/jobs/${searchId}/results`, { key })
      expect([answer.status, answer.code, answer.charged]).toEqual([504, 'upstream_timeout', 0])
    } finally {
      database.fault = undefined
    }
  })

  it('because some are missing return 502', async () => {
    const job = await runBatch(server, key, { urls: HOMES.slice(0, 3).map(({ zpid }) => homeUrl(zpid)) })
    await testDatabase.database.query('delete from job_rows where job_id = $1 and position = 1', [job.id])
    expect((await server.get(`/v1/jobs/${job.id}/results`, { key })).code).toBe('upstream_error')
  })
})

const ROWS = process.env.LOTLINE_FULL ? 100_000 : 30_000

describe(`a result of ${ROWS} rows`, () => {
  const PAGE = 1000
  const TIMES = process.env.LOTLINE_FULL ? 5 : 1
  /** Bytes: room for garbage, where the rows of one reading alone have 100 MB. */
  const MAX_GROWTH = 100e6

  it('is read by slow clients in pages of 1,000, as CSV and NDJSON, with flat memory', async () => {
    const account = await makeAccount(testDatabase.database, 1_000_000)
    const keys = [account.key]
    for (let i = 0; i < 3; i++) keys.push((await issueKey(testDatabase.database, account.accountId)).key)
    const id = await withoutClaims(testDatabase.database, () => makeLargeResult(account))

    const child = startProcess(MAIN, [], {
      env: {
        DATABASE_URL: testDatabase.url,
        PORT: '0',
        ROLE: 'api',
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        LOG_LEVEL: 'silent',
        SAMPLE_DATA: 'off',
        // Garbage is no use of memory: with little room for it, what remains is what is needed.
        NODE_OPTIONS: '--max-old-space-size=128',
      },
    })
    const [, url] = await child.line(/serves (http:\S+)/)
    const offsets = Array.from({ length: ROWS / PAGE }, (_, page) => page * PAGE)
    async function read(format: string, offset: number, at: number): Promise<number> {
      const response = await fetch(
        `${url}/v1/jobs/${id}/results?limit=${PAGE}&offset=${offset}&format=${format}`,
        {
          headers: { authorization: `Bearer ${keys[at % keys.length]}` },
        },
      )
      expect(response.status).toBe(200)
      let lines = 0
      for await (const bytes of response.body!) {
        for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++
        // A reader who has other things to do.
        if (offset % 7000 === 0) await sleep(3)
      }
      return format === 'csv' ? lines - 1 : lines
    }
    async function readWhole(format: 'csv' | 'ndjson'): Promise<{ rows: number; most: number }> {
      let rows = 0
      let most = 0
      for (let at = 0; at < offsets.length; at += keys.length) {
        const counts = await Promise.all(
          offsets.slice(at, at + keys.length).map((offset, reader) => read(format, offset, reader)),
        )
        for (const count of counts) rows += count
        most = Math.max(most, memoryOf(child.pid))
      }
      return { rows, most }
    }
    // What the first pages bring is code and buffers that stay.
    for (const format of ['csv', 'ndjson']) {
      for (let page = 0; page < 20; page++) await read(format, 0, page)
    }
    const before = memoryOf(child.pid)
    for (let time = 0; time < TIMES; time++) {
      for (const format of ['csv', 'ndjson'] as const) {
        const { rows, most } = await readWhole(format)
        expect(rows).toBe(ROWS)
        expect(most - before).toBeLessThan(MAX_GROWTH)
      }
    }
    child.kill('SIGTERM')
    await child.exited
  }, 180_000)

  /** A succeeded search with rows like those of a search, stored directly. */
  async function makeLargeResult(account: { accountId: string; keyId: string }): Promise<string> {
    const { database } = testDatabase
    const { jobId } = await makeJob(database, account)
    const { rows } = await testDatabase.database.query<{ body: string; columns: string[] }>(
      'select body, columns from job_rows join jobs on jobs.id = job_id where job_id = $1 limit 1',
      [searchId],
    )
    await testDatabase.database.transaction(
      async (tx) => {
        await tx.query(
          `insert into job_rows (account_id, job_id, position, zpid, body)
             select $1, $2, n, n::text, replace($3, '"zpid":"', '"zpid":"' || n) from generate_series(0, $4::integer - 1) n`,
          [account.accountId, jobId, rows[0]!.body, ROWS],
        )
        await tx.query(
          `update jobs set type = 'search', status = 'running', started_at = now(), row_count = $2, columns = $3,
             lease_token = gen_random_uuid(), lease_until = now() + interval '1 hour' where id = $1`,
          [jobId, ROWS, rows[0]!.columns],
        )
      },
      { statementTimeoutMs: 0 },
    )
    await settleJob(settleTools(database), { ...account, jobId }, SUCCEEDED)
    return jobId
  }
})

/** Resident bytes of a process. */
function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024
}

it('opening a page reads one piece, and sending it reads only what the client takes', async () => {
  let reads = 0
  const counted = new Proxy(testDatabase.database, {
    get: (target, name) => {
      if (name === 'readBytes') reads++
      return Reflect.get(target, name)
    },
  })
  const { rows } = await testDatabase.database.query<{ accountId: string }>(
    'select account_id as "accountId" from jobs where id = $1',
    [batchId],
  )
  const id = { accountId: rows[0]!.accountId, jobId: batchId }
  const result = (await findResult(testDatabase.database, id))!
  const { pieces } = await openPage(counted, id, result, {
    limit: 100,
    offset: 0,
    isTable: false,
    separator: '\n',
  })
  expect(reads).toBe(1)
  const sent = pieces[Symbol.asyncIterator]()
  for (const expected of [1, 2, 3, 4]) {
    expect((await sent.next()).done).toBe(false)
    expect(reads).toBe(expected)
  }
  expect((await sent.next()).done).toBe(true)
})
