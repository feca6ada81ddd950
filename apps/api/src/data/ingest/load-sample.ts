// Loads the sample on a fresh machine: once, into a data set that never had a listing.

import { readSample, type SampleOptions } from '@lotline/sample'
import type { Database } from '../../infrastructure/database.ts'
import { beginImport, endImport } from '../imports/import-log.ts'
import { SAMPLE_SOURCE } from '../listings/listing-source.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { countsOf, type ImportReport, importRows, tidyListings } from './import-listings.ts'
import type { SourceRow } from './source-row.ts'

export interface LoadSampleOptions extends SampleOptions {
  /** Called when loading begins, but not if there is nothing to load. */
  readonly onStart?: () => void
}

/**
 * Loads the sample if the data set never had a listing; otherwise returns undefined. If several processes start at the same time, one loads
 * it, and the others wait.
 *
 * @param options `asOf` is today by default
 */
export async function loadSample(
  database: Database,
  { homes, asOf = Date.now(), onStart }: LoadSampleOptions = {},
): Promise<ImportReport | undefined> {
  if (!(await isEmpty(database))) return undefined
  const report = await database.transaction(
    async (tx) => {
      await lockImports(tx)
      if (!(await isEmpty(tx))) return undefined
      onStart?.()
      const begun = await beginImport(tx, 'file')
      const report = await importRows(tx, sampleRows({ asOf, ...(homes !== undefined && { homes }) }), {
        source: SAMPLE_SOURCE,
      })
      await endImport(tx, begun, { sources: report.sources, counts: countsOf(report) })
      return report
    },
    { statementTimeoutMs: 0 },
  )
  if (report) await tidyListings(database)
  return report
}

/** Whether the data set never had a listing: a sample that the operator removed is not loaded again. */
async function isEmpty(database: Pick<Database, 'query'>): Promise<boolean> {
  const { rows } = await database.query<{ empty: boolean }>(
    'select not exists (select 1 from listing_sources) and not exists (select 1 from listings) as empty',
  )
  return rows[0]!.empty
}

async function* sampleRows(options: SampleOptions): AsyncGenerator<SourceRow> {
  let line = 0
  for await (const record of readSample(options)) yield { line: ++line, record }
}
