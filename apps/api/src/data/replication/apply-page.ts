// Stores one page of a feed together with its position, in one transaction: listings with their rows of the change log, which watches read,
// removals, the keys of the feed, and links to homes of other sources. A process that is killed has stored both the page and its position,
// or neither.

import { object, text, type UncheckedFields } from '../../domain/record.ts'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport, forgetImport } from '../imports/import-log.ts'
import { importRows } from '../ingest/import-listings.ts'
import { mergePriceHistory } from '../ingest/reso/price-history.ts'
import type { Listing } from '../ingest/reso/to-listing.ts'
import type { SourceRow } from '../ingest/source-row.ts'
import { linkHomes, parcelOf } from '../listings/link-homes.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { restrictStoredHomes } from '../rights/withhold-homes.ts'
import { holdRun, PageExceedsLimits, type RunEntry, requireWithinLimits } from './hold-run.ts'
import type { Profile } from './profiles.ts'
import { type FeedRecord, keyOf, modifiedOf } from './reso-feed.ts'
import type { KnownAbilities } from './server-abilities.ts'
import { type ResoSettings, renewLease, type SourceLease } from './source-store.ts'
import type { Upstream } from './upstream.ts'

/** The context of a run over a feed. */
export interface FeedRun {
  readonly database: Database
  readonly lease: SourceLease
  readonly upstream: Upstream
  readonly settings: ResoSettings
  readonly profile: Profile
  readonly toListing: (record: FeedRecord) => Listing
  readonly signal: AbortSignal
  /** Reads everything again, and sweeps the keys. */
  readonly full: boolean
  readonly sweepIsDue: boolean
  /** The last sweep was long enough ago for another one, if the feed states fewer records than are stored. */
  readonly maySweepForSurplus: boolean
  readonly abilities: KnownAbilities
  /** This many homes may be withdrawn by the sweep in any case. */
  readonly allowRemovals: number
  readonly onPage: (total: RunTotal) => void
  /** The log entry of this run. */
  readonly entry: RunEntry
}

/** The effect of a page or of a run. */
export interface PageResult {
  readonly read: number
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** Homes that were removed, because the feed deleted them or took back the right to show them. */
  readonly removed: number
  /** Records that may not be stored. */
  readonly withheld: number
  readonly rejected: number
}

/** The stored records beside the number that the feed states. */
export interface CountComparison {
  /** Records that the feed states. null: it states no number, and nothing was compared. */
  readonly stated: number | null
  /** Records that the feed states and that are not stored, at least. */
  readonly missing: number
  /** Stored records that the feed does not count any more, at least: it deleted them without a trace. */
  readonly surplus: number
}

export interface RunTotal extends PageResult {
  readonly pages: number
  /** Homes that vanished from the feed and went off the market. */
  readonly withdrawn: number
  /** The last comparison with the number of records that the feed states. */
  readonly comparison?: CountComparison
  /**
   * Why a read ended although the server named a further page, as the end of a sentence about the server. The number that the feed states
   * shows whether records are missing.
   */
  readonly brokenOff?: string
}

export const NOTHING_APPLIED: PageResult = {
  read: 0,
  inserted: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  withheld: 0,
  rejected: 0,
}

export function addApplied(one: PageResult, other: PageResult): PageResult {
  return {
    read: one.read + other.read,
    inserted: one.inserted + other.inserted,
    updated: one.updated + other.updated,
    unchanged: one.unchanged + other.unchanged,
    removed: one.removed + other.removed,
    withheld: one.withheld + other.withheld,
    rejected: one.rejected + other.rejected,
  }
}

interface RecordVerdict {
  /** Empty: the record has no key, and nothing of it is kept. */
  readonly key: string
  readonly modified: string | undefined
  readonly state: 'listed' | 'withheld' | 'rejected' | 'deleted'
  readonly reason: string | null
  /** For a listed record. isAddressHidden is also set for a withheld one. */
  readonly parcel?: string | undefined
  readonly isAddressHidden?: boolean
}

export interface PageToApply {
  readonly records: readonly FeedRecord[]
  /** Converts one record. */
  readonly toListing: (record: FeedRecord) => Listing
  readonly entry: RunEntry
  /** Writes the position behind the page, in the same transaction. */
  readonly savePosition: (tx: Queryable) => Promise<void>
}

const UPSERT = `
  insert into source_records (source, source_key, state, reason, modified_at, sweep)
    select $1, g.key, g.state, g.reason, g.modified, s.sweep
    from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) as g (key, state, reason, modified),
      connected_sources s
    where s.name = $1
  on conflict (source, source_key) do update set state = excluded.state, reason = excluded.reason,
    modified_at = excluded.modified_at, sweep = excluded.sweep, misses = 0`

const FIND_ZPIDS = `
  select source_key as key, zpid from record_identities where source = $1 and source_key = any($2)`

