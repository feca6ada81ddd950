// Archives of the ledger: rows that leave the database are in the file once, and the ledger stays provable.

import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../../src/infrastructure/database/database.ts'
import type { OpenedAccount } from '../../../src/money/accounts/open-account.ts'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import { archiveBooks } from '../../../src/money/credits/archive/write-archive.ts'
import { auditLedger, type Drift } from '../../../src/money/credits/audit.ts'
import { placeHold, releaseHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { readTrail } from '../../../src/money/operator/trail.ts'
import { lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { startProcess } from '../../setup/child-process.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts'
import { startTestServer } from '../../setup/test-server.ts'
import { driftOf } from './drift.ts'
import { acceptJob, callOf, moneyOf, openWith, rows } from './money.ts'

const ARCHIVER = join(import.meta.dirname, 'archive-and-wait.ts')

/** The start of the month that is this many months ago. */
function monthsAgo(months: number): Date {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1))
}

const text = (month: Date) => month.toISOString().slice(0, 7)

/** A month of an account: free and charged calls, a job, a refused call, and a top-up. */
async function use(database: Database, account: OpenedAccount): Promise<void> {
  const ledger = createLedger(database)
  await ledger.settle(callOf(account, 'getProperty', 1))
  await ledger.settle(callOf(account, 'listListings', 7))
  await ledger.settle(callOf(account, 'getAccount', 1))
  await ledger.settle(callOf(account, 'getProperty', 0, { status: 404, mode: 'free' }))
  await topUp(database, account.accountId, 5)
  const job = await acceptJob(database, account)
  await placeHold(database, { ...job, wanted: 10, least: 1 })
  await settleHold(database, rows(job, 4))
}

/** Moves all present rows into the past, which only tests may do. */
async function age(database: Database, months: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('grant update on movements, usage_rows to current_user')
    for (const table of ['movements', 'usage_rows', 'holds']) {
      await tx.query(`update ${table} set created_at = created_at - make_interval(months => ${months})`)
    }
    await tx.query(
      `revoke update on movements, usage_rows from current_user;
       grant update (units, credits_charged) on usage_rows to current_user`,
    )
  })
}

interface Past extends TestDatabase {
  readonly account: OpenedAccount
  readonly file: (name: string) => string
}

/** A ledger with rows of 15 and 14 months ago and of today. */
async function withPast(): Promise<Past> {
  const made = await createTestDatabase()
  onTestFinished(() => made.drop())
  const { database } = made
  const account = await openWith(database, 1_000)
  await openWith(database, 0)
  await use(database, account)
  await age(database, 1)
  await use(database, account)
  await age(database, 14)
  await use(database, account)
  const directory = await makeTemporaryDirectory()
  return Object.assign(made, { account, file: (name: string) => join(directory, name) })
}

async function driftWith(database: Database, archives: readonly string[]): Promise<Drift[]> {
  const found: Drift[] = []
  await auditLedger(database, (drift) => void found.push(drift), { archives })
  return found
}

async function countOf(database: Database): Promise<{ movements: number; usage: number; carried: number }> {
  const { rows } = await database.query<{ movements: number; usage: number; carried: number }>(
    `select (select count(*) from movements where kind <> 'carried') as movements, (select count(*) from usage_rows) as usage,
       (select count(*) from movements where kind = 'carried') as carried`,
  )
  return rows[0]!
}

