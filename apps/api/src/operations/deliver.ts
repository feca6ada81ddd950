// The few ways to say "here it is". The walk charges `units` and asks for the body of as many as were granted.

import type { Body, PricedResult, RecordUsed } from '../engine/operation-result.ts'
import { chooseFormat } from '../formats/choose-format.ts'
import {
  type CachedRecord,
  type FoundRecord,
  isCached,
  type RecordCache,
} from '../record-cache/record-cache.ts'

/** One thing, at the price of a call. */
export function deliver<Answer extends Body>(
  body: Answer,
  { record }: { record?: RecordUsed | undefined } = {},
): PricedResult<200, Answer> {
  return { status: 200, units: 1, body: () => body, ...(record && { record }) }
}

export interface RowsAsked {
  readonly format: string | undefined
  readonly accept: string | undefined
  /** undefined: not known. */
  readonly total: number | undefined
}

/** Rows, each at its price: as JSON with `meta.count`, or as CSV or NDJSON where that was asked for. */
export function deliverRows<Row extends object>(
  rows: readonly Row[],
  { total, ...asked }: RowsAsked,
): PricedResult<200, { data: readonly Row[]; meta: { count: number; total?: number } }> {
  const known = total !== undefined && { total }
  return {
    status: 200,
    units: rows.length,
    body: (granted) => ({ data: rows.slice(0, granted), meta: { count: granted, ...known } }),
    table: { format: chooseFormat(asked.format, asked.accept), rows, ...known },
  }
}

/** undefined: no cached copy was used, so none can have been replaced. */
export function recordUsed(records: RecordCache, found: FoundRecord | CachedRecord): RecordUsed | undefined {
  if (!isCached(found)) return undefined
  const { source, zpid, generation } = found
  return { source, zpid, generation, forget: () => records.forget(zpid) }
}
