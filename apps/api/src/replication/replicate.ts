// One run over a feed: a pass over everything that has changed, page by page, and once a night a sweep of its keys.
//
// A pass of many pages takes minutes, or hours if it is interrupted. A record that changes meanwhile may be on a page that was
// read already, while a later page brings a newer change of another record. So the next pass begins at the newest change
// that was read or where this pass began, whichever is earlier. The beginning is stored with the first page. It is the time
// that the feed's server states in its first response (`Date`), because times of change are of the same machines; the overlap
// covers the difference of their clocks. The newest change on the first page would need no clock at all, but a server may
// send the oldest records first: the next pass would read everything again, and advance by one page. Our own clock is used
// only for a server that states no time.

import type { Queryable } from '../database/database.ts'
import {
  type Applied,
  addApplied,
  applyPage,
  type FeedRun,
  NOTHING_APPLIED,
  type RunTotal,
} from './apply-page.ts'
import { type Profile, RELATED, type RelatedName } from './profiles.ts'
import { applyRelated, forgetUnseen, withRelated } from './related.ts'
import {
  compareTimes,
  type FeedPage,
  type FeedRecord,
  hasTime,
  isCutAt,
  keyOf,
  MODIFIED_FIELD,
  modifiedOf,
  PageTrail,
  queryUrl,
  readPage,
  skipping,
} from './reso-feed.ts'
import { type ResoSettings, renewLease } from './source-store.ts'
import { sweepKeys } from './sweep-keys.ts'
import { FeedFailure } from './upstream.ts'

/**
 * Each pass begins so long before the last known change, until the feed's clock shows that no record can appear any more
 * with an earlier time: servers commit a change later than its time says, and their clocks differ.
 */
const OVERLAP_MS = 10 * 60_000
/** How far our clock may be ahead of the clock of a server that states no time. */
const UNKNOWN_CLOCK_MS = 24 * 60 * 60_000

/** The row of a resource in `source_cursors`. */
interface Position {
  readonly complete_to: string | null
  readonly reached: string | null
  readonly next_link: string | null
  /** Records that the server has sent in answer to the query that `next_link` continues; 0: it is a query of our own. */
  readonly next_count: number
  readonly began_at: Date | null
  readonly is_settled: boolean
  readonly newest: string | null
}

const START: Position = {
  ...{
    complete_to: null,
    reached: null,
    next_link: null,
    next_count: 0,
    began_at: null,
    is_settled: false,
    newest: null,
  },
}

/** @throws {FeedFailure} when the feed cannot be read to its end; what was applied before stays applied. */
export async function replicate(run: FeedRun): Promise<RunTotal> {
  const { database, lease, profile, full } = run
  let total: RunTotal = { ...NOTHING_APPLIED, pages: 0, withdrawn: 0 }
  if (full) await beginAnew(run)
  // First what belongs to the listings, so that a new one is stored with it.
  for (const resource of profile.related) total = await passRelated(run, resource, total)
  total = await passListings(run, total)
  if (!(full || run.sweepIsDue)) return total
  const position = await readPosition(database, lease.name, undefined)
  // If the feed has records that no pass has seen, the next pass begins with the first of them, also if this run fails.
  const swept = await sweepKeys(run, position.complete_to, (lostFrom) =>
    moveTo(run, { ...position, complete_to: lostFrom, is_settled: true }),
  )
  total = { ...total, withdrawn: swept.withdrawn }
  run.onPage(total)
  if (swept.lostFrom !== undefined) total = await passListings(run, total)
  // Last, because nothing else waits for it.
  return profile.related.includes('OpenHouse') ? passAllOpenHouses(run, total) : total
}

const FORGET_POSITIONS = `
  update source_cursors set complete_to = null, reached = null, next_link = null, began_at = null, is_settled = false
  where source = $1`

/** Also if this run is interrupted, the runs after it read everything and make the sweep. */
async function beginAnew({ database, lease }: FeedRun): Promise<void> {
  await database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await tx.query(FORGET_POSITIONS, [lease.name])
    await tx.query('update connected_sources set sweeping = true where name = $1', [lease.name])
  })
}

function passListings(run: FeedRun, before: RunTotal): Promise<RunTotal> {
  const { database, lease, toListing, profile } = run
  return pass(run, undefined, before, async (records, savePosition) =>
    applyPage(database, lease, {
      records: profile.related.length > 0 ? await withRelated(database, lease.name, records) : records,
      ...{ toListing, savePosition },
    }),
  )
}

function passRelated(run: FeedRun, resource: RelatedName, before: RunTotal): Promise<RunTotal> {
  return pass(run, resource, before, (records, savePosition) =>
    storeRelated(run, resource, records, savePosition),
  )
}