/** @throws {SourceLost} when another process has the source by now */
export async function applyPage(
  database: Database,
  lease: SourceLease,
  page: PageToApply,
): Promise<PageResult> {
  if (page.entry.mode === 'held') return applyDeletions(database, lease, page)
  try {
    return await applyWhole(database, lease, page)
  } catch (error) {
    if (!(error instanceof PageExceedsLimits)) throw error
    page.entry.exceeded = await holdRun(database, lease, 'feed', error.findings)
    page.entry.mode = 'held'
    return applyDeletions(database, lease, page)
  }
}

/** Applies what the page deletes or forbids to show. The position stays, so that its other records are read again. */
function applyDeletions(database: Database, lease: SourceLease, page: PageToApply): Promise<PageResult> {
  return applyWhole(database, lease, { ...page, savePosition: async () => {} })
}

async function applyWhole(database: Database, lease: SourceLease, page: PageToApply): Promise<PageResult> {
  const records = latestOf(page.records)
  const { entry } = page
  const { result, id } = await database.transaction(
    async (tx) => {
      await lockImports(tx)
      await renewLease(tx, lease)
      const begun = await beginImport(tx, 'feed', entry.id)
      const applied = { ...(await store(tx, lease.name, records, page)), read: page.records.length }
      if (entry.mode === 'judged') await requireWithinLimits(tx, begun, entry.start)
      const hasChanged = applied.inserted + applied.updated + applied.removed > 0
      if (hasChanged) await endImport(tx, begun, { sources: [lease.name], counts: { ...applied } })
      else await forgetImport(tx, begun)
      await page.savePosition(tx)
      return { result: applied, id: hasChanged ? begun.id : entry.id }
    },
    { statementTimeoutMs: 0 },
  )
  // Only now is it certain that the row exists.
  entry.id = id
  return result
}

interface KeyedRecord {
  /** undefined: the record has no usable key. */
  readonly key: string | undefined
  readonly record: FeedRecord
}

/** Each key once. The last record of a key counts. */
function latestOf(records: readonly FeedRecord[]): readonly KeyedRecord[] {
  const latest = new Map<string, KeyedRecord>()
  for (const [at, record] of records.entries()) {
    const key = keyOf(record)
    const name = key ?? `\n${at}`
    latest.delete(name)
    latest.set(name, { key, record })
  }
  return [...latest.values()]
}

interface UnknownValue {
  readonly field: string
  readonly value: string
  records: number
}

function countValues(
  unknown: Map<string, UnknownValue>,
  values: readonly { readonly field: string; readonly value: string }[],
): void {
  for (const { field, value } of values) {
    const known = unknown.get(`${field}\n${value}`)
    if (known) known.records += 1
    else unknown.set(`${field}\n${value}`, { field, value, records: 1 })
  }
}

function judge(key: string, modified: string | undefined, listing: Listing): RecordVerdict {
  switch (listing.kind) {
    case 'listing':
      return {
        key,
        modified,
        state: 'listed',
        reason: null,
        parcel: parcelOf(listing.record),
        isAddressHidden: listing.isAddressHidden,
      }
    case 'withheld':
      return {
        key,
        modified,
        state: 'withheld',
        reason: listing.reason,
        isAddressHidden: listing.isAddressHidden,
      }
    case 'deleted':
      return { key, modified, state: 'deleted', reason: null }
    case 'rejected':
      return { key, modified, state: 'rejected', reason: listing.problems.join('; ').slice(0, 500) }
  }
}

