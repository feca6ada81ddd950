// Reads stored watches and their events.

import type { PlaceInfo } from '../../data/places.ts'
import { withheldOf } from '../../data/rights.ts'
import type { Withheld } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import type { MinChange, WatchEventType } from './home-event.ts'
import { SUBSCRIBER, type Subscriber } from './subscribers/subscriber-store.ts'

/** When a watch reports changes: immediately, or at an interval. */
export type WatchInterval = 'change' | '1h' | '6h' | '1d' | '7d'

/** A watch in the form that its account sees. */
export interface StoredWatch {
  readonly id: string
  readonly name: string
  readonly filters: Record<string, unknown> | null
  readonly zpids: readonly string[] | null
  /** The number of its homes. */
  readonly zpid_count: number | null
  readonly events: readonly WatchEventType[]
  readonly metadata: Record<string, string>
  readonly every: WatchInterval
  readonly min_change: MinChange | null
  readonly status: 'pending' | 'active' | 'paused' | 'quarantined'
  readonly paused_reason: string | null
  /** null: none. */
  readonly subscriber: Subscriber | null
  /** Matching homes as last reported, or the number that the last search found if there were too many. */
  readonly count: number
  readonly last_seq: number
  readonly created_at: Date
  /** The places in its search, with the rest of each area. null: the search has no places. */
  readonly places: readonly PlaceInfo[] | null
}

/** SQL: the places of the search of a watch `w`. */
const PLACES = `nullif(jsonb_path_query_array(w.search, '$.areas[*] ? (@.type == "place")'), '[]') as places`

/** The same without boundaries. */
const PLACE_INFOS = `(
  select jsonb_agg(jsonb_build_object('kind', p -> 'kind', 'id', p -> 'id', 'name', p -> 'name', 'source', p -> 'source',
    'vintage', p -> 'vintage') order by at)
  from jsonb_array_elements(w.search -> 'areas') with ordinality as area (p, at) where p ->> 'type' = 'place') as places`

const WATCH = `
  select id, name, filters, zpids, cardinality(zpids) as zpid_count, events, metadata, every, min_change, status, paused_reason, ${SUBSCRIBER}, last_seq, created_at, ${PLACES},
    coalesce(w.found, (select count(*) from watch_homes h
      where h.account_id = w.account_id and h.watch_id = w.id and h.left_at is null)) as count
  from watches w where account_id = $1 and id = $2`

/** A watch of an account; undefined: the account has none with this id. */
export async function readWatch(
  database: Queryable,
  accountId: string,
  id: string,
): Promise<StoredWatch | undefined> {
  return (await database.query<StoredWatch>(WATCH, [accountId, id])).rows[0]
}

/** A watch in a list, without its homes. */
export interface WatchListEntry extends Omit<StoredWatch, 'zpids'> {
  /** Its position in the list: its creation time, in microseconds since 1970. */
  readonly micros: number
  /** Whether watches after it were left off the page because their filters are too large. */
  readonly isLastThatFits: boolean
}

/** A filter can hold a polygon of 5,000 corners. This is the maximum size of the stored filters and metadata on one page, in bytes. */
const MAX_PAGE_BYTES = 1_000_000

// The page is selected first, so that only its homes are counted. Boundaries of places, which can have megabytes, stay in the database.
const LISTED_WATCHES = `
  select w.id, w.name, w.filters, cardinality(w.zpids) as zpid_count, w.events, w.metadata, w.every, w.min_change, w.status,
    w.paused_reason, ${SUBSCRIBER}, w.last_seq, w.created_at, w.micros, ${PLACE_INFOS},
    not lead(w.fits, 1, true) over (order by w.micros desc, w.id) as "isLastThatFits",
    coalesce(w.found, (select count(*) from watch_homes h
      where h.account_id = w.account_id and h.watch_id = w.id and h.left_at is null)) as count
  from (
    select *, row_number() over latest = 1 or sum(pg_column_size(metadata) + coalesce(pg_column_size(filters), 0))
      over latest <= $5 as fits
    from (
      select *, (extract(epoch from created_at) * 1000000)::bigint as micros from watches where account_id = $1
    ) mine
    where $2::bigint is null or micros < $2 or (micros = $2 and id > $3::uuid)
    window latest as (order by micros desc, id)
    order by micros desc, id limit $4
  ) w order by w.micros desc, w.id`

