// The source of the rows of a file. The operator names it with --source; otherwise it is named after its file, without the date, so that
// next week's file belongs to the same source.

import { basename } from 'node:path'
import { DEFAULT_SOURCE, SAMPLE_SOURCE } from '../listings/listing-source.ts'
import { ImportFailure, type RowPlace } from './source-row.ts'

const EXTENSIONS = /(?:\.(?:gz|csv|tsv|txt|ndjson|jsonl|json))+$/
const COPY = /\s*\(\d+\)$/
const MONTH = '(?:0[1-9]|1[0-2])'
const DAY = '(?:0[1-9]|[12]\\d|3[01])'
const TIME = '(?:[-_.t]?\\d\\d[-_.]?\\d\\d(?:[-_.]?\\d\\d)?z?)?'
/** 2026-11-22, 20261122T081500Z, 2026-11-22-08-15-00, 11-22-2026, 2026-11, 2026. */
const DATES = new RegExp(
  `(?<!\\d)(?:(?:19|20)\\d\\d[-_.]?${MONTH}[-_.]?${DAY}${TIME}|${MONTH}[-_.]${DAY}[-_.](?:19|20)\\d\\d|(?:19|20)\\d\\d(?:[-_.]?${MONTH})?)(?!\\d)`,
  'g',
)

/** The source that a file is named after: `Redfin_2026-11-22.csv.gz` is `redfin`. */
export function sourceOfFile(path: string): string {
  const name = basename(path).toLowerCase().replace(EXTENSIONS, '').replace(COPY, '').replace(DATES, '-')
  const source = name
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '')
  return /[a-z]/.test(source) ? source : DEFAULT_SOURCE
}

/**
 * The source of each row of an import of these files: `named`, or else the source of its file.
 *
 * @throws {ImportFailure} when a file would get the source of the sample
 */
export function sourcesOfFiles(paths: readonly string[], named?: string): (place: RowPlace) => string {
  if (named !== undefined) return () => named
  const sources = new Map(paths.map((path) => [path, sourceOfFile(path)]))
  for (const [path, source] of sources) {
    if (source === SAMPLE_SOURCE)
      throw new ImportFailure(
        `${path} would get the source "${SAMPLE_SOURCE}", which is the built-in sample. Name its source with --source NAME.`,
      )
  }
  // Only rows of several files name their file.
  return ({ file }) => sources.get(file ?? paths[0]!)!
}
