// Evaluates watches over a remote data source: one process at a time searches a due watch completely and compares the result with the last
// reported state. A failed or incomplete search changes nothing.
// A missing home is removed only if the next complete search does not find it either. If many homes are missing at once, the result is
// implausible: the watch is quarantined and reports nothing until a complete search agrees.
// Searches are free for the account, so its plan limits their queries by the hour. A watch whose account has used them up stays due and is
// searched later. A watch whose searches are never complete, or whose results cannot be written, is paused.

import type { Logger } from 'pino'
import { prepareSearches } from '../../data/places.ts'
import { type Provider, type QueryContext, reportedStatus } from '../../data/sources.ts'
import type { AreaSearch } from '../../domain/search.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../../infrastructure/database.ts'
import { retry, type ScanOutcome } from '../../infrastructure/platform.ts'
import { MAX_FAILED_COMPARISONS, pauseFailed } from './compare-watch.ts'
import {
  evaluateSnapshot,
  type LockedWatch,
  matchLimitOf,
  type ObservedHome,
  type ReportedHome,
  type WholeSnapshot,
} from './evaluate-snapshot.ts'
import type { Observation } from './home-event.ts'
import { notifyWatch } from './notify.ts'
import {
  LOCKED_COLUMNS,
  renewForWatches,
  reportEvaluations,
  resumePaid,
  type WatchPrice,
} from './report-changes.ts'
import { isOfWatch } from './report-step.ts'
import { countQueries, type SeenHome, scanHomes, scanSearch } from './scan-provider.ts'
import { pauseCrowded, pauseLostWatches, pauseWatch } from './update-watch.ts'

/** A scan that takes longer is aborted. Its lease is longer, so that no other process searches at the same time. */
const MAX_SCAN_MS = 20 * 60_000
const LEASE = "interval '25 minutes'"
/** A failed scan is repeated after this fraction of the interval, up to this maximum. */
const RETRY_PART = 0.1
const LATEST_RETRY = "interval '10 minutes'"
/** Consecutive incomplete scans after which a watch is paused. The wait doubles after each, up to the interval. */
export const MAX_INCOMPLETE_SCANS = 10
/** Queries of a scan between two writes to the account's budget. A process that is killed loses the count of fewer than this many. */
const QUERIES_OF_AN_ENTRY = 50

/** The limits of an account's plan for its watches. */
export interface ScanLimits {
  /** Maximum homes in the first search of a watch. */
  readonly matches: number
  /**
   * Provider queries of all its watches in an hour. A search that has begun is finished: it may take 2,000 queries, or one for each of its
   * homes.
   */
  readonly queriesPerHour: number
}

export interface ScanTools {
  readonly database: Database
  readonly log: Logger
  readonly provider: Provider
  readonly price: () => WatchPrice
  readonly limitsOf: (plan: string) => ScanLimits
  /** Called at the end of each scan. */
  readonly onScan?: (outcome: ScanOutcome, ms: number) => void
}

/** The daily interval for a watch that was created over the data set, where it reported changes immediately. */
const INTERVAL = "watch_interval(case every when 'change' then '1d' else every end)"

/** SQL: the wait after a failed scan. */
const RETRY = `least(${INTERVAL} * ${RETRY_PART}, ${LATEST_RETRY} * (0.5 + random() / 2))`

interface ClaimedWatch {
  readonly accountId: string
  readonly id: string
  readonly token: string
  readonly search: AreaSearch | null
  readonly zpids: readonly string[] | null
  readonly plan: string
}

const CLAIM = `
  update watches set scan_token = gen_random_uuid(), scan_until = now() + ${LEASE}
  where (account_id, id) = (
    select w.account_id, w.id from watches w join accounts a on a.id = w.account_id and a.status = 'active'
    where w.status <> 'paused' and w.due_at <= now() and (w.scan_until is null or w.scan_until <= now())
      and not exists (
        select from budgets b where b.kind = 'watch_queries' and b.subject = w.account_id::text and b.ends_at > now())
    order by w.due_at, w.account_id, w.id limit 1 for update of w skip locked)
  returning account_id as "accountId", id, scan_token as token, search, zpids,
    (select plan from accounts a where a.id = account_id) as plan`

