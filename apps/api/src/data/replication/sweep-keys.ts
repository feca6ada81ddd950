// Finds what the passes over a feed have missed, and homes that vanished from it. A sweep lists the keys of the feed, fetches by key what no
// pass has brought, and asks the feed by key for each stored record that the list lacks. Only a home that the feed then does not have goes
// off the market, within a limit on how many may vanish at a time.
// Why: decisions/data/withdrawn-only-when-asked-by-key.md

import { keysetPages, type Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport, forgetImport } from '../imports/import-log.ts'
import { importRows } from '../ingest/import-listings.ts'
import type { SourceRow } from '../ingest/source-row.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { addApplied, type FeedRun, NOTHING_APPLIED, type PageResult } from './apply-page.ts'
import { askForMissing, fetchUnread } from './close-gaps.ts'
import { keyReader, type ListedKeys } from './fetch-by-key.ts'
import { holdRun } from './hold-run.ts'
import { listKeys } from './list-keys.ts'
import { type FeedRecord, isKeyPadded, keyOf, literalOf, modifiedOf } from './reso-feed.ts'
import { renewLease, SourceFailure } from './source-store.ts'

/** Without permission, at most the greater of the two may vanish from a feed at a time. */
const FEED_REMOVAL_LIMIT = { share: 0.05, homes: 10 } as const

export interface Swept {
  readonly withdrawn: number
  /** Records that were fetched by key. */
  readonly fetched: PageResult
  /** Why the list of keys ended before the server named no further page, as the end of a sentence about the server. */
  readonly brokenOff: string | undefined
}

// An interrupted sweep is repeated with the next run.
const BEGIN = `
  update connected_sources set sweep = sweep + 1, sweeping = true, sweep_due_at = now() + $3::integer * interval '1 second'
  where name = $1 and lease_token = $2 returning sweep`

// A withdrawn record that the feed lists again is unread.
const SEE = `
  with given as (
    select * from unnest($2::text[], $3::timestamptz[]) as g (key, modified)
  ), seen as (
    update source_records r set sweep = $4, misses = 0 from given g
    where r.source = $1 and r.source_key = g.key and r.state <> 'withdrawn'
    returning r.source_key, r.modified_at
  )
  insert into source_unread_keys (source, source_key, modified_at)
    select $1, g.key, g.modified from given g left join seen s on s.source_key = g.key
    where (s.source_key is null or s.modified_at < g.modified) and (g.modified <= $5::timestamptz) is not false
  on conflict (source, source_key) do nothing`

/**
 * @param completeTo the time at which the next pass begins, which brings later changes
 * @param continueFrom makes the next pass begin with the earliest unread record, if the server cannot be asked by key. It runs before homes
 * are withdrawn, which may be refused
 * @throws {SourceFailure} when more homes have vanished than the limit allows, or the server cannot be asked for them. No home is withdrawn
 * then
 */
export async function sweepKeys(
  run: FeedRun,
  completeTo: string | null,
  continueFrom: (unreadFrom: string) => Promise<void>,
): Promise<Swept> {
  const { database, lease, profile } = run
  const { rows } = await database.query<{ sweep: number }>(BEGIN, [
    lease.name,
    lease.token,
    profile.sweepEverySeconds,
  ])
  const sweep = rows[0]?.sweep
  if (sweep === undefined) return { withdrawn: 0, fetched: NOTHING_APPLIED, brokenOff: undefined }
  try {
    await forgetUnread(run)
    const { listed, brokenOff } = await seeAll(run, sweep, completeTo)
    const reader = keyReader(run, listed)
    const unread = await fetchUnread(run, reader)
    if (unread.earliest !== null) await continueFrom(unread.earliest)
    const missing = await askForMissing(run, reader, sweep)
    const withdrawn = await withdrawMissing(run, sweep)
    return { withdrawn, fetched: addApplied(unread.fetched, missing), brokenOff }
  } catch (error) {
    if (error instanceof SourceFailure) await refuse(run, error)
    throw error
  }
}

// The sweep itself is complete: the next one is made when it is due, and not with the next run.
const REFUSE = `
  update connected_sources set sweeping = false, swept_at = now(), sweep_error = $3, sweep_failed_at = now()
  where name = $1 and lease_token = $2`

