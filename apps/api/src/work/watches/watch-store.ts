// Creates the watches of accounts. A new watch gets its baseline before it exists: the homes that it finds in one snapshot of the data set,
// with the position of the log in the same snapshot. So it reports every change after its baseline, and none before.

import { prepareSearches } from '../../data/places.ts'
import { createDatasetProvider, type ReportedStatus, reportedStatus, toColumns } from '../../data/sources.ts'
import type { AreaSearch } from '../../domain/search.ts'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import type { MinChange, WatchEventType } from './home-event.ts'
import { notifyWatch } from './notify.ts'
import type { WatchInterval } from './read-watches.ts'
import {
  type NewSubscriber,
  type SubscriberRefusal,
  SubscriberRefused,
  setSubscriber,
} from './subscribers/subscriber-store.ts'

/** SQL: the period in which a watch may be compared repeatedly without waiting. */
export const FREE_COMPARISONS = "interval '30 seconds'"
/** SQL: the share of that period that each comparison uses. */
export const COMPARISON = "interval '5 seconds'"

/** The target of a watch: a search, or homes. A search that changes only by the passage of time is not accepted. */
export type WatchTarget =
  | { readonly search: AreaSearch; readonly filters?: object }
  | { readonly zpids: readonly string[] }

export interface NewWatch {
  readonly accountId: string
  /** The key of the call that creates it. */
  readonly keyId: string
  readonly name: string
  readonly watched: WatchTarget
  readonly events: readonly WatchEventType[]
  readonly metadata: Readonly<Record<string, string>>
  /** Default: reports changes immediately. */
  readonly every?: WatchInterval
  /** null, the default: reports every price change. */
  readonly minChange?: MinChange | null
  /** Default: none. */
  readonly subscriber?: NewSubscriber | null
  /** Creates it paused: it has its baseline, and reports nothing until it is resumed. */
  readonly paused?: boolean
  /** Over a remote data source: the first search creates the baseline, and until then the watch is pending. */
  readonly isRemote?: boolean
  /** Called first in the transaction; its result is called last, with the id. An error in either rolls the transaction back. */
  readonly once?: (tx: Queryable) => Promise<(id: string) => Promise<void>>
}

export interface WatchLimits {
  /** Maximum watches of the account. */
  readonly watches: number
  /** Maximum homes that a watch may find when it is created. */
  readonly matches: number
}

export type WatchCreateResult =
  | { readonly created: true; readonly id: string; readonly count: number }
  | { readonly created: false; readonly because: 'watch_limit' }
  | { readonly created: false; readonly because: 'too_many_matches'; readonly count: number }
  | { readonly created: false; readonly because: 'subscriber'; readonly refusal: SubscriberRefusal }

/** A home that a watch finds. */
export interface Match {
  readonly zpid: string
  readonly status: ReportedStatus
  readonly price: number | null
}

export interface Snapshot {
  /** The snapshot contains all changes of the log up to this one, and none after it. */
  readonly position: number
  readonly matches: readonly Match[]
  /** The number of matches, even if `matches` is empty because there are too many. */
  readonly count: number
}

/**
 * The matches of a watch, and the position of the log in the same snapshot. More matches than the limit are only counted. `read` reads more
 * from the same snapshot.
 */
