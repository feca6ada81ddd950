// The rows of an example as a result that can be paged and capped. Without this, a client that follows pages would always
// find a next one, and one that asks for a single row would get two. A request without a size and a page gets the example as
// it is in the contract.

import type { Input } from '@lotline/contract/input'

/** What an answer says about its rows, in `meta` or in headers. */
export interface RowFacts {
  readonly count?: number
  readonly total?: number
  readonly hasMore?: boolean
  readonly truncatedBy?: string
  readonly nextCursor?: string
  /** Where the body cannot say it. */
  readonly ignored?: readonly string[] | undefined
}

export interface RowRequest {
  /** The maximum number of rows. undefined if the caller sets none. */
  readonly limit: number | undefined
  /** The number of rows to skip. */
  readonly offset: number | undefined
  /** That of the page before. Those of the examples lead behind the last row of a list. */
  readonly cursor?: string | undefined
  /** Rows that the caller's limit of credits pays for. Absent: all. */
  readonly affordable?: number
}

export function rowsAsked({ query, body }: Input): RowRequest {
  const { maxItems } = (body ?? {}) as { maxItems?: number }
  const limit = query.limit ?? query.max_items ?? maxItems
  const cursor = query.cursor as string | undefined
  return {
    limit: limit as number | undefined,
    offset: rowsBefore(cursor) ?? (query.offset as number | undefined),
    ...(cursor !== undefined && { cursor }),
  }
}

/** A cursor of the mock: the number of rows before its page. */
export function cursorAt(rows: number): string {
  return `mock.${rows}`
}

/** Reads a cursor. undefined if the mock did not create it. */
export function rowsBefore(cursor: string | null | undefined): number | undefined {
  const [, rows] = /^mock\.(\d{1,9})$/.exec(cursor ?? '') ?? []
  return rows === undefined ? undefined : Number(rows)
}

/** The page of a JSON body with rows; any other body is given back as it is. */
export function pageOfBody(body: unknown, { limit, offset: asked, cursor }: RowRequest): unknown {
  const { data, meta } = body as { data?: unknown; meta?: Readonly<Record<string, unknown>> }
  if (!Array.isArray(data)) return body
  const isPaged = meta !== undefined && 'has_more' in meta
  const isBehindAll = isPaged && cursor !== undefined && rowsBefore(cursor) === undefined
  const offset = isBehindAll ? data.length : asked
  if (limit === undefined && offset === undefined) return body
  const rows = page(data, { limit, offset })
  if (!meta) return { ...(body as object), data: rows }
  const { next_cursor: _, ...others } = meta
  const behind = (offset ?? 0) + rows.length
  return {
    ...(body as object),
    data: rows,
    meta: {
      ...(isPaged ? others : meta),
      ...(rows.length < data.length && 'count' in meta && { count: rows.length }),
      ...(isPaged && {
        // The sums of a summary cover all pages.
        ...(typeof meta.total === 'number' && { total: data.length }),
        ...(limit !== undefined && { limit }),
        ...('offset' in meta && { offset: offset ?? 0 }),
        has_more: behind < data.length,
        ...(behind < data.length && { next_cursor: cursorAt(behind) }),
      }),
    },
  }
}

/** As many of its rows as the caller's limit of credits pays for. */
export function withinLimit(body: unknown, { affordable = Number.POSITIVE_INFINITY }: RowRequest): unknown {
  const { data, meta } = body as { data?: { readonly units?: unknown }; meta?: { readonly count?: number } }
  const rows = Array.isArray(data) ? data : data?.units
  if (!Array.isArray(rows)) return body
  // The record of the building itself is not counted.
  const tooMany = (meta?.count ?? rows.length) - affordable
  if (tooMany <= 0) return body
  const kept = rows.slice(0, rows.length - tooMany)
  return {
    ...(body as object),
    data: Array.isArray(data) ? kept : { ...data, units: kept },
    meta: { ...meta, count: affordable, truncated: true, truncated_by: 'max_credits' },
  }
}

/** The same page of CSV or NDJSON. The texts of the contract have no line break inside a row. */
export function pageOfText(text: string, mediaType: string, asked: RowRequest): string {
  const lines = text.split('\n').filter((line) => line !== '')
  const head = mediaType === 'text/csv' ? lines.slice(0, 1) : []
  const kept = [...head, ...page(lines.slice(head.length), asked).slice(0, asked.affordable)]
  // RFC 4180 ends lines with CRLF, which YAML texts cannot hold.
  const end = mediaType === 'text/csv' ? '\r\n' : '\n'
  return kept.map((line) => line + end).join('')
}

export function countRowsInBody(body: unknown): RowFacts {
  const meta = (body as { meta?: Readonly<Record<string, unknown>> } | undefined)?.meta ?? {}
  return {
    ...(typeof meta.count === 'number' && { count: meta.count }),
    ...(typeof meta.total === 'number' && { total: meta.total }),
    ...(typeof meta.has_more === 'boolean' && { hasMore: meta.has_more }),
    ...(typeof meta.next_cursor === 'string' && { nextCursor: meta.next_cursor }),
    ...(typeof meta.truncated_by === 'string' && { truncatedBy: meta.truncated_by }),
  }
}

function page<T>(rows: readonly T[], { limit, offset = 0 }: RowRequest): readonly T[] {
  return rows.slice(offset, limit === undefined ? undefined : offset + limit)
}
