// An import judges every row of a source and stores the accepted ones, all in one transaction. Memory use does not depend on the length of
// the source, except for the zpids of rejected rows with `complete`. A source that cannot be read to its end changes nothing, and neither
// does a process that is killed. But the restrictions of its rows are applied even then (rights/restricted-homes.ts).

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport, type ImportCounts } from '../imports/import-log.ts'
import { forgetHiddenSummaries } from '../listings/delete-listings.ts'
import type { ListingBatch } from '../listings/listing-batch.ts'
import { DEFAULT_SOURCE, recordSources } from '../listings/listing-source.ts'
import { NOTICES } from '../listings/record-warnings.ts'
import {
  compareStaged,
  createStage,
  findRepeated,
  lockImports,
  moveStaged,
  type StageResult,
  stageBatch,
  storeBatch,
} from '../listings/stage-listings.ts'
import {
  type FollowedRestrictions,
  type RestrictedHomes,
  withRestrictedHomes,
} from '../rights/restricted-homes.ts'
import { newRightsCounts, type RowWithheldReason } from '../rights/row-rights.ts'
import type { ListingColumns } from '../sources/dataset/listing-columns.ts'
import { type Completion, RejectedHomes, stageWithdrawn } from './complete-source.ts'
import {
  ImportNotes,
  type ImportWarning,
  KEPT_REJECTIONS,
  type NotedRow,
  type RowNote,
  RowPositions,
  type RowRejection,
} from './import-notes.ts'
import { judgeOf, type MovedRows } from './judge-file.ts'
import { judgeRow } from './judge-row.ts'
import { RowMerger } from './merge-rows.ts'
import { identifyRows } from './record-identity.ts'
import { requireUnderstood } from './removal-limit.ts'
import { ImportFailure, placeOf, type RowPlace, type SourceRow, type SourceRows } from './source-row.ts'
import { stageRows } from './stage-rows.ts'

/** `read = inserted + updated + unchanged + duplicates + rejected + withheld`. */
export interface ImportReport extends StageResult {
  readonly read: number
  /** With `complete`: homes that the import lacks and that went off the market. */
  readonly withdrawn: number
  /** Rows whose zpid occurred before. The last one counts. */
  readonly duplicates: number
  /** The first 1,000 duplicates. */
  readonly duplicateRows: readonly NotedRow[]
  readonly rejected: number
  /** The first 1,000 rejected rows. */
  readonly rejections: readonly RowRejection[]
  /** Rows whose rights forbid to store them. */
  readonly withheld: number
  /** Withheld rows by reason. */
  readonly withheldReasons: Readonly<Partial<Record<RowWithheldReason, number>>>
  /** Homes that were stored before, and were removed because a row forbids to show them. */
  readonly removed: number
  /** Rows whose address may not be shown, including rejected rows. */
  readonly addressesHidden: number
  /** The fields and columns of the rows that state rights, under standard names, in alphabetical order. */
  readonly rightsFields: readonly string[]
  /** The number of warnings about imported rows, by kind. */
  readonly warnings: readonly ImportWarning[]
  /** The sources of the rows, in alphabetical order. */
  readonly sources: readonly string[]
}

export type ImportProgress =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'reading'; readonly read: number; readonly rejected: number }
  /** Homes that were stored before. */
  | { readonly phase: 'storing'; readonly stored: number; readonly of: number }

export interface ImportOptions {
  /** The source of the rows: one for all, or by their file (source-of-file.ts). Default: `import`. */
  readonly source?: string | ((place: RowPlace) => string)
  /** Judges and compares, but writes nothing. */
  readonly dryRun?: boolean
  /** A rejected row or a warning makes the import fail and change nothing. */
  readonly strict?: boolean
  /** A row changes only the fields that it has (merge-rows.ts). Otherwise it replaces the stored record. */
  readonly merge?: boolean
  /** The rows are the complete content of these sources. */
  readonly complete?: Completion
  /** This many stored homes may be removed or hidden in any case by values that are not understood. */
  readonly allowRemovals?: number
  /** The use that rows must permit in `MlgCanUse`, such as `IDX`. */
  readonly use?: string
  /** The rows are a page of a longer source: none of them needs to be a record, and their rights were judged before. */
  readonly isPage?: boolean
  /** Called with each row that is accepted, as it would be stored. */
  readonly onAccepted?: (listing: ListingColumns) => void
  /** Called when all rows were moved. It throws if they exceed limits. undefined: the import is not judged here. */
  readonly judge?: (rows: MovedRows) => Promise<void>
  /** Called with each rejected row, each warning, and up to a million duplicate rows. */
  readonly onNote?: (note: RowNote) => void
  readonly onProgress?: (progress: ImportProgress) => void
  /** Runs in the transaction of an import that writes. `importId` is its number in the log of imports. */
  readonly beforeCommit?: (tx: Queryable, report: ImportReport, importId: number) => Promise<void>
  /** Runs in the transaction that applies the restrictions of a failed import. */
  readonly beforeFollowed?: (tx: Queryable, followed: FollowedRestrictions) => Promise<void>
}

