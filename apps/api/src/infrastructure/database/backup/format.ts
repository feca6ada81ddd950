// The form of a backup file: zstd around lines of JSON, so that `zstd -dc FILE | head` shows what it is.
//
//   {"format":"lotline-backup","version":1,"created_at":…,"migrations":[…]}
//   {"table":"accounts","columns":["id","email",…]}
//   ["1f0c9f4e-…",null,…]                                          a row: each value as PostgreSQL writes it, or null
//   {"end":"accounts","rows":12,"sha256":"…"}                      over the lines of the rows, each with its line feed
//   …
//   {"complete":true,"tables":7,"rows":815,"sha256":"…"}           over the ends of all tables; nothing follows
//
// Values are texts in PostgreSQL's own form, so that each column comes back bit for bit, whatever its type. A file that
// lacks its last line was cut off.

import { createHash, type Hash } from 'node:crypto'

export const FORMAT = 'lotline-backup'
export const VERSION = 1

export interface BackupMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** The kind of a file, for its first line and for messages. Archives of the ledger have the format of a backup. */
export interface FileKind {
  readonly format: string
  readonly version: number
  /** The noun of this file kind in messages, such as "backup" in "The backup is damaged". */
  readonly noun: string
}

export const BACKUP: FileKind = { format: FORMAT, version: VERSION, noun: 'backup' }

export interface BackupHeader {
  readonly format: string
  readonly version: number
  readonly created_at: string
  /** The schema of the backup: all migrations that were applied. */
  readonly migrations: readonly BackupMigration[]
  /** The database in the safety journal, so that a restore finds the entries that follow. Absent: the schema has no journal yet. */
  readonly era?: string
}

export interface TableStart {
  readonly table: string
  readonly columns: readonly string[]
}

export interface TableEnd {
  readonly end: string
  readonly rows: number
  readonly sha256: string
}

export interface BackupTrailer {
  readonly complete: true
  readonly tables: number
  readonly rows: number
  readonly sha256: string
}

export interface TableSummary {
  readonly table: string
  readonly rows: number
  readonly sha256: string
}

export interface BackupSummary {
  readonly createdAt: Date
  /** The newest migration of the schema. */
  readonly schema: string
  readonly tables: readonly TableSummary[]
  readonly rows: number
}

export function summaryOf(
  { created_at, migrations }: BackupHeader,
  tables: readonly TableSummary[],
): BackupSummary {
  return {
    createdAt: new Date(created_at),
    schema: migrations.at(-1)?.name ?? 'none',
    tables,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  }
}

/** Counts and hashes the rows of a table as their lines pass. */
export class RowCheck {
  #hash: Hash = createHash('sha256')
  rows = 0

  add(line: string): void {
    this.#hash.update(line).update('\n')
    this.rows += 1
  }

  end(table: string): TableEnd {
    return { end: table, rows: this.rows, sha256: this.#hash.digest('hex') }
  }
}

/** The last line of a backup with these tables. */
export function toTrailer(ends: readonly TableEnd[]): BackupTrailer {
  const hash = createHash('sha256')
  for (const end of ends) hash.update(`${end.end} ${end.rows} ${end.sha256}\n`)
  const rows = ends.reduce((sum, end) => sum + end.rows, 0)
  return { complete: true, tables: ends.length, rows, sha256: hash.digest('hex') }
}

/** The reason why a backup cannot be written or used. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
