// Restores a backup, completely or not at all. A new schema is created beside the present one, migrated to the state of the
// backup, filled, and migrated to the present. When all checksums are verified, its tables, types, and functions replace the
// present ones. All of this is one transaction: other connections see the old data until the new data is complete, and an aborted
// restore changes nothing.

import type { Readable } from 'node:stream'
import type { Database, Queryable } from '../database.ts'
import { recordOrigin } from '../journal/copy-journal.ts'
import { MIGRATIONS_DIRECTORY, type Migratable, migrate } from '../migrate.ts'
import { errorCode } from '../queryable.ts'
import { checkSchema } from './check-backup.ts'
import {
  BackupError,
  type BackupHeader,
  type BackupSummary,
  summaryOf,
  type TableStart,
  type TableSummary,
} from './format.ts'
import { type BackupPart, readBackup } from './read-backup.ts'
import { type BackupTable, findTables, quoteName, SEEDED_TABLES } from './tables.ts'
import { readMigrations } from './write-backup.ts'

const RESTORE_SCHEMA = 'lotline_restore'

export interface RestoreOptions {
  /** Of the migrations. */
  readonly directory?: string
  /**
   * Runs in the transaction of the restore, over the restored tables. Nothing else sees them before it ends.
   *
   * @param era the database of which the backup was made (BackupHeader)
   */
  readonly beforeCommit?: (tx: Queryable, era: string | undefined) => Promise<void>
}

/**
 * Replaces all data of the database with the content of the backup. Call `findContents` first.
 *
 * @throws {BackupError} when the backup is damaged or was made by a newer Lotline. Nothing was changed then.
 */
export async function restoreBackup(
  database: Database,
  source: Readable,
  { directory = MIGRATIONS_DIRECTORY, beforeCommit = async () => {} }: RestoreOptions = {},
): Promise<BackupSummary> {
  const summary = await database.transaction(
    async (tx) => {
      const { rows } = await tx.query<{ schema: string }>('select current_schema() as schema')
      const { schema } = rows[0]!
      await tx.query(`create schema ${RESTORE_SCHEMA}`)
      // Nothing else is in the search path: every name that is not PostgreSQL's own means the new schema.
      await tx.query(`set local search_path = ${RESTORE_SCHEMA}`)
      const { summary, header } = await fill(tx, source, directory)
      await replaceSchema(tx, schema)
      await tx.query(`set local search_path = ${quoteName(schema)}`)
      // Refused if anything was left behind.
      await tx.query(`drop schema ${RESTORE_SCHEMA}`)
      await recordOrigin(tx, header.era)
      await beforeCommit(tx, header.era)
      return summary
    },
    { statementTimeoutMs: 0 },
  )
  // Without statistics, the planner assumes that the new tables are small.
  await database.transaction((tx) => tx.query('analyze'), { statementTimeoutMs: 0 })
  return summary
}

async function fill(
  tx: Queryable,
  source: Readable,
  directory: string,
): Promise<{ readonly summary: BackupSummary; readonly header: BackupHeader }> {
  const here = asDatabase(tx)
  const summaries: TableSummary[] = []
  let header: BackupHeader | undefined
  let tables: readonly BackupTable[] = []
  let insert: ((rows: readonly string[]) => Promise<void>) | undefined
  for await (const part of readBackup(source) as AsyncIterable<BackupPart>) {
    if ('header' in part) {
      header = part.header
      await makeSchema(here, header, directory)
      tables = await findTables(tx)
    } else if ('start' in part) {
      insert = insertInto(tx, tables, part.start)
      await setTriggers(tx, part.start.table, 'disable')
      // Rows that the migrations insert are in the backup too. Rows of the ledger cannot be deleted, and it begins empty.
      if (SEEDED_TABLES.includes(part.start.table)) {
        await tx.query(`delete from ${quoteName(part.start.table)}`)
      }
    } else if ('rows' in part) {
      await insert!(part.rows)
    } else {
      await setTriggers(tx, part.end.end, 'enable')
      summaries.push({ table: part.end.end, rows: part.end.rows, sha256: part.end.sha256 })
    }
  }
  const missing = tables.filter(({ name }) => summaries.every(({ table }) => table !== name))
  if (missing.length > 0) {
    throw new BackupError(
      `The backup does not contain the table ${missing.map(({ name }) => name).join(', ')}.`,
    )
  }
  await resetSequences(tx, tables)
  await migrate(here, directory)
  await skipUsedNumbers(tx)
  await sortBooksByMonth(tx)
  return { summary: summaryOf(header!, summaries), header: header! }
}