/**
 * Imports all rows of a source. Waits for another import to end.
 *
 * @throws {ImportFailure} when the source cannot be read to its end, when none of its rows is a record, with `strict` when a row is
 * rejected or has a warning, with `complete` when too many homes would vanish, and when too many would be removed or hidden by values that
 * are not understood
 * @throws {ImportHeld} when it exceeds the limits of a source. Its rows are kept, and a person decides. Restrictions by plain values are applied in any case, except in a dry run
 */
export async function importListings(
  database: Database,
  rows: SourceRows,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const report = await withRestrictedHomes(
    database,
    (restricted) =>
      database.transaction(
        async (tx) => {
          await lockImports(tx, () => options.onProgress?.({ phase: 'waiting' }))
          if (options.dryRun) return importRows(tx, rows, options, restricted)
          const begun = await beginImport(tx, 'file')
          const { allowRemovals = options.complete?.allowRemovals ?? 0 } = options
          const judge = judgeOf({
            database,
            tx,
            begun,
            kind: 'file',
            allowRemovals,
            complete: options.complete,
          })
          const report = await importRows(tx, rows, { ...options, judge }, restricted)
          await endImport(tx, begun, {
            sources: report.sources,
            counts: countsOf(report),
            isPermitted: allowRemovals > 0,
          })
          await options.beforeCommit?.(tx, report, begun.id)
          return report
        },
        { statementTimeoutMs: 0 },
      ),
    {
      follows: () => !options.dryRun,
      ...(options.beforeFollowed && { beforeCommit: options.beforeFollowed }),
    },
  )
  if (!options.dryRun && report.inserted + report.updated + report.withdrawn > 0) await tidyListings(database)
  return report
}

/** The numbers of a report, for the log of imports. */
export function countsOf(report: ImportReport): ImportCounts {
  const {
    read,
    inserted,
    updated,
    unchanged,
    takenOver,
    withdrawn,
    duplicates,
    rejected,
    withheld,
    removed,
  } = report
  return { read, inserted, updated, unchanged, takenOver, withdrawn, duplicates, rejected, withheld, removed }
}

/**
 * Runs the import in the caller's transaction.
 *
 * @param restricted notes the restrictions of the rows. undefined: the rows state no rights, or these were judged before
 */
