// The monthly partitions of the ledger are created ahead of time, and no charge depends on them.

import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeBookPartitions } from '../../../src/infrastructure/database/partitions.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { driftOf } from '../../money/credits/drift.ts'
import { callOf, openWith } from '../../money/credits/money.ts'
import { createTestDatabase } from '../../setup/test-database.ts'

describe('the months of the ledger', () => {
  it('are created ahead of time, once, however many processes ask', async () => {
    const made = await createTestDatabase()
    onTestFinished(() => made.drop())
    const { database } = made
    const { rows } = await database.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'usage_rows'::regclass and inhrelid <> 'usage_rows_default'::regclass order by 1 desc limit 1`,
    )
    await database.query(`drop table ${rows[0]!.name}`)
    const counts = await Promise.all(Array.from({ length: 5 }, () => makeBookPartitions(database)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1)
  })

  it('accept a charge with any date, and move it into the partition of its month later', async () => {
    const made = await createTestDatabase()
    onTestFinished(() => made.drop())
    const { database } = made
    const account = await openWith(database, 1_000)
    for (const year of [1990, 2026, 2199]) {
      const call = callOf(account, 'getProperty', 1, {
        admittedAt: new Date(`${year}-03-31T23:59:59.999Z`),
        requestId: `req_${randomUUID()}`,
      })
      expect((await createLedger(database).settle(call)).verdict).toBe('settled')
    }
    const inDefault = async () =>
      (await database.query<{ rows: number }>('select count(*) as rows from usage_rows_default')).rows[0]!
        .rows
    const before = await inDefault()
    expect(before).toBeGreaterThanOrEqual(2)
    await database.query(`select make_book_partition('usage_rows', '2199-03-15')`)
    expect(await inDefault()).toBe(before - 1)
    expect((await database.query('select from usage_rows_2199_03')).rowCount).toBe(1)
    expect(await driftOf(database)).toEqual([])
  })
})
