// The few ways to say "here it is". The walk charges `units` and asks for the body of as many as were granted.

import { chooseFormat } from '../formats/choose-format.ts'
import { type CachedRecord, type FoundRecord, isCached, type RecordCache } from '../listings/record-cache.ts'
import type { Body, Delivery, RecordUsed } from '../request/outcome.ts'

/** One thing, at the price of a call. */
export function deliver(
  body: Body,
  options: { status?: 200 | 201 | 202; record?: RecordUsed | undefined } = {},
): Delivery {
  return {
    status: options.status ?? 200,
    units: 1,
    body: () => body,
    ...(options.record && { record: options.record }),
  }
}

/** Rows, each at its price: as JSON with `meta.count`, or as CSV or NDJSON where that was asked for. */
export function deliverRows(
  rows: readonly object[],
  options: {
    format?: string | undefined
    accept?: string | undefined
    /** undefined: not known. */
    total?: number | undefined
    meta?: object
  },
): Delivery {
  const format = chooseFormat(options.format, options.accept)
  const meta = { ...(options.total !== undefined && { total: options.total }), ...options.meta }
  return {
    status: 200,
    units: rows.length,
    body: (granted) => ({ data: rows.slice(0, granted), meta: { count: granted, ...meta } }),
    table: { format, rows, ...(options.total !== undefined && { total: options.total }) },
  }
}

/** undefined: no cached copy was used, so none can have been replaced. */
export function recordUsed(records: RecordCache, found: FoundRecord | CachedRecord): RecordUsed | undefined {
  if (!isCached(found)) return undefined
  const { zpid, generation } = found
  return { zpid, generation, forget: () => records.forget(zpid) }
}
