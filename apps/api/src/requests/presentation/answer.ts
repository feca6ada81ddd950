// Responses without homes: an account, a key, a job, and lists of them. Nothing here has a source to name.

import type { Call } from '../engine/call.ts'
import type { Body, PricedResult } from '../engine/operation-result.ts'
import { chooseFormat } from './format.ts'

/** One thing, at the price of a call. */
export function deliver<Answer extends Body>(body: Answer): PricedResult<200, Answer> {
  return { status: 200, units: 1, body: () => body }
}

type QueryValues = Readonly<Record<string, string | number | undefined>>

export interface TableAsked {
  readonly query: QueryValues & { readonly format?: string | undefined }
  readonly call: Pick<Call, 'accept' | 'endpoint'>
  /** Of all pages, where that is known. */
  readonly total?: number
  /** The query of the next page; undefined: this is the last one. */
  readonly next: QueryValues | undefined
}

/** A page of a list: as JSON, or as CSV or NDJSON where that was asked for. */
export function deliverTable<Row extends object, Meta extends object>(
  rows: readonly Row[],
  meta: Meta,
  { query, call, total, next }: TableAsked,
): PricedResult<200, { data: readonly Row[]; meta: Meta }> {
  return {
    status: 200,
    units: rows.length,
    body: () => ({ data: rows, meta }),
    table: {
      format: chooseFormat(query.format, call.accept),
      rows,
      ...(total !== undefined && { total }),
      ...(next && { next: nextPage(call.endpoint, next) }),
    },
  }
}

/** The same call, further on; a format that was asked for by the header is asked for by the header again. */
export function nextPage(path: string, query: QueryValues): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  return `${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`
}