/** Searches the next due watch whose account has queries left. False: there is none. */
export async function scanStep(tools: ScanTools, signal: AbortSignal): Promise<boolean> {
  const { database } = tools
  await pauseLostWatches(database)
  try {
    await renewForWatches(database)
    await resumePaid(database, tools.price())
  } catch (error) {
    // A failure here does not stop the searches of other watches.
    tools.log.warn({ err: error }, 'cannot resume the watches that wait for credits')
  }
  const { rows } = await database.query<ClaimedWatch>(CLAIM)
  const [watch] = rows
  if (!watch) return false
  const from = performance.now()
  const end = (outcome: ScanOutcome) => tools.onScan?.(outcome, performance.now() - from)
  try {
    end(await scan(tools, watch, AbortSignal.any([signal, AbortSignal.timeout(MAX_SCAN_MS)])))
  } catch (error) {
    end(error instanceof NotWanted ? 'dropped' : 'failed')
    await giveBack(tools, watch, error, signal)
  }
  return true
}

/** The watch was changed, paused, or deleted during the scan, so its result would be discarded. */
class NotWanted extends Error {}

// The hourly budget of an account's searches. A search starts only if the budget has refilled. At most an hour's worth can accumulate.
const SPEND = `
  select charge_rate('watch_queries', $1::uuid::text, 3600, $2, $3), exists (
    select from watches where account_id = $1::uuid and id = $4 and scan_token = $5 and status <> 'paused') as "isWanted"`

/** Records the queries of a scan in the budget of its account: `count` before each, `close` at the end of the scan. */
function openEntry({ database, limitsOf }: ScanTools, { accountId, id, token, plan }: ClaimedWatch) {
  let queries = 0
  async function enter(): Promise<boolean> {
    const spent = queries
    queries = 0
    const values = [accountId, spent, limitsOf(plan).queriesPerHour, id, token]
    const { rows } = await database.query<{ isWanted: boolean }>(SPEND, values)
    return rows[0]!.isWanted
  }
  return {
    async count(): Promise<void> {
      queries += 1
      if (queries >= QUERIES_OF_AN_ENTRY && !(await enter()))
        throw new NotWanted('the watch was changed during its search')
    },
    async close(): Promise<void> {
      if (queries > 0) await enter()
    },
  }
}

const GIVE_BACK = `
  update watches set scan_token = null, scan_until = null, due_at = now() + ${RETRY}
  where account_id = $1 and id = $2 and scan_token = $3
  returning 0 as failures`

/** A result that cannot be written counts as a failed comparison: the wait doubles after each, up to the interval. */
const SET_BACK = `
  update watches set scan_token = null, scan_until = null, failed_comparisons = failed_comparisons + 1,
    due_at = now() + least(${INTERVAL}, ${RETRY} * (2 ^ failed_comparisons))
  where account_id = $1 and id = $2 and scan_token = $3
  returning failed_comparisons as failures`

/** Retries of releasing a watch during a database outage. Without the release, its lease would block it for much longer. */
const GIVE_BACK_EVERY_MS = 250

async function giveBack(
  { database, log, price }: ScanTools,
  { accountId, id, token }: ClaimedWatch,
  reason: unknown,
  signal: AbortSignal,
): Promise<void> {
  const isOfResult = reason instanceof NotWritten
  if (isOfResult) price().onError?.(reason.cause, id)
  else log.warn({ err: reason, watch: id }, 'the search of a watch failed and will be repeated')
  await retry(
    async () => {
      const back = isOfResult ? SET_BACK : GIVE_BACK
      const { rows } = await database.query<{ failures: number }>(back, [accountId, id, token])
      if (rows[0] && rows[0].failures >= MAX_FAILED_COMPARISONS)
        await pauseFailed(database, accountId, id, price())
    },
    {
      timeoutMs: MAX_SCAN_MS,
      pauseMs: GIVE_BACK_EVERY_MS,
      mayPass: (error) => error instanceof DatabaseUnavailable && !signal.aborted,
    },
  )
}

/** The source and the database were available, but the result of the scan cannot be written. `cause` has the reason. */
class NotWritten extends Error {}

