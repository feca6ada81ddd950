// The source of a listing: the feed or file that provides it, with the counts of its last import.

import type { Queryable } from '../../infrastructure/database.ts'

/** The source of the sample, which no import may use. */
export const SAMPLE_SOURCE = 'sample'
/** The source of files whose name has no words, such as `2026-11-22.csv`. */
export const DEFAULT_SOURCE = 'import'

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/
export const NAME_RULE = '1 to 63 lowercase letters, digits, dots, hyphens and underscores'

export function isSourceName(text: string): boolean {
  return NAME.test(text)
}

/** The counts of an import for one source. */
export interface SourceCounts {
  read: number
  rejected: number
  /** Rows that may not be stored. */
  withheld: number
  warnings: number
  /** The first `KEPT_REJECTIONS_OF_SOURCE` rejected rows. */
  readonly rejections: SourceRejection[]
}

export interface SourceRejection {
  readonly file?: string | undefined
  readonly line: number
  readonly reason: string
}

/** The number of rejected rows of the last import that are kept for each source. */
export const KEPT_REJECTIONS_OF_SOURCE = 20

const RECORD = `
  insert into listing_sources (name, read_rows, rejected_rows, warnings, rejections, withheld_rows)
  select name, read, rejected, warnings, rejections::jsonb, withheld
  from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[])
    as counted (name, read, rejected, warnings, rejections, withheld)
  on conflict (name) do update set imported_at = now(), emptied_at = null, read_rows = excluded.read_rows,
    rejected_rows = excluded.rejected_rows, warnings = excluded.warnings, rejections = excluded.rejections,
    withheld_rows = excluded.withheld_rows`

/** Records that these sources have just been imported, for `listings stats` and the metrics. */
export async function recordSources(
  tx: Queryable,
  sources: ReadonlyMap<string, SourceCounts>,
): Promise<void> {
  const counts = [...sources.values()]
  await tx.query(RECORD, [
    [...sources.keys()],
    counts.map(({ read }) => read),
    counts.map(({ rejected }) => rejected),
    counts.map(({ warnings }) => warnings),
    counts.map(({ rejections }) => JSON.stringify(rejections).replaceAll('\\u0000', '')),
    counts.map(({ withheld }) => withheld),
  ])
}

/** The last import of a source. */
export interface SourceImport {
  readonly name: string
  readonly imported_at: Date
  readonly read_rows: number
  readonly rejected_rows: number
  readonly warnings: number
  /** The first rejected rows. */
  readonly rejections: readonly SourceRejection[]
}

/** The sources with the latest imports, without those whose listings were all removed. */
export async function listImports(database: Queryable, limit: number): Promise<SourceImport[]> {
  const { rows } = await database.query<SourceImport>(
    `select name, imported_at, read_rows, rejected_rows, warnings, rejections from listing_sources
     where emptied_at is null order by imported_at desc, name limit $1`,
    [limit],
  )
  return rows
}

/** Replaces the counts of the last piece of a run with those of the whole run. */
export async function recordCounts(
  database: Queryable,
  source: string,
  { read, rejected }: { readonly read: number; readonly rejected: number },
): Promise<void> {
  await database.query('update listing_sources set read_rows = $2, rejected_rows = $3 where name = $1', [
    source,
    read,
    rejected,
  ])
}

/** All sources that ever provided a listing, in alphabetical order. */
export async function listSources(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>('select name from listing_sources order by name')
  return rows.map(({ name }) => name)
}

/** The number of listings of the sample in the data set. */
export async function countSample(database: Queryable): Promise<number> {
  // Avoids counting all listings if the sample was never loaded, or was removed.
  const { rows } = await database.query<{ count: number }>(
    `select count(*) as count from listings l
     where l.source = $1 and exists (select 1 from listing_sources where name = $1 and emptied_at is null)`,
    [SAMPLE_SOURCE],
  )
  return rows[0]!.count
}