describe('an archive of the ledger', () => {
  it('removes the rows before a month and no balance, and the audit proves both parts and the whole', async () => {
    const { database, account, file } = await withPast()
    const [before, money] = [await countOf(database), await moneyOf(database, account)]
    const [one, two] = [file('one.zst'), file('two.zst')]

    const first = await archiveBooks(database, { before: monthsAgo(14), file: one, retentionMonths: 13 })
    expect(first).toMatchObject({ result: 'archived', usageRows: 5 })
    expect(await driftOf(database)).toEqual([])
    expect(await driftWith(database, [one])).toEqual([])

    const second = await archiveBooks(database, { before: monthsAgo(13), file: two, retentionMonths: 13 })
    expect(second).toMatchObject({ result: 'archived', usageRows: 5 })
    expect(await countOf(database)).toEqual({ movements: 4, usage: 5, carried: 1 })
    expect(await moneyOf(database, account)).toEqual(money)
    expect(await driftOf(database)).toEqual([])

    const audited = await auditLedger(database, (drift) => expect(drift).toBeUndefined(), {
      archives: [two, one],
    })
    expect(audited.usageRows).toBe(before.usage)
    // The audit leaves nothing behind on its connection.
    expect(await countOf(database)).toEqual({ movements: 4, usage: 5, carried: 1 })
    expect((await stat(one)).mode & 0o777).toBe(0o600)

    await createLedger(database).settle(callOf(account, 'getProperty', 1))
    expect(await driftWith(database, [one, two])).toEqual([])
  })

  it('is refused for months that must be kept and while a job of that time is open, and does not block other jobs', async () => {
    const { database, account, file } = await withPast()
    const options = { file: file('one.zst'), retentionMonths: 13 }
    await expect(archiveBooks(database, { ...options, before: monthsAgo(12) })).rejects.toThrow(
      `Choose ${text(monthsAgo(13))} or an earlier month`,
    )
    const job = await acceptJob(database, account)
    await placeHold(database, { ...job, wanted: 10, least: 1 })
    await age(database, 14)
    // A call that was admitted in the last moment of a month, and its hold was placed in the next one.
    const split = await acceptJob(database, account, 'createPropertyBatch', new Date(+monthsAgo(13) - 1))
    // More than PostgreSQL plans anew before it keeps a plan.
    const jobs = await Promise.all(Array.from({ length: 8 }, () => acceptJob(database, account)))
    for (const one of [split, ...jobs]) await placeHold(database, { ...one, wanted: 10, least: 1 })
    const archive = (beforeCommit = async () => {}) =>
      archiveBooks(database, { ...options, before: monthsAgo(13), beforeCommit })
    await expect(archive()).rejects.toThrow('2 jobs of that time are still open')
    await releaseHold(database, job)
    await expect(archive()).rejects.toThrow('1 jobs of that time are still open')
    await expect(stat(options.file)).rejects.toThrow('ENOENT')
    await releaseHold(database, split)
    const ended: unknown[] = []
    await archive(async () => {
      for (const one of jobs.slice(1)) ended.push(await settleHold(database, rows(one, 3)))
      ended.push(await releaseHold(database, jobs[0]!))
    })
    expect(ended).toEqual(Array(8).fill(expect.objectContaining({ closed: true })))
    expect(await moneyOf(database, account)).toMatchObject({ held: 0 })
    expect(await driftWith(database, [options.file])).toEqual([])
  })

  it('never overwrites another file or an archive, and a repeated run changes nothing', async () => {
    const { database, account, file } = await withPast()
    const [one, other] = [file('one.zst'), file('other')]
    await writeFile(other, 'mine')
    const options = { before: monthsAgo(14), file: one, retentionMonths: 13 }
    await expect(archiveBooks(database, { ...options, file: other })).rejects.toThrow(
      'Choose another file name',
    )
    // Makes this database forget the archive, as if it were another database's.
    const foreign = file('foreign.zst')
    const lost = async () => {
      throw new Error('not recorded')
    }
    await expect(archiveBooks(database, { ...options, file: foreign, beforeCommit: lost })).rejects.toThrow(
      'not recorded',
    )
    const bytesOfForeign = await readFile(foreign)
    await createLedger(database).settle(callOf(account, 'getProperty', 1, { admittedAt: monthsAgo(15) }))
    await expect(archiveBooks(database, { ...options, file: foreign })).rejects.toThrow(
      'archives other rows, perhaps',
    )
    expect(await readFile(foreign)).toEqual(bytesOfForeign)
    const made = await archiveBooks(database, options)
    const bytes = await readFile(one)
    expect(await archiveBooks(database, options)).toMatchObject({
      result: 'archived before',
      sha256: made.sha256,
    })
    await expect(archiveBooks(database, { ...options, before: monthsAgo(13) })).rejects.toThrow(
      'is an earlier archive of this ledger',
    )
    expect(await readFile(one)).toEqual(bytes)
    expect(await readFile(other, 'utf8')).toBe('mine')
  })

  it('can be audited only with all files, unchanged', async () => {
    const { database, file } = await withPast()
    const [one, two, changed] = [file('one.zst'), file('two.zst'), file('changed.zst')]
    await archiveBooks(database, { before: monthsAgo(14), file: one, retentionMonths: 13 })
    await archiveBooks(database, { before: monthsAgo(13), file: two, retentionMonths: 13 })
    const bytes = await readFile(one)
    bytes[bytes.length >> 1]! ^= 1
    await writeFile(changed, bytes)
    await expect(driftWith(database, [two])).rejects.toThrow(
      `The archive of the rows before ${text(monthsAgo(14))} is missing`,
    )
    await expect(driftWith(database, [two, two])).rejects.toThrow('is listed twice')
    await expect(driftWith(database, [changed, two])).rejects.toThrow('was modified')
    expect(await driftOf(database)).toEqual([])
  })

  it('with a wrong carried sum is found by the audit', async () => {
    const { database, account, file } = await withPast()
    const one = file('one.zst')
    await archiveBooks(database, { before: monthsAgo(14), file: one, retentionMonths: 13 })
    const change = (by: number) =>
      database.transaction(async (tx) => {
        await tx.query('grant update on movements to current_user')
        await tx.query(`update movements set amount = amount + ${by} where kind = 'carried'`)
        await tx.query(`update accounts set balance = balance + ${by} where id = '${account.accountId}'`)
        await tx.query('revoke update on movements from current_user')
      })
    await change(1)
    expect(await driftOf(database)).toEqual([])
    const found = await driftWith(database, [one])
    expect([...new Set(found.map(({ check }) => check))]).toContain('carried is what was archived')
    await change(-1)
  })

  it('leaves rows that arrive late to the next archive', async () => {
    const { database, account, file } = await withPast()
    const files = [file('one.zst'), file('two.zst')]
    const archive = (months: number, to: number) =>
      archiveBooks(database, { before: monthsAgo(months), file: files[to]!, retentionMonths: 13 })
    // A clock is wrong. No month has a partition for it.
    const charge = async (year: number) => {
      const call = callOf(account, 'getProperty', 1, { admittedAt: new Date(Date.UTC(year)) })
      expect((await createLedger(database).settle(call)).verdict).toBe('settled')
    }
    for (const table of ['movements', 'usage_rows']) {
      await database.query('select make_book_partition($1, month) from unnest($2::timestamptz[]) month', [
        table,
        [monthsAgo(15), monthsAgo(14)],
      ])
    }
    let begun: Promise<unknown> | undefined
    await database.transaction(async (tx) => {
      await tx.query('lock table usage_rows in row exclusive mode')
      begun = expect(archive(14, 0)).rejects.toThrow('Run the command again')
      const waiting = `select count(*) as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
      await expect
        .poll(async () => (await database.query<{ count: number }>(waiting)).rows[0]!.count, {
          timeout: 30_000,
        })
        .toBe(1)
      await charge(2001)
    })
    await begun
    expect(await driftOf(database)).toEqual([])
    expect(await archive(14, 0)).toMatchObject({ usageRows: 6 })
    await charge(2002)
    expect(await driftOf(database)).toEqual([])
    expect(await driftWith(database, files.slice(0, 1))).toEqual([])
    expect(await archive(13, 1)).toMatchObject({ usageRows: 6 })
    expect(await driftWith(database, files)).toEqual([])
  })

  it('waits for readers of the ledger, and delays no charge', async () => {
    const { database, account, file } = await withPast()
    const ledger = createLedger(database)
    let archived: Promise<unknown> | undefined
    await database.transaction(async (tx) => {
      await tx.query('select count(*) from usage_rows')
      archived = archiveBooks(database, { before: monthsAgo(13), file: file('one.zst'), retentionMonths: 13 })
      for (let call = 0; call < 20; call++) {
        expect((await ledger.settle(callOf(account, 'getProperty', 1))).verdict).toBe('settled')
        await sleep(20)
      }
      // All of them are still there for the reader.
      const { rows } = await tx.query<{ rows: number }>(
        `select count(*) as rows from usage_rows where created_at < now() - interval '1 year'`,
      )
      expect(rows[0]!.rows).toBe(10)
    })
    expect(await archived).toMatchObject({ result: 'archived', usageRows: 10 })
    expect(await driftOf(database)).toEqual([])
  })

  it('that is killed at any moment neither loses nor duplicates rows', { timeout: 120_000 }, async () => {
    const { database, account, file, url } = await withPast()
    const one = file('one.zst')
    await database.query(
      `insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, status_code, created_at)
       select $1, $2, 'req_' || n, '/v1/me', 'getAccount', 'account', 200, $3::timestamptz + n * interval '1 second'
       from generate_series(1, 20000) n`,
      [account.accountId, account.keyId, monthsAgo(14)],
    )
    const total = await countOf(database)
    let kills = 0
    for (const afterMs of [0, 60, 120, 200, 320]) {
      const connection = new URL(url)
      connection.searchParams.set('application_name', 'archiver')
      const run = startProcess(ARCHIVER, [text(monthsAgo(13)), one], {
        env: { DATABASE_URL: connection.href },
      })
      await run.line(/^begins$/)
      await sleep(afterMs)
      run.kill('SIGKILL')
      const { signal } = await run.exited
      kills += signal === 'SIGKILL' ? 1 : 0
      await untilGone(database, 'archiver')
      expect([total.usage, 5]).toContain((await countOf(database)).usage)
      expect(await driftOf(database)).toEqual([])
    }
    expect(kills).toBeGreaterThan(0)
    const wasArchived = (await countOf(database)).usage === 5
    const ran = await lotlineWith({ DATABASE_URL: url })(
      'credits',
      'archive',
      '--before',
      text(monthsAgo(13)),
      '--keep-months',
      '13',
      '--to',
      one,
      '--json',
    )
    expect(ran).toMatchObject({ code: 0 })
    // One entry in the trail, of the archive that the command made.
    const { sha256 } = ran.json
    expect(await readTrail(database, { limit: 10 })).toMatchObject(
      wasArchived ? [] : [{ action: 'credits.archive', after: { file: one, sha256 } }],
    )
    const audited = await lotlineWith({ DATABASE_URL: url })('credits', 'audit', '--archive', one, '--json')
    expect(audited.json).toMatchObject({ clean: true, checked: { usage_rows: total.usage } })
    expect(await countOf(database)).toMatchObject({ usage: 5, carried: 1 })
  })

  it('is written together with its entry in the audit trail, or not at all', async () => {
    const { database, file } = await withPast()
    const before = await countOf(database)
    const options = { before: monthsAgo(13), file: file('a'), retentionMonths: 13 }
    const failed = archiveBooks(database, {
      ...options,
      beforeCommit: () => Promise.reject(new Error('no entry')),
    })
    await expect(failed).rejects.toThrow('no entry')
    expect(await countOf(database)).toEqual(before)
    expect((await database.query('select from book_archives')).rowCount).toBe(0)
    // The same file, as after a kill.
    expect(await archiveBooks(database, options)).toMatchObject({ result: 'archived' })
    expect(await driftOf(database)).toEqual([])
  })

  it('moves the first row that GET /v1/usage reports', async () => {
    const made = await withPast()
    const server = await startTestServer(made)
    try {
      const usage = async () => (await server.get('/v1/usage?limit=1000', { key: made.account.key })).json
      const all = await usage()
      expect([all.meta.kept_since, all.data.length]).toEqual([null, 15])
      await archiveBooks(made.database, {
        before: monthsAgo(14),
        file: made.file('one'),
        retentionMonths: 13,
      })
      const rest = await usage()
      // With the row of the call before.
      expect([rest.meta.kept_since, rest.data.length]).toEqual([monthsAgo(14).toISOString(), 11])
    } finally {
      await server.close()
    }
  })

  it('requires a retention period', async () => {
    const { url, file } = await withPast()
    const archive = ['credits', 'archive', '--before', text(monthsAgo(13)), '--to', file('one.zst')]
    const refused = await lotlineWith({ DATABASE_URL: url })(...archive)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--keep-months')])
    const wrong = await lotlineWith({ DATABASE_URL: url })(
      'credits',
      'archive',
      '--before',
      '2025-13',
      '--to',
      'x',
    )
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('a month such as 2025-11')])
  })
})

/** A killed client's transaction may still be running: waits until no backend of the application is left. */
async function untilGone(database: Database, application: string): Promise<void> {
  for (;;) {
    const { rows } = await database.query('select from pg_stat_activity where application_name = $1', [
      application,
    ])
    if (rows.length === 0) return
    await sleep(20)
  }
}
