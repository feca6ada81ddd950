// Writes the results of an evaluation in its transaction: events, charges, and the new state. A handful of statements writes all watches of
// a step, however many there are.

import type { Queryable } from '../../infrastructure/database.ts'
import { chargeEvents, type EventCharge, type EventPrice, renewIfDue } from '../../money/credits.ts'
import type { Evaluation, EventWrite, LockedWatch, ObservedHome, StateWrite } from './evaluate-snapshot.ts'
import type { HomeEvent } from './home-event.ts'
import type { Notify } from './notify.ts'
import { insertHomes } from './watch-store.ts'
import { usageIdOf, writeTransitions } from './write-transitions.ts'

/** SQL: the columns of `LockedWatch`, of the watch `w`. */
export const LOCKED_COLUMNS = `
  w.account_id as "accountId", w.id, w.key_id as "keyId", w.events, w.min_change as "minChange", w.last_seq as "lastSeq",
  coalesce(w.search ->> 'pending' <> 'false', true) as "findsPending"`

/** Prices and observers of events. */
export interface WatchPrice extends EventPrice {
  /** Writes the webhook events of an evaluation. Absent: no webhook events are written. */
  readonly notify?: Notify
  /** Called before the commit with the times of the reported changes. */
  readonly onEvents?: (changedAt: readonly Date[]) => void
  /**
   * Called with the error that prevented the evaluation of a watch, or of the watches that wait for credits. Other watches are still
   * evaluated.
   */
  readonly onError?: (error: unknown, watch?: string) => void
}

export interface ReportResult {
  /** The number of events written and charged. */
  readonly events: number
  /** Watches that were paused because their account is out of credits, or their key has reached its limit. */
  readonly paused: readonly LockedWatch[]
}

/** Evaluations that are written together. */
interface EvaluationReport {
  readonly silent: readonly StateWrite[]
  /** The events of each watch that has any, in order. */
  readonly wanted: ReadonlyMap<LockedWatch, readonly EventWrite[]>
}

/** The events that the accounts can pay for. */
type Grants = ReadonlyMap<LockedWatch, Grant>

interface Grant {
  /** The first events of each watch, up to the number that is paid for. */
  readonly count: number
  readonly isShortOfKey: boolean
}

/**
 * Writes the results of evaluations. If an account cannot pay for all events, its watches report as many as it can pay for, in order, and
 * are paused. The other homes keep their last reported state, so no change is lost.
 * Most accounts can pay. So all events are written first and charged last: the lock on an account, which its calls wait for, is held only
 * for the charge. If an account cannot pay for all of its events, the transaction is rolled back to a savepoint, and only the paid events
 * are written. If that is known beforehand, events are charged first, and nothing is written twice.
 */
export async function reportEvaluations(
  tx: Queryable,
  evaluations: readonly Evaluation[],
  price: WatchPrice,
): Promise<ReportResult> {
  for (const { watch, baseline } of evaluations)
    if (baseline.length > 0) await insertHomes(tx, watch.accountId, watch.id, baseline)
  const judged: EvaluationReport = {
    silent: evaluations.flatMap(({ silent }) => silent),
    wanted: new Map(
      evaluations.flatMap(({ watch, events }) => (events.length > 0 ? [[watch, events] as const] : [])),
    ),
  }
  // The usage rows of the events begin with this moment.
  const at = Date.now()
  if (judged.wanted.size === 0) {
    await writeStates(tx, judged.silent)
    await writeTransitions(tx, judged.silent, at)
    return { events: 0, paused: [] }
  }
  if (await isVisiblyShort(tx, judged, price))
    return report(await write(tx, judged, await charge(tx, judged.wanted, price, at), price, at), price)
  await tx.query('savepoint unpaid')
  let reported = await write(tx, judged, undefined, price, at)
  const granted = await charge(tx, judged.wanted, price, at)
  if (isShort(judged, granted)) {
    await tx.query('rollback to savepoint unpaid')
    // The charge is rolled back as well. Now the events that are charged are those that are written.
    reported = await write(tx, judged, await charge(tx, judged.wanted, price, at), price, at)
  }
  await tx.query('release savepoint unpaid')
  return report(reported, price)
}

function report({ paid, paused }: EventWriteResult, { onEvents }: WatchPrice): ReportResult {
  onEvents?.(paid.map(({ home }) => home.observation.at))
  return { events: paid.length, paused }
}

