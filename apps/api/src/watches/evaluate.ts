// THE EVALUATION of watches, from the change log. One process at a time does one step, in one transaction: either it
// compares a watch that is not current with the data set, or it matches the next piece of the log against all current
// watches. An aborted step is rolled back, and the next one does exactly the same, with the same ids and numbers.
//
// Watches are evaluated version by version: what an import changed is reported as that import's change, however late.

import type { Database, Queryable } from '../database/database.ts'
import type { AreaSearch } from '../search/area-search.ts'
import { type ListingChange, type ListingFacts, readChanges } from '../sources/dataset/change-log.ts'
import type { HomeState } from './home-event.ts'
import { notifyWatch } from './notify.ts'
import {
  CAN_PAY_AGAIN,
  type Finding,
  type LockedWatch,
  reportFindings,
  type WatchPrice,
} from './report-changes.ts'
import { pauseCrowded } from './update-watch.ts'
import { indexSearches } from './watch-index.ts'
import { insertHomes, type Match, type Snapshot, takeSnapshot, type Watched } from './watch-store.ts'

/** Changes of a step. They, and what they touch, are in memory. */
const CHANGES_AT_A_TIME = 1_000
/** Changes that are matched before their pairs are counted. */
const CHANGES_OF_A_ROUND = 100
/** A step ends with the change that brings it to this many pairs of a watch and a home. */
const PAIRS_OF_A_STEP = 10_000
/** A watch with more matches than this is paused when it is compared with the whole data set. */
const MAX_COMPARED = 100_000

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
    or exists (select from watches where status <> 'paused' and not is_current and due_at <= now())
    or exists (select from watches w join accounts a on a.id = w.account_id
      where ${CAN_PAY_AGAIN}) as "isThere"
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
  const { rows: looks } = await database.query<{ isThere: boolean }>(IS_THERE_WORK, [price.price], {
    name: 'is_there_watch_work',
  })
  if (!looks[0]?.isThere) return NOTHING
  return database.transaction(
    async (tx) => {
      const { rows } = await tx.query<{ position: number; isAhead: boolean }>(TURN)
      if (!rows[0]) return NOTHING
      if (rows[0].isAhead) {
        await tx.query(START_OVER)
        return { isMore: true, events: 0 }
      }
      await resumePaid(tx, price)
      const waiting = await lockWaiting(tx)
      if (waiting) {
        const most = waiting.status === 'pending' ? matchLimitOf(waiting.plan) : MAX_COMPARED
        return { isMore: true, events: await compareWhole(database, tx, waiting, most, price) }
      }
      return evaluatePiece(tx, rows[0].position, price)
    },
    { statementTimeoutMs: 0 },
  )
}

interface WatchRow extends LockedWatch {
  readonly search: AreaSearch | null
  readonly zpids: readonly string[] | null
  readonly position: number
  /** `pending` and `quarantined`: it was last searched over a remote data source, which the data set has replaced. */
  readonly status: 'pending' | 'active' | 'quarantined'
  /** Homes of the list that have no baseline yet. */
  readonly unseen: readonly string[]
  readonly wasScanned: boolean
  readonly plan: string
}

const WATCH_COLUMNS = `account_id as "accountId", id, key_id as "keyId", events, min_change as "minChange", last_seq as "lastSeq",
  search, zpids, position, status, unseen, scanned_at is not null as "wasScanned",
  (select plan from accounts a where a.id = account_id) as plan`

/** Watches that were paused for want of credits continue when their account and their key can pay for one event. */
const RESUME_PAID = `
  update watches w set status = 'active', paused_reason = null
    from accounts a
    where a.id = w.account_id and ${CAN_PAY_AGAIN}`

async function resumePaid(tx: Queryable, { price }: WatchPrice): Promise<void> {
  await tx.query(RESUME_PAID, [price])
}

