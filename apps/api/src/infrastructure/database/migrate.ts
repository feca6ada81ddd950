// Migrates a database to this program's schema with plain SQL files, forward only. Each file runs in one transaction with the row
// that records it, so that it is applied completely or not at all. Of several processes that start together, one migrates and the
// others wait.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ADVISORY_LOCKS } from './advisory-locks.ts'
import { DatabaseUnavailable, shortReason } from './pool/unavailable.ts'
import { type Database, type Queryable, StartError } from './queryable.ts'

export const MIGRATIONS_DIRECTORY = join(import.meta.dirname, 'migrations')

/** The refusal of a database or a backup that is older than the files of schema 1, the first that never change. */
export const BEFORE_SCHEMA_1 =
  'was made before schema 1, the first released schema, and cannot be converted. Set DATA_DIR to a new folder or DATABASE_URL to an empty database, open the accounts again, and import the listings again. To read the old data, run the version of Lotline that wrote it.'

/** The part of the database interface that migrations use. */
export type Migratable = Pick<Database, 'query' | 'readBytes' | 'transaction'>

interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/**
 * Applies the missing migrations, up to the given number, and returns the names of those that it applied.
 *
 * @throws {StartError} when a migration fails, or when the database does not match this program: it is newer, or a migration was
 *   edited after it was applied
 */
export async function migrate(
  database: Migratable,
  directory: string = MIGRATIONS_DIRECTORY,
  upTo = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const migrations = await readMigrations(directory)
  const done: string[] = []
  let missing = findMissingMigrations(await findApplied(database), migrations)
  while (missing[0] !== undefined && missing[0].number <= upTo) {
    const [first] = missing
    const applied = await database.transaction((tx) => applyUnlessApplied(tx, first, migrations), {
      statementTimeoutMs: 0,
    })
    if (applied) done.push(first.name)
    missing = findMissingMigrations(await findApplied(database), migrations)
  }
  return done
}

/** Returns false if another process has applied it in the meantime. */
async function applyUnlessApplied(
  tx: Queryable,
  migration: Migration,
  all: readonly Migration[],
): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.migrations])
  await tx.query(
    `create table if not exists lotline_migrations (
      number integer primary key, name text not null, checksum text not null,
      applied_at timestamptz not null default now())`,
  )
  if (findMissingMigrations(await readApplied(tx), all)[0] !== migration) return false
  try {
    for (const statement of splitStatements(migration.sql)) await tx.query(statement)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    throw new StartError(`The migration ${migration.name} failed: ${shortReason(error)}. It was rolled back.`)
  }
  await tx.query('insert into lotline_migrations (number, name, checksum) values ($1, $2, $3)', [
    migration.number,
    migration.name,
    migration.checksum,
  ])
  return true
}

// Not for use under the lock: inside a transaction, to_regclass can still return null after another session has created it.
async function findApplied(database: Migratable): Promise<AppliedMigration[]> {
  const { rows } = await database.query<{ there: boolean }>(
    "select to_regclass('lotline_migrations') is not null as there",
  )
  return rows[0]?.there === true ? readApplied(database) : []
}

async function readApplied(database: Queryable): Promise<AppliedMigration[]> {
  const text = 'select number, name, checksum from lotline_migrations order by number'
  return (await database.query<AppliedMigration>(text)).rows
}

function findMissingMigrations(
  applied: readonly AppliedMigration[],
  known: readonly Migration[],
): Migration[] {
  if (isBeforeSchema1(applied, known)) throw new StartError(`The database ${BEFORE_SCHEMA_1}`)
  for (const [index, row] of applied.entries()) {
    const migration = known[index]
    if (migration === undefined || migration.number > row.number) {
      throw new StartError(
        `The database has the migration ${row.name}, which this program does not know: run the newer program that made it, or restore a backup from before.`,
      )
    }
    if (migration.number < row.number) {
      throw new StartError(
        `The migration ${migration.name} is numbered below ${row.name}, which the database already has: give it a higher number.`,
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new StartError(
        `The migration ${row.name} was changed after it had been applied. Put the file back as it was, and make the change in a new migration.`,
      )
    }
  }
  return known.slice(applied.length)
}

/** Whether the history begins with another file than this program's: such files were replaced by those of schema 1. */
export function isBeforeSchema1(
  applied: readonly Pick<Migration, 'name'>[],
  known: readonly Pick<Migration, 'name'>[],
): boolean {
  return applied[0] !== undefined && known[0] !== undefined && applied[0].name !== known[0].name
}

/** The migrations of this program, in their order. */
export async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations = await Promise.all(names.map((name) => readMigration(directory, name)))
  for (const [index, { name, number }] of migrations.entries()) {
    if (index > 0 && migrations[index - 1]?.number === number) {
      throw new StartError(`Two migrations have the number of ${name}: renumber one of them.`)
    }
  }
  return migrations
}

/**
 * Splits a script into statements, which are sent one by one, because databases that distribute tables refuse several in one
 * query. Recognizes comments, quotes, and dollar quotes, the only places where migrations can hide a semicolon.
 */
export function splitStatements(sql: string): string[] {
  const HIDING = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$[A-Za-z_]*\$)[\s\S]*?\1|;/g
  const ends = [...sql.matchAll(HIDING)].filter(([found]) => found === ';').map(({ index }) => index + 1)
  return [...ends, sql.length]
    .map((end, at) => sql.slice(ends[at - 1] ?? 0, end).trim())
    .filter((statement) => statement.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim() !== '')
}

async function readMigration(directory: string, name: string): Promise<Migration> {
  const number = /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]
  if (number === undefined)
    throw new StartError(`The migration ${name} must have a name like 0001_what_it_does.sql.`)
  // Line ends depend on the checkout, not on the migration.
  const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n')
  return { number: Number(number), name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}
