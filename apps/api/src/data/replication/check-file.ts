// Checks a connected file: what an import of it would do, and which rights its rows state. Nothing is stored.

import type { Database } from '../../infrastructure/database.ts'
import { columnsRead } from '../ingest/compile-mapping.ts'
import { type ImportReport, importListings } from '../ingest/import-listings.ts'
import { parseMapping } from '../ingest/mapping.ts'
import { isRightsField } from '../rights/row-rights.ts'
import { mergesRows, openFeedFile, readRows } from './file-source.ts'
import type { FileSettings } from './source-store.ts'

export interface CheckedFile
  extends Pick<
    ImportReport,
    | 'read'
    | 'inserted'
    | 'updated'
    | 'unchanged'
    | 'duplicates'
    | 'addressesHidden'
    | 'rightsFields'
    | 'rejected'
    | 'rejections'
  > {
  /** Rows that may not be stored, by reason. */
  readonly withheld: Readonly<Record<string, number>>
  /** Stored homes that an import would remove because a row forbids to show them. */
  readonly removed: number
  /** With `--complete`: stored homes that the file lacks. They would go off the market. */
  readonly withdrawn: number
  /** Columns of CSV that the mapping reads, and those that it does not. undefined: the file is NDJSON. */
  readonly columns?: { readonly mapped: readonly string[]; readonly unknown: readonly string[] }
}

const MAX_SHOWN = 100

/**
 * @throws {FeedFailure} when the server does not send the file
 * @throws {ImportFailure} when it cannot be imported
 */
export async function checkFile(
  database: Database,
  name: string,
  settings: FileSettings,
  { signal, dataDir }: { readonly signal: AbortSignal; readonly dataDir?: string },
): Promise<CheckedFile> {
  const file = (await openFeedFile({ settings, signal, ...(dataDir !== undefined && { dataDir }) }, null))!
  let header: readonly string[] | undefined
  const onHeader = (columns: readonly string[]) => {
    header = columns.map((column) => column.trim())
  }
  try {
    const report = await importListings(database, readRows(file, settings, onHeader), {
      // The check shows the whole effect, including removals that a limit would refuse.
      source: name,
      dryRun: true,
      allowRemovals: Number.MAX_SAFE_INTEGER,
      merge: mergesRows(settings),
      ...(settings.use !== undefined && { use: settings.use }),
      // No limit, because the check shows how many there are.
      ...(settings.complete && { complete: { sources: [name], allowRemovals: Number.MAX_SAFE_INTEGER } }),
    })
    const { read, inserted, updated, unchanged, duplicates, addressesHidden, rightsFields } = report
    return {
      read,
      inserted,
      updated,
      unchanged,
      duplicates,
      addressesHidden,
      rightsFields,
      withheld: report.withheldReasons,
      removed: report.removed,
      rejected: report.rejected,
      withdrawn: report.withdrawn,
      rejections: report.rejections.slice(0, MAX_SHOWN),
      ...(header && { columns: describeColumns(header, settings) }),
    }
  } finally {
    await file.close()
  }
}

function describeColumns(
  header: readonly string[],
  { mapping }: FileSettings,
): NonNullable<CheckedFile['columns']> {
  const read = columnsRead(parseMapping(mapping!, 'the mapping'), header)
  const isRead = (column: string) => read.has(column) || isRightsField(column)
  return { mapped: header.filter(isRead), unknown: header.filter((column) => !isRead(column)) }
}
