// How far the passes over a resource of a feed came, and how a page moves it.
//
// A pass of many pages takes minutes, or hours if it is interrupted. A record that changes meanwhile may be on a page that was
// read already, while a later page brings a newer change of another record. So the next pass begins at the newest change
// that was read or where this pass began, whichever is earlier. The beginning is stored with the first page. It is the time
// that the feed's server states in its first response (`Date`), because times of change are of the same machines; the overlap
// covers the difference of their clocks. The newest change on the first page would need no clock at all, but a server may
// send the oldest records first: the next pass would read everything again, and advance by one page. Our own clock is used
// only for a server that states no time.
// Why: decisions/data/where-the-next-pass-begins.md

import type { Queryable } from '../../infrastructure/database.ts'
import type { FeedRun } from './apply-page.ts'
import type { Profile, RelatedName } from './profiles.ts'
import { compareTimes, type FeedPage, modifiedOf } from './reso-feed.ts'
import { renewLease } from './source-store.ts'

/**
 * Each pass begins this long before the last known change, until the feed's clock shows that no record with an earlier time can appear any
 * more: servers commit a change later than its time, and their clocks differ.
 */
const OVERLAP_MS = 10 * 60_000
/** How far our clock may be ahead of the clock of a server that states no time. */
const UNKNOWN_CLOCK_MS = 24 * 60 * 60_000

/** The progress of the passes over a resource of a feed: its row in `source_cursors`. */
export interface FeedPosition {
  readonly complete_to: string | null
  readonly reached: string | null
  readonly next_link: string | null
  /** The number of records that the server has sent for the query that `next_link` continues. 0: the query is our own. */
  readonly next_count: number
  readonly began_at: Date | null
  readonly is_settled: boolean
  readonly newest: string | null
  /**
   * The pass reads the records of these times of change by their keys: from `tie_from` to before `tie_to`, behind the key `tie_after` in
   * OData. null: it does not.
   */
  readonly tie_from: string | null
  readonly tie_to: string | null
  readonly tie_after: string | null
}

export const START: FeedPosition = {
  complete_to: null,
  reached: null,
  next_link: null,
  next_count: 0,
  began_at: null,
  is_settled: false,
  newest: null,
  tie_from: null,
  tie_to: null,
  tie_after: null,
}

const NO_TIE = { tie_from: null, tie_to: null, tie_after: null } as const

/** The time from which a new pass reads. undefined: it reads everything. */
export function sinceOf({ complete_to, is_settled }: FeedPosition): string | undefined {
  if (complete_to === null || is_settled) return complete_to ?? undefined
  return new Date(Date.parse(complete_to) - OVERLAP_MS).toISOString()
}

/**
 * Sets the time at which the pass began: before any change that the first page may lack, on the feed's clock.
 *
 * @param waitedMs how long the page took: its records may be that old
 */
export function beganBefore(position: FeedPosition, { serverMs }: FeedPage, waitedMs: number): FeedPosition {
  if (position.began_at !== null) return position
  return { ...position, began_at: new Date((serverMs ?? Date.now() - UNKNOWN_CLOCK_MS) - waitedMs) }
}

/** The server has forgotten the pass. A sorted pass continues with the last time that it reached; another begins again. */
export function withoutPage(position: FeedPosition, { sorts }: Profile): FeedPosition {
  // Of a tie, records before the latest may be unread.
  const reached = position.tie_from ?? position.reached
  const behind = { ...position, reached: null, next_link: null, next_count: 0, ...NO_TIE }
  return sorts && reached !== null
    ? { ...behind, complete_to: reached, is_settled: true }
    : { ...behind, began_at: null }
}

/** Where a pass continues. */
export interface NextPage {
  readonly url: string
  readonly count: number
  /** The page is one of a tie. */
  readonly tie?: { readonly from: string; readonly to: string; readonly after: string }
}

/**
 * The position behind a page.
 *
 * @param next where the pass continues. undefined: the page was the last
 */
export function advance(position: FeedPosition, page: FeedPage, next: NextPage | undefined): FeedPosition {
  const { complete_to, began_at } = position
  const reached = page.records.reduce(
    (latest, record) => laterOf(latest, modifiedOf(record) ?? null),
    position.reached,
  )
  const newest = newestOf(position, page)
  if (next) {
    const { tie } = next
    const place = tie ? { tie_from: tie.from, tie_to: tie.to, tie_after: tie.after } : NO_TIE
    return { ...position, reached, newest, next_link: next.url, next_count: next.count, ...place }
  }
  const known = laterOf(complete_to, reached)
  const began = began_at!.toISOString()
  return {
    complete_to: known === null || compareTimes(known, began) < 0 ? known : began,
    reached: null,
    next_link: null,
    next_count: 0,
    began_at: null,
    is_settled: known !== null && began_at!.getTime() - Date.parse(known) >= OVERLAP_MS,
    newest,
    ...NO_TIE,
  }
}

/**
 * The newest change, from which the lag is counted. A record whose time is in the future on the feed's clock does not count, because the
 * lag would stay 0 for years.
 */
function newestOf({ newest }: FeedPosition, { records, serverMs }: FeedPage): string | null {
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
  select complete_to, reached, next_link, next_count, began_at, is_settled, newest, tie_from, tie_to, tie_after
  from source_cursors
  where source = $1 and resource = $2`

/**
 * Reads the progress of the passes over a resource.
 *
 * @param resource undefined: the listings
 */
export async function readPosition(
  database: Queryable,
  name: string,
  resource: RelatedName | undefined,
): Promise<FeedPosition> {
  return (await database.query<FeedPosition>(READ, [name, resource ?? 'Property'])).rows[0] ?? START
}

const SAVE = `
  insert into source_cursors (source, resource, complete_to, reached, next_link, began_at, is_settled, newest, next_count,
      tie_from, tie_to, tie_after)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (source, resource) do update set complete_to = excluded.complete_to, reached = excluded.reached,
    next_link = excluded.next_link, began_at = excluded.began_at, is_settled = excluded.is_settled,
    newest = excluded.newest, next_count = excluded.next_count,
    tie_from = excluded.tie_from, tie_to = excluded.tie_to, tie_after = excluded.tie_after`

/** Saves a position in the transaction that stores its page. */
export async function savePosition(
  tx: Queryable,
  name: string,
  position: FeedPosition,
  resource?: RelatedName,
): Promise<void> {
  const { complete_to, reached, next_link, next_count, began_at, is_settled, newest } = position
  const key = [name, resource ?? 'Property']
  const pass = [complete_to, reached, next_link, began_at, is_settled, newest, next_count]
  await tx.query(SAVE, [...key, ...pass, position.tie_from, position.tie_to, position.tie_after])
}

/** Saves a position without a page. */
export function moveTo(
  { database, lease }: FeedRun,
  position: FeedPosition,
  resource?: RelatedName,
): Promise<void> {
  return database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await savePosition(tx, lease.name, position, resource)
  })
}
