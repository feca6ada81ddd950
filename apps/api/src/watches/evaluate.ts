// THE EVALUATION of watches, from the change log. One process at a time does one step, in two transactions: it compares one watch
// that is not current with the data set, and it matches the next piece of the log against all current watches. So neither waits
// for all of the other. An aborted step is rolled back, and the next one does exactly the same, with the same ids and numbers.
//
// A watch that cannot be evaluated is compared ever later, and then paused. It keeps no other watch from being evaluated. Watches
// of a suspended account wait, and report the net change when it is active again.
//
// Watches are evaluated version by version: what an import changed is reported as that import's change, however late.

import { type Database, DatabaseUnavailable, type Queryable } from '../database/database.ts'
import { errorCode } from '../database/queryable.ts'
import { type ListingChange, readChanges } from '../sources/dataset/change-log.ts'
import { compareWhole, lockWaiting, MAX_COMPARED, setBack, type WaitingWatch } from './compare-watch.ts'
import type { HomeState } from './home-event.ts'
import {
  CAN_PAY_AGAIN,
  type Finding,
  LOCKED_COLUMNS,
  type LockedWatch,
  RENEWS_WATCHES,
  renewForWatches,
  reportFindings,
  resumePaid,
  type WatchPrice,
} from './report-changes.ts'
import { indexSearches } from './watch-index.ts'
import { FREE_COMPARISONS } from './watch-store.ts'

/** Changes of a step. They, and what they touch, are in memory. */
const CHANGES_AT_A_TIME = 1_000
/** Changes that are matched before their pairs are counted. */
const CHANGES_OF_A_ROUND = 100
/** A step ends with the change that brings it to this many pairs of a watch and a home. */
const PAIRS_OF_A_STEP = 10_000
export interface Step {
  /** Whether there may be more to do. */
  readonly isMore: boolean
  /** Events that were written. */
  readonly events: number
}

const NOTHING: Step = { isMore: false, events: 0 }

// A database that was restored from a backup numbers changes anew if the backup had none left.
const TURN = `
  select position, position > (select last_value from listing_changes_seq_seq) as "isAhead"
  from watch_progress for update skip locked`
const START_OVER = `
  with compared as (update watches set is_current = false where is_current)
  update watch_progress set position = 0`
const ADVANCE = 'update watch_progress set position = $1'
const ADVANCE_TO_END = 'update watch_progress set position = (select max(seq) from listing_changes)'

// Most polls find nothing, and need no transaction.
const IS_THERE_WORK = `
  select coalesce((select seq from listing_changes order by seq desc limit 1), 0) <> position
    or exists (select from watches w join accounts a on a.id = w.account_id and a.status = 'active'
      where w.status <> 'paused' and not w.is_current and w.due_at <= now()) as "isThere",
    exists (select from watches w join accounts a on a.id = w.account_id where ${CAN_PAY_AGAIN})
      or exists (select from accounts a where ${RENEWS_WATCHES}) as "isPayable"
  from watch_progress`

/**
 * Does the next step, if there is one and no other process is at it.
 *
 * @param matchLimitOf homes that a watch of a plan may match in its baseline, for one that has none yet
 */
export async function evaluateStep(
  database: Database,
  price: WatchPrice,
  matchLimitOf: (plan: string) => number = () => MAX_COMPARED,
): Promise<Step> {
  const { rows: looks } = await database.query<{ isThere: boolean; isPayable: boolean }>(
    IS_THERE_WORK,
    [price.price],
    { name: 'is_there_watch_work' },
  )
  const [look] = looks
  if (look?.isPayable) await resumeAll(database, price)
  if (!look?.isThere && !look?.isPayable) return NOTHING
  const comparison = await compareNext(database, price, matchLimitOf)
  const piece = await takeTurn(database, (tx, position) => evaluatePiece(tx, position, price))
  return { isMore: comparison.isMore || piece.isMore, events: comparison.events + piece.events }
}

/** Nothing is done if another process is at it. */
function takeTurn(
  database: Database,
  work: (tx: Queryable, position: number) => Promise<Step>,
): Promise<Step> {
  return database.transaction(
    async (tx) => {
      const { rows } = await tx.query<{ position: number; isAhead: boolean }>(TURN)
      if (!rows[0]) return NOTHING
      if (!rows[0].isAhead) return work(tx, rows[0].position)
      await tx.query(START_OVER)
      return { isMore: true, events: 0 }
    },
    { statementTimeoutMs: 0 },
  )
}

async function resumeAll(database: Database, price: WatchPrice): Promise<void> {
  try {
    await renewForWatches(database)
    await resumePaid(database, price)
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error
    price.onError?.(error)
  }
}

/** PostgreSQL's code of a statement that took too long. The database is there, but the search of a watch can be too much for it. */
const STATEMENT_TIMEOUT = '57014'

