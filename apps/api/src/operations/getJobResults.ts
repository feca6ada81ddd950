import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { SEPARATORS, storedToCsv, storedToJson, storedToNdjson } from '../formats/stored-rows.ts'
import { refuseFor } from '../platform/refusal.ts'
import { chooseFormat } from './deliver.ts'
import { refuseUnknownJob } from './getJob.ts'

export function getJobResults({ jobs }: App): HandlerOf<'getJobResults'> {
  return ({ params, query }, call) =>
    async () => {
      const id = { accountId: call.principal.accountId, jobId: params.id }
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
      const { limit, offset } = query
      const format = chooseFormat(query.format, call.accept)
      const { count, pieces } = await jobs.openPage(id, result, {
        ...{ limit, offset },
        separator: SEPARATORS[format],
        isTable: format !== 'json',
      })
      const total = result.rowCount
      const hasMore = offset + count < total && count > 0
      const { truncatedBy, source } = result
      const meta = {
        ...{ count, total, limit, offset, has_more: hasMore },
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
          ...{ count, total, truncatedBy },
          ...(source && count > 0 && { source: source.name }),
          ...(hasMore && { next: nextPage(call.endpoint, { ...query, limit, offset: offset + limit }) }),
        },
      }
    }
}

/** The same call, further on; a format that was asked for by the header is asked for by the header again. */
export function nextPage(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
