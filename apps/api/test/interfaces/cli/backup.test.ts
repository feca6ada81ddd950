// Backups, as files and from the command: a restore returns exactly the backed-up data, completely or not at all.

import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findContents, restoreBackup } from '../../../src/infrastructure/database/backup/restore-backup.ts'
import { findTables } from '../../../src/infrastructure/database/backup/tables.ts'
import { writeBackup } from '../../../src/infrastructure/database/backup/write-backup.ts'
import { connectDatabase } from '../../../src/infrastructure/database/database.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../../src/infrastructure/database/migrate.ts'
import { issueKey } from '../../../src/money/accounts/keys.ts'
import { type OpenedAccount, openAccount } from '../../../src/money/accounts/open-account.ts'
import { topUp } from '../../../src/money/accounts/top-up.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { driftOf } from '../../money/credits/drift.ts'
import { acceptJob, callOf, rows } from '../../money/credits/money.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { createTestDatabase, withTestDatabase } from '../../setup/test-database.ts'
import { startTestServer } from '../../setup/test-server.ts'
import { backupOf, backupWith, linesOf } from './backup-bytes.ts'
import { jsonOf, lotlineProcess, lotlineWith } from './run-lotline.ts'

const testDatabase = withTestDatabase()
let account: OpenedAccount

const FULL = process.env.LOTLINE_FULL === '1'
/** Values that a careless format would lose. */
const AWKWARD = ['a\u2028b\nc\td\\"e\'f', '', 'null', '😀 \u0001', '[1]', '{"a":1}']

beforeAll(async () => {
  const { database } = testDatabase
  account = await openAccount(database, { plan: 'monthly', email: 'ana@example.com' })
  await issueKey(database, account.accountId, { oauthClient: 'Some Assistant' })
  await topUp(database, account.accountId, 50)
  const ledger = createLedger(database)
  for (let n = 0; n < 20; n++) await ledger.settle(callOf(account, 'listListings', n))
  const settled = await acceptJob(database, account)
  await placeHold(database, { ...settled, wanted: 10, least: 1 })
  await settleHold(database, rows(settled, 4))
  const open = await acceptJob(database, account)
  await placeHold(database, { ...open, wanted: 10, least: 1 })
  for (const [n, text] of AWKWARD.entries()) {
    await database.query(
      `insert into listings (zpid, kind, location, cell, price, listed_at, has_pool, has_garage, is_waterfront, sale_type,
         is_pending, is_senior, is_building, summary, record, unit)
       values ($1, 'for_sale', point(-122.33070000000001, 47.6062), 4503599627370495, 0.1 + 0.2, '2024-02-29T12:34:56.789012Z', true, false, false,
         'by_agent', false, false, false, $2, $3, $4)`,
      [String(n), text, text.repeat(10_000), n % 2 === 0 ? null : text],
    )
  }
  await openAccount(database, { plan: 'free' })
})

async function emptyDatabase(schema: 'migrated' | 'empty' = 'migrated') {
  const made = await createTestDatabase({ schema })
  onTestFinished(() => made.drop())
  return made
}