/** Whether an error is that of what was asked, and not of the database that cannot be asked. */
function isOfStatement(error: unknown): boolean {
  return !(error instanceof DatabaseUnavailable) || errorCode(error.cause) === STATEMENT_TIMEOUT
}

/** Compares the watch that waits longest. If that fails, the next one has its turn. */
async function compareNext(
  database: Database,
  price: WatchPrice,
  matchLimitOf: (plan: string) => number,
): Promise<Step> {
  let waiting: WaitingWatch | undefined
  try {
    return await takeTurn(database, async (tx) => {
      // It waits here for the snapshot, which another connection reads.
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      waiting = await lockWaiting(tx)
      if (!waiting) return NOTHING
      // Homes that were added to a list count as those of a new watch.
      const isLimited = waiting.status === 'pending' || waiting.unseen.length > 0
      const most = isLimited ? matchLimitOf(waiting.plan) : MAX_COMPARED
      return { isMore: true, events: await compareWhole(database, tx, waiting, most, price) }
    })
  } catch (error) {
    if (!waiting || !isOfStatement(error)) throw error
    price.onError?.(error, waiting.id)
    await setBack(database, waiting, price)
    return { isMore: true, events: 0 }
  }
}

/** Searches that are equal have one hash; a list of homes has none. */
const CURRENT = `
  select account_id as "accountId", id, position, search_hash as hash from watches
  where is_current and search is not null order by account_id, id`

/** Lists that name a changed home, with the changed homes that they name. */
const CURRENT_LISTS = `
  select account_id as "accountId", id, position, array(select unnest(zpids) intersect select unnest($1::text[])) as zpids
  from watches where is_current and zpids && $1::text[] order by account_id, id`

// They are compared with the data set as a whole before they follow the log again, from where it is before this piece.
const SET_ASIDE = `
  update watches w set is_current = false, position = greatest(w.position, (select position from watch_progress)),
    due_at = greatest(now(), w.compared_until - ${FREE_COMPARISONS})
  where w.is_current`
const SET_SUSPENDED_ASIDE = `${SET_ASIDE}
  and w.account_id in (select id from accounts where status = 'suspended')`
const SET_FAILED_ASIDE = `${SET_ASIDE} and w.search_hash = any ($1)`

const IS_ANY_CURRENT = 'select exists (select from watches where is_current) as "isAny"'

interface CurrentWatch {
  readonly accountId: string
  readonly id: string
  readonly position: number
}

async function evaluatePiece(tx: Queryable, position: number, price: WatchPrice): Promise<Step> {
  const read = await readChanges(tx, { after: position, limit: CHANGES_AT_A_TIME })
  const [first] = read
  if (!first) return NOTHING
  await tx.query(SET_SUSPENDED_ASIDE)
  const { rows } = await tx.query<{ isAny: boolean }>(IS_ANY_CURRENT)
  if (!rows[0]!.isAny) {
    // A watch that becomes current later is compared with the data set as it is then.
    await tx.query(ADVANCE_TO_END)
    return NOTHING
  }
  const { touched, upTo, failed } = await findTouched(
    tx,
    read.filter(({ version }) => version === first.version),
  )
  for (const [hash, reason] of failed) price.onError?.(reason, `search ${hash}`)
  if (failed.size > 0) await tx.query(SET_FAILED_ASIDE, [[...failed.keys()]])
  const events = touched.length === 0 ? 0 : await reportTouched(tx, touched, price)
  await tx.query(ADVANCE, [upTo])
  return { isMore: true, events }
}

interface Found {
  readonly touched: readonly Touched[]
  /** The last change that was looked at: not all are if they touch much. */
  readonly upTo: number
  /** Hashes of searches that cannot be judged; their watches are not among the touched ones. */
  readonly failed: ReadonlyMap<string, unknown>
}

interface FoldedChange {
  /** The first change of the home. */
  readonly from: number
  readonly change: ListingChange
}

/**
 * Several changes of one home in one version are one change, in the place of the first: from before the first to after the last.
 * Where a step ends between them, the last one is read again, and finds that it is reported.
 */
function foldChanges(changes: readonly ListingChange[]): FoldedChange[] {
  const folded = new Map<string, FoldedChange>()
  for (const change of changes) {
    const earlier = folded.get(change.zpid)
    folded.set(
      change.zpid,
      earlier
        ? { from: earlier.from, change: { ...change, before: earlier.change.before } }
        : { from: change.seq, change },
    )
  }
  return [...folded.values()]
}

