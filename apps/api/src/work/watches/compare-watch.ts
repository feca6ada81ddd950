// Compares a watch with the whole data set, if it does not follow the change log: it is new, was resumed or changed, or has an interval.

import type { ListingFacts } from '../../data/sources.ts'
import { readImportFates } from '../../data/undo.ts'
import type { AreaSearch } from '../../domain/search.ts'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { recordCanceledChanges } from './canceled-changes.ts'
import {
  type Evaluation,
  evaluateSnapshot,
  type LockedWatch,
  type ObservedHome,
  type ReportedHome,
  type ReportedState,
} from './evaluate-snapshot.ts'
import { notifyWatch } from './notify.ts'
import { LOCKED_COLUMNS, reportEvaluations, type WatchPrice } from './report-changes.ts'
import { pauseCrowded, pauseWatch } from './update-watch.ts'
import { COMPARISON, type Match, takeSnapshot, type WatchTarget } from './watch-store.ts'

/** Consecutive failed comparisons after which a watch is paused: about two hours, because the wait doubles up to 256 times the first. */
export const MAX_FAILED_COMPARISONS = 10
const FIRST_WAIT = "interval '10 seconds'"

const COUNT_COMPARISON = `compared_until = greatest(compared_until, now()) + ${COMPARISON}`

const SET_BACK = `
  update watches set failed_comparisons = failed_comparisons + 1, ${COUNT_COMPARISON},
    due_at = now() + ${FIRST_WAIT} * 2 ^ least(failed_comparisons, 8)
  where account_id = $1 and id = $2 and status <> 'paused'
  returning failed_comparisons as count`

/**
 * After a failed comparison: postpones the next one, and pauses the watch after too many. The postponement is committed first, so it
 * remains even if pausing fails.
 */
export async function setBack(
  database: Database,
  { accountId, id }: WaitingWatch,
  price: WatchPrice,
): Promise<void> {
  const { rows } = await database.query<{ count: number }>(SET_BACK, [accountId, id])
  if (rows[0] && rows[0].count >= MAX_FAILED_COMPARISONS) await pauseFailed(database, accountId, id, price)
}

/** Pauses a watch after its last failure. An error while pausing is reported, not thrown. */
export async function pauseFailed(
  database: Database,
  accountId: string,
  id: string,
  price: WatchPrice,
): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      if (await pauseWatch(tx, accountId, id, 'evaluation_failed'))
        await notifyWatch(tx, 'watch.paused', accountId, id)
    })
  } catch (error) {
    price.onError?.(error, id)
  }
}

/** A watch that is due and does not follow the log; its row is locked. */
export interface WaitingWatch extends LockedWatch {
  readonly search: AreaSearch | null
  readonly zpids: readonly string[] | null
  readonly position: number
  /** `pending` and `quarantined` remain from a remote data source that the data set has replaced. */
  readonly status: 'pending' | 'active' | 'quarantined'
  /** Homes of the list without a baseline. */
  readonly unseen: readonly string[]
  readonly wasScanned: boolean
  readonly plan: string
}

const LOCK_WAITING = `
  select ${LOCKED_COLUMNS}, w.search, w.zpids, w.position, w.status, w.unseen, w.scanned_at is not null as "wasScanned", a.plan
  from watches w join accounts a on a.id = w.account_id and a.status = 'active'
  where w.status <> 'paused' and not w.is_current and w.due_at <= now()
  order by w.due_at, w.account_id, w.id limit 1 for update of w`

/** The watch that has waited longest. */
export async function lockWaiting(tx: Queryable): Promise<WaitingWatch | undefined> {
  return (await tx.query<WaitingWatch>(LOCK_WAITING)).rows[0]
}

const STATES_OF_WATCH = `
  select zpid, status, price, left_at as "leftAt" from watch_homes where account_id = $1 and watch_id = $2`

const LISTINGS = `
  select zpid, kind, is_pending, sale_type, price, source_updated_at as "sourceUpdatedAt", source, summary
  from listings where zpid = any ($1)`

/** The state of each home before its first change after a position, and the imports that made its changes (0: no import). */
const ORIGINS = `
  select zpid, (array_agg((before).kind order by seq))[1] as kind, array_agg(distinct coalesce(import_id, 0)) as imports
  from listing_changes where seq > $1 and zpid = any ($2) group by zpid`

// A watch with an interval is compared again when it is due; the log advances without it.
const COMPARED = `
  update watches set is_current = every = 'change', due_at = now() + watch_interval(every), position = $3, found = null,
    status = 'active', baseline_at = coalesce(baseline_at, now()), unseen = '{}', scanned_at = null, failed_comparisons = 0
  where account_id = $1 and id = $2`

/** A home that only the last remote search did not find counts as found again. */
const FORGET_MISSED = `
  update watch_homes set missed = false where account_id = $1 and watch_id = $2 and missed`

