// THE EVALUATION of watches, from the change log. One process at a time does one step, in two transactions: it compares one watch
// that is not current with the data set, and it matches the next piece of the log against all current watches. So neither waits
// for all of the other. An aborted step is rolled back, and the next one does exactly the same, with the same ids and numbers.
//
// A watch that cannot be evaluated is compared ever later, and then paused. It keeps no other watch from being evaluated. Watches
// of a suspended account wait, and report the net change when it is active again.
//
// Watches are evaluated version by version: what an import changed is reported as that import's change, however late.

import { type ListingChange, readChanges } from '../../data/sources.ts'
import {
  type Database,
  DatabaseUnavailable,
  errorCode,
  type Queryable,
} from '../../infrastructure/database.ts'
import { compareWhole, lockWaiting, setBack, type WaitingWatch } from './compare-watch.ts'
import { MAX_COMPARED, matchLimitOf } from './evaluate-snapshot.ts'
import {
  CAN_PAY_AGAIN,
  RENEWS_WATCHES,
  renewForWatches,
  resumePaid,
  type WatchPrice,
} from './report-changes.ts'
import {
  type CurrentWatch,
  isOfWatch,
  reportEach,
  SET_ASIDE,
  type TouchedWatch,
  type Touching,
} from './report-step.ts'
import { HAS_LOST_CONNECTOR, pauseLostWatches } from './update-watch.ts'
import { indexSearches } from './watch-index.ts'

/** Changes of a step. They, and what they touch, are in memory. */
const CHANGES_AT_A_TIME = 1_000
/** Changes that are matched before their pairs are counted. */
const CHANGES_OF_A_ROUND = 100
/** A step ends with the change that brings it to this many pairs of a watch and a home. */
const PAIRS_OF_A_STEP = 10_000
export interface EvaluationStep {
  /** Whether there may be more to do. */
  readonly isMore: boolean
  /** Events that were written. */
  readonly events: number
}

const NOTHING: EvaluationStep = { isMore: false, events: 0 }

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
      or exists (select from accounts a where ${RENEWS_WATCHES}) as "isPayable",
    exists (select from api_keys k join watches w on w.key_id = k.id where ${HAS_LOST_CONNECTOR}) as "isLost"
  from watch_progress`

/**
 * Does the next step, if there is one and no other process is at it.
 *
 * @param limitOfPlan homes that a watch of a plan may match in its baseline, for one that has none yet
 */
export async function evaluateStep(
  database: Database,
  price: WatchPrice,
  limitOfPlan: (plan: string) => number = () => MAX_COMPARED,
): Promise<EvaluationStep> {
  const { rows: looks } = await database.query<{ isThere: boolean; isPayable: boolean; isLost: boolean }>(
    IS_THERE_WORK,
    [price.price],
    { name: 'is_there_watch_work' },
  )
  const [look] = looks
  if (look?.isLost) await pauseLostWatches(database)
  if (look?.isPayable) await resumeAll(database, price)
  if (!look?.isThere && !look?.isPayable) return NOTHING
  const comparison = await compareNext(database, price, limitOfPlan)
  const piece = await takeTurn(database, (tx, position) => evaluatePiece(tx, position, price))
  return { isMore: comparison.isMore || piece.isMore, events: comparison.events + piece.events }
}

/** Nothing is done if another process is at it. */
function takeTurn(
  database: Database,
  work: (tx: Queryable, position: number) => Promise<EvaluationStep>,
): Promise<EvaluationStep> {
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

/** Whether an error is that of the compared watch, which took too long or cannot be compared. */
function isOfComparison(error: unknown): boolean {
  const isTimeout = error instanceof DatabaseUnavailable && errorCode(error.cause) === STATEMENT_TIMEOUT
  return isTimeout || isOfWatch(error)
}

/** Compares the watch that waits longest. If that fails, the next one has its turn. */
async function compareNext(
  database: Database,
  price: WatchPrice,
  limitOfPlan: (plan: string) => number,
): Promise<EvaluationStep> {
  let waiting: WaitingWatch | undefined
  try {
    return await takeTurn(database, async (tx) => {
      // It waits here for the snapshot, which another connection reads.
      await tx.query('set local idle_in_transaction_session_timeout = 0')
      waiting = await lockWaiting(tx)
      if (!waiting) return NOTHING
      const { plan } = waiting
      const most = matchLimitOf(waiting, () => limitOfPlan(plan))
      return { isMore: true, events: await compareWhole(database, tx, waiting, most, price) }
    })
  } catch (error) {
    if (!waiting || !isOfComparison(error)) throw error
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

const SET_SUSPENDED_ASIDE = `${SET_ASIDE}
  and w.account_id in (select id from accounts where status = 'suspended')`
const SET_FAILED_ASIDE = `${SET_ASIDE} and w.search_hash = any ($1)`

const IS_ANY_CURRENT = 'select exists (select from watches where is_current) as "isAny"'

async function evaluatePiece(tx: Queryable, position: number, price: WatchPrice): Promise<EvaluationStep> {
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
  const events = await reportEach(tx, touched, price)
  await tx.query(ADVANCE, [upTo])
  return { isMore: true, events }
}

interface StepMatches {
  readonly touched: readonly TouchedWatch[]
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

async function findTouched(tx: Queryable, changes: readonly ListingChange[]): Promise<StepMatches> {
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
  function end(upTo: number): StepMatches {
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

function touchedOf(touched: ReadonlyMap<CurrentWatch, readonly Touching[]>): TouchedWatch[] {
  return [...touched].map(([watch, changes]) => ({ watch, changes }))
}
