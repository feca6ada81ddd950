// A page of the result of a job: rows that were paid for and are stored as text. The job reads them, withholds what must no longer be
// shown, and writes the attribution into the rows of CSV and NDJSON; `meta.source` names the source of the rows that name none.

import { SEPARATORS, storedToCsv, storedToJson, storedToNdjson } from '../../domain/formats.ts'
import type { Jobs } from '../../work/jobs.ts'
import type { Call } from '../engine/call.ts'
import type { PricedResult } from '../engine/operation-result.ts'
import { nextPage } from './answer.ts'
import { chooseFormat } from './format.ts'

export interface StoredRowsAsked {
  readonly query: {
    readonly [name: string]: string | number | undefined
    readonly format?: string
    readonly cursor?: string
    readonly limit: number
  }
  readonly offset: number
  /** The cursor of the rows from `offset` on. */
  cursorAt(offset: number): string
}

export async function presentStoredRows(
  { jobs }: { readonly jobs: Pick<Jobs, 'openPage' | 'findColumns'> },
  id: Parameters<Jobs['openPage']>[0],
  result: Parameters<Jobs['openPage']>[1],
  { query, offset, cursorAt }: StoredRowsAsked,
  call: Call,
) {
  const { limit } = query
  const format = chooseFormat(query.format, call.accept)
  const { count, pieces } = await jobs.openPage(id, result, {
    limit,
    offset,
    separator: SEPARATORS[format],
    isTable: format !== 'json',
  })
  const { truncatedBy, rowCount: total } = result
  const source = result.source && count > 0 ? result.source : undefined
  const hasMore = offset + count < total && count > 0
  const next = hasMore ? cursorAt(offset + limit) : undefined
  const meta = {
    count,
    total,
    limit,
    offset,
    has_more: hasMore,
    ...(next !== undefined && { next_cursor: next }),
    ...(truncatedBy && { truncated: true, truncated_by: truncatedBy }),
    ...(source && { source }),
    ...(call.ignored && { ignored: call.ignored }),
  }
  const place = query.cursor === undefined ? { offset: offset + limit } : { offset: undefined, cursor: next }
  return {
    status: 200,
    units: 1,
    // A finished result changes only when a home of it is withheld, or is shown again.
    data: { version: `${id.jobId} ${result.withheld ?? ''}`, format },
    body: () => undefined,
    page: {
      format,
      text:
        format === 'json'
          ? storedToJson(pieces, { meta, request_id: call.requestId })
          : format === 'ndjson'
            ? storedToNdjson(pieces)
            : storedToCsv(pieces, await jobs.findColumns(id, result)),
      count,
      total,
      truncatedBy,
      ...(source && { source: source.name }),
      ...(hasMore && { next: nextPage(call.endpoint, { ...query, ...place }) }),
    },
  } satisfies PricedResult<200, undefined>
}