async function storeRelated(
  { database, lease }: FeedRun,
  resource: RelatedName,
  records: readonly FeedRecord[],
  savePosition: (tx: Queryable) => Promise<void>,
): Promise<Applied> {
  const updated = await applyRelated(database, lease, resource, records, savePosition)
  return { ...NOTHING_APPLIED, updated }
}

/** Reads all open houses, because one that was deleted shows only by what is missing. */
async function passAllOpenHouses(run: FeedRun, before: RunTotal): Promise<RunTotal> {
  const { database, lease } = run
  const resource = 'OpenHouse'
  const { newest } = await readPosition(database, lease.name, resource)
  await moveTo(run, { ...START, newest }, resource)
  const seen = new Set<string>()
  const total = await pass(run, resource, before, (records, savePosition) => {
    for (const record of records) {
      const key = keyOf(record, RELATED[resource].key)
      if (key !== undefined) seen.add(key)
    }
    return storeRelated(run, resource, records, savePosition)
  })
  return { ...total, updated: total.updated + (await forgetUnseen(database, lease, seen)) }
}

type ApplyRecords = (
  records: readonly FeedRecord[],
  savePosition: (tx: Queryable) => Promise<void>,
) => Promise<Applied>

/** Reads everything that has changed since the last pass, or continues one that was interrupted. */
async function pass(
  run: FeedRun,
  resource: RelatedName | undefined,
  before: RunTotal,
  apply: ApplyRecords,
): Promise<RunTotal> {
  const { database, lease, upstream, settings, profile, signal } = run
  let trail = new PageTrail()
  const name = lease.name
  let position = await readPosition(database, name, resource)
  let total = before
  // Once in a run: a server may refuse its own next pages every time.
  let hasRestarted = false
  // An empty page that names a next one is no progress: the position stays before it until a page with records follows.
  let isBehindEmpty = false
  let url = position.next_link ?? firstUrl(settings, profile, position, resource)
  let asked = askedWith(url, position.next_link === null ? 0 : position.next_count)
  for (;;) {
    let page: FeedPage
    let sent: FeedPage
    const askedMs = performance.now()
    try {
      sent = await readPage(upstream, url, signal)
      asked = { ...asked, count: asked.count + sent.records.length }
      page = { ...sent, next: nextUrl(run, asked, sent, resource) }
    } catch (error) {
      if (hasRestarted || (url !== position.next_link && !isBehindEmpty) || !isGone(error)) throw error
      hasRestarted = true
      position = withoutPage(position, profile)
      await moveTo(run, position, resource)
      // Its pages may have the same addresses.
      trail = new PageTrail()
      url = firstUrl(settings, profile, position, resource)
      asked = askedWith(url, 0)
      continue
    }
    trail.check(url, page, upstream.origin)
    // A next page that the server did not name is a query of our own.
    const own = page.next !== undefined && page.next !== sent.next
    if (own) asked = askedWith(page.next!, 0)
    requireTimes(page, upstream.origin)
    position = { ...position, began_at: position.began_at ?? beginningOf(page, performance.now() - askedMs) }
    isBehindEmpty = page.records.length === 0 && page.next !== undefined
    if (isBehindEmpty) {
      url = page.next!
      continue
    }
    position = { ...advance(position, page), next_count: asked.count }
    const saved = position
    const applied = await apply(page.records, (tx) => savePosition(tx, name, saved, resource))
    total = { ...addApplied(total, applied), pages: total.pages + 1, withdrawn: total.withdrawn }
    run.onPage(total)
    if (page.next === undefined) return total
    url = page.next
  }
}

function firstUrl(
  settings: ResoSettings,
  profile: Profile,
  { complete_to, is_settled }: Position,
  resource: RelatedName | undefined,
): string {
  const since =
    complete_to === null || is_settled
      ? complete_to
      : new Date(Date.parse(complete_to) - OVERLAP_MS).toISOString()
  return queryUrl(settings, profile, { since: since ?? undefined, resource })
}

/** A query with `$top`, and what the server has sent in answer to it, in one page or several. */
interface Asked {
  /** undefined: it was asked before an interruption. */
  readonly first: string | undefined
  readonly count: number
}

function askedWith(url: string, count: number): Asked {
  return { first: count === 0 ? url : undefined, count }
}

/** Servers may state their times with fewer digits than they sort by. */
const SHOWN_TIME_MS = 1_000

/**
 * The address of the page behind this one. A server that skips a number of records leaves some out when records that were
 * read already have changed since, because these moved to the end of its order. So a sorted pass asks for the records from the
 * last time of this page on, unless nearly all of the page have that time.
 */
