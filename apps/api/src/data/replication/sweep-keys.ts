// The sweep reads every key of a feed that does not report deletions. A home that two complete consecutive sweeps did not find is
// withdrawn: it goes off the market. The sweep also finds records that no pass has seen. A feed that answers incompletely must not empty
// the data set, so there is a limit on how many may vanish at a time.

import { keysetPages, type Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport, forgetImport } from '../imports/import-log.ts'
import { importRows } from '../ingest/import-listings.ts'
import type { SourceRow } from '../ingest/source-row.ts'
import { lockImports } from '../listings/stage-listings.ts'
import type { FeedRun } from './apply-page.ts'
import { holdRun } from './hold-run.ts'
import {
  compareTimes,
  type FeedPage,
  type FeedRecord,
  isCutAt,
  keyOf,
  modifiedOf,
  PageTrail,
  queryUrl,
  readPage,
  skipping,
} from './reso-feed.ts'
import { renewLease, SourceFailure } from './source-store.ts'

/** Without permission, at most the greater of the two may vanish from a feed at a time. */
const FEED_REMOVAL_LIMIT = { share: 0.05, homes: 10 } as const

export interface Swept {
  readonly withdrawn: number
  /** The earliest change of a record that the passes have missed. */
  readonly lostFrom: string | undefined
}

// Sweeps are made at night in the United States. An interrupted sweep is repeated with the next run.
const BEGIN = `
  update connected_sources set sweep = sweep + 1, sweeping = true,
    sweep_due_at = date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' + interval '32 hours'
  where name = $1 and lease_token = $2 returning sweep`

const SEE = `
  with given as (
    select * from unnest($2::text[], $3::timestamptz[]) as g (key, modified)
  ), seen as (
    update source_records r set sweep = $4, misses = 0 from given g
    where r.source = $1 and r.source_key = g.key and r.state <> 'withdrawn'
    returning r.source_key, r.modified_at
  )
  select g.key from given g left join seen s on s.source_key = g.key
  where s.source_key is null or s.modified_at < g.modified`

/**
 * @param completeTo the time at which the next pass begins
 * @param continueFrom makes the next pass begin with lost records. It runs before homes are withdrawn, which may be refused
 * @throws {SourceFailure} when more homes have vanished than the limit allows. No home is withdrawn then
 */
export async function sweepKeys(
  run: FeedRun,
  completeTo: string | null,
  continueFrom: (lostFrom: string) => Promise<void>,
): Promise<Swept> {
  const { database, lease, upstream, settings, profile, signal } = run
  const { rows } = await database.query<{ sweep: number }>(BEGIN, [lease.name, lease.token])
  const sweep = rows[0]?.sweep
  if (sweep === undefined) return { withdrawn: 0, lostFrom: undefined }
  const trail = new PageTrail()
  let lostFrom: string | undefined
  let url: string | undefined = queryUrl(settings, profile, { keysOnly: true })
  let [first, count] = [url, 0]
  while (url !== undefined) {
    const sent: FeedPage = await readPage(upstream, url, signal)
    count += sent.records.length
    const isCut = sent.next === undefined && isCutAt(profile.keysPageSize, count, sent.records, profile)
    const page: FeedPage = { ...sent, next: isCut ? skipping(first, count) : sent.next }
    if (isCut) [first, count] = [page.next!, 0]
    trail.check(url, page, upstream.origin)
    const lost = await see(run, sweep, page.records)
    for (const modified of lost) {
      // Later changes come with the next pass.
      if (completeTo !== null && compareTimes(modified, completeTo) > 0) continue
      if (lostFrom === undefined || compareTimes(modified, lostFrom) < 0) lostFrom = modified
    }
    url = page.next
  }
  if (lostFrom !== undefined) await continueFrom(lostFrom)
  return { withdrawn: await withdrawMissing(run, sweep), lostFrom }
}

/** Records the keys of a page. Returns the times of change of those that are not known in this version. */
function see({ database, lease }: FeedRun, sweep: number, records: readonly FeedRecord[]): Promise<string[]> {
  const times = new Map<string, string | undefined>()
  for (const record of records) {
    const key = keyOf(record)
    if (key !== undefined) times.set(key, modifiedOf(record))
  }
  return database.transaction(async (tx) => {
    await renewLease(tx, lease)
    const { rows } = await tx.query<{ key: string }>(SEE, [
      lease.name,
      [...times.keys()],
      [...times.values()].map((time) => time ?? null),
      sweep,
    ])
    return rows.flatMap(({ key }) => times.get(key) ?? [])
  })
}