interface StoredHome extends ReportedHome {
  readonly zpid: string
}

const STATES = `
  select zpid, status, price, left_at as "leftAt", missed from watch_homes where account_id = $1 and watch_id = $2`

async function scan(tools: ScanTools, watch: ClaimedWatch, signal: AbortSignal): Promise<ScanOutcome> {
  const entry = openEntry(tools, watch)
  try {
    return await compare({ ...tools, provider: countQueries(tools.provider, entry.count) }, watch, signal)
  } finally {
    await entry.close()
  }
}

async function compare(tools: ScanTools, watch: ClaimedWatch, signal: AbortSignal): Promise<ScanOutcome> {
  const { provider, database } = tools
  const { accountId } = watch
  const owner = { account: accountId, background: true, isWatch: true } as const
  // A home that was unknown a moment ago would be missing from the baseline, and reported as new later.
  const asking: QueryContext = { signal, accountId, owner, fresh: true }
  if (watch.search) await prepareSearches(database, [watch.search])
  const scanned = watch.search
    ? await scanSearch(provider, watch.search, asking)
    : { homes: await scanHomes(provider, watch.zpids!, asking) }
  if ('incomplete' in scanned) return endIncomplete(tools, watch, scanned.incomplete)
  const seen = scanned.homes
  const present = new Map([...seen].filter(([, { facts }]) => watch.search || facts.kind !== 'off_market'))
  // Only this scan changes these homes: a change of the watch's target clears the token (`scan_token`).
  const { rows: states } = await database.query<StoredHome>(STATES, [accountId, watch.id])
  const gone = states.filter(({ zpid, leftAt, missed }) => leftAt === null && missed && !present.has(zpid))
  const unknown = gone.map(({ zpid }) => zpid).filter((zpid) => !seen.has(zpid))
  // The current data of the homes gives the reason of their removal.
  const traced = watch.search ? await scanHomes(provider, unknown, asking) : new Map<string, SeenHome>()
  try {
    return await database.transaction((tx) =>
      finish(tx, tools, watch, { present, elsewhere: merge(seen, traced), states }),
    )
  } catch (error) {
    throw isOfWatch(error) ? new NotWritten('the result cannot be written', { cause: error }) : error
  }
}

const END_INCOMPLETE = `
  update watches set scan_token = null, scan_until = null, incomplete_scans = incomplete_scans + 1,
    due_at = now() + least(${INTERVAL}, ${RETRY} * (2 ^ incomplete_scans))
  where account_id = $1 and id = $2 and scan_token = $3 and status <> 'paused'
  returning incomplete_scans as count`

/** The missing part of the result is unknown, so nothing is compared. If no scan is ever complete, the watch is paused. */
async function endIncomplete(
  { database, log }: ScanTools,
  { accountId, id, token }: ClaimedWatch,
  reason: string,
): Promise<ScanOutcome> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ count: number }>(END_INCOMPLETE, [accountId, id, token])
    if (!rows[0]) {
      await tx.query(DROP, [accountId, id, token])
      return 'dropped'
    }
    const { count } = rows[0]
    const isLast = count >= MAX_INCOMPLETE_SCANS
    const end = isLast ? 'it is paused' : 'it is searched again'
    log.warn({ reason, watch: id, count }, `the search of a watch was incomplete; ${end}`)
    if (isLast) {
      await pauseWatch(tx, accountId, id, 'incomplete_results')
      await notifyWatch(tx, 'watch.paused', accountId, id)
    }
    return 'incomplete'
  })
}

function merge<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): Map<K, V> {
  return new Map([...one, ...other])
}

interface ScannedHomes {
  /** The homes that match now. */
  readonly present: ReadonlyMap<string, SeenHome>
  /** The known data of all homes, including those that do not match. */
  readonly elsewhere: ReadonlyMap<string, SeenHome>
  /** The watch's homes before the scan. */
  readonly states: readonly StoredHome[]
}

interface ScannedWatch extends LockedWatch {
  readonly status: 'pending' | 'active' | 'quarantined'
  readonly scannedAt: Date | null
  readonly unseen: readonly string[]
  readonly now: Date
}