interface HomeOrigin {
  readonly zpid: string
  readonly kind: string | null
  readonly imports: readonly number[]
}

interface ListingRow extends Pick<ListingFacts, 'kind' | 'is_pending' | 'sale_type' | 'price'> {
  readonly zpid: string
  readonly sourceUpdatedAt: Date | null
  readonly source: string
  readonly summary: string
}

/**
 * Compares a watch with the whole data set: the changes since its last evaluation, one change for each home. All data is read in one
 * snapshot, and the watch follows the log from there. A watch without a baseline gets one.
 */
export async function compareWhole(
  database: Database,
  tx: Queryable,
  watch: WaitingWatch,
  most: number,
  price: WatchPrice,
): Promise<number> {
  const compared = await takeSnapshot(database, watchedOf(watch), most, async (snapshotTx, found) => {
    if (found.count > most) return { tooMany: found.count }
    const { position, matches: present } = found
    const observe = (zpids: readonly string[]) => observeHomes(snapshotTx, watch, present, zpids)
    const snapshot = { coverage: 'whole', present, isAbsenceCertain: true, observe } as const
    const reported = await readReported(snapshotTx, watch)
    return { position, reported, evaluation: await evaluateSnapshot(watch, reported, snapshot) }
  })
  await tx.query(`update watches set ${COUNT_COMPARISON} where account_id = $1 and id = $2`, [
    watch.accountId,
    watch.id,
  ])
  if ('tooMany' in compared) {
    await pauseCrowded(tx, watch.accountId, watch.id, compared.tooMany)
    return 0
  }
  if (watch.wasScanned) await tx.query(FORGET_MISSED, [watch.accountId, watch.id])
  // The events have the time of the comparison. The delay since the changes is unknown.
  const { onEvents: _, ...unmeasured } = price
  const { events, paused } = await reportEvaluations(tx, [compared.evaluation], unmeasured)
  if (paused.length === 0) {
    const { reported, position } = compared
    const written = writtenHomes(compared.evaluation, watch)
    const piece = { after: watch.position, upTo: position }
    if (!reported.isFirst)
      await recordCanceledChanges(tx, {
        watch,
        search: watch.search,
        ...piece,
        homes: reported.homes,
        written,
      })
    await tx.query(COMPARED, [watch.accountId, watch.id, position])
  }
  if (watch.status === 'pending') await notifyWatch(tx, 'watch.ready', watch.accountId, watch.id)
  return events
}

function writtenHomes(
  { events, silent, baseline }: Evaluation,
  { unseen }: WaitingWatch,
): ReadonlySet<string> {
  return new Set([...[...events, ...silent, ...baseline].map(({ zpid }) => zpid), ...unseen])
}

async function readReported(tx: Queryable, watch: WaitingWatch): Promise<ReportedState> {
  const { rows } = await tx.query<ReportedHome & { zpid: string }>(STATES_OF_WATCH, [
    watch.accountId,
    watch.id,
  ])
  const homes = new Map(rows.map((row) => [row.zpid, row]))
  return { homes, isFirst: watch.status === 'pending', unseen: watch.unseen }
}

async function observeHomes(
  tx: Queryable,
  { position }: WaitingWatch,
  present: readonly Match[],
  zpids: readonly string[],
): Promise<ObservedHome[]> {
  const { rows: listings } = await tx.query<ListingRow>(LISTINGS, [zpids])
  const listingOf = new Map(listings.map((row) => [row.zpid, row]))
  const { rows: origins } = await tx.query<HomeOrigin>(ORIGINS, [position, zpids])
  const originOf = new Map(origins.map((origin) => [origin.zpid, origin]))
  const fates = await readImportFates(tx, [...new Set(origins.flatMap(({ imports }) => imports))])
  const { rows: clock } = await tx.query<{ at: Date }>('select now() as at')
  const { at } = clock[0]!
  const matches = new Set(present.map(({ zpid }) => zpid))
  return zpids.map((zpid) => {
    const facts = listingOf.get(zpid) ?? null
    const origin = originOf.get(zpid)
    const isListed = origin !== undefined && origin.kind !== (facts?.kind ?? null)
    const imports = (origin?.imports ?? []).filter((id) => (fates.get(id) ?? 'applied') === 'applied')
    return {
      zpid,
      sourceUpdatedAt: facts?.sourceUpdatedAt ?? null,
      observation: { facts, matches: matches.has(zpid), isListed, at },
      source: facts?.source ?? null,
      summary: facts?.summary ?? null,
      cause: { imports, after: position, isUndo: origin !== undefined && imports.length === 0 },
    }
  })
}

function watchedOf({ search, zpids }: WaitingWatch): WatchTarget {
  return search ? { search } : { zpids: zpids! }
}