/** Watches of an account, latest first. @param after the position of the previous watch; null: from the start */
export async function listWatches(
  database: Queryable,
  accountId: string,
  after: readonly [micros: number, id: string | number] | null,
  limit: number,
): Promise<WatchListEntry[]> {
  const values = [accountId, after?.[0] ?? null, after?.[1] ?? null, limit, MAX_PAGE_BYTES]
  const { rows } = await database.query<WatchListEntry>(LISTED_WATCHES, values)
  const last = rows.findIndex(({ isLastThatFits }) => isLastThatFits)
  return last < 0 ? rows : rows.slice(0, last + 1)
}

export interface StoredEvent {
  readonly seq: number
  readonly id: string
  readonly type: WatchEventType
  readonly zpid: string
  readonly observedAt: Date
  /** JSON of a `HomeEvent`, with `source_updated_at`. */
  readonly body: string
  /** The home as JSON, from which its search row is built. */
  readonly summary: string | null
  /** The listing source or provider that had the home; null: unknown. */
  readonly source: string | null
  /** The withheld fields of the home; null: none. */
  readonly withheld: Withheld | null
  /** The filters of the watch when the event was written. */
  readonly metadata: Record<string, string>
}

const EVENTS = `
  select seq, id, type, zpid, observed_at as "observedAt", body, summary, source, metadata,
    -- In the same statement: after the commit that withholds the home, no event shows it.
    ${withheldOf('e.zpid')} as withheld
  from watch_events e
  where account_id = $1 and watch_id = $2 and seq > $3 order by seq limit $4`

/** The events after a number, in order. */
export async function readWatchEvents(
  database: Queryable,
  { accountId, id, after, limit }: { accountId: string; id: string; after: number; limit: number },
): Promise<StoredEvent[]> {
  return (await database.query<StoredEvent>(EVENTS, [accountId, id, after, limit])).rows
}

/** A watch in the form that the operator sees: without the address of its subscriber. */
export interface WatchInfo extends Omit<StoredWatch, 'subscriber'> {
  readonly account_id: string
  /** The time of its baseline. null: its first search, over a remote data source, has not finished. */
  readonly baseline_at: Date | null
  /** The end of the last complete search over a remote data source. null: none. */
  readonly scanned_at: Date | null
  /** The time of the next evaluation. null: the watch is paused, or it reports changes immediately. */
  readonly due_at: Date | null
}

export interface AllWatchesFilter {
  readonly account?: string | undefined
  readonly id?: string | undefined
  readonly status?: StoredWatch['status'] | undefined
  readonly limit: number
}

// The page is selected first, so that only its homes are counted.
const ALL_WATCHES = `
  select w.account_id, w.id, w.name, w.filters, w.zpids, cardinality(w.zpids) as zpid_count, w.events, w.metadata, w.every, w.min_change, w.status, w.paused_reason,
    coalesce(w.found, (select count(*) from watch_homes h
      where h.account_id = w.account_id and h.watch_id = w.id and h.left_at is null)) as count,
    w.last_seq, w.created_at, ${PLACES}, w.baseline_at, w.scanned_at,
    case when w.status <> 'paused' and not w.is_current then w.due_at end as due_at
  from (
    select * from watches
    where ($1::uuid is null or account_id = $1) and ($2::uuid is null or id = $2) and ($3::text is null or status = $3)
    order by created_at desc, id limit $4
  ) w order by w.created_at desc, w.id`

/** The watches of all accounts, latest first. */
export async function readAllWatches(database: Queryable, filter: AllWatchesFilter): Promise<WatchInfo[]> {
  const { account, id, status, limit } = filter
  const values = [account ?? null, id ?? null, status ?? null, limit]
  return (await database.query<WatchInfo>(ALL_WATCHES, values)).rows
}
