// A backup of the whole database: one snapshot, read table by table with constant memory, while
// the service runs.

import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { Database, Queryable } from '../database.ts'
import { findEra } from '../journal/copy-journal.ts'
import { readInPieces } from '../pool/read-all.ts'
import {
  type BackupHeader,
  type BackupMigration,
  type BackupSummary,
  FORMAT,
  RowCheck,
  summaryOf,
  type TableEnd,
  toTrailer,
  VERSION,
} from './format.ts'
import { type BackupTable, findTables, MIGRATIONS_TABLE, quoteName } from './tables.ts'

/** Approximate size of a chunk of rows, whatever the length of one row. */
const PIECE_BYTES = 1_000_000

/** Writes a backup to a stream and ends it. If this throws, the caller removes the partial backup. */
export function writeBackup(database: Database, destination: Writable): Promise<BackupSummary> {
  return database.transaction(
    async (tx) => {
      // The lock comes before the snapshot, so that no month in it can be archived meanwhile. A LOCK takes no snapshot.
      await tx.query('lock table movements, usage_rows in access share mode')
      let summary: BackupSummary | undefined
      async function* snapshot() {
        summary = yield* backupLines(tx)
      }
      await pipeline(snapshot, createZstdCompress(), destination)
      return summary!
    },
    { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 0 },
  )
}

async function* backupLines(tx: Queryable): AsyncGenerator<string, BackupSummary> {
  const era = await findEra(tx)
  const header: BackupHeader = {
    format: FORMAT,
    version: VERSION,
    created_at: new Date().toISOString(),
    migrations: await readMigrations(tx),
    ...(era !== undefined && { era }),
  }
  yield backupLine(header)
  const ends: TableEnd[] = []
  for (const table of await findTables(tx)) {
    ends.push(yield* tableLines(tx, table))
  }
  yield backupLine(toTrailer(ends))
  return summaryOf(
    header,
    ends.map(({ end, rows, sha256 }) => ({ table: end, rows, sha256 })),
  )
}

/** Yields a table as lines of a backup: its start, its rows (or those of a condition in SQL), and its end. */
export async function* tableLines(
  tx: Queryable,
  table: BackupTable,
  condition = 'true',
): AsyncGenerator<string, TableEnd> {
  yield backupLine({ table: table.name, columns: table.columns.map(({ name }) => name) })
  const check = new RowCheck()
  for await (const rows of readRows(tx, table, condition)) {
    for (const row of rows) check.add(row)
    yield `${rows.join('\n')}\n`
  }
  const end = check.end(table.name)
  yield backupLine(end)
  return end
}

/** A line of a backup. */
export function backupLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

export async function readMigrations(database: Queryable): Promise<BackupMigration[]> {
  const { rows } = await database.query<BackupMigration>(
    `select number, name, checksum from ${MIGRATIONS_TABLE} order by number`,
  )
  return rows
}

/** Yields the rows of a table as lines in the order of its primary key, so that equal data has equal checksums. */
async function* readRows(tx: Queryable, table: BackupTable, condition: string): AsyncGenerator<string[]> {
  const values = table.columns.map(({ name }) => `${quoteName(name)}::text`).join(', ')
  const order = table.keyColumns.length > 0 ? `order by ${table.keyColumns.join(', ')}` : ''
  const query = `select to_json(array[${values}]::text[])::text as line from ${quoteName(table.name)}
    where ${condition} ${order}`
  let rowsAtATime = 100
  for await (const rows of readInPieces<{ line: string }>(tx, query, () => rowsAtATime)) {
    yield rows.map(({ line }) => line)
    const average = rows.reduce((sum, { line }) => sum + line.length, 0) / rows.length
    rowsAtATime = Math.min(10_000, Math.max(1, Math.ceil(PIECE_BYTES / average)))
  }
}