const MISS = `
  update source_records set misses = least(misses + 1, 9)
  where source = $1 and sweep < $2 and state <> 'withdrawn'`
// Includes homes whose latest record was rejected: they are stored, and MISSING_PAGE takes them off the market.
const COUNT = `
  select count(*) filter (where r.sweep < $2 and r.misses >= 2 and l.kind <> 'off_market') as missing, count(*) as homes
  from source_records r
    join record_identities i on i.source = r.source and i.source_key = r.source_key
    join listings l on l.zpid = i.zpid and l.source = r.source
  where r.source = $1 and r.state <> 'withdrawn'`
// Only the keys of these records are stored.
const FORGET = `
  delete from source_records
  where source = $1 and sweep < $2 and misses >= 2 and state in ('withheld', 'rejected', 'deleted')
    and not exists (
      select from record_identities i join listings l using (zpid)
      where i.source = $1 and i.source_key = source_records.source_key and l.source = $1)`
const WITHDRAW = `
  update source_records set state = 'withdrawn', reason = 'not in the feed any more'
  where source = $1 and sweep < $2 and misses >= 2 and state <> 'withdrawn'`
const MISSING_PAGE = `
  select r.source_key as key, l.record
  from source_records r
    join record_identities i on i.source = r.source and i.source_key = r.source_key
    join listings l on l.zpid = i.zpid and l.source = r.source
  where r.source = $1 and r.sweep < $2 and r.misses >= 2 and r.state <> 'withdrawn' and l.kind <> 'off_market'
    and r.source_key > $3
  order by r.source_key limit 250`
const END = 'update connected_sources set sweeping = false, swept_at = now() where name = $1'

function withdrawMissing({ database, lease, allowRemovals, entry }: FeedRun, sweep: number): Promise<number> {
  const { name } = lease
  const allowed = entry.mode === 'released' && allowRemovals === 0 ? Number.POSITIVE_INFINITY : allowRemovals
  return database
    .transaction(
      async (tx) => {
        await lockImports(tx)
        await renewLease(tx, lease)
        await tx.query(MISS, [name, sweep])
        const { rows } = await tx.query<{ missing: number; homes: number }>(COUNT, [name, sweep])
        requireWithinLimit(name, rows[0]!, allowed)
        await tx.query(FORGET, [name, sweep])
        const begun = await beginImport(tx, 'sweep')
        const report = await importRows(tx, missingHomes(tx, name, sweep), { source: name, isPage: true })
        if (report.updated === 0) await forgetImport(tx, begun)
        else await endImport(tx, begun, { sources: [name], counts: { withdrawn: report.updated } })
        await tx.query(WITHDRAW, [name, sweep])
        await tx.query(END, [name])
        return report.updated
      },
      { statementTimeoutMs: 0 },
    )
    .catch(async (error: unknown) => {
      // The sweep itself is complete: the next one is made the next night, and not with the next run.
      if (!(error instanceof SourceFailure)) throw error
      await database.query(END, [name])
      await holdRun(database, lease, 'sweep', [{ source: name, limit: 'lost', text: error.message }])
      throw error
    })
}

function requireWithinLimit(
  name: string,
  { missing, homes }: { readonly missing: number; readonly homes: number },
  allowed: number,
): void {
  const { share, homes: least } = FEED_REMOVAL_LIMIT
  if (missing <= Math.max(allowed, least, share * homes)) return
  throw new SourceFailure(
    `The feed lacks ${missing} of the ${homes} homes of the source "${name}". If more than ${share * 100}% are missing, ` +
      'its answers may be incomplete. Nothing was withdrawn. If it is complete, run: ' +
      `lotline sources sync ${name} --full --allow-removals ${missing}`,
  )
}

/** The stored records of the missing homes, off the market. */
async function* missingHomes(tx: Queryable, name: string, sweep: number): AsyncGenerator<SourceRow> {
  type Missing = { readonly key: string; readonly record: string }
  const read = async (last: string) => (await tx.query<Missing>(MISSING_PAGE, [name, sweep, last])).rows
  let line = 0
  for await (const homes of keysetPages('', ({ key }) => key, read)) {
    for (const { record } of homes) {
      line += 1
      yield { line, record: { ...JSON.parse(record), homeStatus: 'OFF_MARKET' } }
    }
  }
}
