// Watches and their events as they are stored, for everything that reads them.

import type { Queryable } from '../database/database.ts'
import type { PlaceInfo } from '../places/place.ts'
import type { Withheld } from '../record/withheld.ts'
import type { MinChange, WatchEventType } from './home-event.ts'

/** When a watch reports changes: as the data changes, or at an interval. */
export type WatchInterval = 'change' | '1h' | '6h' | '1d' | '7d'

/** A watch as its account knows it. */
export interface StoredWatch {
  readonly id: string
  readonly name: string
  readonly filters: Record<string, unknown> | null
  readonly zpids: readonly string[] | null
  readonly events: readonly WatchEventType[]
  readonly metadata: Record<string, string>
  readonly every: WatchInterval
  readonly min_change: MinChange | null
  readonly status: 'pending' | 'active' | 'paused' | 'quarantined'
  readonly paused_reason: string | null
  /** Homes that match, as they were reported last; or that the last search found, if they were too many. */
  readonly count: number
  readonly last_seq: number
  readonly created_at: Date
  /** The places that its search names, with the rest of each area of a search. null: it names none. */
  readonly places: readonly PlaceInfo[] | null
}

/** Of a watch `w`: the places of its search. */
const PLACES = `nullif(jsonb_path_query_array(w.search, '$.areas[*] ? (@.type == "place")'), '[]') as places`

const WATCHES = `
  select id, name, filters, zpids, events, metadata, every, min_change, status, paused_reason, last_seq, created_at, ${PLACES},
    coalesce(w.found, (select count(*) from watch_homes h
      where h.account_id = w.account_id and h.watch_id = w.id and h.left_at is null)) as count
  from watches w where account_id = $1 and ($2::uuid is null or id = $2) order by created_at desc, id`

/** The watches of an account, the latest first; or the one of this id. */
export async function readWatches(
  database: Queryable,
  accountId: string,
  id?: string,
): Promise<StoredWatch[]> {
  return (await database.query<StoredWatch>(WATCHES, [accountId, id ?? null])).rows
}

export interface StoredEvent {
  readonly seq: number
  readonly id: string
  readonly type: WatchEventType
  readonly zpid: string
  readonly observedAt: Date
  /** JSON of a `HomeEvent`, with `source_updated_at`. */
  readonly body: string
  /** JSON of what the search row is made of. */
  readonly summary: string | null
  /** The listing source or the provider that had the home; null: it is not known. */
  readonly source: string | null
  /** What may not be shown of the home any more; null: nothing is withheld. */
  readonly withheld: Withheld | null
  /** That the watch had when the event was written. */
  readonly metadata: Record<string, string>
}

const EVENTS = `
  select seq, id, type, zpid, observed_at as "observedAt", body, summary, source, metadata,
    -- In the same statement: from the commit on that withholds the home, no event shows it.
    (select w.what from withheld_homes w where w.zpid = e.zpid) as withheld
  from watch_events e
  where account_id = $1 and watch_id = $2 and seq > $3 order by seq limit $4`

/** The events after a number, in their order. */
export async function readWatchEvents(
  database: Queryable,
  { accountId, id, after, limit }: { accountId: string; id: string; after: number; limit: number },
): Promise<StoredEvent[]> {
  return (await database.query<StoredEvent>(EVENTS, [accountId, id, after, limit])).rows
}

/** A watch as the operator sees it. */
export interface WatchInfo extends StoredWatch {
  readonly account_id: string
  /** When it got its baseline. null: its first search, over a remote data source, has not finished. */
  readonly baseline_at: Date | null
  /** When the last complete search over a remote data source ended. null: there was none. */
  readonly scanned_at: Date | null
  /** When it is evaluated next. null: it is paused, or it reports changes as they happen. */
  readonly due_at: Date | null
}

export interface AllWatchesFilter {
  readonly account?: string | undefined
  readonly id?: string | undefined
  readonly status?: StoredWatch['status'] | undefined
  readonly limit: number
}

// Those that are shown are chosen first: only their homes are counted.
const ALL_WATCHES = `
  select w.account_id, w.id, w.name, w.filters, w.zpids, w.events, w.metadata, w.every, w.min_change, w.status, w.paused_reason,
    coalesce(w.found, (select count(*) from watch_homes h
      where h.account_id = w.account_id and h.watch_id = w.id and h.left_at is null)) as count,
    w.last_seq, w.created_at, ${PLACES}, w.baseline_at, w.scanned_at,
    case when w.status <> 'paused' and not w.is_current then w.due_at end as due_at
  from (
    select * from watches
    where ($1::uuid is null or account_id = $1) and ($2::uuid is null or id = $2) and ($3::text is null or status = $3)
    order by created_at desc, id limit $4
  ) w order by w.created_at desc, w.id`

/** The watches of all accounts, the latest first. */
export async function readAllWatches(database: Queryable, filter: AllWatchesFilter): Promise<WatchInfo[]> {
  const { account, id, status, limit } = filter
  const values = [account ?? null, id ?? null, status ?? null, limit]
  return (await database.query<WatchInfo>(ALL_WATCHES, values)).rows
}