/** Creates the empty schema of the backup. */
async function makeSchema(here: Migratable, { migrations }: BackupHeader, directory: string): Promise<void> {
  const last = migrations.at(-1)
  if (last) await migrate(here, directory, last.number)
  const known = last ? await readMigrations(here) : []
  checkSchema(migrations, known)
}

function insertInto(tx: Queryable, tables: readonly BackupTable[], start: TableStart) {
  const table = tables.find(({ name }) => name === start.table)
  const columns = start.columns.map((name) => table?.columns.find((column) => column.name === name))
  if (!table || columns.some((column) => !column) || columns.length !== table.columns.length) {
    throw new BackupError(
      `The table ${start.table} of the backup does not match the schema of the backup: the file is damaged.`,
    )
  }
  const names = columns.map((column) => quoteName(column!.name)).join(', ')
  const values = columns.map((column, n) => `(row ->> ${n})::${column!.type}`).join(', ')
  const text = `
    insert into ${quoteName(table.name)} (${names}) overriding system value
    select ${values} from jsonb_array_elements($1::jsonb) as row`
  return async (rows: readonly string[]) => {
    try {
      await tx.query(text, [`[${rows.join(',')}]`])
    } catch (error) {
      // Class 22, data exceptions: rows are stored before the checksum of their table is verified.
      if (!errorCode(error)?.startsWith('22')) throw error
      throw new BackupError(`A row of ${table.name} cannot be read: the file is damaged.`)
    }
  }
}

/** The backup has the rows that triggers wrote, so triggers are disabled during the restore. */
async function setTriggers(tx: Queryable, table: string, to: 'disable' | 'enable'): Promise<void> {
  await tx.query(`alter table ${quoteName(table)} ${to} trigger user`)
}

/** A sequence continues after the greatest number in any of its tables. */
async function resetSequences(tx: Queryable, tables: readonly BackupTable[]): Promise<void> {
  for (const table of tables) {
    for (const { name, sequence } of table.columns) {
      if (sequence === null) continue
      await tx.query(
        `select setval($1, greatest(max(${quoteName(name)}), pg_sequence_last_value($1))) from ${quoteName(table.name)}`,
        [sequence],
      )
    }
  }
}

/**
 * Skips numbers that no row has any more: in the ledger, numbers of archived rows, and those at which periods of limits began. A
 * row that reused one would precede older rows, and would not count toward the limit of its key.
 */
async function skipUsedNumbers(tx: Queryable): Promise<void> {
  await tx.query(
    `select setval('movements_id_seq', used) from (
       select greatest(pg_sequence_last_value('movements_id_seq'),
         (select max(last_id) from book_archives), (select max(movement_id) from operator_entries),
         (select max(counted_after) from key_limits), (select max(limit_after) from holds)) as used
     ) numbers where used > 0`,
  )
  // Changes are deleted after 90 days. A watch would skip a change that reused a number it has already seen.
  await tx.query(
    `select setval('listing_changes_seq_seq', seen) from (
       select greatest(pg_sequence_last_value('listing_changes_seq_seq'),
         (select max(position) from watch_progress), (select max(position) from watches)) as seen
     ) numbers where seen > 0`,
  )
}

/** Moves rows of months without a partition out of the default partition. */
async function sortBooksByMonth(tx: Queryable): Promise<void> {
  for (const table of ['movements', 'usage_rows']) {
    await tx.query(
      `select make_book_partition($1, month)
       from (select distinct date_trunc('month', created_at, 'UTC') as month from ${table}_default) months`,
      [table],
    )
  }
}

// Partitions move by themselves, but are dropped with their table.
const DROP_RELATIONS = `
  select relname as name,
    case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
    relispartition as "isPartition"
  from pg_class
  where relnamespace = $1::regnamespace and (relkind in ('r', 'p', 'v', 'm')
    -- A sequence of a column moves with its table.
    or relkind = 'S' and not exists (
      select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('a', 'i')))
  order by relname`

