import type { Database, SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import { summarizeUsage as findSummary, type UsageSumRow } from '../../money/credits.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliverTable } from '../presentation/answer.ts'
import { findListPage, pageMeta } from './list-page.ts'
import { readSince } from './read-since.ts'

export interface SummarizeUsageDeps {
  readonly database: Database
  readonly listCursors: SignedCursors
}

/** Where a sum is in its list: by day, charge and rows play no part. */
type SumPosition = readonly [charged: number, rows: number, value: string | null]

export function summarizeUsage({ database, listCursors }: SummarizeUsageDeps): HandlerOf<'summarizeUsage'> {
  return ({ query }, call) =>
    async () => {
      const { by, limit } = query
      const { accountId } = call.principal
      const period = {
        since: query.since === undefined ? null : readSince(query.since),
        until: query.until === undefined ? null : readSince(query.until),
      }
      const positionOf = ({ credits_charged, usage_rows, value }: UsageSumRow): SumPosition =>
        by === 'day' ? [0, 0, value] : [credits_charged, usage_rows, value]
      let all: readonly UsageSumRow[] = []
      let keptSince: Date | null = null
      // The sums over all of the period are on every page, so that all of its rows are summed for each.
      const page = await findListPage<UsageSumRow, SumPosition>(
        { listCursors },
        ['summarizeUsage', accountId, by, period.since, period.until],
        query,
        async (after, most) => {
          const summary = await findSummary(database, accountId, by, period)
          keptSince = summary.keptSince
          all = summary.rows.toSorted((one, other) => compare(positionOf(one), positionOf(other)))
          const behind = after ? all.filter((row) => compare(positionOf(row), after) > 0) : all
          return behind.slice(0, most)
        },
        positionOf,
      )
      if (isRefusal(page)) return page
      const rows = page.entries
      const sumOf = (name: 'usage_rows' | 'units' | 'credits_charged' | 'credits_refunded') =>
        all.reduce((sum, row) => sum + row[name], 0)
      const total = {
        usage_rows: sumOf('usage_rows'),
        units: sumOf('units'),
        credits_charged: sumOf('credits_charged'),
        credits_refunded: sumOf('credits_refunded'),
      }
      const kept_since = (keptSince as Date | null)?.toISOString() ?? null
      const { nextCursor } = page
      const meta = { by, ...pageMeta(page, limit), total, kept_since }
      const next = nextCursor === undefined ? undefined : { ...query, cursor: nextCursor }
      return deliverTable(rows, meta, { query, call, total: all.length, next })
    }
}

/** The highest charge first, then the most rows, then by value; calls that match no operation last. */
function compare(one: SumPosition, other: SumPosition): number {
  const [charged, rows, value] = one
  const [otherCharged, otherRows, otherValue] = other
  if (charged !== otherCharged) return otherCharged - charged
  if (rows !== otherRows) return otherRows - rows
  if (value === otherValue) return 0
  if (value === null || otherValue === null) return value === null ? 1 : -1
  return value < otherValue ? -1 : 1
}