async function refuse({ database, lease }: FeedRun, { message }: SourceFailure): Promise<void> {
  await database.query(REFUSE, [lease.name, lease.token, message])
}

function forgetUnread({ database, lease }: FeedRun): Promise<void> {
  return database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await tx.query('delete from source_unread_keys where source = $1', [lease.name])
  })
}

/** The number of listed keys that are kept to prove that the server answers questions by key. */
const MAX_LISTED = 3

/** Records all keys that the feed lists. Returns the first of each of the last pages. */
async function seeAll(
  run: FeedRun,
  sweep: number,
  completeTo: string | null,
): Promise<{ readonly listed: ListedKeys; readonly brokenOff: string | undefined }> {
  const { database, lease } = run
  let brokenOff: string | undefined
  let isPadded = false
  let listed: ListedKeys = []
  let unkeyed = 0
  for await (const page of listKeys(run)) {
    const { records } = page
    brokenOff = page.brokenOff
    await see(run, sweep, records, completeTo)
    unkeyed += records.filter((record) => keyOf(record) === undefined).length
    isPadded ||= records.some(isKeyPadded)
    const first = records.find((record) => keyOf(record) !== undefined)
    if (first) listed = [{ key: keyOf(first)!, literal: literalOf(first)! }, ...listed].slice(0, MAX_LISTED)
  }
  await database.query(
    'update connected_sources set unkeyed_records = $3 where name = $1 and lease_token = $2',
    [lease.name, lease.token, unkeyed],
  )
  return { listed: isPadded ? [] : listed, brokenOff }
}

function see(
  { database, lease }: FeedRun,
  sweep: number,
  records: readonly FeedRecord[],
  completeTo: string | null,
): Promise<void> {
  const times = new Map<string, string | undefined>()
  for (const record of records) {
    const key = keyOf(record)
    if (key !== undefined) times.set(key, modifiedOf(record))
  }
  return database.transaction(async (tx) => {
    await renewLease(tx, lease)
    await tx.query(SEE, [
      lease.name,
      [...times.keys()],
      [...times.values()].map((time) => time ?? null),
      sweep,
      completeTo,
    ])
  })
}

// Includes homes whose latest record was rejected: they are stored, and MISSING_PAGE takes them off the market.
const COUNT = `
  select count(*) filter (where r.sweep < $2 and r.absent_in_sweep = $2 and l.kind <> 'off_market') as missing, count(*) as homes
  from source_records r
    join record_identities i on i.source = r.source and i.source_key = r.source_key
    join listings l on l.zpid = i.zpid and l.source = r.source
  where r.source = $1 and r.state <> 'withdrawn'`
// Only the keys of these records are stored.
const FORGET = `
  delete from source_records
  where source = $1 and sweep < $2 and absent_in_sweep = $2 and state in ('withheld', 'rejected', 'deleted')
    and not exists (
      select from record_identities i join listings l using (zpid)
      where i.source = $1 and i.source_key = source_records.source_key and l.source = $1)`
const WITHDRAW = `
  update source_records set state = 'withdrawn', reason = 'not in the feed any more'
  where source = $1 and sweep < $2 and absent_in_sweep = $2 and state <> 'withdrawn'`
const MISSING_PAGE = `
  select r.source_key as key, l.record
  from source_records r
    join record_identities i on i.source = r.source and i.source_key = r.source_key
    join listings l on l.zpid = i.zpid and l.source = r.source
  where r.source = $1 and r.sweep < $2 and r.absent_in_sweep = $2 and r.state <> 'withdrawn' and l.kind <> 'off_market'
    and r.source_key > $3
  order by r.source_key limit 250`
const END = `
  update connected_sources set sweeping = false, swept_at = now(), sweep_error = null, sweep_failed_at = null
  where name = $1`

function withdrawMissing({ database, lease, allowRemovals, entry }: FeedRun, sweep: number): Promise<number> {
  const { name } = lease
  const allowed = entry.mode === 'released' && allowRemovals === 0 ? Number.POSITIVE_INFINITY : allowRemovals
  return database
    .transaction(
      async (tx) => {
        await lockImports(tx)
        await renewLease(tx, lease)
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
      // The sweep itself is complete: the next one is made when it is due, and not with the next run.
      if (!(error instanceof SourceFailure)) throw error
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