function isShort({ wanted }: EvaluationReport, granted: Grants): boolean {
  return [...wanted].some(([watch, writes]) => granted.get(watch)!.count < writes.length)
}

// Predicts the outcome of the charge without a lock: an account keeps its last credit, a key does not. A cycle that is due may bring
// credits.
const IS_SHORT = `
  with wanted as (select * from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as n (account_id, key_id, cost))
  select exists (
      select from wanted n join accounts a on a.id = n.account_id
      where a.renews_at > now() or a.renews_at is null
      group by a.id having sum(n.cost) > available_credits(a.balance, a.held, 1))
    or exists (
      select from wanted n join key_allowances l on l.key_id = n.key_id
      group by l.limit_id, l.remaining having sum(n.cost) > l.remaining) as "isShort"`

/** Whether an account cannot pay for all of its events now. Only the charge itself decides, because the balance may change in between. */
async function isVisiblyShort(
  tx: Queryable,
  { wanted }: EvaluationReport,
  { price }: WatchPrice,
): Promise<boolean> {
  if (price === 0) return false
  const costs = [...wanted].map(([{ accountId, keyId }, writes]) => ({
    accountId,
    keyId,
    cost: price * writes.length,
  }))
  const { rows } = await tx.query<{ isShort: boolean }>(
    IS_SHORT,
    [costs.map(({ accountId }) => accountId), costs.map(({ keyId }) => keyId), costs.map(({ cost }) => cost)],
    { name: 'are_watches_short' },
  )
  return rows[0]!.isShort
}

interface EventWriteResult {
  readonly paid: readonly EventWrite[]
  readonly paused: readonly LockedWatch[]
}

/** Writes events, states, and pauses. @param granted undefined: all events are written */
async function write(
  tx: Queryable,
  { silent, wanted }: EvaluationReport,
  granted: Grants | undefined,
  { notify }: WatchPrice,
  at: number,
): Promise<EventWriteResult> {
  const paid = [...wanted].flatMap(([watch, writes]) =>
    granted ? writes.slice(0, granted.get(watch)!.count) : writes,
  )
  const paused = granted
    ? [...wanted]
        .filter(([watch, writes]) => granted.get(watch)!.count < writes.length)
        .map(([watch]) => watch)
    : []
  await writeEvents(tx, paid)
  await writeStates(tx, [...silent, ...paid])
  await writeTransitions(tx, [...silent, ...paid], at)
  if (granted) await pause(tx, paused, granted)
  await notify?.(tx, { changed: [...new Set(paid.map(({ watch }) => watch))], paused })
  return { paid, paused }
}

