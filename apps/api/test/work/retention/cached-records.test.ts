import { pino } from 'pino'
import { beforeEach, expect, it } from 'vitest'
import { removeExpired, startRemovingExpired } from '../../../src/work/retention/remove-expired.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const testDatabase = withTestDatabase()
const OLD = 1_200

beforeEach(async () => {
  const { database } = testDatabase
  await database.query('delete from cached_records')
  await database.query(
    `insert into cached_records (zpid, source, record, fetched_at)
     select n::text, 'source', '{}', now() - interval '48 hours 1 minute' from generate_series(1, ${OLD}) n`,
  )
  await database.query(
    `insert into cached_records (zpid, source, record, fetched_at)
     values ('90001', 'source', '{}', now() - interval '47 hours'), ('90002', 'source', '{}', now())`,
  )
})

async function zpidsLeft(): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ zpid: string }>(
    'select zpid from cached_records order by zpid::int',
  )
  return rows.map(({ zpid }) => zpid)
}

it('cached records are deleted in batches when they are older than 48 hours', async () => {
  const left: number[] = []
  let more = true
  while (more) {
    more = await removeExpired(testDatabase.database, 'cached_records')
    left.push((await zpidsLeft()).length)
  }
  expect(left).toEqual([702, 202, 2])
  expect(await zpidsLeft()).toEqual(['90001', '90002'])
})

it('a cached record that a lookup is renewing stays, and its deletion does not delay the lookup', async () => {
  const { database } = testDatabase
  await database.transaction(async (tx) => {
    await tx.query("update cached_records set fetched_at = now() where zpid = '7'")
    while (await removeExpired(database, 'cached_records')) {
      // All pieces.
    }
  })
  expect(await zpidsLeft()).toEqual(['7', '90001', '90002'])
})

it('a running process deletes all expired records by itself, even beside a second process', async () => {
  const { database } = testDatabase
  const running = [1, 2].map(() => startRemovingExpired(database, pino({ level: 'silent' }), 10))
  try {
    await expect.poll(zpidsLeft, { timeout: 10_000 }).toEqual(['90001', '90002'])
  } finally {
    for (const one of running) await one.stop()
  }
})
