// The statements of the hot path open the partitions of their time only, however many months there are.

import { beforeAll, expect, test } from 'vitest'
import type { Database, Queryable } from '../../../src/infrastructure/database/database.ts'
import { joinTransaction } from '../../../src/infrastructure/database/joined.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { readUsage } from '../../../src/money/credits/read-usage.ts'
import { summarizeUsage } from '../../../src/money/credits/usage-summary.ts'
import { readRecentAdmissions } from '../../../src/money/limits/recent-admissions.ts'
import { acceptJob, callOf, openWith, rows } from '../../money/credits/money.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const MONTHS = 60
const DAY_S = 86_400
const testDatabase = withTestDatabase()
let account: Awaited<ReturnType<typeof openWith>>

beforeAll(async () => {
  const { database } = testDatabase
  for (const table of ['usage_rows', 'movements']) {
    await database.query(
      "select make_book_partition($1, now() - n * interval '1 month') from generate_series(1, $2::integer) n",
      [table, MONTHS],
    )
  }
  account = await openWith(database, 1_000)
  await createLedger(database).settle(callOf(account, 'getProperty', 1))
  // The first summary of an account sums all that is closed, in every month.
  await summarizeUsage(database, account.accountId, 'day', { since: null, until: null })
})

/** The partitions that are scanned, of both tables together. */
function scansOf(work: (database: Database) => Promise<unknown>): Promise<number> {
  const { database } = testDatabase
  return database.transaction(async (tx) => {
    // The counters of this connection also have what earlier transactions did.
    const before = await countersOf(tx)
    await work(joinTransaction(database, tx))
    const after = await countersOf(tx)
    return [...after].filter(([partition, scans]) => scans > (before.get(partition) ?? 0)).length
  })
}

async function countersOf(tx: Queryable): Promise<Map<string, number>> {
  const { rows: found } = await tx.query<{ partition: string; scans: number }>(
    `select relname as partition, coalesce(seq_scan, 0) + coalesce(idx_scan, 0) as scans from pg_stat_xact_user_tables
     where relname ~ '^(usage_rows|movements)_'`,
  )
  return new Map(found.map(({ partition, scans }) => [partition, scans]))
}

const since = () => Math.floor(Date.now() / 1_000) - DAY_S

test('a charge scans none', async () => {
  expect(await scansOf((database) => createLedger(database).settle(callOf(account, 'getProperty', 1)))).toBe(
    0,
  )
})

/** The present month and the one before, the three that are made ahead, and the default partition. */
const OF_A_DAY = 6

test.each<[string, (database: Database) => Promise<unknown>]>([
  [
    'a rebuilt rate window',
    (database) =>
      readRecentAdmissions(database, { ...account, rateLimitPerMinute: 60 } as unknown as Parameters<
        typeof readRecentAdmissions
      >[1]),
  ],
  [
    'a usage page with `since`',
    (database) =>
      readUsage(database, account.accountId, { since: since(), limit: 50, offset: 0, after: null }),
  ],
  [
    'a summary with `since`',
    (database) => summarizeUsage(database, account.accountId, 'day', { since: since(), until: null }),
  ],
])('%s scans the months of its time', async (_, work) => {
  const scanned = await scansOf(work)
  expect(scanned).toBeGreaterThan(0)
  expect(scanned).toBeLessThanOrEqual(OF_A_DAY)
})

test('without `since`, a usage page scans every month: so days are not the partitions', async () => {
  const scanned = await scansOf((database) =>
    readUsage(database, account.accountId, { since: null, limit: 50, offset: 0, after: null }),
  )
  expect(scanned).toBeGreaterThan(MONTHS)
})

test('a hold that is closed finds its rows by the job, in every month', async () => {
  const scanned = await scansOf(async (database) => {
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 10, least: 1 })
    await settleHold(database, rows(job, 4))
  })
  expect(scanned).toBeGreaterThan(MONTHS)
})
