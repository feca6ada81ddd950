// One run over a feed: a pass over everything that has changed, page by page, and a sweep of its keys, if one is due or the feed states
// another number of records than are stored.
// Why: decisions/data/feed-is-complete-or-fails.md

import type { Queryable } from '../../infrastructure/database.ts'
import { applyListings } from './apply-listings.ts'
import {
  addApplied,
  type CountComparison,
  type FeedRun,
  NOTHING_APPLIED,
  type PageResult,
  type RunTotal,
} from './apply-page.ts'
import { compareCounts, saveComparison } from './compare-counts.ts'
import { moveTo, readPosition, START, savePosition } from './feed-position.ts'
import { RELATED, type RelatedName } from './profiles.ts'
import { readPages } from './read-pages.ts'
import { applyRelated, forgetUnseen } from './related.ts'
import { type FeedRecord, keyOf } from './reso-feed.ts'
import { renewLease } from './source-store.ts'
import { sweepKeys } from './sweep-keys.ts'
import { FeedFailure } from './upstream.ts'

/**
 * @throws {FeedFailure} when the feed cannot be read to its end, or lacks records that it states. Pages that were applied before stay
 * applied
 * @throws {ImportHeld} when the run exceeds limits of the source. Deletions and restrictions of all its pages were applied
 */
export async function replicate(run: FeedRun): Promise<RunTotal> {
  const { profile, full, entry } = run
  let total: RunTotal = { ...NOTHING_APPLIED, pages: 0, withdrawn: 0 }
  // Only deletions and restrictions are applied, so that the counts differ and a sweep would find nothing new.
  if (entry.mode === 'held') return passListings(run, total)
  if (full) await beginAnew(run)
  // Related records first, so that a new listing is stored with them.
  for (const resource of profile.related) total = await passRelated(run, resource, total)
  let compared = await settle(run, await passListings(run, total))
  const { missing, surplus } = compared.comparison
  const isSweepDue = full || run.sweepIsDue || missing > 0 || (surplus > 0 && run.maySweepForSurplus)
  if (isSweepDue) compared = await sweepAndSettle(run, compared)
  requireComplete(run, compared)
  // Last, because nothing else waits for it.
  return isSweepDue && profile.related.includes('OpenHouse') ? passAllOpenHouses(run, compared) : compared
}

type ComparedTotal = RunTotal & { readonly comparison: CountComparison }

/** Records that appear between the last page and the count come with another pass, so passes and counts alternate this many times. */
const MAX_COUNTS = 3

/** Compares the counts, and reads again what has changed if records are missing. */
async function settle(run: FeedRun, before: RunTotal): Promise<ComparedTotal> {
  let total = before
  for (let counts = 1; ; counts++) {
    const comparison = await compareCounts(run)
    await saveComparison(run, comparison)
    if (comparison.missing === 0 || counts === MAX_COUNTS) return { ...total, comparison }
    total = await passListings(run, total)
  }
}

/** A list of keys whose pages leave gaps has them at other places each time. */
const MAX_SWEEPS = 3

async function sweepAndSettle(run: FeedRun, before: RunTotal): Promise<ComparedTotal> {
  let total = before
  for (let sweeps = 1; ; sweeps++) {
    const compared = await settle(run, await sweep(run, total))
    if (compared.comparison.missing === 0 || sweeps === MAX_SWEEPS) return compared
    total = compared
  }
}

async function sweep(run: FeedRun, before: RunTotal): Promise<RunTotal> {
  const position = await readPosition(run.database, run.lease.name, undefined)
  let isPassNeeded = false
  const { withdrawn, fetched, brokenOff } = await sweepKeys(run, position.complete_to, async (unreadFrom) => {
    isPassNeeded = true
    await moveTo(run, { ...position, complete_to: unreadFrom, is_settled: true })
  })
  const total = {
    ...before,
    ...addApplied(before, fetched),
    withdrawn: before.withdrawn + withdrawn,
    ...(brokenOff !== undefined && { brokenOff }),
  }
  run.onPage(total)
  return isPassNeeded ? passListings(run, total) : total
}

/** @throws {FeedFailure} when the feed has records that were not read */
function requireComplete({ upstream }: FeedRun, { comparison, brokenOff }: ComparedTotal): void {
  const { stated, missing } = comparison
  if (missing > 0) {
    throw new FeedFailure(
      `${upstream.origin} states ${stated} records, and ${missing} of them were not read: neither its pages nor its keys have ` +
        'them. What was read is stored. Ask the operator of the server why its pages lack records',
    )
  }
  // Without a count, nothing shows that the pages had every record.
  if (stated === null && brokenOff !== undefined) throw new FeedFailure(`${upstream.origin} ${brokenOff}`)
}

const FORGET_POSITIONS = `
  update source_cursors set complete_to = null, reached = null, next_link = null, began_at = null, is_settled = false,
    tie_from = null, tie_to = null, tie_after = null
  where source = $1`

/** If this run is interrupted, the runs after it still read everything and make the sweep. */
async function beginAnew({ database, lease }: FeedRun): Promise<void> {
  await database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await tx.query(FORGET_POSITIONS, [lease.name])
    // The server may have been replaced by one that can be asked in other ways.
    await tx.query(`update connected_sources set sweeping = true, server_abilities = '{}' where name = $1`, [
      lease.name,
    ])
  })
}

async function passListings(run: FeedRun, before: RunTotal): Promise<RunTotal> {
  const total = await pass(run, undefined, before, (records, savePosition) =>
    applyListings(run, records, savePosition),
  )
  if (run.entry.exceeded) throw run.entry.exceeded
  return total
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
  for await (const { records, position, brokenOff } of readPages(run, resource)) {
    const applied = await apply(records, (tx) => savePosition(tx, run.lease.name, position, resource))
    const sum = { ...addApplied(total, applied), pages: total.pages + 1 }
    total = { ...total, ...sum, ...(brokenOff !== undefined && { brokenOff }) }
    run.onPage(total)
  }
  return total
}