async function store(
  tx: Queryable,
  source: string,
  records: readonly KeyedRecord[],
  { toListing, entry }: PageToApply,
): Promise<Omit<PageResult, 'read'>> {
  const isHeld = entry.mode === 'held'
  const histories = await findHistories(
    tx,
    source,
    records.flatMap(({ key }) => key ?? []),
  )
  const judged: RecordVerdict[] = []
  const listed: string[] = []
  const unknown = new Map<string, UnknownValue>()
  /** Records are converted while the database stores earlier ones. */
  function* rows(): Generator<SourceRow> {
    for (const { key, record } of records) {
      if (key === undefined) {
        const reason = 'has no usable ListingKey'
        judged.push({ key: '', modified: undefined, state: 'rejected', reason })
        continue
      }
      const listing = toListing(record)
      judged.push(judge(key, modifiedOf(record), listing))
      if (listing.kind !== 'listing' || isHeld) continue
      countValues(unknown, listing.unknownLookups)
      listed.push(key)
      const made = { ...listing.record, sourceKey: key }
      yield { line: listed.length, record: withHistory(made, histories.get(key)) }
    }
  }
  const reasons = new Map<string, string>()
  const report = await importRows(tx, rows(), {
    source,
    isPage: true,
    onNote(note) {
      if (note.kind === 'rejected') reasons.set(listed[note.line - 1]!, note.reason)
    },
  })
  const unnamed = judged.filter(({ reason }) => reason === 'office_missing').map(({ key }) => key)
  for (const key of await findNamed(tx, source, unnamed)) reasons.set(key, OFFICE_DROPPED)
  const outcomes = judged.map((one) => {
    const reason = reasons.get(one.key)
    return reason === undefined ? one : { ...one, state: 'rejected' as const, reason }
  })
  const keysOf = (...states: readonly RecordVerdict['state'][]) =>
    outcomes.filter(({ key, state }) => key !== '' && states.includes(state)).map(({ key }) => key)
  // A listing whose new record cannot be used keeps its stored record: one mistake of the feed must not empty the data set.
  const keysOfHidden = (isHidden: (state: RecordVerdict['state']) => boolean) =>
    outcomes.flatMap(({ key, state, isAddressHidden }) => (isAddressHidden && isHidden(state) ? [key] : []))
  const zpidsOf = async (keys: readonly string[]) => [...(await findZpids(tx, source, keys)).values()]
  const removed = await restrictStoredHomes(tx, source, {
    forbidden: await zpidsOf(keysOf('deleted', 'withheld')),
    rejectedWithoutAddress: await zpidsOf(keysOfHidden((state) => state === 'rejected')),
    withoutAddress: await zpidsOf(keysOfHidden((state) => state !== 'withheld')),
  })
  // Deleted keys are kept too: a feed may continue to list them.
  const kept = outcomes.filter(
    ({ key, state }) => key !== '' && !(isHeld && (state === 'listed' || state === 'rejected')),
  )
  await tx.query(UPSERT, [
    source,
    kept.map(({ key }) => key),
    kept.map(({ state }) => state),
    kept.map(({ reason }) => reason),
    kept.map(({ modified }) => modified ?? null),
  ])
  const stored = await findZpids(tx, source, keysOf('listed'))
  await linkHomes(
    tx,
    outcomes.flatMap(({ key, state, parcel }) => {
      const zpid = state === 'listed' ? stored.get(key) : undefined
      return zpid === undefined ? [] : [{ zpid, parcel }]
    }),
  )
  await countUnknown(tx, source, [...unknown.values()])
  return {
    inserted: report.inserted,
    updated: report.updated,
    unchanged: report.unchanged,
    removed,
    withheld: keysOf('withheld').length,
    rejected: outcomes.filter(({ state }) => state === 'rejected').length,
  }
}

const OFFICE_DROPPED = 'lacks the name of its listing office, which the stored record has'
const FIND_STORED = `
  select i.source_key as key, l.record
  from record_identities i join listings l on l.zpid = i.zpid and l.source = i.source
  where i.source = $1 and i.source_key = any($2)`

/** The keys whose stored record names its office: a feed that stops sending the names must not empty the source. */
async function findNamed(tx: Queryable, source: string, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return []
  const { rows } = await tx.query<{ key: string; record: string }>(FIND_STORED, [source, keys])
  return rows.flatMap(({ key, record }) =>
    text(object((JSON.parse(record) as UncheckedFields).attributionInfo)?.brokerName) === null ? [] : [key],
  )
}

const FIND_HISTORIES = `
  select i.source_key as key, l.record::json->'priceHistory' as history
  from record_identities i join listings l on l.zpid = i.zpid and l.source = i.source
  where i.source = $1 and i.source_key = any($2)`

/** The price events of the stored versions. A feed states only its last change. */
async function findHistories(
  tx: Queryable,
  source: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const { rows } = await tx.query<{ key: string; history: unknown }>(FIND_HISTORIES, [source, keys])
  return new Map(rows.map(({ key, history }) => [key, history]))
}

function withHistory(record: Readonly<Record<string, unknown>>, earlier: unknown): object {
  if (earlier === null || earlier === undefined) return record
  return { ...record, priceHistory: mergePriceHistory(earlier, record.priceHistory) }
}

/** The zpids of these keys, by key. */
async function findZpids(
  tx: Queryable,
  source: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map()
  const { rows } = await tx.query<{ key: string; zpid: string }>(FIND_ZPIDS, [source, keys])
  return new Map(rows.map(({ key, zpid }) => [key, zpid]))
}

/** The maximum of unknown values that are kept for a source. A feed with more sends texts where the standard has lookups. */
const MAX_UNKNOWN = 1_000

const COUNT_UNKNOWN = `
  insert into source_unknown_lookups as u (source, field, value, records)
    select $1, g.field, g.value, g.records from unnest($2::text[], $3::text[], $4::bigint[]) as g (field, value, records)
    where (select count(*) from source_unknown_lookups where source = $1) < ${MAX_UNKNOWN}
      or exists (select from source_unknown_lookups k where k.source = $1 and k.field = g.field and k.value = g.value)
  on conflict (source, field, value) do update set records = u.records + excluded.records`

async function countUnknown(tx: Queryable, source: string, values: readonly UnknownValue[]): Promise<void> {
  if (values.length === 0) return
  await tx.query(COUNT_UNKNOWN, [
    source,
    values.map(({ field }) => field),
    values.map(({ value }) => value.slice(0, 200)),
    values.map(({ records }) => records),
  ])
}
