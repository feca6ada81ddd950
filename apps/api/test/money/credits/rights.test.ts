// The database role of the service: PostgreSQL refuses operations that the ledger must never do, and permits all others.

import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  connectDatabase,
  type Database,
  openDatabase,
} from '../../../src/infrastructure/database/database.ts'
import { MIGRATIONS_DIRECTORY, splitStatements } from '../../../src/infrastructure/database/migrate.ts'
import { Secret } from '../../../src/infrastructure/platform/secret.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { placeHold, settleHold } from '../../../src/money/credits/holds.ts'
import { createLedger } from '../../../src/money/credits/ledger.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { driftOf } from './drift.ts'
import { acceptJob, callOf, openWith, rows } from './money.ts'

const testDatabase = withTestDatabase()
const ROLE = `lotline_service_${randomBytes(4).toString('hex')}`
let service: Database

function asAdministrator(): Database {
  return connectDatabase({ target: { ...testDatabase.target, user: 'postgres' }, poolSize: 1 })
}

beforeAll(async () => {
  const administrator = asAdministrator()
  await administrator.query(`create role ${ROLE} login`)
  await administrator.close()
  const { name, url } = testDatabase
  service = await openDatabase({
    config: {
      dataDir: '/nonexistent',
      databaseUrl: new Secret(url.replace(/\/\/[^@]+@/, `//${ROLE}@`)),
      databaseOwnerUrl: new Secret(url),
    },
    as: 'server',
    poolSize: 4,
  })
  const { rows: found } = await service.query<{ who: string }>(
    `select current_user || ' in ' || current_database() as who`,
  )
  expect(found[0]!.who).toBe(`${ROLE} in ${name}`)
})

afterAll(async () => {
  await service.close()
  const administrator = asAdministrator()
  await administrator.query(`drop owned by ${ROLE}`)
  await administrator.query(`drop role ${ROLE}`)
  await administrator.close()
})

describe("the service's role", () => {
  it('charges calls, and holds, grows, settles, and renews through the functions of the ledger', async () => {
    const account = await openAccount(service, { plan: 'monthly' })
    const ledger = createLedger(service)
    expect((await ledger.settle(callOf(account, 'getProperty', 1))).verdict).toBe('settled')
    const job = await acceptJob(service, account)
    await placeHold(service, { ...job, wanted: 10, least: 1 })
    await settleHold(service, rows(job, 4))
    await service.query(`update accounts set renews_at = now() - interval '1 second' where id = $1`, [
      account.accountId,
    ])
    expect((await ledger.settle(callOf(account, 'getProperty', 1))).verdict).toBe('settled')
    const { rows: kinds } = await service.query<{ kind: string }>(
      'select distinct kind from postings where account_id = $1 order by 1',
      [account.accountId],
    )
    expect(kinds.map(({ kind }) => kind)).toEqual(['charge', 'expire', 'grant', 'hold', 'release'])
    expect(await driftOf(service)).toEqual([])
  })

  it.each([
    ['give a mailbox away', 'update mailboxes set account_id = account_id'],
    ['forget a mailbox', 'delete from mailboxes'],
    ['change a movement', 'update movements set amount = amount + 1'],
    ['remove a movement', 'delete from movements'],
    ['cut movements off', 'truncate movements'],
    [
      'write a movement beside the ledger',
      `insert into movements (account_id, kind, amount) select id, 'topup', 5 from accounts`,
    ],
    ['change what a usage row was charged', 'update usage_rows set credits_charged = 0'],
    ['remove a usage row', 'delete from usage_rows'],
    ['cut usage rows off', 'truncate usage_rows'],
    ['open a hold again', `update holds set state = 'open', closed_at = null`],
    ['remove a hold', 'delete from holds'],
    [
      'write a hold beside the ledger',
      `insert into holds (account_id, job_id, amount) select id, id, 1 from accounts`,
    ],
    ['remove the record of an audit', 'delete from ledger_audits'],
    ['remove the record of an archive', 'delete from book_archives'],
    ["remove an operator's entry", 'delete from operator_entries'],
    ['change the trail of operators', `update operator_actions set operator = 'nobody'`],
    ['remove an entry of the trail of operators', 'delete from operator_actions'],
    ['cut the trail of operators off', 'truncate operator_actions'],
    ['reach a month past its table', 'select * from usage_rows_default'],
  ])('cannot %s: PostgreSQL refuses', async (_what, statement) => {
    await expect(service.query(statement)).rejects.toThrow('permission denied')
  })

  it.each([
    ['drop a month', 'drop table usage_rows_default'],
    ['detach a month', 'alter table movements detach partition movements_default'],
  ])('cannot %s: PostgreSQL refuses', async (_what, statement) => {
    await expect(service.query(statement)).rejects.toThrow(/must be owner|permission denied/)
  })

  it('cannot give itself more rights', async () => {
    // Not an error in PostgreSQL, but a warning.
    await service.query(`grant delete on movements to ${ROLE}`)
    await expect(service.query('delete from movements')).rejects.toThrow('permission denied')
  })

  it('can create the partitions of the next months, which the owner role owns', async () => {
    expect((await service.query(`select make_book_partition('movements', '2040-01-01')`)).rowCount).toBe(1)
    await expect(service.query('drop table movements_2040_01')).rejects.toThrow('must be owner')
    await testDatabase.database.query('drop table movements_2040_01')
  })
})