// A watch that was paused, changed, or deleted meanwhile is not found, and the scan is discarded. A suspended account is not charged.
const LOCK = `
  select ${LOCKED_COLUMNS}, status, scanned_at as "scannedAt", unseen, now() as now
  from watches w
  where account_id = $1 and id = $2 and scan_token = $3 and status in ('pending', 'active', 'quarantined')
    and exists (select from accounts where id = $1 and status = 'active')
  for update`

const DROP = `
  update watches set scan_token = null, scan_until = null where account_id = $1 and id = $2 and scan_token = $3`

const SCANNED = `
  update watches set scan_token = null, scan_until = null, unseen = '{}', found = null, incomplete_scans = 0,
    failed_comparisons = 0,
    -- Homes that were listed before an implausible search are reported as listed after it.
    scanned_at = case when $3 = 'quarantined' then scanned_at else now() end,
    -- The watch does not follow the change log here. If the data set returns, it is first compared with all of it.
    is_current = false,
    baseline_at = coalesce(baseline_at, now()), due_at = now() + ${INTERVAL},
    status = case when status = 'paused' then status else $3 end
  where account_id = $1 and id = $2`

const SET_MISSED = `
  update watch_homes set missed = zpid = any ($3)
  where account_id = $1 and watch_id = $2 and missed <> (zpid = any ($3))`

async function finish(
  tx: Queryable,
  { price, limitsOf }: ScanTools,
  { accountId, id, token, plan }: ClaimedWatch,
  scanned: ScannedHomes,
): Promise<ScanOutcome> {
  const { rows } = await tx.query<ScannedWatch>(LOCK, [accountId, id, token])
  const [watch] = rows
  if (!watch) {
    await tx.query(DROP, [accountId, id, token])
    return 'dropped'
  }
  const { present, states } = scanned
  if (present.size > matchLimitOf(watch, () => limitsOf(plan).matches)) {
    await pauseCrowded(tx, accountId, id, present.size)
    await tx.query(DROP, [accountId, id, token])
    return 'complete'
  }
  const isFirst = watch.status === 'pending'
  const homes = new Map(states.map((state) => [state.zpid, state]))
  const reported = { homes, isFirst, unseen: watch.unseen }
  const evaluation = await evaluateSnapshot(watch, reported, snapshotOf(watch, scanned))
  const { missing, newlyMissing, isDoubted } = evaluation
  await tx.query(SET_MISSED, [accountId, id, missing])
  await reportEvaluations(tx, [evaluation], price())
  await tx.query(SCANNED, [accountId, id, isDoubted ? 'quarantined' : 'active'])
  if (isFirst) await notifyWatch(tx, 'watch.ready', accountId, id)
  if (isDoubted && watch.status !== 'quarantined')
    await notifyWatch(tx, 'watch.quarantined', accountId, id, newlyMissing)
  return 'complete'
}

/** A home that the source no longer has was withdrawn. Only an operator of the data set removes homes. */
const WITHDRAWN: Observation['facts'] = {
  kind: 'off_market',
  is_pending: false,
  sale_type: 'by_agent',
  price: null,
}

function snapshotOf(watch: ScannedWatch, { present, elsewhere }: ScannedHomes): WholeSnapshot {
  function observe(zpid: string): ObservedHome {
    const home = elsewhere.get(zpid)
    const facts = home?.facts ?? WITHDRAWN
    // A home that was listed before the last scan now matches because its facts have changed.
    const isListed = Boolean(home?.listedAt && watch.scannedAt && home.listedAt > watch.scannedAt)
    return {
      zpid,
      sourceUpdatedAt: home?.sourceUpdatedAt ?? null,
      observation: { facts, matches: present.has(zpid), isListed, at: watch.now },
      source: home?.source ?? null,
      summary: home?.summary ?? null,
    }
  }
  return {
    coverage: 'whole',
    present: [...present.values()].map(({ zpid, facts }) => ({
      zpid,
      status: reportedStatus(facts),
      price: facts.price,
    })),
    isAbsenceCertain: false,
    observe: async (zpids) => zpids.map(observe),
  }
}