/** Charges each event, with its own usage row (`usageIdOf`). */
async function charge(
  tx: Queryable,
  wanted: ReadonlyMap<LockedWatch, readonly EventWrite[]>,
  price: WatchPrice,
  at: number,
): Promise<Grants> {
  // Accounts are ordered by id, and the watches of an account by their own id.
  const watches = [...wanted.keys()].sort(
    (one, other) => compare(one.accountId, other.accountId) || compare(one.id, other.id),
  )
  const charges = watches.flatMap((watch) =>
    wanted.get(watch)!.map(({ id }): EventCharge => {
      const { accountId, keyId } = watch
      return { accountId, keyId, requestId: usageIdOf(id, at) }
    }),
  )
  const charged = await chargeEvents(tx, charges, price)
  const grants = new Map<LockedWatch, Grant>()
  let from = 0
  for (const watch of watches) {
    const own = charged.slice(from, from + wanted.get(watch)!.length)
    from += own.length
    // An account that cannot pay for one event cannot pay for the next one either.
    const count = own.filter(({ isGranted }) => isGranted).length
    grants.set(watch, { count, isShortOfKey: own[count]?.isShortOfKey ?? false })
  }
  return grants
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

const INSERT_EVENTS = `
  insert into watch_events (account_id, watch_id, seq, id, type, zpid, observed_at, body, summary, source, metadata)
    select n.*, w.metadata
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[],
        $9::text[], $10::text[]) as n (account_id, watch_id, seq, id, type, zpid, observed_at, body, summary, source)
      join watches w on w.account_id = n.account_id and w.id = n.watch_id`

const COUNT_ON = `
  update watches w set last_seq = n.last_seq
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as n (account_id, id, last_seq)
    where w.account_id = n.account_id and w.id = n.id`

async function writeEvents(tx: Queryable, writes: readonly EventWrite[]): Promise<void> {
  if (writes.length === 0) return
  await tx.query(INSERT_EVENTS, [
    writes.map(({ watch }) => watch.accountId),
    writes.map(({ watch }) => watch.id),
    writes.map(({ seq }) => seq),
    writes.map(({ id }) => id),
    writes.map(({ event }) => event.type),
    writes.map(({ zpid }) => zpid),
    writes.map(({ home }) => home.observation.at),
    writes.map(({ event, home }) => bodyOf(event, home)),
    writes.map(({ home }) => home.summary),
    writes.map(({ home }) => home.source),
  ])
  const lastSeqs = [...new Map(writes.map(({ watch, seq }) => [watch, seq]))]
  await tx.query(COUNT_ON, [
    lastSeqs.map(([watch]) => watch.accountId),
    lastSeqs.map(([watch]) => watch.id),
    lastSeqs.map(([, seq]) => seq),
  ])
}

function bodyOf({ type: _type, ...body }: HomeEvent, { sourceUpdatedAt }: ObservedHome): string {
  return JSON.stringify({ ...body, source_updated_at: sourceUpdatedAt?.toISOString() ?? null })
}

const UPSERT_STATES = `
  insert into watch_homes as h (account_id, watch_id, zpid, status, price, left_at)
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::float8[], $6::timestamptz[])
  on conflict (account_id, watch_id, zpid) do update set
    status = excluded.status, price = excluded.price, left_at = excluded.left_at`

async function writeStates(tx: Queryable, writes: readonly StateWrite[]): Promise<void> {
  if (writes.length === 0) return
  await tx.query(UPSERT_STATES, [
    writes.map(({ watch }) => watch.accountId),
    writes.map(({ watch }) => watch.id),
    writes.map(({ zpid }) => zpid),
    writes.map(({ state }) => state.status),
    writes.map(({ state }) => state.price),
    writes.map(({ state }) => state.leftAt),
  ])
}

const PAUSE = `
  update watches w set
      status = 'paused', paused_reason = n.reason, is_current = false,
      -- Some of the changes after the evaluator's position are not reported yet.
      position = case when w.is_current then greatest(w.position, (select position from watch_progress)) else w.position end
    from unnest($1::uuid[], $2::uuid[], $3::text[]) as n (account_id, id, reason)
    where w.account_id = n.account_id and w.id = n.id`

async function pause(tx: Queryable, watches: readonly LockedWatch[], granted: Grants): Promise<void> {
  if (watches.length === 0) return
  await tx.query(PAUSE, [
    watches.map(({ accountId }) => accountId),
    watches.map(({ id }) => id),
    watches.map((watch) => (granted.get(watch)!.isShortOfKey ? 'key_limit_reached' : 'out_of_credits')),
  ])
}

/** SQL: whether the watch `w` of the account `a`, paused for lack of credits, can pay for an event again. $1 is the price of an event. */
export const CAN_PAY_AGAIN = `
  w.paused_reason in ('out_of_credits', 'key_limit_reached') and a.status = 'active'
    and available_credits(a.balance, a.held, 1, (select l.remaining from key_allowances l where l.key_id = w.key_id)) >= $1`

// Changing its filters over a remote data source removed its baseline, so it waits for a new one.
const RESUME_PAID = `
  update watches w set status = case when w.baseline_at is null then 'pending' else 'active' end, paused_reason = null,
      due_at = now()
    from accounts a
    where a.id = w.account_id and ${CAN_PAY_AGAIN}`

/** Resumes watches that were paused for lack of credits, when their account and their key can pay for one event. */
export async function resumePaid(database: Queryable, { price }: EventPrice): Promise<void> {
  await database.query(RESUME_PAID, [price])
}

/** SQL: the accounts `a` whose new cycle is due and that have a watch waiting for credits. */
export const RENEWS_WATCHES = `
  a.renews_at <= now() and a.status = 'active' and exists (
    select from watches w where w.account_id = a.id and w.paused_reason in ('out_of_credits', 'key_limit_reached'))`

const TO_RENEW = `select a.id from accounts a where ${RENEWS_WATCHES}`

/**
 * Begins the due cycles of accounts whose watches wait for credits: these accounts may make no calls. Each account has its own transaction,
 * because a transaction with several accounts must lock them in order.
 */
export async function renewForWatches(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ id: string }>(TO_RENEW)
  for (const { id } of rows) await renewIfDue(database, id)
}
