// Copies new rows of safety_journal to the files in DATA_DIR. A row is written in the transaction of its change and stays for longer than a
// year, so a copy that fails, or a process that dies before it, loses nothing: the next copy has it, in any process. Each DATA_DIR has all
// entries, also if several processes work with one database.
// Why: decisions/infrastructure/safety-journal.md

import { join } from 'node:path'
import type { Chore } from '../../platform/chores.ts'
import { DatabaseUnavailable } from '../pool/unavailable.ts'
import type { Queryable } from '../queryable.ts'
import { appendToJournal, findCopiedTo, JOURNAL_FOLDER, type JournalEntry } from './journal-files.ts'

interface JournalRow {
  readonly id: number
  readonly at: Date
  readonly entry: { readonly kind: string }
  readonly snapshot: string
  /** The oid of the database. */
  readonly database: number
}

const ROWS_AT_A_TIME = 1_000
/** The id of the row that names the database. */
const BEGIN_ID = 0

// A copy of a database, for example by pg_dump, has its era, but not its snapshots.
const COLUMNS = `
  id, at, entry, pg_current_snapshot()::text as snapshot,
  (select oid::bigint from pg_database where datname = current_database()) as database`
const ALL = `
  select ${COLUMNS} from safety_journal where id > $1 order by id limit ${ROWS_AT_A_TIME}`
// The row that names the database shows that the snapshot is one of this database.
const SINCE = `
  select ${COLUMNS} from safety_journal
  where id = ${BEGIN_ID} or (id > $1 and written_by >= pg_snapshot_xmin($2::pg_snapshot)
    and not pg_visible_in_snapshot(written_by, $2::pg_snapshot))
  order by id limit ${ROWS_AT_A_TIME}`

/**
 * Copies the rows that are not in the files yet. Returns how many there were. After it returns, they are on disk.
 *
 * @throws the error of the file system if the files cannot be written; the rows are copied the next time
 */
export async function copyJournal(database: Queryable, dataDir: string): Promise<number> {
  const folder = join(dataDir, JOURNAL_FOLDER)
  const last = await findCopiedTo(folder)
  const first = last && (await database.query<JournalRow>(SINCE, [BEGIN_ID, last.snapshot])).rows
  const isSameDatabase =
    first !== undefined && eraOf(first) === last!.era && first[0]!.database === last!.database
  let rows = isSameDatabase ? first : (await database.query<JournalRow>(ALL, [BEGIN_ID - 1])).rows
  const era = eraOf(rows)
  if (era === undefined) return 0
  // The first snapshot of the copy: a row that is committed meanwhile with an id below those of the last piece is copied the next time.
  const { snapshot, database: oid } = rows[0]!
  let copied = 0
  for (;;) {
    const entries = rows
      .filter(({ id }) => id !== BEGIN_ID || !isSameDatabase)
      .map(({ id, at, entry }): JournalEntry => ({ era, id, at: at.toISOString(), ...entry }))
    const isLast = rows.length < ROWS_AT_A_TIME
    // A database in which nothing has happened needs no file.
    if (isLast && copied === 0 && entries.every(({ id }) => id === BEGIN_ID)) return 0
    await appendToJournal(folder, entries, isLast ? { era, database: oid, snapshot } : undefined, new Date())
    copied += entries.length
    if (isLast) return copied
    const after = rows.at(-1)!.id
    rows = isSameDatabase
      ? (await database.query<JournalRow>(SINCE, [after, last!.snapshot])).rows.filter(({ id }) => id > after)
      : (await database.query<JournalRow>(ALL, [after])).rows
  }
}

function eraOf(rows: readonly JournalRow[]): string | undefined {
  const [row] = rows
  return row?.id === BEGIN_ID ? (row.entry as { readonly era?: string }).era : undefined
}

const COPY_EVERY_MS = 1_000

/** Runs in every process. `onCopy` gets undefined after a success, or the error of the file system. */
export function copyJournalChore(
  database: Queryable,
  dataDir: string,
  onCopy: (failure: unknown) => void,
): Chore {
  return {
    name: 'read the safety journal; it will be tried again in a second',
    everyMs: COPY_EVERY_MS,
    runsAtStop: true,
    // The database is unavailable, which other parts report.
    failsAt: 'debug',
    async run() {
      try {
        await copyJournal(database, dataDir)
        onCopy(undefined)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall === undefined || error instanceof DatabaseUnavailable)
          throw error
        onCopy(error)
      }
    },
  }
}

/** The name of the database for the entries of its journal. undefined: its schema has no journal yet. */
export async function findEra(database: Queryable): Promise<string | undefined> {
  const { rows } = await database.query<{ era: string }>(
    `select entry ->> 'era' as era from safety_journal where id = ${BEGIN_ID}`,
  )
  return rows[0]?.era
}

/** Records in a restored database which one its backup was made of. undefined: the backup does not say. */
export async function recordOrigin(tx: Queryable, era: string | undefined): Promise<void> {
  await tx.query(
    `update safety_journal set entry = entry || jsonb_build_object('restored_from', $1::text) where id = ${BEGIN_ID}`,
    [era ?? null],
  )
}
