// Cursors of jobs and of usage rows: every entry once, whatever is added meanwhile, and only in the list that they were made for.

import { beforeAll, describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { startJob } from '../../work/jobs/job-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const LISTS = ['/v1/jobs', '/v1/usage'] as const

let key = ''
let stranger = ''
const addOne = () =>
  startJob(server, '/v1/properties/batch', { addresses: ['1 Main St, Seattle, WA 98109'] }, { key })

beforeAll(async () => {
  key = (await server.openAccount()).key
  stranger = (await server.openAccount()).key
  for (let count = 0; count < 7; count++) await addOne()
  // Several at one moment: their ids decide.
  await testDatabase.database.query(
    `update jobs set created_at = '2026-11-01T00:00:00.123456Z' where id in (select id from jobs order by id limit 4)`,
  )
})

const page = (path: string, query: Record<string, string>, by = key) =>
  server.get(`${path}?${new URLSearchParams(query)}`, { key: by })

describe.each(LISTS)('GET %s (listJobs, listUsage)', (path) => {
  it('returns every entry once by cursor, in list order, while entries are added', async () => {
    const whole = (await page(path, { limit: '500' })).json.data.map(({ id }: { id: unknown }) => id)
    const seen: unknown[] = []
    let cursor: string | undefined
    do {
      const { json } = await page(path, { limit: '3', ...(cursor && { cursor }) })
      if (cursor === undefined) {
        // What was added since the whole list was read comes first.
        const fresh = json.data.filter(({ id }: { id: unknown }) => !whole.includes(id))
        whole.unshift(...fresh.map(({ id }: { id: unknown }) => id))
      }
      seen.push(...json.data.map(({ id }: { id: unknown }) => id))
      cursor = json.meta.next_cursor
      await addOne()
    } while (cursor !== undefined)
    expect(seen).toEqual(whole)
  })

  it('returns no cursor after the last entry', async () => {
    const { json } = await page(path, { limit: '500' })
    expect(json.meta.next_cursor).toBeUndefined()
    const exact = await page(path, { limit: '2', since: '2100-01-01T00:00:00Z' })
    expect([exact.json.data, exact.json.meta.next_cursor]).toEqual([[], undefined])
  })

  it('accepts a different limit with a cursor, but no other filter, list, or account', async () => {
    const since = '2020-01-01T00:00:00Z'
    const cursor = (await page(path, { limit: '2', since })).json.meta.next_cursor as string
    expect((await page(path, { cursor, since, limit: '1' })).json.data).toHaveLength(1)
    const other = LISTS.find((one) => one !== path)!
    for (const answer of [
      await page(path, { cursor }),
      await page(path, { cursor, since: '2020-01-02T00:00:00Z' }),
      await page(other, { cursor, since }),
      await page(path, { cursor, since }, stranger),
    ]) {
      expect([answer.status, answer.code, answer.json.error.details]).toEqual([
        400,
        'invalid_cursor',
        { parameter: 'cursor' },
      ])
      expect(answer.json.error.message).toMatch(/belongs to another list/)
    }
  })

  it('refuses a modified or forged cursor', async () => {
    const cursor = (await page(path, { limit: '2' })).json.meta.next_cursor as string
    const [values, signatures] = cursor.split('.')
    const forged = Buffer.from('[9000000000000000,1]').toString('base64url')
    for (const made of [`${forged}.${signatures}`, `${values}.${signatures!.slice(1)}A`, 'abc', 'a.b']) {
      const answer = await page(path, { cursor: made })
      expect([made, answer.status, answer.code]).toEqual([made, 400, 'invalid_cursor'])
    }
  })

  it('refuses a cursor together with an offset', async () => {
    const cursor = (await page(path, { limit: '2' })).json.meta.next_cursor as string
    const answer = await page(path, { cursor, offset: '2' })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_parameter'])
    expect(answer.json.error.message).toBe('cursor and offset cannot be used together. Send one of them.')
  })
})
