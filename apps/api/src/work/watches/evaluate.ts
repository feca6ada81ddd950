// Evaluates watches from the change log. One process at a time does one step, in two transactions: it compares one watch that does not
// follow the log with the data set, and it matches the next changes of the log against all current watches. So neither transaction waits
// for the other's whole work. An aborted step is rolled back, and the next one repeats it with the same ids and numbers.
// A watch that cannot be evaluated is compared at growing intervals and then paused. It blocks no other watch. Watches of a suspended
// account wait; when the account is active again, they report the net change.
// Watches are evaluated one data version at a time: each change is reported as the change of its import, however late.

import { type ListingChange, readChanges } from '../../data/sources.ts'
import { type ImportFate, readImportFates } from '../../data/undo.ts'
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

/** Changes of one step, which are in memory together with the rows they touch. */
const CHANGES_AT_A_TIME = 1_000
/** Changes that are matched before their pairs are counted. */
const CHANGES_OF_A_ROUND = 100
/** A step ends with the change that reaches this many pairs of a watch and a home. */
const PAIRS_OF_A_STEP = 10_000
export interface EvaluationStep {
  /** Whether there may be more to do. */
  readonly isMore: boolean
  /** The number of events written. */
  readonly events: number
}

const NOTHING: EvaluationStep = { isMore: false, events: 0 }

// A database that was restored from a backup restarts the numbers of its changes if the backup contained none.
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
 * Does the next step, unless there is none or another process is doing it. @param limitOfPlan the maximum number of homes in the baseline
 * of a watch, by plan
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

/** Nothing is done while another process does the step. */
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

/** The SQLSTATE of a statement that took too long. The database works, but the search of a watch can be too expensive. */
const STATEMENT_TIMEOUT = '57014'

/** Whether the compared watch itself caused the error: its comparison took too long or is impossible. */
function isOfComparison(error: unknown): boolean {
  const isTimeout = error instanceof DatabaseUnavailable && errorCode(error.cause) === STATEMENT_TIMEOUT
  return isTimeout || isOfWatch(error)
}

/** Compares the watch that has waited longest. If that fails, the next watch follows. */
async function compareNext(
  database: Database,
  price: WatchPrice,
  limitOfPlan: (plan: string) => number,
): Promise<EvaluationStep> {
  let waiting: WaitingWatch | undefined
  try {
    return await takeTurn(database, async (tx) => {
      // The transaction waits here for the snapshot, which another connection reads.
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

/** Equal searches have the same hash. A list of homes has none. */
const CURRENT = `
  select account_id as "accountId", id, position, search_hash as hash from watches
  where is_current and search is not null order by account_id, id`

/** The lists that contain a changed home, with their changed homes. */
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
    // A watch that starts to follow the log later is then compared with the current data set.
    await tx.query(ADVANCE_TO_END)
    return NOTHING
  }
  const changes = read.filter(({ version }) => version === first.version)
  // All changes of a version are those of one transaction, and so of one import.
  const fate = await fateOf(tx, first)
  if (fate === 'reverted') {
    await tx.query(ADVANCE, [changes.at(-1)!.seq])
    return { isMore: true, events: 0 }
  }
  const { touched, upTo, failed } = await findTouched(tx, changes, fate === 'revert')
  for (const [hash, reason] of failed) price.onError?.(reason, `search ${hash}`)
  if (failed.size > 0) await tx.query(SET_FAILED_ASIDE, [[...failed.keys()]])
  const events = await reportEach(tx, touched, price)
  await tx.query(ADVANCE, [upTo])
  return { isMore: true, events }
}

async function fateOf(tx: Queryable, { importId }: ListingChange): Promise<ImportFate> {
  if (importId === null) return 'applied'
  return (await readImportFates(tx, [importId])).get(importId) ?? 'applied'
}

interface StepMatches {
  readonly touched: readonly TouchedWatch[]
  /** The last change of the step. A step ends early if its changes touch many watches. */
  readonly upTo: number
  /** Hashes of searches that cannot be matched; their watches are not among the touched ones. */
  readonly failed: ReadonlyMap<string, unknown>
}

interface FoldedChange {
  /** The first change of the home. */
  readonly from: number
  readonly change: ListingChange
}

/**
 * Several changes of one home in one version are one change, at the position of the first: from before the first to after the last. If a
 * step ends between them, the next step reads the last one again and finds it already reported.
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

async function findTouched(
  tx: Queryable,
  changes: readonly ListingChange[],
  isUndo: boolean,
): Promise<StepMatches> {
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
    touching.push({ change, matches, isUndo })
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
