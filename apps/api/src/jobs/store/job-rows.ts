// The rows of a result. They lie by position without gaps, so that any page is read by its keys, the last as fast as the
// first. They are read in pieces, each when the one before has been taken: memory does not grow with the page, and a
// reader who dawdles holds no connection.

import type { JobStatus, JobType } from '@lotline/contract'
import type { Database, Queryable } from '../../database/database.ts'
import type { RowBytes } from '../../formats/stored-rows.ts'
import type { DataSource } from '../../sources/origin.ts'
import type { JobId, TruncatedBy } from '../job.ts'
import { READABLE } from './find-jobs.ts'

export interface Result {
  readonly type: JobType
  readonly status: JobStatus
  readonly rowCount: number
  readonly truncatedBy: TruncatedBy | null
  /** Dotted names for CSV; null until the columns of a result of records are first needed. */
  readonly columns: readonly string[] | null
  /** Of the rows that name no source of their own; null: each row names its own, or it was found by an earlier version. */
  readonly source: DataSource | null
}

const FIND = `
  select type, status, row_count as "rowCount", truncated_by as "truncatedBy", columns, source
  from jobs where account_id = $1 and id = $2 and ${READABLE}`

/** undefined: there is no such job of this account, or it is kept no more. */
export async function findResult(
  database: Queryable,
  { accountId, jobId }: JobId,
): Promise<Result | undefined> {
  const { rows } = await database.query<Result>(FIND, [accountId, jobId], { name: 'find_result' })
  return rows[0]
}

/** Search rows are small, records are not. */
const ROWS_AT_A_TIME: Readonly<Record<JobType, number>> = {
  search: 250,
  building_units: 250,
  batch_detail: 25,
  chained_search_detail: 25,
}

// Put together by PostgreSQL, which sends them as one text instead of as many rows; null where one of them is missing.
const READ = `
  select case when count(*) = $4::integer - $3::integer then string_agg(body, $5 order by position) end from job_rows
  where account_id = $1 and job_id = $2 and position >= $3::integer and position < $4::integer`

/** The rows from `from` up to `to`, which must exist, some at a time, with `separator` between those of a piece. */
export async function* readRows(
  database: Database,
  { accountId, jobId }: JobId,
  type: JobType,
  { from, to, separator }: { readonly from: number; readonly to: number; readonly separator: string },
): AsyncGenerator<RowBytes, void, undefined> {
  for (let at = from; at < to; at += ROWS_AT_A_TIME[type]) {
    const end = Math.min(to, at + ROWS_AT_A_TIME[type])
    const rows = await database.readBytes(READ, [accountId, jobId, at, end, separator])
    if (!rows) throw new Error(`Not all of the rows ${at} to ${end} are there.`)
    yield rows
  }
}

export async function keepColumns(
  database: Queryable,
  { accountId, jobId }: JobId,
  columns: readonly string[],
): Promise<void> {
  await database.query('update jobs set columns = $3 where account_id = $1 and id = $2', [
    ...[accountId, jobId, columns],
  ])
}
