// One run over a feed: a pass over everything that has changed, page by page, and once a night a sweep of its keys. The
// position is only ever made of the feed's own times of change, so it does not matter what our clock shows.

import type { Queryable } from '../database/database.ts'
import {
  type Applied,
  addApplied,
  applyPage,
  type FeedRun,
  NOTHING_APPLIED,
  type RunTotal,
} from './apply-page.ts'
import type { Profile, RelatedName } from './profiles.ts'
import { applyRelated, withRelated } from './related.ts'
import {
  compareTimes,
  type FeedPage,
  type FeedRecord,
  MODIFIED_FIELD,
  modifiedOf,
  PageTrail,
  queryUrl,
  readPage,
} from './reso-feed.ts'
import type { ResoSettings } from './source-store.ts'
import { sweepKeys } from './sweep-keys.ts'
import { FeedFailure } from './upstream.ts'

/**
 * Each pass begins so long before the last known change, until the feed's clock shows that no record can appear any more
 * with an earlier time: servers commit a change later than its time says, and their clocks differ.
 */
const OVERLAP_MS = 10 * 60_000

interface Position {
  readonly complete_to: string | null
  readonly reached: string | null
  readonly next_link: string | null
  readonly is_settled: boolean
}

const START: Position = { complete_to: null, reached: null, next_link: null, is_settled: false }

/** @throws {FeedFailure} when the feed cannot be read to its end; what was applied before stays applied. */
export async function replicate(run: FeedRun): Promise<RunTotal> {
  const { database, lease, profile, full } = run
  let total: RunTotal = { ...NOTHING_APPLIED, pages: 0, withdrawn: 0 }
  // First what belongs to the listings, so that a new one is stored with it.
  for (const resource of profile.related) total = await passRelated(run, resource, total)
  if (full) await savePosition(database, lease.name, START)
  total = await passListings(run, total)
  if (!(full || run.sweepIsDue)) return total
  const { complete_to } = await readPosition(database, lease.name, undefined)
  const swept = await sweepKeys(run, complete_to)
  total = { ...total, withdrawn: swept.withdrawn }
  run.onPage(total)
  if (swept.lostFrom === undefined) return total
  // The feed has records that no pass has seen: it continues from the first of them.
  await savePosition(database, lease.name, { ...START, complete_to: swept.lostFrom, is_settled: true })
  return passListings(run, total)
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
  return pass(run, resource, before, async (records, savePosition) => {
    const updated = await applyRelated(run.database, run.lease, resource, records, savePosition)
    return { ...NOTHING_APPLIED, updated }
  })
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
  const trail = new PageTrail()
  const name = lease.name
  let position = await readPosition(database, name, resource)
  let total = before
  let serverMs: number | undefined
  // Once in a run: a server may refuse its own next pages every time.
  let hasRestarted = false
  // An empty page that names a next one is no progress: the position stays before it until a page with records follows.
  let isBehindEmpty = false
  let url = position.next_link ?? firstUrl(settings, profile, position, resource)
  for (;;) {
    let page: FeedPage
    try {
      page = await readPage(upstream, url, signal)
    } catch (error) {
      if (hasRestarted || (url !== position.next_link && !isBehindEmpty) || !isGone(error)) throw error
      hasRestarted = true
      // The server has forgotten the pass. A sorted one goes on with the last time that it came to; another begins again.
      const from = profile.sorts ? (position.reached ?? position.complete_to) : position.complete_to
      position = { ...position, complete_to: from, reached: null, next_link: null, is_settled: true }
      await savePosition(database, name, position, resource)
      url = firstUrl(settings, profile, position, resource)
      continue
    }
    trail.check(url, page, upstream.origin)
    requireTimes(page, upstream.origin)
    serverMs ??= page.serverMs
    isBehindEmpty = page.records.length === 0 && page.next !== undefined
    if (isBehindEmpty) {
      url = page.next!
      continue
    }
    position = advance(position, page, serverMs)
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

/** The address of a page that was saved may have expired, or mean nothing to a server that was started again. */
function isGone(error: unknown): boolean {
  return error instanceof FeedFailure && [400, 404, 410, 422].includes(error.status ?? 0)
}

/** Without times of change nothing says where to continue. */
function requireTimes({ records }: FeedPage, origin: string): void {
  if (records.length === 0 || records.some((record) => modifiedOf(record) !== undefined)) return
  throw new FeedFailure(
    `${origin} sent ${records.length} records, none of which has a usable ${MODIFIED_FIELD}`,
  )
}

function advance(position: Position, page: FeedPage, serverMs: number | undefined): Position {
  let reached = position.reached
  for (const record of page.records) {
    const modified = modifiedOf(record)
    if (modified !== undefined && (reached === null || compareTimes(modified, reached) > 0))
      reached = modified
  }
  if (page.next !== undefined) return { ...position, reached, next_link: page.next }
  const { complete_to } = position
  const newest =
    reached === null || (complete_to !== null && compareTimes(complete_to, reached) > 0)
      ? complete_to
      : reached
  return {
    complete_to: newest,
    ...{ reached: null, next_link: null },
    is_settled: newest !== null && serverMs !== undefined && serverMs - Date.parse(newest) >= OVERLAP_MS,
  }
}

const READ = `
  select complete_to, reached, next_link, is_settled from source_cursors where source = $1 and resource = $2`

async function readPosition(
  database: Queryable,
  name: string,
  resource: RelatedName | undefined,
): Promise<Position> {
  return (await database.query<Position>(READ, [name, resource ?? 'Property'])).rows[0] ?? START
}

const SAVE = `
  insert into source_cursors (source, resource, complete_to, reached, next_link, is_settled)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (source, resource) do update set complete_to = excluded.complete_to, reached = excluded.reached,
    next_link = excluded.next_link, is_settled = excluded.is_settled`

async function savePosition(
  tx: Queryable,
  name: string,
  position: Position,
  resource?: RelatedName,
): Promise<void> {
  const { complete_to, reached, next_link, is_settled } = position
  await tx.query(SAVE, [name, resource ?? 'Property', complete_to, reached, next_link, is_settled])
}
