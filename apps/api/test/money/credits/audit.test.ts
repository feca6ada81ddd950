// The audit finds contradictions. The database refuses most of them, so these tests first disable its constraints, and finally
// roll everything back.

import { beforeAll, describe, expect, it } from 'vitest'
import type { Database, Queryable } from '../../../src/infrastructure/database/database.ts'
import { auditLedger, type Drift } from '../../../src/money/credits/audit.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { recover } from '../../../src/money/credits/lost-answers.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { driftOf } from './drift.ts'
import { acceptJob, callOf, openWith, rows } from './money.ts'

const testDatabase = withTestDatabase()

beforeAll(async () => {
  const { database } = testDatabase
  const account = await openWith(database, 1_000)
  const ledger = createLedger(database)
  await ledger.settle(callOf(account, 'getProperty', 1, { requestId: 'req_call' }))
  await ledger.settle(callOf(account, 'listListings', 7, { requestId: 'req_rows' }))
  await ledger.settle(callOf(account, 'getAccount', 1, { requestId: 'req_free' }))
  await ledger.settle(callOf(account, 'getProperty', 0, { requestId: 'req_404', status: 404, mode: 'free' }))
  await ledger.settle(
    callOf(account, 'getProperty', 0, { requestId: 'req_none', operation: null, mode: 'free' }),
  )
  const fiveHoursAgo = new Date(Date.now() - 5 * 3_600_000)
  await ledger.settle(callOf(account, 'getProperty', 1, { requestId: 'req_old', admittedAt: fiveHoursAgo }))
  await sumUsage(database, account)
  const open = await acceptJob(database, account)
  await placeHold(database, { ...open, wanted: 10, least: 1 })
  const settled = await acceptJob(database, account, 'searchListings')
  await placeHold(database, { ...settled, wanted: 10, least: 1 })
  await settleHold(database, rows(settled, 4))
})

/** Makes all sums that can be made. */
async function sumUsage(database: Database, { accountId }: { readonly accountId: string }): Promise<void> {
  const sum = () => database.query<{ more: boolean }>('select sum_usage($1, 1000) as more', [accountId])
  while ((await sum()).rows[0]!.more);
}

const INSERT_REFUND =
  'insert into refunded_events (account_id, request_id, import_id, key_id, operation, credits, movement_id)'

/** The findings of the audit after a statement without constraints. */
async function driftAfter(statement: string): Promise<string[]> {
  const { database } = testDatabase
  const found: Drift[] = []
  class UndoAudit extends Error {}
  await database
    .transaction(async (tx) => {
      await tx.query('grant update, delete on movements, usage_rows, holds to current_user')
      const { rows } = await tx.query<{ name: string; of: string }>(
        `select conname as name, conrelid::regclass as of from pg_constraint
         where contype = 'c' and conrelid in ('accounts'::regclass, 'holds'::regclass, 'movements'::regclass, 'usage_rows'::regclass)`,
      )
      for (const { name, of } of rows) await tx.query(`alter table ${of} drop constraint ${name}`)
      await tx.query(statement)
      await auditLedger(inside(tx), (drift) => void found.push(drift))
      throw new UndoAudit()
    })
    .catch((error) => {
      if (!(error instanceof UndoAudit)) throw error
    })
  return [...new Set(found.map(({ check }) => check))]
}

function inside(tx: Queryable): Database {
  return { ...testDatabase.database, query: tx.query, transaction: (work) => work(tx) }
}

