// `since`, of jobs and of usage rows: any moment that RFC 3339 can write is one, however far away.

import { beforeAll, describe, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { startJob } from '../../work/jobs/job-calls.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)

let key = ''
beforeAll(async () => {
  key = (await server.openAccount()).key
  await startJob(server, '/v1/properties/batch', { addresses: ['1 Main St, Seattle, WA 98109'] }, { key })
})

async function countSince(path: string, since: string): Promise<number> {
  const answer = await server.get(`${path}?since=${encodeURIComponent(since)}`, { key })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data.length
}

describe.each(['/v1/jobs', '/v1/usage'])('GET %s', (path) => {
  it.each([
    '0000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+23:59',
    '2020-01-01T00:00:00+16:00',
    '2020-01-01t00:00:00.123456789z',
    '2020-01-01 00:00:00-00:00',
    '2016-12-31T23:59:60Z',
  ])('since %s returns all entries', async (since) => {
    expect(await countSince(path, since)).toBeGreaterThan(0)
  })

  it.each(['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.999-23:59', '2120-01-01T00:00:00-16:00'])(
    'since %s returns no entries',
    async (since) => {
      expect(await countSince(path, since)).toBe(0)
    },
  )
})

it('`since` is compared to the microsecond, whatever its offset', async () => {
  await testDatabase.database.query(`update jobs set created_at = '2024-02-29T12:00:00.000001Z'`)
  for (const [since, count] of [
    ['2024-02-29T12:00:00.000001Z', 1],
    ['2024-02-29T12:00:00.000002Z', 0],
    ['2024-03-01T04:00:00.000001+16:00', 1],
    ['2024-03-01T04:00:00.000002+16:00', 0],
    ['2024-02-28T13:30:00.000001-22:30', 1],
    ['2024-02-28T13:30:00.000002-22:30', 0],
  ] as const) {
    expect([since, await countSince('/v1/jobs', since)]).toEqual([since, count])
  }
})
