// Reads the rows of a result. Positions have no gaps, so any page is read by its keys, the last page as fast as the first. Rows are read in
// pieces on demand: memory does not grow with the page, and a slow client holds no connection.
// Rows are sent as their stored bytes, unless their home is withheld (record/withheld.ts): a piece with such a row is read row by row. Each
// statement reads rows and withheld homes together, so that a row that is read after the commit that withholds its home is sent without it.
// Why: decisions/work/result-rows-by-copy.md

import type { JobStatus, JobType } from '@lotline/contract'
import { withheldDigest, withheldOf } from '../../../data/rights.ts'
import { type DataSource, ProviderFailure, ProviderTimeout } from '../../../data/sources.ts'
import type { RowBytes } from '../../../domain/formats.ts'
import { type StoredRow, type UncheckedFields, type Withheld, withheldRow } from '../../../domain/record.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../../../infrastructure/database.ts'
import type { JobId, TruncatedBy } from '../job.ts'
import { READABLE } from './find-jobs.ts'

export interface JobResult {
  readonly type: JobType
  readonly status: JobStatus
  readonly rowCount: number
  readonly truncatedBy: TruncatedBy | null
  /** Dotted names for CSV; null until the columns of a result of records are first needed. */
  readonly columns: readonly string[] | null
  /** The source of rows that do not name their own; null: each row names its own, or an earlier version stored it. */
  readonly source: DataSource | null
  /** A digest of the result's withheld homes and their withheld fields; null: the result has none. */
  readonly withheld: string | null
}

/**
 * SQL: whether rows of the job `j` can contain data that was withheld later than this. Data that was withheld earlier was no longer found;
 * no transaction takes two days.
 */
const BEGUN = `j.created_at - interval '2 days'`

const FIND = `
  select type, status, row_count as "rowCount", truncated_by as "truncatedBy", columns, source,
    ${withheldDigest('select from job_rows r where r.account_id = j.account_id and r.job_id = j.id and r.zpid = w.zpid', BEGUN)}
      as withheld
  from jobs j where account_id = $1 and id = $2 and ${READABLE}`

/**
 * undefined: the account has no such job, or its retention has ended. @throws {ProviderFailure|ProviderTimeout} if the database cannot be
 * read (see `orUnreadable`): the statement also looks for rows of withheld homes
 */
export async function findResult(
  database: Queryable,
  { accountId, jobId }: JobId,
): Promise<JobResult | undefined> {
  const { rows } = await orUnreadable(() =>
    database.query<JobResult>(FIND, [accountId, jobId], { name: 'find_result' }),
  )
  return rows[0]
}

/** @throws {ProviderFailure|ProviderTimeout} when the stored rows cannot be read: for the client, a stored result is a data source */
export async function orUnreadable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    // The SQLSTATE of a statement that took too long.
    const isLate = (error as { cause?: { code?: unknown } }).cause?.code === '57014'
    if (error instanceof DatabaseUnavailable) {
      if (isLate) throw new ProviderTimeout('Reading stored rows took too long', { cause: error })
      throw error
    }
    throw new ProviderFailure('Stored rows cannot be read', { cause: error })
  }
}

/** Rows of a piece. Search rows are small, records are large. */
const ROWS_AT_A_TIME: Readonly<Record<JobType, number>> = {
  search: 250,
  building_units: 250,
  batch_detail: 25,
  chained_search_detail: 25,
}

/**
 * SQL: the rows of a piece, with the withheld fields of their homes. Each home costs one index lookup in a small table. Rows without a
 * source get the source in $5, if it is not empty. No text value of a row can be mistaken for that field's name, because quotes inside
 * texts are escaped.
 */
const PIECE = `
  select r.position, case
      when $5 = '' or position('"source":{' in r.body) > 0 then r.body
      else left(r.body, -1) || ',"source":' || $5 || '}' end as body,
    ${withheldOf('r.zpid', `(select ${BEGUN} from jobs j where j.account_id = $1 and j.id = $2)`)} as withheld
  from job_rows r
  where r.account_id = $1 and r.job_id = $2 and r.position >= $3::integer and r.position < $4::integer`

// PostgreSQL joins the rows and sends them as one text. null: a row is missing or withheld.
const READ = `
  select case when count(*) = $4::integer - $3::integer and count(withheld) = 0 then string_agg(body, $6 order by position) end
  from (${PIECE}) as piece`
const READ_EACH = `select body, withheld from (${PIECE}) as piece order by position`

const KIND_OF_ROWS: Readonly<Record<JobType, StoredRow>> = {
  search: 'search',
  building_units: 'unit',
  batch_detail: 'record',
  chained_search_detail: 'record',
}

export interface RowRange {
  readonly from: number
  readonly to: number
  /** The separator between the rows of a piece. */
  readonly separator: string
  /** The source to add to rows that do not name their own. Default: no source is added. */
  readonly source?: DataSource | undefined
}

/** Yields the rows from `from` up to `to`, in pieces. All of them must exist. */
export async function* readRows(
  database: Database,
  { accountId, jobId }: JobId,
  type: JobType,
  { from, to, separator, source }: RowRange,
): AsyncGenerator<RowBytes, void, undefined> {
  for (let at = from; at < to; at += ROWS_AT_A_TIME[type]) {
    const end = Math.min(to, at + ROWS_AT_A_TIME[type])
    const piece = [accountId, jobId, at, end, source ? JSON.stringify(source) : ''] as const
    yield (await database.readBytes(READ, [...piece, separator])) ??
      (await readEach(database, piece, type, separator))
  }
}

/** @throws {Error} if a row is missing */
async function readEach(
  database: Database,
  piece: readonly [accountId: string, jobId: string, from: number, to: number, source: string],
  type: JobType,
  separator: string,
): Promise<RowBytes> {
  const [, , from, to] = piece
  const { rows } = await database.query<{ body: string; withheld: Withheld | null }>(READ_EACH, [...piece])
  if (rows.length !== to - from)
    throw new Error(`Rows ${from} to ${to} of the job's result are incomplete: found ${rows.length}.`)
  const bodies = rows.map(({ body, withheld }) =>
    withheld === null
      ? body
      : JSON.stringify(withheldRow(JSON.parse(body) as UncheckedFields, KIND_OF_ROWS[type], withheld)),
  )
  return [Buffer.from(bodies.join(separator))]
}

export async function keepColumns(
  database: Queryable,
  { accountId, jobId }: JobId,
  columns: readonly string[],
): Promise<void> {
  await database.query('update jobs set columns = $3 where account_id = $1 and id = $2', [
    accountId,
    jobId,
    columns,
  ])
}
