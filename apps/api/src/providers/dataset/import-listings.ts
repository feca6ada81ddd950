// An import: every row of a source judged, and those that pass stored, all in one transaction. Memory stays the same
// however long the source is. A source that cannot be read to its end changes nothing, and neither does a process
// that is killed on the way.

import type { Database, Queryable } from '../../database/database.ts'
import { checkRecord } from './import/check-record.ts'
import { ImportFailure, type SourceRow } from './import/source-row.ts'
import {
  compareListings,
  createStage,
  type Moved,
  moveListings,
  type StagedListing,
  stageListings,
} from './import/stage-listings.ts'
import { toColumns } from './listing-columns.ts'

export interface RejectedRow {
  readonly line: number
  /** The end of a sentence about the row. */
  readonly reason: string
}

/** `read = inserted + updated + unchanged + duplicates + rejected`. */
export interface ImportReport extends Moved {
  readonly read: number
  /** Rows whose zpid came again further on: the last one counts. */
  readonly duplicates: number
  readonly rejected: number
  /** The first 1,000 of them. */
  readonly rejections: readonly RejectedRow[]
}

export type ImportProgress =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'reading'; readonly read: number; readonly rejected: number }
  | { readonly phase: 'storing'; readonly stored: number; readonly of: number }

export interface ImportOptions {
  /** Judge and compare, but write nothing. */
  readonly dryRun?: boolean
  readonly onProgress?: (progress: ImportProgress) => void
}

export const KEPT_REJECTIONS = 1_000

// A batch of this size goes into the socket's buffer at once, and the database works on it while the next is read.
// Larger ones wait to be sent until the reading of the next is done: measured, a quarter slower.
const BATCH_ROWS = 250
const BATCH_CHARACTERS = 128 * 1024

// Any number will do that no other program in the same database uses for its advisory locks.
const LOCK = 7_240_316_519

/**
 * Imports all rows of a source. Waits for another import to end.
 *
 * @throws {ImportFailure} when the source cannot be read to its end, or when none of its rows is a record.
 */
export async function importListings(
  database: Database,
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const report = await database.transaction(
    async (tx) => {
      await lockImports(tx, options.onProgress)
      return importRows(tx, rows, options)
    },
    { statementTimeoutMs: 0 },
  )
  if (!options.dryRun && report.inserted + report.updated > 0) await tidyListings(database)
  return report
}

/** One import at a time: two that touch the same homes would wait for each other, or for ever. */
export async function lockImports(tx: Queryable, onProgress?: ImportOptions['onProgress']): Promise<void> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    LOCK,
  ])
  if (rows[0]?.locked) return
  onProgress?.({ phase: 'waiting' })
  await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
}

/** The import itself, in the caller's transaction. */
export async function importRows(
  tx: Queryable,
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  { dryRun = false, onProgress = () => {} }: ImportOptions = {},
): Promise<ImportReport> {
  await createStage(tx)
  const { read, staged, rejections, rejected } = await stageRows(tx, rows, onProgress)
  const [first] = rejections
  if (staged === 0 && first) {
    throw new ImportFailure(
      `None of the ${read} rows is a record: line ${first.line} ${first.reason}. Nothing was changed.`,
    )
  }
  const moved = dryRun
    ? await compareListings(tx)
    : await moveListings(tx, (stored) => onProgress({ phase: 'storing', stored, of: staged }))
  const homes = moved.inserted + moved.updated + moved.unchanged
  return { read, ...moved, duplicates: staged - homes, rejected, rejections }
}

/** While the database takes a batch, the next one is read. */
async function stageRows(
  tx: Queryable,
  rows: AsyncIterable<SourceRow> | Iterable<SourceRow>,
  onProgress: (progress: ImportProgress) => void,
) {
  const rejections: RejectedRow[] = []
  let [read, staged, rejected, characters] = [0, 0, 0, 0]
  let batch: StagedListing[] = []
  let underWay: Promise<void> = Promise.resolve()

  async function send(): Promise<void> {
    await underWay
    underWay = stageListings(tx, batch)
    // Awaited with the next batch: until then a failure must not count as unhandled.
    underWay.catch(() => {})
    staged += batch.length
    batch = []
    characters = 0
    onProgress({ phase: 'reading', read, rejected })
  }

  try {
    for await (const row of rows) {
      read += 1
      const listing = judge(row)
      if ('fault' in listing) {
        rejected += 1
        if (rejections.length < KEPT_REJECTIONS) rejections.push({ line: row.line, reason: listing.fault })
        continue
      }
      batch.push(listing)
      characters += listing.columns.record.length + listing.columns.summary.length
      if (batch.length >= BATCH_ROWS || characters >= BATCH_CHARACTERS) await send()
    }
    if (batch.length > 0) await send()
  } finally {
    await underWay
  }
  return { read, staged, rejected, rejections }
}

function judge(row: SourceRow): StagedListing | { readonly fault: string } {
  if ('fault' in row) return row
  const checked = checkRecord(row.record)
  if ('fault' in checked) return checked
  return { line: row.line, columns: toColumns(checked.record) }
}

/** Brings statistics and the visibility map up to date, which searches live on; autovacuum would, in a minute or so. */
export async function tidyListings(database: Database): Promise<void> {
  await database.query('vacuum (analyze) listings').catch(() => {
    // The import is done, and what this would have sped up comes by itself.
  })
}