export function takeSnapshot<T>(
  database: Database,
  watched: WatchTarget,
  most: number,
  read: (tx: Queryable, snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return database.transaction(
    async (tx) => {
      const { rows } = await tx.query<{ position: number }>(
        'select coalesce(max(seq), 0) as position from listing_changes',
      )
      const { position } = rows[0]!
      const { matches, count } =
        'zpids' in watched ? await findHomes(tx, watched.zpids) : await findMatches(tx, watched.search, most)
      return read(tx, { position, matches: count > most ? [] : matches, count })
    },
    { readOnly: true, isolation: 'repeatable read' },
  )
}

const HOMES = `
  select zpid, kind, is_pending, sale_type, price from listings
  where zpid = any ($1) and kind <> 'off_market' and not is_building order by zpid`

async function findHomes(tx: Queryable, zpids: readonly string[]) {
  const { rows } = await tx.query<
    { zpid: string; price: number | null } & Parameters<typeof reportedStatus>[0]
  >(HOMES, [zpids])
  const matches = rows.map((row) => ({ zpid: row.zpid, status: reportedStatus(row), price: row.price }))
  return { matches, count: matches.length }
}

/** Rows that are read together with the count. Most searches find no more, and a refused search costs no more. */
const FIRST_ROWS = 100

async function findMatches(tx: Queryable, search: AreaSearch, most: number) {
  await prepareSearches(tx, [search])
  const asking = { signal: new AbortController().signal }
  const provider = createDatasetProvider(tx)
  const first = await provider.search(search, { limit: FIRST_ROWS }, asking)
  // The data set always returns a count.
  const count = first.total!
  if (count > most) return { matches: [], count }
  const { records } = count <= FIRST_ROWS ? first : await provider.search(search, { limit: count }, asking)
  const matches = records.map((record) => {
    const { zpid, kind, isPending, saleType, price } = toColumns(record, '')
    return { zpid, status: reportedStatus({ kind, is_pending: isPending, sale_type: saleType }), price }
  })
  return { matches, count }
}

const INSERT = `
  insert into watches (account_id, key_id, name, search, filters, zpids, events, metadata, every, min_change, status,
      paused_reason, position, baseline_at, due_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, case when $11 then 'paused' when $13 then 'pending' else 'active' end,
    case when $11 then 'requested' end, $12, case when not $13 then now() end,
    case when $13 then now() else now() + watch_interval($9) end)
  returning id`

const INSERT_HOMES = `
  insert into watch_homes (account_id, watch_id, zpid, status, price)
    select $1, $2, zpid, status, price from unnest($3::text[], $4::text[], $5::float8[]) as home (zpid, status, price)`

/** Writes the baseline of a watch, or of homes that were added to it. */
export async function insertHomes(
  tx: Queryable,
  accountId: string,
  id: string,
  homes: readonly Match[],
): Promise<void> {
  await tx.query(INSERT_HOMES, [
    accountId,
    id,
    homes.map(({ zpid }) => zpid),
    homes.map(({ status }) => status),
    homes.map(({ price }) => price),
  ])
}

/** A remote data source is first searched after the watch is created. */
const UNKNOWN: Snapshot = { position: 0, matches: [], count: 0 }

/** Creates a watch with its baseline. A refused call leaves nothing. */
export async function createWatch(
  database: Database,
  watch: NewWatch,
  limits: WatchLimits,
): Promise<WatchCreateResult> {
  const { accountId, keyId, name, watched, events, metadata } = watch
  const { every = 'change', minChange = null, paused = false, isRemote = false } = watch
  const snapshot = isRemote
    ? UNKNOWN
    : await takeSnapshot(database, watched, limits.matches, async (_tx, found) => found)
  if (snapshot.count > limits.matches)
    return { created: false, because: 'too_many_matches', count: snapshot.count }
  const creating = database.transaction(async (tx) => {
    const keep = await watch.once?.(tx)
    // Locks the account: two concurrent calls must not both count one watch less than the limit.
    await tx.query('select from accounts where id = $1 for no key update', [accountId])
    const { rows: counted } = await tx.query<{ count: number }>(
      'select count(*) as count from watches where account_id = $1',
      [accountId],
    )
    if (counted[0]!.count >= limits.watches) throw new AtLimit()
    const { rows } = await tx.query<{ id: string }>(INSERT, [
      accountId,
      keyId,
      name,
      'search' in watched ? JSON.stringify(watched.search) : null,
      'search' in watched && watched.filters ? JSON.stringify(watched.filters) : null,
      'zpids' in watched ? watched.zpids : null,
      events,
      JSON.stringify(metadata),
      every,
      minChange && JSON.stringify(minChange),
      paused,
      snapshot.position,
      isRemote,
    ])
    const { id } = rows[0]!
    await insertHomes(tx, accountId, id, snapshot.matches)
    if (watch.subscriber) await setSubscriber(tx, accountId, id, watch.subscriber)
    if (!isRemote) await notifyWatch(tx, 'watch.ready', accountId, id)
    await keep?.(id)
    return id
  })
  try {
    return { created: true, id: await creating, count: snapshot.count }
  } catch (error) {
    if (error instanceof AtLimit) return { created: false, because: 'watch_limit' }
    if (error instanceof SubscriberRefused)
      return { created: false, because: 'subscriber', refusal: error.refusal }
    throw error
  }
}

/** Thrown to roll back the transaction. */
class AtLimit extends Error {}

/** Whether the account has this watch, and its events are charged to this key. */
export async function isWatchOfKey(
  database: Queryable,
  accountId: string,
  id: string,
  keyId: string,
): Promise<boolean> {
  const { rowCount } = await database.query(
    'select from watches where account_id = $1 and id = $2 and key_id = $3',
    [accountId, id, keyId],
  )
  return rowCount > 0
}