describe('the owner of the tables', () => {
  it.each([
    'update movements set amount = 0',
    'delete from movements',
    'truncate movements',
    'update usage_rows set status_code = 500',
    'delete from usage_rows',
    'truncate usage_rows',
    'delete from holds',
    'delete from book_archives',
    'update operator_actions set after = null',
    'delete from operator_actions',
    'truncate operator_actions',
  ])('cannot %s through the functions that the service may call', async (statement) => {
    await openWith(testDatabase.database, 1)
    await expect(testDatabase.database.query(statement)).rejects.toThrow('permission denied')
  })
})

// Statements that Citus 13.2 refused in a trial (guides/operations/capacity.md).
describe('migrations of tables that can be distributed by account', () => {
  /** The data set and what belongs to the whole service stay on one node. */
  const ON_ONE_NODE = [
    'listings',
    'listing_changes',
    'listing_sources',
    'removed_listings',
    'withheld_homes',
    'replaced_listings',
    'held_listings',
    'data_set_version',
  ]

  async function statements(): Promise<{ name: string; text: string }[]> {
    const names = (await readdir(MIGRATIONS_DIRECTORY)).sort()
    const all = await Promise.all(
      names.map(async (name) => {
        const sql = await readFile(join(MIGRATIONS_DIRECTORY, name), 'utf8')
        return splitStatements(sql).map((text) => ({ name, text: text.replace(/--[^\n]*/g, '') }))
      }),
    )
    return all.flat()
  }

  const isElsewhere = (text: string) =>
    ON_ONE_NODE.some((table) => new RegExp(`\\bon ${table}\\b|table ${table}\\b`).test(text))

  it('add no triggers', async () => {
    const found = (await statements()).filter(({ text }) =>
      /\bcreate\s+(constraint\s+)?trigger\b/i.test(text),
    )
    expect(found.filter(({ text }) => !isElsewhere(text))).toEqual([])
    // The rule sees triggers where there are some.
    expect(found.length).toBeGreaterThan(0)
    const { rows: triggers } = await testDatabase.database.query<{ table: string }>(
      `select distinct tgrelid::regclass::text as table from pg_trigger where not tgisinternal order by 1`,
    )
    expect(triggers.map(({ table }) => table)).toEqual(['listings', 'removed_listings', 'withheld_homes'])
  })

  it('change no storage, compression, or statistics of a column', async () => {
    const found = (await statements()).filter(({ text }) =>
      /alter\s+column\s+\S+\s+set\s+(storage|compression|statistics)/i.test(text),
    )
    expect(found.filter(({ text }) => !isElsewhere(text))).toEqual([])
    expect(found.length).toBeGreaterThan(0)
  })

  it('use no clock or random value in an update or delete', async () => {
    const VOLATILE = /clock_timestamp\(|random\(|timeofday\(|gen_random_uuid\(|nextval\(/i
    const sources = [...(await statements()), ...(await statementsInCode())]
    const conditions = sources.flatMap(({ name, text }) =>
      [...text.matchAll(/\b(?:update|delete\s+from)\b[^;`]*?\bwhere\b([^;`]*)/gi)].map(([, where]) => ({
        name,
        where: where!,
      })),
    )
    expect(conditions.length).toBeGreaterThan(50)
    expect(
      conditions.filter(({ where }) => VOLATILE.test(where.replace(/\breturning\b[\s\S]*/i, ''))),
    ).toEqual([])
  })

  it('are split into statements, even with a semicolon in quotes or comments', () => {
    const script = `-- a; b
      create table "x;y" (a text default 'it''s; ok'); /* c; d */
      do $body$ begin perform 1; end $body$;
      select $$;$$ -- the end;
    `
    expect(splitStatements(script).map((one) => one.replace(/\s+/g, ' '))).toEqual([
      `-- a; b create table "x;y" (a text default 'it''s; ok');`,
      '/* c; d */ do $body$ begin perform 1; end $body$;',
      'select $$;$$ -- the end;',
    ])
  })
})

/** The texts of SQL in the service's code. */
async function statementsInCode(): Promise<{ name: string; text: string }[]> {
  const root = join(import.meta.dirname, '../../../src')
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const all = await Promise.all(
    names.map(async (name) =>
      [...(await readFile(join(root, name), 'utf8')).matchAll(/`([^`]*)`/g)].map(([, text]) => ({
        name,
        text: text!,
      })),
    ),
  )
  return all.flat()
}