describe('a backup', () => {
  it('restores the same database: each row of each table, with a clean audit', async () => {
    const { database } = testDatabase
    const target = await emptyDatabase()
    const written = new PassThrough()
    const [bytes, made] = await Promise.all([buffer(written), writeBackup(database, written)])
    const restored = await restoreBackup(target.database, Readable.from([bytes]))
    expect(restored).toEqual(made)
    expect(made.tables.find(({ table }) => table === 'listings')!.rows).toBe(AWKWARD.length)
    // A second backup has the same checksums, so no value was changed.
    const again = new PassThrough()
    again.resume()
    expect((await writeBackup(target.database, again)).tables).toEqual(made.tables)
    expect(await driftOf(target.database)).toEqual([])
    const summaries = 'select summary from listings order by zpid'
    const { rows } = await target.database.query<{ summary: string }>(summaries)
    expect(rows.map(({ summary }) => summary)).toEqual(AWKWARD)
  })

  it('restores the same usage for the same key, and serves further calls', async () => {
    const target = await emptyDatabase()
    // Its period begins after the last row.
    await testDatabase.database.query(`select set_key_limit($1, 1000, 'total')`, [account.keyId])
    await restoreBackup(target.database, Readable.from([await backupOf(testDatabase.database)]))
    const { rows: begun } = await target.database.query(
      `select pg_sequence_last_value('movements_id_seq') >= counted_after as counts from key_limits`,
    )
    expect(begun).toEqual([{ counts: true }])
    const [before, after] = await Promise.all([startTestServer(testDatabase), startTestServer(target)])
    try {
      const ask = (path: string) =>
        Promise.all([before, after].map((server) => server.get(path, { key: account.key })))
      const [usage, sameUsage] = await ask('/v1/usage?limit=1000')
      expect(usage!.json.data.length).toBeGreaterThan(20)
      expect(sameUsage!.json.data).toEqual(usage!.json.data)
      const [me, sameMe] = await ask('/v1/me')
      expect(sameMe!.json.data).toEqual(me!.json.data)
    } finally {
      await before.close()
      await after.close()
    }
    // Numbers continue, so new rows do not collide and come last.
    await createLedger(target.database).settle(callOf(account, 'listListings', 3))
    const { rows: newest } = await target.database.query(
      'select amount, id > all (select id from movements) as last from postings order by id desc limit 1',
    )
    expect(newest).toEqual([{ amount: -3, last: true }])
    await openAccount(target.database, { plan: 'monthly' })
    expect(await driftOf(target.database)).toEqual([])
    // The triggers were restored.
    await expect(target.database.query('delete from movements')).rejects.toThrow('permission denied')
    await expect(target.database.query('update accounts set held = -1')).rejects.toThrow('check constraint')
  })

  it('contains every table', async () => {
    const { database } = testDatabase
    const { rows } = await database.query<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not in ('lotline_migrations', 'api_processes', 'browser_sessions', 'budgets', 'cursor_key', 'data_set_version', 'feed_calls', 'feed_credentials', 'missed_lookups', 'safety_journal', 'stripe_turns', 'tag_secret', 'usage_summed', 'usage_sums', 'webhook_pauses', 'webhook_sending') order by 1`,
    )
    const tables = (await findTables(database)).map(({ name }) => name)
    expect([...tables].sort()).toEqual(rows.map(({ name }) => name))
    const backup = linesOf(await backupOf(database))
    const heads = backup.filter((line) => line.startsWith('{"table"'))
    expect(heads.map((line) => JSON.parse(line).table)).toEqual(tables)
  })

  it('is one snapshot, while the service keeps serving calls', async () => {
    const made = await emptyDatabase()
    const busy = await openAccount(made.database, { plan: 'custom', credits: 1_000_000 })
    // The numbers of rows that are archived are never used again, although no row has them.
    await made.database.query(`insert into book_archives values ('2001-01-01Z', 1000000, 1, 1, 'sum')`)
    const ledger = createLedger(made.database)
    let stop = false
    const limits = (async () => {
      for (; !stop; await sleep(2)) {
        await Promise.all(Array.from({ length: 5 }, () => ledger.settle(callOf(busy, 'getProperty', 1))))
      }
    })()
    try {
      for (let round = 0; round < 3; round++) {
        const target = await emptyDatabase()
        await restoreBackup(target.database, Readable.from([await backupOf(made.database)]))
        expect(await driftOf(target.database)).toEqual([])
        const { rows } = await target.database.query(`select nextval('movements_id_seq') as next`)
        expect(rows).toEqual([{ next: 1_000_001 }])
      }
    } finally {
      stop = true
      await limits
    }
  })

  it('of an older schema is migrated', async () => {
    const old = await emptyDatabase()
    const holder = await openAccount(old.database, { plan: 'monthly' })
    const job = await acceptJob(old.database, holder)
    await placeHold(old.database, { ...job, wanted: 10, least: 1 })
    const released = (await readdir(MIGRATIONS_DIRECTORY)).filter((name) => name.endsWith('.sql')).sort()
    const later = join(await makeTemporaryDirectory(), 'migrations')
    await cp(MIGRATIONS_DIRECTORY, later, { recursive: true })
    await writeFile(
      join(later, '9001_later.sql'),
      "alter table accounts add column note text not null default 'none'; create table later (n integer);",
    )
    const target = await emptyDatabase()
    const restored = await restoreBackup(target.database, Readable.from([await backupOf(old.database)]), {
      directory: later,
    })
    expect(restored.schema).toBe(released.at(-1))
    const applied = await target.database.query<{ name: string }>(
      'select name from lotline_migrations order by number',
    )
    expect(applied.rows.map(({ name }) => name)).toEqual([...released, '9001_later.sql'])
    expect(await migrate(target.database, later)).toEqual([])
    expect((await target.database.query('select note from accounts')).rows).toEqual([{ note: 'none' }])
    expect(await driftOf(target.database)).toEqual([])
    await settleHold(target.database, rows(job, 4))
    expect(await driftOf(target.database)).toEqual([])
  })
})

describe('a restore', () => {
  it('destroys nothing in a new database, whatever rows its migrations created', async () => {
    const { database } = await emptyDatabase()
    expect(await findContents(database)).toEqual([])
  })

  it('of an incomplete or damaged backup is refused, and changes nothing', async () => {
    const target = await emptyDatabase()
    const kept = await openAccount(target.database, { plan: 'free' })
    const bytes = await backupOf(testDatabase.database)
    const lines = linesOf(bytes)
    const header = JSON.parse(lines[0]!)
    const firstRow = lines.findIndex((line) => line.startsWith('['))
    const without = (n: number) => lines.filter((_, index) => index !== n)
    const withLine = (n: number, line: string) => lines.map((old, index) => (index === n ? line : old))
    const newer = { number: 9999, name: '9999_later.sql', checksum: 'x' }
    const flipped = Buffer.from(bytes)
    flipped[bytes.length >> 1]! ^= 0xff
    const cases: [string, Readable, RegExp][] = [
      ['nothing', Readable.from([Buffer.alloc(0)]), /damaged: it was cut off/],
      ['another file', Readable.from([randomBytes(500)]), /not a backup of Lotline/],
      ['another packed file', backupWith(['{"hello":1}']), /not a backup of Lotline/],
      ['a packed text', backupWith(['hello']), /damaged/],
      ['half a file', Readable.from([bytes.subarray(0, bytes.length >> 1)]), /damaged/],
      ['a file with a wrong byte', Readable.from([flipped]), /damaged/],
      [
        'one with a row that is no JSON',
        backupWith(withLine(firstRow, '[}')),
        /cannot be read: the file is damaged/,
      ],
      ['one that lacks its last line', backupWith(lines.slice(0, -1)), /cut off/],
      ['one that goes on', backupWith([...lines, '{}']), /follows its last line/],
      ['one that lacks a row', backupWith(without(firstRow)), /do not match their checksum/],
      [
        'one with a changed row',
        backupWith(withLine(firstRow, lines[firstRow]!.replace('active', 'suspended'))),
        /checksum/,
      ],
      [
        'one that lacks a table',
        backupWith(lines.filter((line) => !/^.{1,9}"cached_records"/.test(line))),
        /last line|lacks/,
      ],
      ['one of another form', backupWith(withLine(0, JSON.stringify({ ...header, version: 2 }))), /format 2/],
      [
        'one of a newer Lotline',
        backupWith(withLine(0, JSON.stringify({ ...header, migrations: [...header.migrations, newer] }))),
        /9999_later.sql, which this Lotline does not have/,
      ],
      [
        'one of an unknown Lotline',
        backupWith(
          withLine(
            0,
            JSON.stringify({ ...header, migrations: [{ ...header.migrations[0], checksum: 'x' }] }),
          ),
        ),
        /does not have/,
      ],
      [
        'one from before schema 1',
        backupWith(
          withLine(
            0,
            JSON.stringify({
              ...header,
              migrations: [{ number: 1, name: '0001_accounts_and_credits.sql', checksum: 'x' }],
            }),
          ),
        ),
        /^The backup was made before schema 1, .*cannot be converted\. Set DATA_DIR to a new folder/,
      ],
    ]
    for (const [what, source, reason] of cases) {
      await expect(restoreBackup(target.database, source), what).rejects.toThrow(reason)
    }
    expect(await findContents(target.database)).toEqual([
      { table: 'accounts', rows: 1 },
      { table: 'api_keys', rows: 1 },
      { table: 'movements', rows: 1 },
    ])
    expect(kept.key).toBeTruthy()
    const { rows } = await target.database.query("select from pg_namespace where nspname = 'lotline_restore'")
    expect(rows).toEqual([])
  })

  it("does not touch other software's tables", async () => {
    const target = await emptyDatabase()
    await target.database.query('create table theirs (n integer); insert into theirs values (7)')
    await restoreBackup(target.database, Readable.from([await backupOf(testDatabase.database)]))
    expect((await target.database.query('select n from theirs')).rows).toEqual([{ n: 7 }])
  })

  it('beside a running server takes effect without a restart', async () => {
    const target = await emptyDatabase()
    const server = await startTestServer(target)
    try {
      const before = await server.openAccount()
      expect((await server.get('/v1/usage', { key: before.key })).status).toBe(200)
      // Another process's connections, as the command's are.
      const command = connectDatabase({ target: target.target, poolSize: 2 })
      await restoreBackup(command, Readable.from([await backupOf(testDatabase.database)]))
      await command.close()
      await expect
        .poll(async () => (await server.get('/v1/usage', { key: before.key })).code)
        .toBe('invalid_api_key')
      const usage = await server.get('/v1/usage', { key: account.key })
      expect(usage.json.data.length).toBeGreaterThan(20)
    } finally {
      await server.close()
    }
  })
})

describe('lotline backup and restore', () => {
  it('write a file that only its owner can read, and ask before overwriting', async () => {
    const directory = await makeTemporaryDirectory()
    const file = join(directory, 'lotline.backup')
    const source = lotlineWith({ DATABASE_URL: testDatabase.url })
    const backedUp = await jsonOf(source, 'backup', file)
    expect(backedUp).toMatchObject({ file, rows: expect.any(Number) })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(directory)).toEqual(['lotline.backup'])

    const before = await readFile(file)
    const again = await source('backup', file)
    expect([again.code, again.stderr]).toEqual([
      2,
      `lotline: ${file} will be overwritten. That cannot be undone. Add --yes to do it.\n`,
    ])
    expect(await readFile(file)).toEqual(before)
    expect((await source('backup', file, '--yes')).stdout).toContain(`Backed up to ${file}.`)

    const target = await emptyDatabase()
    const into = lotlineWith({ DATABASE_URL: target.url })
    const restored = await jsonOf(into, 'restore', file)
    expect(restored.tables).toEqual(backedUp.tables)
    expect((await into('credits', 'audit')).code).toBe(0)

    const second = await into('restore', file)
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(
      /The database is not empty: 2 accounts, .*3 api_keys, .* Add --yes to do it\.\n$/,
    )
    expect((await into('restore', file, '--yes')).stdout).toContain(`Restored ${file}.`)
  })

  it('work through pipes', async () => {
    const source = lotlineProcess({ DATABASE_URL: testDatabase.url })
    const directory = await makeTemporaryDirectory()
    const file = join(directory, 'copy')
    await writeBackup(testDatabase.database, createWriteStream(file))
    const target = await emptyDatabase()
    const restored = await lotlineProcess({ DATABASE_URL: target.url }, await readFile(file))(
      'restore',
      '-',
      '--json',
    )
    expect(restored.code).toBe(0)
    const { stderr, code } = await source('backup', '-')
    expect(code).toBe(0)
    expect(stderr).toMatch(/rows in \d+ tables/)
  })

  it('describe the problem with a file', async () => {
    const directory = await makeTemporaryDirectory()
    const run = lotlineWith({ DATABASE_URL: testDatabase.url })
    await writeFile(join(directory, 'text'), 'hello')
    await mkdir(join(directory, 'folder'))
    const target = await emptyDatabase()
    const into = lotlineWith({ DATABASE_URL: target.url })
    for (const [ran, code, message] of [
      [await run('backup', join(directory, 'folder')), 2, 'is a directory'],
      [await run('backup', join(directory, 'nowhere', 'file')), 1, 'there is no such file or directory'],
      [await into('restore', join(directory, 'none')), 1, 'there is no such file or directory'],
      [await into('restore', join(directory, 'text')), 1, 'not a backup of Lotline'],
    ] as const) {
      expect(ran.stderr).toContain(message)
      expect(ran.code).toBe(code)
      expect(ran.stderr.trim().split('\n')).toHaveLength(1)
    }
    expect((await readdir(directory)).sort()).toEqual(['folder', 'text'])
  })

  // One step of it, from embedded to a server, is in every run: the commands of data.md (operations/guide.test.ts).
  it.runIf(FULL)(
    'move data from embedded to embedded, to a server, and back',
    { timeout: 180_000 },
    async () => {
      const directory = await makeTemporaryDirectory()
      const file = (n: number) => join(directory, `${n}.backup`)
      const server = await emptyDatabase()
      const first = lotlineProcess({ DATA_DIR: join(directory, 'a') })
      const last = lotlineProcess({ DATA_DIR: join(directory, 'c') })
      const { account_id } = await jsonOf(first, 'accounts', 'create', '--plan', 'monthly')
      const { tables } = await jsonOf(first, 'backup', file(0))
      const between = [
        lotlineProcess({ DATA_DIR: join(directory, 'b') }),
        lotlineProcess({ DATABASE_URL: server.url }),
      ]
      for (const [n, place] of between.entries()) {
        expect((await jsonOf(place, 'restore', file(n))).tables).toEqual(tables)
        await jsonOf(place, 'backup', file(n + 1))
      }
      expect((await jsonOf(last, 'restore', file(2))).tables).toEqual(tables)
      expect((await last('credits', 'audit')).code).toBe(0)
      expect(await jsonOf(last, 'accounts', 'show', account_id)).toMatchObject({ balance: 1_000 })
    },
  )
})
