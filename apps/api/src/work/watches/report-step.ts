// Reports a step of the evaluation: the events that the changes of the log cause for the watches they touch. A watch that cannot be
// reported is set aside, and blocks no other watch.

import type { Property } from '@lotline/contract'
import { type ListingChange, reportedStatus, toColumns } from '../../data/sources.ts'
import { DatabaseUnavailable, errorCode, type Queryable } from '../../infrastructure/database.ts'
import { evaluateSnapshot, type LockedWatch, type ObservedHome } from './evaluate-snapshot.ts'
import type { HomeState } from './home-event.ts'
import { LOCKED_COLUMNS, reportEvaluations, type WatchPrice } from './report-changes.ts'
import { FREE_COMPARISONS } from './watch-store.ts'

/** A watch that follows the log. */
export interface CurrentWatch {
  readonly accountId: string
  readonly id: string
  /** The last change that it has been evaluated for. */
  readonly position: number
}

/** A change that concerns a watch. */
export interface Touching {
  readonly change: ListingChange
  /** Whether the watch finds the home after the change. */
  readonly matches: boolean
  /** The changes of the step undo an import. */
  readonly isUndo: boolean
}

/** A watch with the changes of the step that concern it, in order. */
export interface TouchedWatch {
  readonly watch: CurrentWatch
  readonly changes: readonly Touching[]
}

/**
 * SQL: sets current watches `w` aside; a condition follows. They are compared with the whole data set before they follow the log again,
 * from its position before this step.
 */
export const SET_ASIDE = `
  update watches w set is_current = false, position = greatest(w.position, (select position from watch_progress)),
    due_at = greatest(now(), w.compared_until - ${FREE_COMPARISONS})
  where w.is_current`

const SET_UNREPORTED_ASIDE = `
  ${SET_ASIDE} and (w.account_id, w.id) in (select * from unnest($1::uuid[], $2::uuid[]))`

/** Maximum splits of one step. After them, watches that fail together are set aside together. */
const MAX_DIVIDED = 100

/** PostgreSQL's class of transactions to repeat, for example after a deadlock. */
const REPEATABLE = /^40...$/

/** Whether a watch's data caused the error. Any other error ends the step, which is then repeated. */
export function isOfWatch(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable) && !REPEATABLE.test(errorCode(error) ?? '')
}

/**
 * Reports all watches at once. If that fails, it reports each half separately, until the failing watch is found. That watch is set aside:
 * its comparison reports the changes of this step, or fails and is repeated at growing intervals. All other watches are reported and
 * charged in this step. @returns the number of events that were written
 */
export async function reportEach(
  tx: Queryable,
  touched: readonly TouchedWatch[],
  price: WatchPrice,
): Promise<number> {
  let divided = 0
  async function report(some: readonly TouchedWatch[]): Promise<number> {
    if (some.length === 0) return 0
    await tx.query('savepoint report')
    try {
      const events = await reportTouched(tx, some, price)
      await tx.query('release savepoint report')
      return events
    } catch (error) {
      if (!isOfWatch(error)) throw error
      await tx.query('rollback to savepoint report')
      await tx.query('release savepoint report')
      if (some.length === 1 || divided >= MAX_DIVIDED) return setAside(tx, some, price, error)
      divided += 1
      const half = some.length >> 1
      return (await report(some.slice(0, half))) + (await report(some.slice(half)))
    }
  }
  // Sorted by the lock order of accounts and watches, which both halves keep.
  return report([...touched].sort(({ watch: one }, { watch: other }) => (keyOf(one) < keyOf(other) ? -1 : 1)))
}

const keyOf = ({ accountId, id }: CurrentWatch) => `${accountId} ${id}`

async function setAside(
  tx: Queryable,
  touched: readonly TouchedWatch[],
  price: WatchPrice,
  reason: unknown,
): Promise<number> {
  const ids = touched.map(({ watch }) => watch.id)
  await tx.query(SET_UNREPORTED_ASIDE, [touched.map(({ watch }) => watch.accountId), ids])
  const [first, ...others] = ids
  price.onError?.(reason, others.length === 0 ? first : `${first} and ${others.length} others`)
  return 0
}

// In key order, as in every transaction that locks several watches.
const LOCK_TOUCHED = `
  select ${LOCKED_COLUMNS}
  from watches w join unnest($1::uuid[], $2::uuid[]) as t (account_id, id) using (account_id, id)
  where w.is_current order by w.account_id, w.id for update of w`

const STATES = `
  select h.watch_id as "watchId", h.zpid, h.status, h.price, h.left_at as "leftAt"
  from watch_homes h join unnest($1::uuid[], $2::uuid[], $3::text[]) as t (account_id, watch_id, zpid)
    using (account_id, watch_id, zpid)`

