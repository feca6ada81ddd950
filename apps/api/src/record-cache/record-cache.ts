// Records by zpid, fresh for 24 hours (the view current_records in migrations/0004_listings.sql). Two layers: this process's memory and the table all processes share. Whether an
// entry is still current is not decided here but in the statement that charges for it (see settle_calls), so memory may
// hold what an import has just replaced and still no replaced record is ever sold.
//
// Where a home has several listings under one zpid, an entry is the one that its zpid means. One that a caller preferred
// to it is queried each time and not kept, so that no other account gets it.

import type { Property } from '@lotline/contract'
import { LRUCache } from 'lru-cache'
import type { Database } from '../database/database.ts'
import { type Observer, SILENT } from '../platform/observer.ts'
import { orAborted } from '../platform/or-aborted.ts'
import type { Unchecked } from '../record/coerce.ts'
import type { SourceRecord } from '../record/source-record.ts'
import { type StatusPreference, USUAL_PREFERENCE } from '../record/source-record.ts'
import { type DataSource, originOf, type RecordOrigin } from '../sources/origin.ts'
import { type Asking, type Provider, ProviderFailure } from '../sources/provider.ts'
import { createLookups, isAbsent, type Lookups } from './lookups.ts'

const MEMORY_BYTES = 32 * 1024 * 1024

export interface FoundRecord {
  readonly zpid: string
  /** The record as JSON. */
  readonly json: Buffer
  /** `meta.source` of responses that are made from it. */
  readonly origin: DataSource
}

/** The key of a cached record, in memory and in the shared table. */
export interface RecordKey {
  /** The provider that it is from. */
  readonly source: string
  readonly zpid: string
}

export interface CachedRecord extends FoundRecord, RecordKey {
  readonly generation: number | null
  /** On the database's clock. */
  readonly fetchedAt: Date
  /** When it was stored, on this process's monotonic clock: never earlier than it truly was. */
  readonly storedAt: number
}

export interface RecordCache {
  /** The record of a home, from the cache or else from the provider; undefined when the provider knows no such home. */
  find(zpid: string, asking: Asking): Promise<CachedRecord | undefined>
  /** The listing of a home that is preferred: the usual one from the cache, another from the provider. */
  findPreferred(
    zpid: string,
    prefer: StatusPreference,
    asking: Asking,
  ): Promise<FoundRecord | CachedRecord | undefined>
  /** What a provider has just returned, for example by address; stored, unless its zpid may mean another listing. */
  keep(listing: SourceRecord, prefer: StatusPreference): Promise<FoundRecord | CachedRecord>
  /** Drops a record from memory: the shared table is asked next time. */
  forget(record: RecordKey): void
}

export function parseRecord(found: FoundRecord): Property {
  return JSON.parse(found.json.toString()) as Property
}

export function isCached(found: FoundRecord | CachedRecord): found is CachedRecord {
  return 'storedAt' in found
}

interface CachedRow {
  generation: number | null
  fetched_at: Date
  record: string
  /** `RecordOrigin` as JSON; null: written by an earlier version of the service. */
  origin: string | null
  age_ms: number
  left_ms: number
}

const FIND_CACHED = `
  select c.generation, c.fetched_at, c.record, c.origin, extract(epoch from now() - c.fetched_at)::float8 * 1000 as age_ms,
    extract(epoch from c.time_left)::float8 * 1000 as left_ms
  from current_records c
  where c.zpid = $1 and c.source = $2`

const STORE_CACHED = `
  with identified as (
    insert into record_identities (source, source_key, zpid) values ($5, $6, $1) on conflict do nothing
  )
  insert into cached_records (zpid, source, generation, record, origin) values ($1, $2, $3, $4, $7)
  on conflict (source, zpid) do update
    set generation = excluded.generation, record = excluded.record, origin = excluded.origin, fetched_at = now()
  returning fetched_at, extract(epoch from cached_record_lifetime())::float8 * 1000 as left_ms`

