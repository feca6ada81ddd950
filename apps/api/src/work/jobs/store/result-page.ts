// One page of a result, as bytes to send. The first piece is read before the response begins, so that unreadable rows still lead to an
// error response.

import type { DataSource } from '../../../data/sources.ts'
import { parseRows, type RowBytes, SEPARATORS, type TextPieces } from '../../../domain/formats.ts'
import type { Database } from '../../../infrastructure/database.ts'
import type { JobId } from '../job.ts'
import { type JobResult, keepColumns, orUnreadable, readRows } from './job-rows.ts'
import { extendColumns } from './result-columns.ts'

export interface ResultPage {
  readonly count: number
  readonly pieces: TextPieces
}

export interface PageOrder {
  readonly limit: number
  readonly offset: number
  /** The separator between two rows of a piece. */
  readonly separator: string
  /** Whether each row repeats its attribution, because the format has no place for common data. */
  readonly isTable: boolean
}

/** @throws {ProviderFailure|ProviderTimeout} when the stored rows cannot be read: for the client, a stored result is a data source */
export async function openPage(
  database: Database,
  id: JobId,
  result: JobResult,
  { limit, offset, separator, isTable }: PageOrder,
): Promise<ResultPage> {
  const from = Math.min(offset, result.rowCount)
  const to = Math.min(from + limit, result.rowCount)
  const reading = readRows(database, id, result.type, {
    from,
    to,
    separator,
    source: isTable ? sourceOfRows(result) : undefined,
  })
  const first = await orUnreadable(() => reading.next())
  async function* pieces(): AsyncGenerator<RowBytes, void, undefined> {
    if (first.done) return
    yield first.value
    yield* reading
  }
  return { count: to - from, pieces: pieces() }
}

/**
 * The columns of the whole result. The columns of records are collected when they are first needed, and then stored. A result with withheld
 * homes also has a column for that.
 */
export async function findColumns(
  database: Database,
  id: JobId,
  result: JobResult,
): Promise<readonly string[]> {
  const columns = await findKeptColumns(database, id, result)
  const source = Object.keys(sourceOfRows(result) ?? {}).map((name) => `source.${name}`)
  return [...new Set([...columns, ...source, ...(result.withheld ? ['withheld'] : [])])]
}

/** The attribution of rows that do not name their own source. undefined: the source requires none. */
function sourceOfRows({ source }: JobResult): DataSource | undefined {
  return source?.attribution == null ? undefined : source
}

async function findKeptColumns(database: Database, id: JobId, result: JobResult): Promise<readonly string[]> {
  if (result.columns) return result.columns
  let columns: readonly string[] = []
  await orUnreadable(async () => {
    const all = { from: 0, to: result.rowCount, separator: SEPARATORS.csv }
    for await (const piece of readRows(database, id, result.type, all)) {
      columns = extendColumns(columns, parseRows(piece))
    }
    await keepColumns(database, id, columns)
  })
  return columns
}
