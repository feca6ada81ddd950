// Stores listings of a feed, from a page of a pass or fetched by key, with what was read separately about them.

import type { Queryable } from '../../infrastructure/database.ts'
import { applyPage, type FeedRun, type PageResult } from './apply-page.ts'
import { withRelated } from './related.ts'
import type { FeedRecord } from './reso-feed.ts'

/**
 * @param savePosition runs in the same transaction
 * @throws {SourceLost} when another process has the source by now
 */
export async function applyListings(
  { database, lease, toListing, profile, entry }: FeedRun,
  records: readonly FeedRecord[],
  savePosition: (tx: Queryable) => Promise<void>,
): Promise<PageResult> {
  return applyPage(database, lease, {
    records: profile.related.length > 0 ? await withRelated(database, lease.name, records) : records,
    toListing,
    entry,
    savePosition,
  })
}