export function createRecordCache(
  database: Database,
  provider: Provider,
  observer: Observer = SILENT,
  lookups: Lookups = createLookups(database, provider.name, observer),
  publicName: (source: string) => string = (source) => source,
): RecordCache {
  const memory = new LRUCache<string, CachedRecord>({
    maxSize: MEMORY_BYTES,
    // What the entry keeps in memory, which is more than its text if the text is a part of something larger.
    sizeCalculation: (entry) => entry.json.buffer.byteLength + 200,
  })
  const reading = new Map<string, Promise<CachedRecord | undefined>>()
  const fetching = new Map<string, Promise<CachedRecord | undefined>>()
  const fetchingForJobs = new Map<string, Promise<CachedRecord | undefined>>()

  async function findShared(zpid: string): Promise<CachedRecord | undefined> {
    const { rows } = await database.query<CachedRow>(FIND_CACHED, [zpid, provider.name], {
      name: 'find_cached',
    })
    const row = rows[0]
    if (!row) return undefined
    return remember(
      {
        source: provider.name,
        zpid,
        generation: row.generation,
        fetchedAt: row.fetched_at,
        json: ownBytes(row.record),
        origin: publicOrigin(
          row.origin === null
            ? originOf(JSON.parse(row.record) as Unchecked, provider.name)
            : (JSON.parse(row.origin) as RecordOrigin),
          row.fetched_at,
        ),
        storedAt: performance.now() - row.age_ms,
      },
      row.left_ms,
    )
  }

  async function store({
    record,
    generation,
    source = provider.name,
    sourceKey,
  }: SourceRecord): Promise<CachedRecord> {
    const { zpid, json } = read(record)
    const origin = originOf(record, source)
    const { rows } = await database.query<{ fetched_at: Date; left_ms: number }>(
      STORE_CACHED,
      [
        ...[zpid, provider.name, generation, json.toString(), source, sourceKey ?? zpid],
        JSON.stringify(origin),
      ],
      { name: 'store_cached' },
    )
    const { fetched_at: fetchedAt, left_ms: leftMs } = rows[0]!
    return remember(
      {
        ...{ zpid, json, origin: publicOrigin(origin, fetchedAt) },
        ...{ source: provider.name, generation, fetchedAt, storedAt: performance.now() },
      },
      leftMs,
    )
  }

  async function keep(listing: SourceRecord, prefer: StatusPreference): Promise<FoundRecord | CachedRecord> {
    const isMeantByZpid = prefer === USUAL_PREFERENCE || listing.generation !== null
    if (isMeantByZpid) return store(listing)
    const { record, source = provider.name } = listing
    return { ...read(record), origin: publicOrigin(originOf(record, source), new Date()) }
  }

  function read(record: Property): Pick<FoundRecord, 'zpid' | 'json'> {
    const { zpid } = record
    if (!zpid) throw new ProviderFailure(`${provider.name} returned a home without a zpid`)
    return { zpid, json: ownBytes(JSON.stringify(record)) }
  }

  /** Made once for each entry: lookups send it as it is. */
  function publicOrigin(origin: RecordOrigin, fetchedAt: Date): DataSource {
    const { name, authority, ...rest } = origin
    return { name: publicName(name), authority, fetched_at: fetchedAt.toISOString(), ...rest }
  }

  /** @param leftMs for how long it is still fresh */
  function remember(entry: CachedRecord, leftMs: number): CachedRecord {
    memory.set(memoryKey(entry), entry, { ttl: Math.max(1, leftMs) })
    return entry
  }

  async function fetch(
    zpid: string,
    { owner, provider: pinned, answeredBy }: Asking,
  ): Promise<CachedRecord | undefined> {
    // Another call may have fetched it since this one looked.
    const remembered = memory.get(memoryKey({ source: provider.name, zpid }))
    if (remembered) return remembered
    // Several callers may wait for this answer, so only the provider's deadline ends it, and no client that disconnects.
    const signal = new AbortController().signal
    const listing = await provider.findByZpid(zpid, {
      signal,
      ...(owner && { owner }),
      ...(pinned !== undefined && { provider: pinned }),
      ...(answeredBy && { answeredBy }),
    })
    observer.recordFound(listing ? 'provider' : 'nowhere')
    return listing && store(listing)
  }

  async function find(zpid: string, asking: Asking): Promise<CachedRecord | undefined> {
    const remembered = memory.get(memoryKey({ source: provider.name, zpid }))
    if (remembered) {
      observer.recordFound('memory')
      return remembered
    }
    asking.signal.throwIfAborted()
    const shared = await orAborted(once(reading, zpid, findShared), asking.signal)
    if (shared) {
      observer.recordFound('table')
      return shared
    }
    // Concurrent misses of one home make one provider call. A synchronous call does not wait for that of a job, which
    // may still wait for its turn.
    const { owner } = asking
    return lookups.attempt(['findByZpid', zpid], asking, isAbsent, () =>
      orAborted(
        once(owner?.background ? fetchingForJobs : fetching, zpid, () => fetch(zpid, asking)),
        asking.signal,
      ),
    )
  }

  return {
    find,
    async findPreferred(zpid, prefer, asking) {
      if (prefer === USUAL_PREFERENCE) return find(zpid, asking)
      const home = { kind: 'home', zpid } as const
      const listing = await lookups.attempt(['findByUrl', home, prefer], asking, isAbsent, () =>
        provider.findByUrl(home, prefer, asking),
      )
      return listing && keep(listing, prefer)
    },
    keep,
    forget(record) {
      memory.delete(memoryKey(record))
    },
  }
}

function memoryKey({ source, zpid }: RecordKey): string {
  return `${source} ${zpid}`
}

/**
 * The bytes of a text, in memory of their own. Buffer.from would cut them out of 64 KiB that it shares among short texts, and
 * an entry of 2 kB would keep all of these: 32 MB of records then took 300 MB and more.
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** Waits for the work that is already under way for a zpid, instead of doing it twice. */
function once<T>(
  underWay: Map<string, Promise<T>>,
  zpid: string,
  work: (zpid: string) => Promise<T>,
): Promise<T> {
  let promise = underWay.get(zpid)
  if (!promise) {
    promise = work(zpid).finally(() => underWay.delete(zpid))
    underWay.set(zpid, promise)
  }
  return promise
}