export async function importRows(
  tx: Queryable,
  rows: SourceRows,
  {
    source = DEFAULT_SOURCE,
    dryRun = false,
    strict = false,
    merge = false,
    complete,
    allowRemovals = 0,
    use,
    isPage = false,
    onAccepted,
    judge,
    onNote,
    onProgress = () => {},
  }: ImportOptions = {},
  restricted?: RestrictedHomes,
): Promise<ImportReport> {
  const sourceOf = typeof source === 'string' ? () => source : source
  // A dry run writes identities like a real import, and rolls them back.
  if (dryRun) await tx.query('savepoint dry_run')
  await createStage(tx)
  const merger = merge ? await RowMerger.create(tx) : undefined
  const send = (batch: ListingBatch) => {
    merger?.sent()
    return dryRun ? stageBatch(tx, batch) : storeBatch(tx, batch)
  }
  const notes = new ImportNotes(onNote)
  const positions = new RowPositions()
  const rejectedHomes = complete && new RejectedHomes()
  const rights = newRightsCounts()
  const identified = identifyRows(tx, rows, sourceOf)
  const judgeAlone = (row: SourceRow, from: string) =>
    judgeRow(row, from, restricted ? { use, fields: rights.fields } : 'judged')
  const { read, inserted, sources } = await stageRows(merger ? merger.withBases(identified) : identified, {
    judge: (row) => {
      const verdict = merger ? merger.judge(row, sourceOf(row), judgeAlone) : judgeAlone(row, sourceOf(row))
      if ('listing' in verdict) onAccepted?.(verdict.listing)
      return verdict
    },
    sourceOf,
    send,
    notes,
    positions,
    rights,
    rejectedHomes,
    restricted,
    onRead: (read) => onProgress({ phase: 'reading', read, rejected: notes.rejected }),
  })
  const { rejections, rejected, withheld, warnings } = notes
  const accepted = read - rejected - withheld
  const [first] = rejections
  // Restrictions are applied even if none of the rows can be used.
  if (rejected === read && first && !isPage && !(restricted?.forbids && (await restricted.isAnyStored()))) {
    throw new ImportFailure(
      `None of the ${read} rows is a record: ${placeOf(first)} ${first.reason}. Nothing was changed.`,
    )
  }
  if (strict) refuseNotes(notes)
  if (restricted) await requireUnderstood(restricted, allowRemovals, rights.firstUnread)
  const removed = restricted?.forbids ? await restricted.withhold(tx) : 0
  rejectedHomes?.zpids.push(...(complete?.present ?? []))
  const withdrawn = rejectedHomes
    ? await stageWithdrawn(tx, { ...complete!, isJudged: judge !== undefined && !dryRun }, rejectedHomes)
    : 0
  const staged = accepted - inserted + withdrawn
  const onMoved = (stored: number) => onProgress({ phase: 'storing', stored, of: staged })
  const { stored, ...all } = dryRun
    ? { ...(await compareStaged(tx)), stored: [] }
    : { inserted, ...(await moveStaged(tx, staged, onMoved, KEPT_REJECTIONS)) }
  const moved = { ...all, updated: all.updated - withdrawn }
  const duplicates = accepted - moved.inserted - moved.updated - moved.unchanged
  if (duplicates > 0) {
    const repeated = await findRepeated(tx, stored, onNote ? MAX_NOTED : KEPT_REJECTIONS)
    for (const { position, zpid } of repeated) notes.repeat(positions.placeOf(position), zpid)
  }
  if (dryRun) await tx.query('rollback to savepoint dry_run')
  else {
    // Before addresses are hidden, which uses the staging table.
    await judge?.({
      sources: [...sources.keys()].sort(),
      counts: { read, ...moved, withdrawn, duplicates, rejected, withheld, removed },
      rejected: rejectedHomes?.zpids ?? [],
      hasWithdrawn: rejectedHomes !== undefined,
    })
    if (restricted?.forbids) await restricted.hideAddresses(tx)
    if (rights.addressesHidden > 0) await forgetHiddenSummaries(tx, [...sources.keys()])
    if (!isPage || accepted > 0) await recordSources(tx, sources)
  }
  return {
    read,
    ...moved,
    withdrawn,
    duplicates,
    duplicateRows: notes.duplicates,
    rejected,
    rejections,
    warnings,
    sources: [...sources.keys()].sort(),
    withheld,
    withheldReasons: rights.withheld,
    removed,
    addressesHidden: rights.addressesHidden,
    rightsFields: [...rights.fields].sort(),
  }
}

// These rows are read into memory.
const MAX_NOTED = 1_000_000

/** @throws {ImportFailure} when there is a rejected row, or a warning that is no notice. */
function refuseNotes({ rejected, rejections, warnings: all }: ImportNotes): void {
  const warnings = all.filter(({ code }) => !NOTICES.has(code))
  const count = warnings.reduce((sum, warning) => sum + warning.count, 0)
  const first = rejections[0] ?? warnings[0]?.rows[0]
  if (!first) return
  throw new ImportFailure(
    `The import has ${rejected} rejected rows and ${count} warnings, and --strict allows none: ${placeOf(first)} ` +
      `${first.reason}. Nothing was changed.`,
  )
}

/** Updates statistics and the visibility map, which searches depend on. Autovacuum would do it about a minute later. */
export async function tidyListings(database: Database): Promise<void> {
  await database.query('vacuum (analyze) listings').catch(() => {
    // The import is done, and autovacuum will make up for this.
  })
}