// Types other than row types of tables; domains last, because they may depend on the others.
const TYPES = `
  select t.typname as name
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = $1::regnamespace and (c.relkind = 'c' or t.typtype = 'd') order by t.typtype = 'd', 1`

const FUNCTIONS = `
  select format('%I(%s)', proname, pg_get_function_identity_arguments(oid)) as name, prosecdef as "runsAsOwner"
  from pg_proc where pronamespace = $1::regnamespace order by 1`

// Functions with the names in the restore schema that take or return the row of a table, and so could not be dropped before their
// tables.
const FUNCTIONS_OF_ROWS = `
  select p.oid::regprocedure::text as name from pg_proc p
  where pronamespace = $1::regnamespace
    and proname in (select proname from pg_proc where pronamespace = $2::regnamespace)
    and exists (
      select from pg_type t join pg_class c on c.oid = t.typrelid
      where t.oid = any (p.proargtypes::oid[] || p.prorettype) and c.relkind in ('r', 'p'))`

interface SchemaObject {
  readonly name: string
  readonly kind: string
  readonly isPartition: boolean
}

/** Moves everything from the restore schema into the target schema, and drops objects with the same names there. */
async function replaceSchema(tx: Queryable, schema: string): Promise<void> {
  const target = quoteName(schema)
  const relations = (await tx.query<SchemaObject>(DROP_RELATIONS, [RESTORE_SCHEMA])).rows
  const functions = (await tx.query<{ name: string; runsAsOwner: boolean }>(FUNCTIONS, [RESTORE_SCHEMA])).rows
  const types = (await tx.query<{ name: string }>(TYPES, [RESTORE_SCHEMA])).rows
  const present = (await tx.query<SchemaObject>(DROP_RELATIONS, [target])).rows
  const replaced = present.filter(
    ({ name, isPartition }) => !isPartition && relations.some((relation) => relation.name === name),
  )
  for (const kind of ['materialized view', 'view', 'table', 'sequence']) {
    if (kind === 'table') {
      const { rows } = await tx.query<{ name: string }>(FUNCTIONS_OF_ROWS, [target, RESTORE_SCHEMA])
      for (const { name } of rows) await tx.query(`drop function ${name}`)
    }
    const names = replaced.filter((relation) => relation.kind === kind).map(({ name }) => name)
    // One statement drops all of them, because they refer to each other.
    if (names.length > 0) {
      await tx.query(`drop ${kind} ${names.map((name) => `${target}.${quoteName(name)}`).join(', ')}`)
    }
  }
  for (const { name } of functions) await tx.query(`drop function if exists ${target}.${name}`)
  for (const { name } of types) await tx.query(`drop type if exists ${target}.${quoteName(name)}`)
  for (const { name } of types) {
    await tx.query(`alter type ${RESTORE_SCHEMA}.${quoteName(name)} set schema ${target}`)
  }
  for (const { name, kind } of relations) {
    await tx.query(`alter ${kind} ${RESTORE_SCHEMA}.${quoteName(name)} set schema ${target}`)
  }
  for (const { name, runsAsOwner } of functions) {
    await tx.query(`alter function ${RESTORE_SCHEMA}.${name} set schema ${target}`)
    // Its search path names the schema in which it was created.
    if (runsAsOwner) await tx.query(`alter function ${target}.${name} set search_path = ${target}, pg_temp`)
  }
}

/** Presents the transaction as a database, for code that begins transactions. */
function asDatabase(tx: Queryable): Migratable {
  return { ...tx, transaction: (work) => work(tx) }
}

/** The tables that are not empty, with their row counts. Empty for a new database: a restore would destroy nothing. */
export async function findContents(database: Queryable): Promise<{ table: string; rows: number }[]> {
  const contents: { table: string; rows: number }[] = []
  const tables = await findTables(database)
  for (const { name } of tables.filter((table) => !SEEDED_TABLES.includes(table.name))) {
    const { rows } = await database.query<{ rows: number }>(`select count(*) as rows from ${quoteName(name)}`)
    if (rows[0]!.rows > 0) contents.push({ table: name, rows: rows[0]!.rows })
  }
  return contents
}
