import { SEPARATORS, storedToCsv, storedToJson, storedToNdjson } from '../../domain/formats.ts'
import type { SignedCursors } from '../../infrastructure/database.ts'
import { refuseAt, refuseFor } from '../../infrastructure/refusals.ts'
import type { Jobs } from '../../work/jobs.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { chooseFormat } from './deliver.ts'
import { refuseUnknownJob } from './getJob.ts'
import { refuseTwoPlaces } from './list-page.ts'

export interface GetJobResultsDeps {
  readonly jobs: Jobs
  readonly listCursors: SignedCursors
}

export function getJobResults({ jobs, listCursors }: GetJobResultsDeps): HandlerOf<'getJobResults'> {
  return ({ params, query }, call) => {
    const twice = refuseTwoPlaces(query.cursor, query.offset)
    if (twice) return twice
    return async () => {
      const { accountId } = call.principal
      const id = { accountId, jobId: params.id }
      // Rows never move: the number of a row is its place for good.
      const own = await listCursors.of(['getJobResults', accountId, params.id.toLowerCase()])
      const begin = query.cursor === undefined ? [query.offset] : own.read(query.cursor)
      const result = await jobs.findResult(id)
      if (!result) return refuseUnknownJob()
      if (result.status !== 'succeeded') {
        return refuseFor(
          'job_not_ready',
          result.status === 'queued' || result.status === 'running' ? 'status' : 'ended',
          { status: result.status },
          { status: result.status },
        )
      }
      if (begin === 'other') return refuseAt('invalid_cursor', 'other_list', 'cursor', {})
      if (begin === 'unknown') return refuseAt('invalid_cursor', 'unknown', 'cursor', {})
      const { limit } = query
      const offset = begin[0] as number
      const format = chooseFormat(query.format, call.accept)
      const { count, pieces } = await jobs.openPage(id, result, {
        limit,
        offset,
        separator: SEPARATORS[format],
        isTable: format !== 'json',
      })
      const total = result.rowCount
      const hasMore = offset + count < total && count > 0
      const next = hasMore ? own.write([offset + limit]) : undefined
      const { truncatedBy, source } = result
      const meta = {
        count,
        total,
        limit,
        offset,
        has_more: hasMore,
        ...(next !== undefined && { next_cursor: next }),
        ...(truncatedBy && { truncated: true, truncated_by: truncatedBy }),
        ...(source && count > 0 && { source }),
        ...(call.ignored && { ignored: call.ignored }),
      }
      return {
        status: 200,
        units: 1,
        // A finished result changes only when a home of it is withheld, or is shown again.
        data: { version: `${params.id} ${result.withheld ?? ''}`, format },
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
          ...(source && count > 0 && { source: source.name }),
          ...(hasMore && {
            next: nextPage(call.endpoint, {
              ...query,
              ...(query.cursor === undefined
                ? { limit, offset: offset + limit }
                : { limit, offset: undefined, cursor: next }),
            }),
          }),
        },
      }
    }
  }
}

/** The same call, further on; a format that was asked for by the header is asked for by the header again. */
export function nextPage(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
