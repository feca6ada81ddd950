// Caches records by zpid, fresh for 24 hours (the view current_records). There are two layers: this process's memory, and the table that
// all processes share. The statement that charges for an entry decides whether it is still current (see settle_calls). So memory may hold a
// record that an import has just replaced, and still no replaced record is sold.
//
// With several providers, the first one that answers fills an entry for all calls. A job keeps to one provider: it uses entries of the
// first one only, and has entries of its own if it keeps to another. If a home has several listings under one zpid, an entry has the
// listing that its zpid means. Another listing that a caller prefers is queried each time and not kept, so that no other account gets it.

import type { Property } from '@lotline/contract'
import { LRUCache } from 'lru-cache'
import {
  type SourceRecord,
  type StatusPreference,
  type UncheckedFields,
  USUAL_PREFERENCE,
} from '../../domain/record.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type Observer, orAborted, SILENT_OBSERVER, singleFlights } from '../../infrastructure/platform.ts'
import { type DataSource, originOf, type RecordOrigin } from '../sources/origin.ts'
import { type Provider, ProviderFailure, type QueryContext } from '../sources/provider.ts'
import { identifyRecords } from '../sources/record-identities.ts'
import { createJoinedQueries, joinableMsOf, laneOf } from '../sources/resilience/joined-queries.ts'
import { createLookups, isAbsent, type Lookups } from './lookups.ts'

const MEMORY_BYTES = 32 * 1024 * 1024
const PROVIDER_TIMEOUT_MS = 20_000

export interface FoundRecord {
  readonly zpid: string
  /** The record as JSON. */
  readonly json: Buffer
  /** `meta.source` of responses with this record. */
  readonly origin: DataSource
}

/** The key of a cached record, in memory and in the shared table. */
export interface RecordKey {
  /** The provider of the record: the joint name of several, or the provider that a job keeps to if it is not the first. */
  readonly source: string
  readonly zpid: string
}

export interface CachedRecord extends FoundRecord, RecordKey {
  readonly generation: number | null
  /** On the database's clock. */
  readonly fetchedAt: Date
  /** The time when it was stored, on this process's monotonic clock. Never earlier than the true time. */
  readonly storedAt: number
  /** The provider that answered, if there are several. */
  readonly provider: string | undefined
}

export interface RecordCache {
  /** The record of a home, from the cache or from the provider. undefined: the provider knows no such home. */
  find(zpid: string, asking: QueryContext): Promise<CachedRecord | undefined>
  /** The preferred listing of a home: the usual one from the cache, another from the provider. */
  findPreferred(
    zpid: string,
    prefer: StatusPreference,
    asking: QueryContext,
  ): Promise<FoundRecord | CachedRecord | undefined>
  /** Stores a record that a provider has just returned, for example by address, unless its zpid may mean another listing. */
  keep(
    listing: SourceRecord,
    prefer: StatusPreference,
    asking: QueryContext,
  ): Promise<FoundRecord | CachedRecord>
  /** Drops a record from memory. The shared table is asked next time. */
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
  /** `StoredOrigin` as JSON. null: an earlier version of the service stored the record. */
  origin: string | null
  age_ms: number
  left_ms: number
}

interface StoredOrigin extends RecordOrigin {
  /** The provider that answered, if there are several. */
  readonly provider?: string
}

const FIND_CACHED = `
  select c.generation, c.fetched_at, c.record, c.origin, extract(epoch from now() - c.fetched_at)::float8 * 1000 as age_ms,
    extract(epoch from c.time_left)::float8 * 1000 as left_ms
  from current_records c
  where c.zpid = $1 and c.source = $2`

const STORE_CACHED = `
  with identified as (
    ${identifyRecords('values ($5, $6, $1)')}
  )
  insert into cached_records (zpid, source, generation, record, origin) values ($1, $2, $3, $4, $7)
  on conflict (source, zpid) do update
    set generation = excluded.generation, record = excluded.record, origin = excluded.origin, fetched_at = now()
  returning fetched_at, extract(epoch from cached_record_lifetime())::float8 * 1000 as left_ms`

export interface RecordCacheOptions {
  readonly observer?: Observer
  /** The step between a record that is not cached and the provider. Default: remembered misses, and no budget. */
  readonly lookups?: Lookups
  /** The name of a source in responses. Default: its own. */
  readonly publicName?: (source: string) => string
  /** The time limit of one query to the provider, in milliseconds. */
  readonly timeoutMs?: number
}