async function findTouched(tx: Queryable, changes: readonly ListingChange[]): Promise<Found> {
  const { rows: searching } = await tx.query<CurrentWatch & { hash: string }>(CURRENT)
  const { rows: lists } = await tx.query<CurrentWatch & { zpids: string[] }>(CURRENT_LISTS, [
    changes.map(({ zpid }) => zpid),
  ])
  const watchesOf = Map.groupBy(searching, ({ hash }) => hash)
  const listsOf = Map.groupBy(
    lists.flatMap((watch) => watch.zpids.map((zpid) => ({ watch, zpid }))),
    ({ zpid }) => zpid,
  )
  const index = await indexSearches(tx, [...watchesOf.keys()])
  const touched = new Map<CurrentWatch, Touching[]>()
  let pairs = 0
  function touch(watch: CurrentWatch, change: ListingChange, matches: boolean): void {
    if (change.seq <= watch.position) return
    const touching = touched.get(watch) ?? []
    touched.set(watch, touching)
    touching.push({ change, matches })
    pairs += 1
  }
  function end(upTo: number): Found {
    for (const hash of index.failed.keys())
      for (const watch of watchesOf.get(hash) ?? []) touched.delete(watch)
    return { touched: touchedOf(touched), upTo, failed: index.failed }
  }
  const folded = foldChanges(changes)
  let upTo = 0
  for (let at = 0; at < folded.length; at += CHANGES_OF_A_ROUND) {
    const round = folded.slice(at, at + CHANGES_OF_A_ROUND)
    const hitsOf = await index.findHits(
      tx,
      round.map(({ change }) => change),
    )
    for (const [at, hits] of hitsOf.entries()) {
      if (pairs >= PAIRS_OF_A_STEP) return end(upTo)
      const { from, change } = round[at]!
      for (const { hash, matches } of hits)
        for (const watch of watchesOf.get(hash)!) touch(watch, change, matches)
      const isListed = change.after !== null && change.after.kind !== 'off_market'
      for (const { watch } of listsOf.get(change.zpid) ?? []) touch(watch, change, isListed)
      upTo = from
    }
  }
  return end(changes.at(-1)!.seq)
}

function touchedOf(touched: ReadonlyMap<CurrentWatch, readonly Touching[]>): Touched[] {
  return [...touched].map(([watch, changes]) => ({ watch, changes }))
}

interface Touching {
  readonly change: ListingChange
  readonly matches: boolean
}

interface Touched {
  readonly watch: CurrentWatch
  readonly changes: readonly Touching[]
}

// In the order of the key, as everything that locks several watches does.
const LOCK_TOUCHED = `
  select ${LOCKED_COLUMNS}
  from watches w join unnest($1::uuid[], $2::uuid[]) as t (account_id, id) using (account_id, id)
  where w.is_current order by w.account_id, w.id for update of w`

const STATES = `
  select h.watch_id as "watchId", h.zpid, h.status, h.price, h.left_at as "leftAt"
  from watch_homes h join unnest($1::uuid[], $2::uuid[], $3::text[]) as t (account_id, watch_id, zpid)
    using (account_id, watch_id, zpid)`

/** What search rows are made of: of listed homes as they are now, of removed ones as they were. */
const SUMMARIES = `
  select zpid, summary from listings where zpid = any ($1)
  union all select zpid, summary from listing_changes where seq = any ($2) and summary is not null`

async function reportTouched(tx: Queryable, touched: readonly Touched[], price: WatchPrice): Promise<number> {
  // One that was paused or deleted in the meantime is not among them.
  const { rows: locked } = await tx.query<LockedWatch>(LOCK_TOUCHED, [
    touched.map(({ watch }) => watch.accountId),
    touched.map(({ watch }) => watch.id),
  ])
  const watchOf = new Map(locked.map((watch) => [watch.id, watch]))
  const pairs = touched.flatMap(({ watch: { id }, changes }) => {
    const watch = watchOf.get(id)
    return watch ? changes.map((touching) => ({ watch, ...touching })) : []
  })
  const { rows: states } = await tx.query<HomeState & { watchId: string; zpid: string }>(STATES, [
    pairs.map(({ watch }) => watch.accountId),
    pairs.map(({ watch }) => watch.id),
    pairs.map(({ change }) => change.zpid),
  ])
  const stateOf = new Map(states.map((state) => [`${state.watchId} ${state.zpid}`, state]))
  const homes = new Map(pairs.map(({ change }) => [change.zpid, change]))
  const { rows: summaries } = await tx.query<{ zpid: string; summary: string }>(SUMMARIES, [
    [...homes.keys()],
    [...homes.values()].filter(({ after }) => !after).map(({ seq }) => seq),
  ])
  const summaryOf = new Map(summaries.map(({ zpid, summary }) => [zpid, summary]))
  const findings = pairs.map(({ watch, change, matches }): Finding => {
    const { zpid, before, after, observedAt: at, sourceUpdatedAt } = change
    return {
      ...{ watch, zpid, state: stateOf.get(`${watch.id} ${zpid}`), sourceUpdatedAt },
      observation: { facts: after, matches, isListed: before?.kind !== after?.kind, at },
      summary: summaryOf.get(zpid) ?? null,
    }
  })
  return (await reportFindings(tx, findings, price)).events
}