function nextUrl(
  { settings, profile }: FeedRun,
  { first, count }: Asked,
  { records, next }: FeedPage,
  resource: RelatedName | undefined,
): string | undefined {
  const isCut = next === undefined && isCutAt(profile.pageSize, count, records, profile)
  if (!profile.sorts || !(isCut || (next !== undefined && new URL(next).searchParams.has('$skip'))))
    return next
  const times = records.map((record) => Date.parse(modifiedOf(record) ?? ''))
  // Also false without a time.
  const isSorted = times.every((time, at) => time >= (times[at - 1] ?? time))
  const since = times.at(-1)! - SHOWN_TIME_MS
  const advances = isSorted && since > times[0]!
  if (!advances && next !== undefined) return next
  if (!advances && first !== undefined) return skipping(first, count)
  // Behind an interruption nothing says what to skip. The records of the last second are read again.
  if (Number.isNaN(since)) return undefined
  return queryUrl(settings, profile, { since: new Date(since).toISOString(), resource })
}

/** The address of a page that was saved may have expired, or mean nothing to a server that was started again. */
function isGone(error: unknown): boolean {
  return error instanceof FeedFailure && [400, 404, 410, 422].includes(error.status ?? 0)
}

/** Without times of change nothing says where to continue. A page of nothing but impossible ones must not stop the feed. */
function requireTimes({ records }: FeedPage, origin: string): void {
  if (records.length === 0 || records.some(hasTime)) return
  throw new FeedFailure(
    `${origin} sent ${records.length} records, none of which has a usable ${MODIFIED_FIELD}`,
  )
}

/**
 * Before any change that the page may lack, by the feed's clock.
 *
 * @param waitedMs how long the page took: its records may be as old
 */
function beginningOf({ serverMs }: FeedPage, waitedMs: number): Date {
  return new Date((serverMs ?? Date.now() - UNKNOWN_CLOCK_MS) - waitedMs)
}

/** The server has forgotten the pass. A sorted one continues with the last time that it came to; another begins again. */
function withoutPage(position: Position, { sorts }: Profile): Position {
  const { reached } = position
  const behind = { ...position, reached: null, next_link: null, next_count: 0 }
  return sorts && reached !== null
    ? { ...behind, complete_to: reached, is_settled: true }
    : { ...behind, began_at: null }
}

function advance(position: Position, page: FeedPage): Position {
  const { complete_to, began_at } = position
  const reached = page.records.reduce(
    (latest, record) => laterOf(latest, modifiedOf(record) ?? null),
    position.reached,
  )
  const newest = newestOf(position, page)
  if (page.next !== undefined) return { ...position, reached, newest, next_link: page.next }
  const known = laterOf(complete_to, reached)
  const began = began_at!.toISOString()
  return {
    complete_to: known === null || compareTimes(known, began) < 0 ? known : began,
    ...{ reached: null, next_link: null, next_count: 0, began_at: null },
    is_settled: known !== null && began_at!.getTime() - Date.parse(known) >= OVERLAP_MS,
    newest,
  }
}

/**
 * The newest change, from which the lag is counted. A record whose time is in the future, by the feed's clock, does not count: the
 * lag would stay 0 for years, whatever happens.
 */
function newestOf({ newest }: Position, { records, serverMs }: FeedPage): string | null {
  const latestMs = (serverMs ?? Date.now()) + OVERLAP_MS
  return [newest, ...records.map(modifiedOf)].reduce<string | null>(
    (latest, time) => (time == null || Date.parse(time) > latestMs ? latest : laterOf(latest, time)),
    null,
  )
}

function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other
  return compareTimes(one, other) < 0 ? other : one
}

const READ = `
  select complete_to, reached, next_link, next_count, began_at, is_settled, newest from source_cursors
  where source = $1 and resource = $2`

async function readPosition(
  database: Queryable,
  name: string,
  resource: RelatedName | undefined,
): Promise<Position> {
  return (await database.query<Position>(READ, [name, resource ?? 'Property'])).rows[0] ?? START
}

const SAVE = `
  insert into source_cursors (source, resource, complete_to, reached, next_link, began_at, is_settled, newest, next_count)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (source, resource) do update set complete_to = excluded.complete_to, reached = excluded.reached,
    next_link = excluded.next_link, began_at = excluded.began_at, is_settled = excluded.is_settled,
    newest = excluded.newest, next_count = excluded.next_count`

async function savePosition(
  tx: Queryable,
  name: string,
  position: Position,
  resource?: RelatedName,
): Promise<void> {
  const { complete_to, reached, next_link, next_count, began_at, is_settled, newest } = position
  await tx.query(SAVE, [
    ...[
      name,
      resource ?? 'Property',
      complete_to,
      reached,
      next_link,
      began_at,
      is_settled,
      newest,
      next_count,
    ],
  ])
}

/** Saves a position without a page. */
function moveTo({ database, lease }: FeedRun, position: Position, resource?: RelatedName): Promise<void> {
  return database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await savePosition(tx, lease.name, position, resource)
  })
}