export function createRecordCache(
  database: Database,
  provider: Provider,
  {
    observer = SILENT_OBSERVER,
    lookups = createLookups(database, provider, observer),
    publicName = (source) => source,
    timeoutMs = PROVIDER_TIMEOUT_MS,
  }: RecordCacheOptions = {},
): RecordCache {
  const memory = new LRUCache<string, CachedRecord>({
    maxSize: MEMORY_BYTES,
    // The memory that the entry keeps, which is more than its text if the text is a part of a larger buffer.
    sizeCalculation: (entry) => entry.json.buffer.byteLength + 200,
  })
  const reading = singleFlights<string, CachedRecord | undefined>()
  // Concurrent misses of one home make one provider call.
  const fetching = createJoinedQueries({
    joinableMs: joinableMsOf(timeoutMs),
    now: () => performance.now(),
  })
  const { members = [provider.name] } = provider
  const hasStandIns = members.length > 1

  /** The source in the keys of the records that a query may use. */
  function sourceFor({ provider: pinned }: QueryContext): string {
    return pinned === undefined || pinned === members[0] ? provider.name : pinned
  }

  /** A job without a provider keeps to the one that answers its first query, which no entry can show. */
  function mustAsk({ provider: pinned, answeredBy }: QueryContext): boolean {
    return hasStandIns && pinned === undefined && answeredBy !== undefined
  }

  /** An entry for all calls may come from a provider that a job does not keep to. */
  function mayUse(entry: CachedRecord, asking: QueryContext): boolean {
    if (!hasStandIns) return true
    return asking.provider === undefined ? !mustAsk(asking) : entry.provider === asking.provider
  }

  async function findShared({ source, zpid }: RecordKey): Promise<CachedRecord | undefined> {
    const { rows } = await database.query<CachedRow>(FIND_CACHED, [zpid, source], {
      name: 'find_cached',
    })
    const row = rows[0]
    if (!row) return undefined
    const { provider: answered, ...origin }: StoredOrigin =
      row.origin === null
        ? originOf(JSON.parse(row.record) as UncheckedFields, source)
        : (JSON.parse(row.origin) as StoredOrigin)
    return remember(
      {
        source,
        zpid,
        provider: answered,
        generation: row.generation,
        fetchedAt: row.fetched_at,
        json: ownBytes(row.record),
        origin: publicOrigin(origin, row.fetched_at),
        storedAt: performance.now() - row.age_ms,
      },
      row.left_ms,
    )
  }

  /** @param keptAs the source in its key */
  async function store(
    { record, generation, source = provider.name, sourceKey, provider: answered }: SourceRecord,
    keptAs = provider.name,
  ): Promise<CachedRecord> {
    const { zpid, json } = read(record)
    const origin = originOf(record, source)
    const { rows } = await database.query<{ fetched_at: Date; left_ms: number }>(
      STORE_CACHED,
      [
        zpid,
        keptAs,
        generation,
        json.toString(),
        source,
        sourceKey ?? zpid,
        JSON.stringify({ ...origin, ...(answered !== undefined && { provider: answered }) }),
      ],
      { name: 'store_cached' },
    )
    const { fetched_at: fetchedAt, left_ms: leftMs } = rows[0]!
    return remember(
      {
        zpid,
        json,
        origin: publicOrigin(origin, fetchedAt),
        source: keptAs,
        generation,
        fetchedAt,
        storedAt: performance.now(),
        provider: answered,
      },
      leftMs,
    )
  }

  async function keep(
    listing: SourceRecord,
    prefer: StatusPreference,
    asking: QueryContext,
  ): Promise<FoundRecord | CachedRecord> {
    const isMeantByZpid = prefer === USUAL_PREFERENCE || listing.generation !== null
    if (isMeantByZpid) return store(listing, sourceFor(asking))
    const { record, source = provider.name } = listing
    return { ...read(record), origin: publicOrigin(originOf(record, source), new Date()) }
  }

  function read(record: Property): Pick<FoundRecord, 'zpid' | 'json'> {
    const { zpid } = record
    if (!zpid) throw new ProviderFailure(`${provider.name} returned a home without a zpid`)
    return { zpid, json: ownBytes(JSON.stringify(record)) }
  }

  /** Made once for each entry, because lookups send it unchanged. */
  function publicOrigin(origin: RecordOrigin, fetchedAt: Date): DataSource {
    const { name, authority, ...rest } = origin
    return { name: publicName(name), authority, fetched_at: fetchedAt.toISOString(), ...rest }
  }

  /** @param leftMs the remaining time in which it is fresh */
  function remember(entry: CachedRecord, leftMs: number): CachedRecord {
    memory.set(memoryKey(entry), entry, { ttl: Math.max(1, leftMs) })
    return entry
  }

  async function fetchRecord(key: RecordKey, asking: QueryContext): Promise<CachedRecord | undefined> {
    const { signal, owner, provider: pinned, answeredBy } = asking
    // Another call may have fetched it since this one looked.
    const remembered = memory.get(memoryKey(key))
    if (remembered && mayUse(remembered, asking)) return remembered
    const listing = await provider.findByZpid(key.zpid, {
      signal,
      ...(owner && { owner }),
      ...(pinned !== undefined && { provider: pinned }),
      ...(answeredBy && { answeredBy }),
    })
    observer.recordFound(listing ? 'provider' : 'nowhere')
    return listing && store(listing, key.source)
  }

  async function find(zpid: string, asking: QueryContext): Promise<CachedRecord | undefined> {
    const key = { source: sourceFor(asking), zpid }
    const name = memoryKey(key)
    const remembered = memory.get(name)
    if (remembered && mayUse(remembered, asking)) {
      observer.recordFound('memory')
      return remembered
    }
    asking.signal.throwIfAborted()
    const shared = await orAborted(
      reading.run(name, () => findShared(key)),
      asking.signal,
    )
    if (shared && mayUse(shared, asking)) {
      observer.recordFound('table')
      return shared
    }
    return lookups.attempt(['findByZpid', zpid], asking, isAbsent, () =>
      mustAsk(asking)
        ? orAborted(fetchRecord(key, asking), asking.signal)
        : fetching.join(JSON.stringify([laneOf(asking.owner), name]), asking.signal, (signal) =>
            fetchRecord(key, { ...asking, signal }),
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
      return listing && keep(listing, prefer, asking)
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
 * The bytes of a text in a buffer of their own. Buffer.from shares 64 KiB among short texts, and an entry of 2 kB would keep all of it: 32
 * MB of records then took 300 MB and more.
 */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