describe('the audit', () => {
  it('finds a refund of events that differs from their charges', async () => {
    const refund = (change: string) => `
      select refund_events(id, 17, array['req_call', 'req_rows'], 'Undo', 'Ada') from accounts; ${change}`
    expect(await driftAfter(refund(''))).toEqual([])
    expect(
      await driftAfter(
        refund(`${INSERT_REFUND} select account_id, 'req_old', 17, key_id, operation, credits_charged, 1
        from usage_rows where request_id = 'req_old'`),
      ),
    ).toEqual(['refunded events are charges'])
    expect(
      await driftAfter(
        refund(`${INSERT_REFUND} select account_id, 'req_lost', 17, key_id, operation, credits, movement_id
        from refunded_events limit 1`),
      ),
    ).toEqual(['refunded events are charges'])
  })

  it('finds nothing in a correct ledger, and reports how many rows it has read', async () => {
    const { database } = testDatabase
    expect(await driftOf(database)).toEqual([])
    expect(await auditLedger(database, () => {})).toEqual({
      accounts: 1,
      holds: 2,
      postings: 8,
      usageRows: 8,
      drifts: 0,
    })
  })

  it.each([
    ['update accounts set balance = balance + 1', ['balance is postings', 'parts within balance']],
    ['update accounts set balance = balance - 1', ['balance is postings', 'parts within balance']],
    ['update accounts set held = held + 1', ['held is postings and open holds']],
    ['update accounts set expiring = 1', ['held is postings and open holds', 'parts within balance']],
    ['update accounts set grant_left = granted_this_cycle + 1', ['parts within balance']],
    ['update accounts set grant_left = grant_left - 1', ['parts within balance']],
    [
      "update movements set amount = amount - 5000 where kind = 'grant'",
      ['balance is postings', 'never negative'],
    ],
    [
      `with a as (update accounts set cycle_months = null, renews_at = null, balance = balance + 100,
         granted_this_cycle = granted_this_cycle + 100, grant_left = grant_left + 100 returning id)
       insert into movements (account_id, kind, amount) select id, 'grant', 100 from a`,
      // More was granted, so the next level is another.
      ['free credits are given once', 'low credits are reported'],
    ],
    [
      "delete from movements where kind = 'charge'",
      ['balance is postings', 'held is postings and open holds', 'hold is its postings', 'usage is charges'],
    ],
    [
      "delete from movements where kind = 'release'",
      ['held is postings and open holds', 'hold is its postings'],
    ],
    [
      "update holds set amount = 9 where state = 'open'",
      ['held is postings and open holds', 'hold is its postings'],
    ],
    ["update holds set charged = 5 where state = 'settled'", ['hold is its postings']],
    [
      "update holds set state = 'released', closed_at = now() where state = 'open'",
      ['held is postings and open holds', 'hold is its postings'],
    ],
    [
      'delete from holds',
      [
        'held is postings and open holds',
        'hold is its postings',
        'accepted jobs have a hold',
        'charge is price',
      ],
    ],
    [
      "update usage_rows set credits_charged = 2 where request_id = 'req_call'",
      ['balance is postings', 'charge is price'],
    ],
    [
      'update usage_rows set credits_charged = 5 where job_id is not null and units = 4',
      ['usage is charges', 'charge is price'],
    ],
    [
      `insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, status_code, created_at)
       select account_id, key_id, request_id, endpoint, operation, actor, 404, created_at + interval '1 second'
       from usage_rows where request_id = 'req_call'`,
      ['usage is charges'],
    ],
    ['delete from usage_sums', ['usage sums are usage rows']],
    ['update usage_sums set usage_rows = usage_rows + 1', ['usage sums are usage rows']],
    ['update usage_sums set credits_charged = credits_charged - 1', ['usage sums are usage rows']],
    ["update usage_sums set operation = 'listListings'", ['usage sums are usage rows']],
    ["update usage_summed set until = 'infinity'", ['usage sums are usage rows']],
    ["update usage_summed set until = '-infinity'", ['usage sums are usage rows']],
    ["update usage_rows set status_code = 203 where request_id = 'req_old'", ['usage sums are usage rows']],
    ['update accounts set low_at = low_at - 1', ['low credits are reported']],
    ["update usage_rows set units = 8 where request_id = 'req_rows'", ['charge is price']],
    [
      "update usage_rows set operation = 'getPropertyByAddress' where request_id = 'req_call'",
      ['charge is price'],
    ],
    ["update usage_rows set operation = 'no such one' where request_id = 'req_call'", ['charge is price']],
    ["update usage_rows set stage = 'detail' where request_id = 'req_call'", ['charge is price']],
    [
      "update usage_rows set credits_charged = 1 where request_id = 'req_free'",
      ['balance is postings', 'charge is price'],
    ],
    [
      "update usage_rows set credits_charged = 1 where request_id = 'req_404'",
      ['balance is postings', 'failures are free', 'charge is price'],
    ],
    ["update usage_rows set units = 1 where request_id = 'req_404'", ['failures are free']],
    [
      "update usage_rows set credits_charged = 1 where request_id = 'req_none'",
      ['balance is postings', 'failures are free', 'charge is price'],
    ],
    ['update usage_rows set units = 3 where job_id is not null and units = 0', ['accepted jobs have a hold']],
    ['update usage_rows set units = 5 where job_id is not null and units = 4', ['charge is price']],
    ["delete from usage_rows where request_id = 'req_rows'", ['balance is postings']],
    ["delete from usage_rows where request_id = 'req_free'", []],
  ])('after "%s" finds %j', async (statement, checks) => {
    expect((await driftAfter(statement)).sort()).toEqual([...checks].sort())
  })

  it('proves that usage sums match usage rows when a charge, a lost response, or a job is late', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 100)
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const charge = (hours: number) =>
      createLedger(database).settle(callOf(account, 'getProperty', 1, { admittedAt: hoursAgo(hours) }))
    /** How long ago the usage ends that is closed, and when the latest row is from, in hours. */
    const hours = async () => {
      const { rows } = await database.query<{ closed: number; latest: number }>(
        `select extract(epoch from now() - closed_until)::float8 / 3600 as closed, extract(epoch from now() - (
           select max(created_at) from usage_rows u where u.account_id = s.account_id))::float8 / 3600 as latest
         from usage_summed s where account_id = $1`,
        [account.accountId],
      )
      return rows[0]!
    }
    const auditSums = async () => {
      await sumUsage(database, account)
      expect(await driftOf(database)).toEqual([])
      return hours()
    }
    await charge(30)
    const job = await acceptJob(database, account, 'createPropertyBatch', hoursAgo(20))
    await placeHold(database, { ...job, wanted: 10, least: 1 })
    // The end of the job fills its row, so its hour is open.
    const { closed } = await auditSums()
    expect(closed).toBeGreaterThan(20)
    expect(closed).toBeLessThan(21.1)
    await charge(25)
    const { latest } = await auditSums()
    expect(latest).toBeLessThan(closed)
    await settleHold(database, rows(job, 4))
    expect((await auditSums()).closed).toBeLessThan(3)
    await charge(10)
    const lost = { ...callOf(account, 'getProperty', 1, { admittedAt: hoursAgo(10) }), stage: null }
    expect(await recover(database, [lost], async () => 'asked')).toBeUndefined()
    const late = await acceptJob(database, account, 'createPropertyBatch', hoursAgo(8))
    await placeHold(database, { ...late, wanted: 10, least: 1 })
    expect((await auditSums()).latest).toBeLessThan(3)
    await settleHold(database, rows(late, 4))
    await auditSums()
    const { rowCount } = await database.query('select from usage_rows where account_id = $1', [
      account.accountId,
    ])
    expect(rowCount).toBe(5)
  })

  it('finds an open hold of an ended job, and an ended hold of an open job', async () => {
    const { database } = testDatabase
    const account = await openWith(database, 100)
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 10, least: 1 })
    const insert = (status: string) =>
      `insert into jobs (account_id, id, type, status, request_id, operation, request, started_at, completed_at, error_code, deadline_at)
       values ('${job.accountId}', '${job.jobId}', 'batch_detail', '${status}', '${job.requestId}', 'createPropertyBatch',
         ${['queued', 'running'].includes(status) ? "'{}'" : 'null'},
         ${status === 'queued' ? 'null' : 'now()'}, ${['queued', 'running'].includes(status) ? 'null' : 'now()'},
         ${['failed', 'aborted'].includes(status) ? "'upstream_error'" : 'null'}, now())`
    for (const [status, isDrift] of [
      ['queued', false],
      ['running', false],
      ['succeeded', true],
      ['failed', true],
    ] as const) {
      expect(await driftAfter(insert(status)), status).toEqual(
        isDrift ? ['hold is open while its job is'] : [],
      )
    }
    await settleHold(database, rows(job, 4))
    expect(await driftAfter(insert('queued'))).toEqual(['hold is open while its job is'])
    expect(await driftAfter(insert('succeeded'))).toEqual([])
    expect(await driftAfter(insert('aborted'))).toEqual(['hold is open while its job is'])
  })

  it('reports the account and the value in the database', async () => {
    const found: Drift[] = []
    const { database } = testDatabase
    await expect(
      database.transaction(async (tx) => {
        await tx.query('update accounts set balance = balance + 3')
        await auditLedger(inside(tx), (drift) => void found.push(drift))
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'balance is postings',
        accountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        facts: { balance: 990, postings: 987 },
      }),
    )
  })
})