async function reportTouched(
  tx: Queryable,
  touched: readonly TouchedWatch[],
  price: WatchPrice,
): Promise<number> {
  // Watches that were paused or deleted in the meantime are missing.
  const { rows: locked } = await tx.query<LockedWatch>(LOCK_TOUCHED, [
    touched.map(({ watch }) => watch.accountId),
    touched.map(({ watch }) => watch.id),
  ])
  const watchOf = new Map(locked.map((watch) => [watch.id, watch]))
  const found = touched.flatMap(({ watch: { id }, changes }) => {
    const watch = watchOf.get(id)
    return watch ? [{ watch, changes }] : []
  })
  const pairs = found.flatMap(({ watch, changes }) => changes.map(({ change }) => ({ watch, change })))
  const { rows: states } = await tx.query<HomeState & { watchId: string; zpid: string }>(STATES, [
    pairs.map(({ watch }) => watch.accountId),
    pairs.map(({ watch }) => watch.id),
    pairs.map(({ change }) => change.zpid),
  ])
  const statesOf = Map.groupBy(states, ({ watchId }) => watchId)
  const summaryOf = await readSummaries(tx, [...new Set(pairs.map(({ change }) => change))])
  const evaluations = []
  for (const { watch, changes } of found) {
    const homes = new Map((statesOf.get(watch.id) ?? []).map((state) => [state.zpid, state]))
    const reported = { homes, isFirst: false, unseen: [] }
    const observed = changes.map((touching) => observe(touching, summaryOf.get(touching.change) ?? null))
    evaluations.push(await evaluateSnapshot(watch, reported, { coverage: 'partial', homes: observed }))
  }
  return (await reportEvaluations(tx, evaluations, price)).events
}

function observe({ change, matches, isUndo }: Touching, summary: string | null): ObservedHome {
  const { zpid, before, after, observedAt: at, sourceUpdatedAt, source, importId } = change
  return {
    zpid,
    sourceUpdatedAt,
    source,
    summary,
    observation: { facts: after, matches, isListed: before?.kind !== after?.kind, at },
    cause: { imports: [importId ?? 0], after: change.seq - 1, isUndo },
  }
}

/** Data for search rows: the last state of a removed home, the current state of any other. */
const SUMMARIES = `
  select zpid, generation, summary from listings where zpid = any ($1)
  union all select zpid, generation, summary from listing_changes where seq = any ($2) and summary is not null`

/** Data of homes that were removed after the reported change. */
const LATER_REMOVED = `
  select distinct on (zpid) zpid, generation, summary from listing_changes
  where seq > $1 and zpid = any ($2) and summary is not null order by zpid, seq`

interface ChangedHomeSummary {
  readonly zpid: string
  readonly generation: number
  readonly summary: string
}

/** The summary of each changed home, with the price and status of the reported change. */
async function readSummaries(
  tx: Queryable,
  changes: readonly ListingChange[],
): Promise<ReadonlyMap<ListingChange, string>> {
  const { rows } = await tx.query<ChangedHomeSummary>(SUMMARIES, [
    changes.filter(({ after }) => after).map(({ zpid }) => zpid),
    changes.filter(({ after }) => !after).map(({ seq }) => seq),
  ])
  const rowOf = new Map(rows.map((row) => [row.zpid, row]))
  const missing = changes.filter(({ zpid }) => !rowOf.has(zpid))
  if (missing.length > 0) {
    const { rows: removed } = await tx.query<ChangedHomeSummary>(LATER_REMOVED, [
      Math.min(...missing.map(({ seq }) => seq)),
      missing.map(({ zpid }) => zpid),
    ])
    for (const row of removed) rowOf.set(row.zpid, row)
  }
  return new Map(
    changes.flatMap((change) => {
      const row = rowOf.get(change.zpid)
      return row ? [[change, summaryAt(row, change)] as const] : []
    }),
  )
}

const HOME_STATUSES = {
  for_sale: 'FOR_SALE',
  coming_soon: 'COMING_SOON',
  pending: 'PENDING',
  for_rent: 'FOR_RENT',
  sold: 'SOLD',
  off_market: 'OFF_MARKET',
} as const

/** If a home was changed again before this change is reported, its search row still agrees with the event. */
function summaryAt(row: ChangedHomeSummary, { generation, after }: ListingChange): string {
  if (!after || row.generation === generation) return row.summary
  const record = JSON.parse(row.summary) as Property
  const { kind, isPending, saleType } = toColumns(record, '')
  const status = reportedStatus(after)
  const isOther = reportedStatus({ kind, is_pending: isPending, sale_type: saleType }) !== status
  return JSON.stringify({
    ...record,
    price: after.price,
    // The flags of the newer listing would contradict the status.
    ...(isOther && { homeStatus: HOME_STATUSES[status], listingSubType: undefined }),
  })
}
