// The bytes that a free job stores in the database.

import type { Job } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { createMemoryProvider } from '../../setup/memory-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { runBatch, withWorker } from './job-calls.ts'

const testDatabase = withTestDatabase()
const provider = createMemoryProvider()
const server = withTestServer(testDatabase, { parts: { provider } })
withWorker(server)

/** The largest batch: 500 entries, just below the body limit of 1 MiB. */
const LONG = Array.from(
  { length: 500 },
  (_, at) => `https://www.zillow.com/homedetails/${'x'.repeat(1_800)}${at}/${900_000_000 + at}_zpid/`,
)

interface Bytes {
  readonly job: number
  readonly failures: number
}

/** Bytes of the rows as PostgreSQL stores them. */
async function bytesOf(id: string): Promise<Bytes> {
  const { rows } = await testDatabase.database.query<Bytes>(
    `select (select sum(pg_column_size(j.*)) from jobs j where id = $1) as job,
       (select sum(pg_column_size(f.*)) from job_failures f where job_id = $1) as failures`,
    [id],
  )
  return rows[0]!
}

describe('a batch of 500 unknown entries', () => {
  it('stores 200 characters of each entry and nothing of its request, and stays readable', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const job: Job = await runBatch(server, key, { urls: LONG })
    expect(job).toMatchObject({ status: 'succeeded', failure_count: 500, credits_charged: 0 })
    expect(job.failures.map(({ position }) => position)).toEqual(LONG.map((_, at) => at))
    expect(job.failures.map(({ input }) => input)).toEqual(LONG.map((url) => url.slice(0, 200)))
    expect(new Set(job.failures.map(({ code, message }) => `${code} ${message}`))).toEqual(
      new Set([
        'not_found No home or building is known by this URL. Check it against the address bar of the site.',
      ]),
    )

    const { rows } = await testDatabase.database.query(
      'select request, checkpoint, found from jobs where id = $1',
      [job.id],
    )
    expect(rows).toEqual([{ request: null, checkpoint: null, found: null }])
    const { job: jobBytes, failures } = await bytesOf(job.id)
    // 900 kB were sent.
    expect(jobBytes).toBeLessThan(1_024)
    expect(failures).toBeLessThan(500 * 320)
  })
})

describe('the usage row of a call', () => {
  it('stores at most 200 characters of the path', async () => {
    const { key, accountId } = await server.openAccount()
    const path = `/v1/${'no/such/path/'.repeat(300)}`
    expect((await server.get(path, { key })).status).toBe(404)
    const { rows } = await testDatabase.database.query<{ endpoint: string }>(
      'select endpoint from usage_rows where account_id = $1',
      [accountId],
    )
    expect(rows).toEqual([{ endpoint: path.slice(0, 200) }])
  })
})
