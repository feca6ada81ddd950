// GET /v1/usage/summary: its sums are those of the rows of GET /v1/usage, whatever was summed before and whenever rows come.

import { describe, expect, it } from 'vitest'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { summarizeUsage } from '../../../src/money/credits/usage-summary.ts'
import { createRequestId } from '../../../src/requests/engine/request-id.ts'
import { acceptJob, callOf, rows } from '../../money/credits/money.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

// The rows are written past the ledger: at any time, and without their charges.
const testDatabase = withTestDatabase({ books: 'made up' })
const server = withTestServer(testDatabase)
const GROUPINGS = ['day', 'operation', 'key', 'status'] as const

interface Row {
  readonly at: Date
  readonly operation?: string | null
  readonly status?: number
  readonly keyId?: string
  readonly units?: number
  readonly credits?: number
}

/** Writes usage rows as they are, whatever their time. */
async function write({ accountId, keyId }: OpenedAccount, rows: readonly Row[]): Promise<void> {
  await testDatabase.database.query(
    `insert into usage_rows
       (account_id, key_id, request_id, endpoint, operation, actor, units, status_code, credits_charged, created_at)
     select $1, r.key_id, r.request_id, '/v1/x', r.operation, 'detail', r.units, r.status, r.credits, r.at
     from jsonb_to_recordset($2::jsonb) as r
       (key_id uuid, request_id text, operation text, units bigint, status integer, credits bigint, at timestamptz)`,
    [
      accountId,
      JSON.stringify(
        rows.map(({ operation = 'getProperty', status = 200, units = 1, credits = 1, ...row }) => ({
          key_id: row.keyId ?? keyId,
          request_id: createRequestId(),
          operation,
          status,
          units,
          credits,
          at: row.at,
        })),
      ),
    ],
  )
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

async function summary({ key }: Pick<OpenedAccount, 'key'>, query: string) {
  const answer = await server.get(`/v1/usage/summary?${query}`, { key })
  expect([answer.status, answer.charged], answer.text).toEqual([200, 0])
  return answer.json as {
    data: {
      value: string | null
      usage_rows: number
      units: number
      credits_charged: number
      credits_refunded: number
    }[]
    meta: { by: string; count: number; total: object; kept_since: string | null }
  }
}

/** The sums that the rows of the books have, each call of a test among them: calls of the summary write rows too. */
async function sumsOfRows(accountId: string, by: string, since: Date | null, until: Date | null) {
  const value = {
    day: `to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`,
    operation: 'operation',
    key: 'key_id::text',
    status: 'status_code::text',
  }[by]
  const { rows } = await testDatabase.database.query(
    `select ${value} as value, count(*) as usage_rows, sum(units)::bigint as units, sum(credits_charged)::bigint as credits_charged,
       0::bigint as credits_refunded
     from usage_rows where account_id = $1 and created_at >= coalesce($2::timestamptz, '-infinity') and created_at < coalesce($3::timestamptz, 'infinity')
     group by 1`,
    [accountId, since, until],
  )
  return rows
}

async function summedRows({ accountId }: OpenedAccount): Promise<number> {
  const { rows } = await testDatabase.database.query<{ rows: number }>(
    'select coalesce(sum(usage_rows), 0)::integer as rows from usage_sums where account_id = $1',
    [accountId],
  )
  return rows[0]!.rows
}

/** Milliseconds since 1970. */
async function closedUntil({ accountId }: OpenedAccount): Promise<number> {
  const { rows } = await testDatabase.database.query<{ at: Date }>(
    'select closed_until as at from usage_summed where account_id = $1',
    [accountId],
  )
  return rows[0]!.at.getTime()
}

const byValue = <T extends { value: string | null }>(rows: readonly T[]): T[] =>
  rows.toSorted((one, other) => String(one.value).localeCompare(String(other.value)))

describe('GET /v1/usage/summary (summarizeUsage)', () => {
  it('returns the sums of the rows, in every grouping and for any period, the first time and the next', async () => {
    const account = await server.openAccount()
    const second = await issueKey(testDatabase.database, account.accountId)
    const other = await server.openAccount()
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    const rows = Array.from({ length: 400 }, (_, index): Row => {
      const isFailed = random() < 0.2
      return {
        at: hoursAgo(random() * 24 * 40),
        operation: index % 17 === 0 ? null : index % 3 === 0 ? 'listListings' : 'getProperty',
        status: isFailed || index % 17 === 0 ? 404 : 200,
        keyId: index % 5 === 0 ? second.keyId : account.keyId,
        ...(isFailed || index % 17 === 0
          ? { units: 0, credits: 0 }
          : { units: Math.ceil(random() * 50), credits: Math.ceil(random() * 50) }),
      }
    })
    await write(account, rows)
    await write(other, [{ at: hoursAgo(30), credits: 1_000 }])
    const until = hoursAgo(0.01)
    const periods: readonly (readonly [Date | null, Date])[] = [
      [null, until],
      [hoursAgo(24 * 20.37), until],
      [hoursAgo(24 * 33.3), hoursAgo(24 * 11.9)],
      [hoursAgo(5), hoursAgo(4.9)],
      [hoursAgo(1.5), until],
      [hoursAgo(3), hoursAgo(8)],
    ]
    for (const by of GROUPINGS) {
      for (const [since, until] of periods) {
        const query = `by=${by}&until=${until.toISOString()}${since ? `&since=${since.toISOString()}` : ''}`
        const { data, meta } = await summary(account, query)
        const sums = await sumsOfRows(account.accountId, by, since, until)
        // Its keys have no names.
        const wanted = sums.map((row) => (by === 'key' ? { ...(row as object), key_name: '' } : row))
        expect(byValue(data), query).toEqual(byValue(wanted as typeof data))
        expect(meta.count).toBe(data.length)
        expect(meta.total).toEqual({
          usage_rows: data.reduce((sum, row) => sum + row.usage_rows, 0),
          units: data.reduce((sum, row) => sum + row.units, 0),
          credits_charged: data.reduce((sum, row) => sum + row.credits_charged, 0),
          credits_refunded: 0,
        })
      }
    }
    const { rows: summed } = await testDatabase.database.query<{ sums: number }>(
      'select count(*) as sums from usage_sums where account_id = $1',
      [account.accountId],
    )
    expect(summed[0]!.sums).toBeGreaterThan(300)
  })

  it('returns the sum of the rows of GET /v1/usage', async () => {
    const account = await server.openAccount()
    await write(account, [
      { at: hoursAgo(50), credits: 7 },
      { at: hoursAgo(0.5), credits: 4 },
    ])
    await server.get('/v1/me', account)
    const until = new Date().toISOString()
    const listed: { credits_charged: number; created_at: string }[] = (await server.get('/v1/usage', account))
      .json.data
    const { meta } = await summary(account, `until=${until}`)
    const before = listed.filter(({ created_at }) => created_at < until)
    expect(meta.total).toMatchObject({
      usage_rows: before.length,
      credits_charged: before.reduce((sum, { credits_charged }) => sum + credits_charged, 0),
    })
    expect(before.length).toBeGreaterThanOrEqual(3)
  })

  it('lists days in order, and other groups by highest charge', async () => {
    const account = await server.openAccount()
    await write(account, [
      { at: new Date('2026-10-02T23:59:59.999Z'), credits: 1 },
      { at: new Date('2026-10-03T00:00:00.000Z'), credits: 5, operation: 'getPropertyByAddress' },
      { at: new Date('2026-10-01T12:00:00.000Z'), credits: 2 },
    ])
    const period = 'since=2026-10-01T00:00:00Z&until=2026-11-01T00:00:00Z'
    const days = (await summary(account, period)).data
    expect(days.map(({ value, credits_charged }) => [value, credits_charged])).toEqual([
      ['2026-10-01', 2],
      ['2026-10-02', 1],
      ['2026-10-03', 5],
    ])
    const operations = (await summary(account, `by=operation&${period}`)).data
    expect(operations.map(({ value }) => value)).toEqual(['getPropertyByAddress', 'getProperty'])
    const csv = await server.get(`/v1/usage/summary?${period}&format=csv`, account)
    expect(csv.text).toBe(
      'value,usage_rows,units,credits_charged,credits_refunded\r\n2026-10-01,1,1,2,0\r\n2026-10-02,1,1,1,0\r\n2026-10-03,1,1,5,0\r\n',
    )
  })

  it('counts the row of a job that is filled much later in the hour of its call', async () => {
    const account = await server.openAccount()
    const job = await acceptJob(testDatabase.database, account, 'createPropertyBatch', hoursAgo(20))
    await placeHold(testDatabase.database, { ...job, wanted: 100, least: 1 })
    await write(account, [
      { at: hoursAgo(30), credits: 1 },
      { at: hoursAgo(6), credits: 2 },
    ])
    const until = hoursAgo(4).toISOString()
    const total = async () => (await summary(account, `until=${until}`)).meta.total
    expect(await total()).toMatchObject({ usage_rows: 3, credits_charged: 3 })
    await settleHold(testDatabase.database, rows(job, 100))
    expect(await total()).toMatchObject({ usage_rows: 3, credits_charged: 103 })
    expect(await summedRows(account)).toBe(3)
  })

  it('counts a late charge in the first hour that was not summed before', async () => {
    const account = await server.openAccount()
    await write(account, [{ at: hoursAgo(30), credits: 1 }])
    const total = async (until: Date) => (await summary(account, `until=${until.toISOString()}`)).meta.total
    expect(await total(hoursAgo(4))).toMatchObject({ usage_rows: 1, credits_charged: 1 })
    const late = callOf(account, 'getProperty', 1, { admittedAt: hoursAgo(20) })
    expect(await createLedger(testDatabase.database).settle(late)).toMatchObject({ charged: 1 })
    await acceptJob(testDatabase.database, account, 'createPropertyBatch', hoursAgo(20))
    expect(await total(hoursAgo(4))).toMatchObject({ usage_rows: 1, credits_charged: 1 })
    expect(await total(new Date(await closedUntil(account)))).toMatchObject({ usage_rows: 1 })
    expect(await total(new Date((await closedUntil(account)) + 1))).toMatchObject({
      usage_rows: 3,
      credits_charged: 2,
    })
  })

  it('counts each row once with concurrent late charges and summaries', async () => {
    const account = await server.openAccount()
    const { database } = testDatabase
    await write(account, [{ at: hoursAgo(60), credits: 1 }])
    const ledgers = Array.from({ length: 40 }, () => createLedger(database))
    const charging = Promise.all(
      ledgers.map((ledger, index) =>
        ledger.settle(callOf(account, 'getProperty', 1, { admittedAt: hoursAgo(4 + index) })),
      ),
    )
    await Promise.all(
      Array.from({ length: 10 }, () => summary(account, `until=${hoursAgo(0.01).toISOString()}`)),
    )
    await charging
    const until = hoursAgo(0.01)
    const { data, meta } = await summary(account, `until=${until.toISOString()}`)
    expect(meta.total).toMatchObject({ usage_rows: 41, credits_charged: 41 })
    const wanted = await sumsOfRows(account.accountId, 'day', null, until)
    expect(byValue(data)).toEqual(byValue(wanted as typeof data))
  })

  it('returns the same sums when it has no time to sum rows, which the next call then sums', async () => {
    const account = await server.openAccount()
    const { database } = testDatabase
    const rows = Array.from({ length: 60 }, (_, index): Row => ({ at: hoursAgo(3 + index * 7), credits: 2 }))
    await write(account, rows)
    const until = hoursAgo(0.01)
    const period = { since: null, until: until.getTime() / 1000 }
    const wanted = await sumsOfRows(account.accountId, 'day', null, until)
    const summed = () => summedRows(account)
    expect(await summed()).toBe(0)
    const first = await summarizeUsage(database, account.accountId, 'day', period, { summingMs: 0 })
    expect(byValue(first.rows)).toEqual(byValue(wanted as typeof first.rows))
    await expect.poll(summed, { timeout: 20_000 }).toBe(60)
    const next = await summarizeUsage(database, account.accountId, 'day', period, { summingMs: 0 })
    expect(next.rows).toEqual(first.rows)
  })

  it('returns the same sums between two slices, and with a late charge between them', async () => {
    const account = await server.openAccount()
    const { database } = testDatabase
    const rows = Array.from({ length: 60 }, (_, index): Row => ({ at: hoursAgo(3 + index * 2), credits: 3 }))
    await write(account, rows)
    const until = hoursAgo(0.01)
    const period = { since: null, until: until.getTime() / 1000 }
    const sumSlice = async () => {
      const found = await database.query<{ more: boolean }>('select sum_usage($1, 7) as more', [
        account.accountId,
      ])
      return found.rows[0]!.more
    }
    // With no time for sums, it reads what the slices have left.
    const check = async (slices: number) => {
      const wanted = await sumsOfRows(account.accountId, 'day', null, until)
      const bounds = { summingMs: 0, sliceRows: 7 }
      // It makes no sums, not even in the background: the slices are those of this test.
      const found = await summarizeUsage(
        { ...database, transaction: noSums },
        account.accountId,
        'day',
        period,
        bounds,
      )
      expect(byValue(found.rows), `after ${slices} slices`).toEqual(byValue(wanted as typeof found.rows))
    }
    const noSums: typeof database.transaction = (work, options) =>
      options?.readOnly ? database.transaction(work, options) : Promise.reject(new Error('no sums'))
    let slices = 0
    for (let more = true; more; ) {
      more = await sumSlice()
      await check(++slices)
      // Its hour is closed.
      if (slices === 3)
        await createLedger(database).settle(callOf(account, 'getProperty', 1, { admittedAt: hoursAgo(100) }))
      if (slices === 3) await check(slices)
    }
    expect(slices).toBeGreaterThan(5)
    const { rows: sums } = await database.query(
      `select sum(usage_rows)::integer as rows, sum(credits_charged)::integer as credits from usage_sums where account_id = $1`,
      [account.accountId],
    )
    expect(sums).toEqual([{ rows: 60, credits: 60 * 3 }])
  })

  it('reads the rows if a slice takes too long, and sums them for the next call', async () => {
    const account = await server.openAccount()
    const { database } = testDatabase
    await write(account, [
      { at: hoursAgo(5), credits: 2 },
      { at: hoursAgo(9), credits: 4 },
    ])
    const period = { since: null, until: null }
    const summed = 'select sum(credits_charged)::integer as credits from usage_sums where account_id = $1'
    await database.transaction(async (tx) => {
      await tx.query('select from usage_summed where account_id = $1 for update', [account.accountId])
      const { rows } = await summarizeUsage(database, account.accountId, 'operation', period, { sliceMs: 50 })
      expect(rows).toMatchObject([{ usage_rows: 2, credits_charged: 6 }])
    })
    await expect
      .poll(async () => (await database.query(summed, [account.accountId])).rows, { timeout: 20_000 })
      .toEqual([{ credits: 6 }])
  })

  it('waits for a late uncommitted row instead of summing without it', async () => {
    const account = await server.openAccount()
    const { database } = testDatabase
    const until = hoursAgo(3).toISOString()
    let summing: Promise<unknown> | undefined
    await database.transaction(async (tx) => {
      const late = callOf(account, 'getProperty', 1, { admittedAt: hoursAgo(5) })
      await createLedger({ ...database, query: tx.query }).settle(late)
      summing = summary(account, `until=${until}`)
      for (;;) {
        const { rowCount } = await database.query(
          `select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like '%sum_usage%'`,
        )
        if (rowCount > 0) break
      }
    })
    expect(await summing).toMatchObject({ meta: { total: { usage_rows: 1, credits_charged: 1 } } })
  })

  it('omits archived rows, as GET /v1/usage does, and reports since when rows are kept', async () => {
    const account = await server.openAccount()
    const { database } = testDatabase
    await write(account, [
      { at: new Date('2025-05-31T23:00:00Z'), credits: 3 },
      { at: new Date('2025-06-01T00:00:00Z'), credits: 4 },
    ])
    const query = 'until=2025-07-01T00:00:00Z'
    expect((await summary(account, query)).meta).toMatchObject({
      kept_since: null,
      total: { credits_charged: 7 },
    })
    // As an archive of the months before June leaves it.
    await database.query(
      `insert into book_archives (before_month, last_id, movements, usage_rows, sha256)
       values ('2025-06-01T00:00:00Z', 0, 0, 0, 'x')`,
    )
    expect((await summary(account, query)).meta).toMatchObject({
      kept_since: '2025-06-01T00:00:00.000Z',
      total: { usage_rows: 1, credits_charged: 4 },
    })
  })

  it('includes no rows of another account', async () => {
    const [mine, theirs] = [await server.openAccount(), await server.openAccount()]
    await write(theirs, [{ at: hoursAgo(30), credits: 9 }])
    expect((await summary(mine, `until=${hoursAgo(1).toISOString()}`)).data).toEqual([])
  })
})
