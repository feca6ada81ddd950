// A data set of 180,000 listings: the short records, and as many shifted copies of them as are missing.

import { join } from 'node:path'
import { describeHomes, writeHomes } from './homes.ts'
import { importFiles } from './processes/import-files.ts'
import { findShortRecords } from './short-records.ts'
import type { Stage } from './stage.ts'

const LARGE_LISTINGS = 180_000

export interface Large {
  readonly stage: Stage
  /** How the listings are called that a search finds. */
  readonly status: 'sold' | 'for_sale'
  /** A description of the listings for the report. */
  readonly note: string
}

export async function fillLarge(stage: Stage, directory: string): Promise<Large> {
  const { files, kind, status } = await findShortRecords(directory)
  const { read } = await importFiles(stage.dataDir, files)
  const missing = { from: read, to: LARGE_LISTINGS }
  await importFiles(stage.dataDir, [await writeHomes(files, missing, join(directory, 'copies.ndjson'))])
  return { stage, status, note: describeHomes(kind, read, LARGE_LISTINGS) }
}