const LOCK_WAITING = `
  select ${WATCH_COLUMNS} from watches where status <> 'paused' and not is_current and due_at <= now()
  order by due_at, account_id, id limit 1 for update`

async function lockWaiting(tx: Queryable): Promise<WatchRow | undefined> {
  return (await tx.query<WatchRow>(LOCK_WAITING)).rows[0]
}

const STATES_OF_WATCH = `
  select zpid, status, price, left_at as "leftAt" from watch_homes where account_id = $1 and watch_id = $2`

const LISTINGS = `
  select zpid, kind, is_pending, sale_type, price, source_updated_at as "sourceUpdatedAt", summary
  from listings where zpid = any ($1)`

/** Where a home was before the first change of it after a position. */
const ORIGINS = `
  select distinct on (zpid) zpid, (before).kind as kind from listing_changes
  where seq > $1 and zpid = any ($2) order by zpid, seq`

// One with an interval is compared again when it is due; the log moves on without it.
const COMPARED = `
  update watches set is_current = every = 'change', due_at = now() + watch_interval(every), position = $3, found = null,
    status = 'active', baseline_at = coalesce(baseline_at, now()), unseen = '{}', scanned_at = null
  where account_id = $1 and id = $2`

/** A home that only the last search over the remote data source did not find counts as found again. */
const FORGET_MISSED = `
  update watch_homes set missed = false where account_id = $1 and watch_id = $2 and missed`

interface ListingRow extends Pick<ListingFacts, 'kind' | 'is_pending' | 'sale_type' | 'price'> {
  readonly zpid: string
  readonly sourceUpdatedAt: Date | null
  readonly summary: string
}

/**
 * Compares a watch with the data set as a whole: what has changed since it was evaluated, one change for each home. All is
 * read in one snapshot, and the log goes on behind it. A watch without a baseline gets it.
 */
async function compareWhole(
  database: Database,
  tx: Queryable,
  watch: WatchRow,
  most: number,
  price: WatchPrice,
): Promise<number> {
  const compared = await takeSnapshot(database, watchedOf(watch), most, async (snapshotTx, snapshot) =>
    snapshot.count > most
      ? { tooMany: snapshot.count }
      : { position: snapshot.position, ...(await compare(snapshotTx, watch, snapshot)) },
  )
  if ('tooMany' in compared) {
    await pauseCrowded(tx, watch.accountId, watch.id, compared.tooMany)
    return 0
  }
  if (compared.baseline.length > 0) await insertHomes(tx, watch.accountId, watch.id, compared.baseline)
  if (watch.wasScanned) await tx.query(FORGET_MISSED, [watch.accountId, watch.id])
  // The events have the time of the comparison, not that of the changes: their delay is not known.
  const { onEvents: _, ...unmeasured } = price
  const { events, paused } = await reportFindings(tx, compared.findings, unmeasured)
  if (paused.length === 0) {
    await tx.query(COMPARED, [watch.accountId, watch.id, compared.position])
  }
  if (watch.status === 'pending') await notifyWatch(tx, 'watch.ready', watch.accountId, watch.id)
  return events
}

interface Compared {
  readonly findings: readonly Finding[]
  /** Homes that have no baseline yet, and get it without an event. */
  readonly baseline: readonly Match[]
}

