import type { App } from '../app.ts'
import { summarizeUsage as findSummary } from '../credits/usage-summary.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { chooseFormat } from './deliver.ts'
import { readSince } from './read-since.ts'

export function summarizeUsage({ database }: App): HandlerOf<'summarizeUsage'> {
  return ({ query }, call) =>
    async () => {
      const { by } = query
      const period = {
        since: query.since === undefined ? null : readSince(query.since),
        until: query.until === undefined ? null : readSince(query.until),
      }
      const { rows, keptSince } = await findSummary(database, call.principal.accountId, by, period)
      const sumOf = (name: 'usage_rows' | 'units' | 'credits_charged') =>
        rows.reduce((sum, row) => sum + row[name], 0)
      const total = {
        usage_rows: sumOf('usage_rows'),
        units: sumOf('units'),
        credits_charged: sumOf('credits_charged'),
      }
      const kept_since = keptSince?.toISOString() ?? null
      return {
        status: 200,
        units: rows.length,
        body: () => ({ data: rows, meta: { by, count: rows.length, total, kept_since } }),
        table: { format: chooseFormat(query.format, call.accept), rows, total: rows.length },
      }
    }
}
