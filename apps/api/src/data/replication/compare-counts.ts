// Compares the records that are stored with the number that the feed states (`@odata.count`). A pass that read every page may still lack
// records: the server may have left them out.

import type { CountComparison, FeedRun } from './apply-page.ts'
import { queryUrl, readPage } from './reso-feed.ts'
import { isUnsupported } from './server-abilities.ts'
import { renewLease } from './source-store.ts'

// Of a deleted record, the feed may still count the key, or not.
const COUNT = `
  select count(r.source) filter (where r.state <> 'withdrawn') + max(s.unkeyed_records) as most,
    count(r.source) filter (where r.state not in ('withdrawn', 'deleted')) as least
  from connected_sources s left join source_records r on r.source = s.name
  where s.name = $1`

/** @throws {FeedFailure} when the server cannot be reached */
export async function compareCounts(run: FeedRun): Promise<CountComparison> {
  const stated = await readCount(run)
  if (stated === null) return { stated, missing: 0, surplus: 0 }
  const { rows } = await run.database.query<{ most: number; least: number }>(COUNT, [run.lease.name])
  const { most, least } = rows[0]!
  return { stated, missing: Math.max(0, stated - most), surplus: Math.max(0, least - stated) }
}

async function readCount({ upstream, settings, profile, signal }: FeedRun): Promise<number | null> {
  const url = queryUrl(settings, profile, { keysOnly: true, top: 1, count: true })
  try {
    const first = await readPage(upstream, url, signal)
    // Some servers begin with an empty page.
    const isElsewhere = first.count === undefined && first.records.length === 0 && first.next !== undefined
    const { count } = isElsewhere ? await readPage(upstream, first.next!, signal) : first
    return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : null
  } catch (error) {
    if (isUnsupported(error)) return null
    throw error
  }
}

const SAVE = `
  update connected_sources set compared_at = now(), stated_records = $2,
    missing_records = case when $2::bigint is not null then $3::bigint end,
    surplus_records = case when $2::bigint is not null then $4::bigint end
  where name = $1`

/** Stores the comparison for the status and the metrics. */
export async function saveComparison(
  { database, lease }: FeedRun,
  { stated, missing, surplus }: CountComparison,
): Promise<void> {
  await database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await tx.query(SAVE, [lease.name, stated, missing, surplus])
  })
}
