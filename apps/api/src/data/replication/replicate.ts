// One run over a feed: a pass over everything that has changed, page by page, and once a night a sweep of its keys.

import type { Queryable } from '../../infrastructure/database.ts'
import {
  addApplied,
  applyPage,
  type FeedRun,
  NOTHING_APPLIED,
  type PageResult,
  type RunTotal,
} from './apply-page.ts'
import { moveTo, readPosition, START, savePosition } from './feed-position.ts'
import { RELATED, type RelatedName } from './profiles.ts'
import { readPages } from './read-pages.ts'
import { applyRelated, forgetUnseen, withRelated } from './related.ts'
import { type FeedRecord, keyOf } from './reso-feed.ts'
import { renewLease } from './source-store.ts'
import { sweepKeys } from './sweep-keys.ts'

/**
 * @throws {FeedFailure} when the feed cannot be read to its end. Pages that were applied before stay applied
 * @throws {ImportHeld} when the run exceeds limits of the source. Deletions and restrictions of all its pages were applied
 */
export async function replicate(run: FeedRun): Promise<RunTotal> {
  const { database, lease, profile, full, entry } = run
  let total: RunTotal = { ...NOTHING_APPLIED, pages: 0, withdrawn: 0 }
  if (full && entry.mode !== 'held') await beginAnew(run)
  // Related records first, so that a new listing is stored with them.
  if (entry.mode !== 'held')
    for (const resource of profile.related) total = await passRelated(run, resource, total)
  total = await passListings(run, total)
  if (entry.exceeded) throw entry.exceeded
  if (entry.mode === 'held' || !(full || run.sweepIsDue)) return total
  const position = await readPosition(database, lease.name, undefined)
  // If the feed has records that no pass has seen, the next pass begins with the first of them, even if this run fails.
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

/** If this run is interrupted, the runs after it still read everything and make the sweep. */
async function beginAnew({ database, lease }: FeedRun): Promise<void> {
  await database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await tx.query(FORGET_POSITIONS, [lease.name])
    await tx.query('update connected_sources set sweeping = true where name = $1', [lease.name])
  })
}

function passListings(run: FeedRun, before: RunTotal): Promise<RunTotal> {
  const { database, lease, toListing, profile, entry } = run
  return pass(run, undefined, before, async (records, savePosition) =>
    applyPage(database, lease, {
      records: profile.related.length > 0 ? await withRelated(database, lease.name, records) : records,
      toListing,
      entry,
      savePosition,
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
): Promise<PageResult> {
  const updated = await applyRelated(database, lease, resource, records, savePosition)
  return { ...NOTHING_APPLIED, updated }
}

/** Reads all open houses, because a deleted one can only be noticed by its absence. */
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
) => Promise<PageResult>

/** Reads everything that has changed since the last pass, or continues an interrupted pass. */
async function pass(
  run: FeedRun,
  resource: RelatedName | undefined,
  before: RunTotal,
  apply: ApplyRecords,
): Promise<RunTotal> {
  let total = before
  for await (const { records, position } of readPages(run, resource)) {
    const applied = await apply(records, (tx) => savePosition(tx, run.lease.name, position, resource))
    total = { ...addApplied(total, applied), pages: total.pages + 1, withdrawn: total.withdrawn }
    run.onPage(total)
  }
  return total
}
