// The status of connected sources: how current they are, how many records they have, and how much of their servers' limits is used. The
// command and the metrics show the same figures.

import type { Queryable } from '../../infrastructure/database.ts'
import { type HeldEntry, readHeld } from '../imports/held-imports.ts'
import { USED_SHARE } from './call-limiter.ts'
import { profileOf } from './profiles.ts'
import { type ConnectedSource, listConnected } from './source-store.ts'

export interface SourceTotals {
  /** Homes that searches and lookups can find. */
  readonly records: number
  /** Homes that vanished from the feed and are off the market. */
  readonly withdrawn: number
  /** Records that may not be stored. */
  readonly withheld: number
  readonly rejected: number
  /** The number of lookup values that the mapping does not know. */
  readonly unknown_lookups: number
  /** Homes that are linked to a home of another source. */
  readonly linked: number
}

// For a file, the rows of the last import are counted, because the rights of single rows are not kept.
const COUNT = `
  select
    (select count(*) from listings where source = $1 and kind <> 'off_market') as records,
    (select count(*) from source_records where source = $1 and state = 'withdrawn') as withdrawn,
    coalesce(f.withheld_rows, (select count(*) from source_records where source = $1 and state = 'withheld')) as withheld,
    coalesce(f.rejected_rows, (select count(*) from source_records where source = $1 and state = 'rejected')) as rejected,
    (select count(*) from source_unknown_lookups where source = $1) as unknown_lookups,
    (select count(*) from listings l where source = $1 and exists (
      select from linked_homes k where k.zpid = l.zpid or k.other_zpid = l.zpid)) as linked
  from (select) as one left join (
    select s.withheld_rows, s.rejected_rows
    from listing_sources s join connected_sources c on c.name = s.name and c.kind = 'file' where s.name = $1
  ) as f on true`

export async function countSource(database: Queryable, name: string): Promise<SourceTotals> {
  return (await database.query<SourceTotals>(COUNT, [name])).rows[0]!
}

/** Stores the counts for the metrics, which do not count millions of rows each time. */
export async function writeCounts(database: Queryable, name: string): Promise<void> {
  const counts = await countSource(database, name)
  await database.query('update connected_sources set counts = $2 where name = $1', [
    name,
    JSON.stringify(counts),
  ])
}

/** Calls or bytes of one window of the limits of a server. */
export interface QuotaUse {
  /** Seconds. */
  readonly window: number
  readonly unit: 'calls' | 'bytes'
  readonly used: number
  /** Lotline's own limit. */
  readonly limit: number
}

export interface SourceStatus {
  readonly source: ConnectedSource
  readonly state: 'paused' | 'syncing' | 'held' | 'failing' | 'waiting'
  /** The held import of the source, until a person has decided. */
  readonly held: HeldEntry | undefined
  /** The newest change that was applied. null: none, or the source has no times. */
  readonly newest: Date | null
  /** Seconds since the newest change that was applied. */
  readonly lagSeconds: number | null
  readonly quotas: readonly QuotaUse[]
  readonly blockedUntil: Date | null
}

// Only listings count: an open house that was read does not show that they are current. A feed's clock may be ahead of this one.
const NEWEST = `
  select source, greatest(0, extract(epoch from now() - newest::timestamptz))::float8 as lag, newest::timestamptz as newest
  from source_cursors where resource = 'Property' and newest is not null`

// One row for each minute of the last two days, which is a few thousand at most.
const CALLS = `
  select s.name, w.seconds, coalesce(sum(f.calls), 0)::float8 as calls, coalesce(sum(f.bytes), 0)::float8 as bytes
  from connected_sources s cross join unnest($1::integer[]) as w (seconds)
    left join feed_calls f on f.credential = s.credential and f.minute > now() - make_interval(secs => w.seconds)
  where s.kind = 'reso' group by s.name, w.seconds`

const BLOCKED = `
  select s.name, c.blocked_until as until from connected_sources s join feed_credentials c on c.credential = s.credential
  where c.blocked_until > now()`

/** All sources, in alphabetical order. */
export async function readStatus(database: Queryable): Promise<SourceStatus[]> {
  const sources = await listConnected(database)
  if (sources.length === 0) return []
  const windows = [
    ...new Set(sources.flatMap(({ settings }) => windowsOf(settings).map(({ seconds }) => seconds))),
  ]
  const [newest, calls, blocked] = [
    await database.query<{ source: string; lag: number; newest: Date }>(NEWEST),
    await database.query<{ name: string; seconds: number; calls: number; bytes: number }>(CALLS, [windows]),
    await database.query<{ name: string; until: Date }>(BLOCKED),
  ]
  const allHeld = await readHeld(database)
  return sources.map((source): SourceStatus => {
    const held = allHeld.find((entry) => entry.sources.includes(source.name))
    const known = newest.rows.find((row) => row.source === source.name)
    return {
      source,
      state: stateOf(source, held !== undefined),
      held,
      newest: known?.newest ?? source.syncedAt,
      lagSeconds: known?.lag ?? (source.syncedAt && (Date.now() - source.syncedAt.getTime()) / 1_000),
      quotas: windowsOf(source.settings).flatMap((window) => {
        const used = calls.rows.find((row) => row.name === source.name && row.seconds === window.seconds)
        return quotasOf(window, used)
      }),
      blockedUntil: blocked.rows.find((row) => row.name === source.name)?.until ?? null,
    }
  })
}

function windowsOf(settings: ConnectedSource['settings']) {
  return settings.kind === 'reso' ? profileOf(settings).windows : []
}

function quotasOf(
  { seconds, calls, bytes }: { readonly seconds: number; readonly calls: number; readonly bytes?: number },
  used: { readonly calls: number; readonly bytes: number } | undefined,
): QuotaUse[] {
  const limit = (bound: number) => Math.floor(bound * USED_SHARE)
  return [
    { window: seconds, unit: 'calls', used: used?.calls ?? 0, limit: limit(calls) },
    ...(bytes === undefined
      ? []
      : [{ window: seconds, unit: 'bytes' as const, used: used?.bytes ?? 0, limit: limit(bytes) }]),
  ]
}

function stateOf(
  { pausedAt, leaseUntil, failures, sweepError }: ConnectedSource,
  isHeld: boolean,
): SourceStatus['state'] {
  if (pausedAt !== null) return 'paused'
  if (leaseUntil !== null && leaseUntil.getTime() > Date.now()) return 'syncing'
  if (isHeld) return 'held'
  // A sweep that was refused needs a person, whatever runs succeed in between.
  return failures > 0 || sweepError !== null ? 'failing' : 'waiting'
}

/** A record of a feed that could not be used, with the reason. */
export interface RejectedRecord {
  readonly source: string
  readonly key: string
  readonly reason: string | null
}

/** The first rejected records of each connected source. */
export async function listRejected(database: Queryable, ofSource: number): Promise<RejectedRecord[]> {
  const { rows } = await database.query<RejectedRecord>(
    `select r.source, r.source_key as key, r.reason from connected_sources s cross join lateral (
       select source, source_key, reason from source_records where source = s.name and state = 'rejected'
       order by source_key limit $1
     ) r order by 1, 2`,
    [ofSource],
  )
  return rows
}

/** The most frequent values that the mapping does not know. */
export async function readUnknownLookups(
  database: Queryable,
  name: string,
  limit: number,
): Promise<{ field: string; value: string; records: number }[]> {
  const { rows } = await database.query<{ field: string; value: string; records: number }>(
    `select field, value, records from source_unknown_lookups where source = $1
     order by records desc, field, value limit $2`,
    [name, limit],
  )
  return rows
}