async function compare(tx: Queryable, watch: WatchRow, snapshot: Snapshot): Promise<Compared> {
  if (watch.status === 'pending') return { findings: [], baseline: snapshot.matches }
  const { rows: stateRows } = await tx.query<HomeState & { zpid: string }>(STATES_OF_WATCH, [
    ...[watch.accountId, watch.id],
  ])
  const states = new Map(stateRows.map((row) => [row.zpid, row]))
  const unseen = new Set(watch.unseen.filter((zpid) => !states.has(zpid)))
  const baseline = snapshot.matches.filter(({ zpid }) => unseen.has(zpid))
  const matches = new Map(snapshot.matches.map((match) => [match.zpid, match]))
  const gone = stateRows.filter(({ zpid, leftAt }) => leftAt === null && !matches.has(zpid))
  const differing = snapshot.matches.filter(({ zpid, status, price }) => {
    const state = states.get(zpid)
    if (unseen.has(zpid)) return false
    return !state || state.leftAt !== null || state.status !== status || state.price !== price
  })
  const zpids = [...differing, ...gone].map(({ zpid }) => zpid).sort()
  if (zpids.length === 0) return { findings: [], baseline }
  const { rows: listings } = await tx.query<ListingRow>(LISTINGS, [zpids])
  const listingOf = new Map(listings.map((row) => [row.zpid, row]))
  const { rows: origins } = await tx.query<{ zpid: string; kind: string | null }>(ORIGINS, [
    ...[watch.position, zpids],
  ])
  const originOf = new Map(origins.map(({ zpid, kind }) => [zpid, kind]))
  const { rows: clock } = await tx.query<{ at: Date }>('select now() as at')
  const { at } = clock[0]!
  const findings = zpids.map((zpid): Finding => {
    const facts = listingOf.get(zpid) ?? null
    const isListed = originOf.has(zpid) && originOf.get(zpid) !== facts?.kind
    return {
      ...{ watch, zpid, state: states.get(zpid), sourceUpdatedAt: facts?.sourceUpdatedAt ?? null },
      observation: { facts, matches: matches.has(zpid), isListed, at },
      summary: facts?.summary ?? null,
    }
  })
  return { findings, baseline }
}

function watchedOf({ search, zpids }: WatchRow): Watched {
  return search ? { search } : { zpids: zpids! }
}

/** Searches that are equal have one hash; a list of homes has none. */
const CURRENT = `
  select account_id as "accountId", id, position, search_hash as hash from watches
  where is_current and search is not null order by account_id, id`

/** Lists that name a changed home, with the changed homes that they name. */
const CURRENT_LISTS = `
  select account_id as "accountId", id, position, array(select unnest(zpids) intersect select unnest($1::text[])) as zpids
  from watches where is_current and zpids && $1::text[] order by account_id, id`

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
  const { rows } = await tx.query<{ isAny: boolean }>(IS_ANY_CURRENT)
  if (!rows[0]!.isAny) {
    // A watch that becomes current later is compared with the data set as it is then.
    await tx.query(ADVANCE_TO_END)
    return NOTHING
  }
  const { touched, upTo } = await findTouched(
    tx,
    read.filter(({ version }) => version === first.version),
  )
  const events = touched.length === 0 ? 0 : await reportTouched(tx, touched, price)
  await tx.query(ADVANCE, [upTo])
  return { isMore: true, events }
}

/** What the changes touch, and the last change that was looked at: not all are if they touch much. */
async function findTouched(
  tx: Queryable,
  changes: readonly ListingChange[],
): Promise<{ readonly touched: readonly Touched[]; readonly upTo: number }> {
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
  let upTo = 0
  for (let from = 0; from < changes.length; from += CHANGES_OF_A_ROUND) {
    const round = changes.slice(from, from + CHANGES_OF_A_ROUND)
    for (const [at, hits] of (await index.findHits(tx, round)).entries()) {
      if (pairs >= PAIRS_OF_A_STEP) return { touched: touchedOf(touched), upTo }
      const change = round[at]!
      for (const { hash, matches } of hits)
        for (const watch of watchesOf.get(hash)!) touch(watch, change, matches)
      const isListed = change.after !== null && change.after.kind !== 'off_market'
      for (const { watch } of listsOf.get(change.zpid) ?? []) touch(watch, change, isListed)
      upTo = change.seq
    }
  }
  return { touched: touchedOf(touched), upTo }
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
  select w.account_id as "accountId", w.id, w.key_id as "keyId", w.events, w.min_change as "minChange", w.last_seq as "lastSeq"
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
