// Changes an existing watch: PATCH, pause, and resume. If the search or the homes change, the new baseline is read in one snapshot with its
// position in the log before the row is locked, as in createWatch.

import { isDeepStrictEqual } from 'node:util'
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
import {
  FREE_COMPARISONS,
  insertHomes,
  type Snapshot,
  takeSnapshot,
  type WatchLimits,
  type WatchTarget,
} from './watch-store.ts'
import { leaveTransitions } from './write-transitions.ts'

/** The fields to change; undefined: unchanged. */
export interface WatchUpdate {
  readonly name?: string | undefined
  /** Must be of the watch's kind: a search, or homes. */
  readonly watched?: WatchTarget | undefined
  readonly events?: readonly WatchEventType[] | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly every?: WatchInterval | undefined
  /** null: reports every price change. */
  readonly minChange?: MinChange | null | undefined
  readonly paused?: boolean | undefined
  /** null: none. */
  readonly subscriber?: NewSubscriber | null | undefined
  /** The key of the call. A call that resumes the watch of a disconnected connector makes its own key pay for it. */
  readonly keyId?: string | undefined
}

export type WatchUpdateResult =
  | { readonly updated: true }
  | { readonly updated: false; readonly because: 'unknown' }
  | { readonly updated: false; readonly because: 'other_kind' }
  | { readonly updated: false; readonly because: 'too_many_matches'; readonly count: number }
  | { readonly updated: false; readonly because: 'subscriber'; readonly refusal: SubscriberRefusal }

interface LockedRow {
  readonly zpids: readonly string[] | null
  /** It was created over a remote data source and has not been searched yet. */
  readonly isWithoutBaseline: boolean
}

const LOCK = `
  select zpids, baseline_at is null as "isWithoutBaseline" from watches where account_id = $1 and id = $2 for update`

// A comparison is free for the account, however many homes it reads. A watch that is changed repeatedly is compared immediately a few
// times, and then at a limited rate (`compared_until`).
const SOON = `greatest(now(), compared_until - ${FREE_COMPARISONS})`

interface StoredTarget {
  readonly zpids: readonly string[] | null
  readonly filters: object | null
}

const KNOWN = 'select zpids, filters from watches where account_id = $1 and id = $2'

function isSame(watched: WatchTarget, { zpids, filters }: StoredTarget): boolean {
  if ('zpids' in watched) return isDeepStrictEqual(watched.zpids, zpids)
  // As stored: without values that JSON cannot represent.
  return (
    watched.filters !== undefined && isDeepStrictEqual(JSON.parse(JSON.stringify(watched.filters)), filters)
  )
}

/** Changes a watch of the account. A refused call changes nothing. */
export async function updateWatch(
  database: Database,
  accountId: string,
  id: string,
  update: WatchUpdate,
  limits: Pick<WatchLimits, 'matches'>,
  isRemote = false,
): Promise<WatchUpdateResult> {
  const { rows: known } = await database.query<StoredTarget>(KNOWN, [accountId, id])
  if (!known[0]) return { updated: false, because: 'unknown' }
  // An unchanged search or list keeps its baseline, so a client can send a watch back as it was read.
  const watched = update.watched && !isSame(update.watched, known[0]) ? update.watched : undefined
  const snapshot =
    watched && !isRemote
      ? await takeSnapshot(database, watched, limits.matches, async (_tx, found) => found)
      : undefined
  const updating = database.transaction(async (tx): Promise<WatchUpdateResult> => {
    const { rows } = await tx.query<LockedRow>(LOCK, [accountId, id])
    const [row] = rows
    if (!row) return { updated: false, because: 'unknown' }
    if (watched && 'zpids' in watched !== (row.zpids !== null))
      return { updated: false, because: 'other_kind' }
    if (snapshot && snapshot.count > limits.matches)
      return { updated: false, because: 'too_many_matches', count: snapshot.count }
    if (watched && snapshot) {
      if ('zpids' in watched) await replaceHomes(tx, accountId, id, row, watched.zpids, snapshot)
      else await replaceSearch(tx, accountId, id, watched, snapshot)
    }
    if (watched && isRemote) await replaceRemote(tx, accountId, id, watched)
    await replaceFields(tx, accountId, id, update)
    if (update.subscriber !== undefined) await setSubscriber(tx, accountId, id, update.subscriber)
    if (update.paused === true) await pauseWatch(tx, accountId, id)
    if (update.paused === false) {
      if (update.keyId !== undefined) await tx.query(TAKE_OVER, [accountId, id, update.keyId])
      await resumeWatch(tx, accountId, id)
    }
    if (watched && 'search' in watched && !isRemote) await notifyWatch(tx, 'watch.ready', accountId, id)
    return { updated: true }
  })
  try {
    return await updating
  } catch (error) {
    if (error instanceof SubscriberRefused)
      return { updated: false, because: 'subscriber', refusal: error.refusal }
    throw error
  }
}

// The state is that of the snapshot. The next evaluation compares it with the data set from there. The watch now has a baseline, so it is
// neither pending nor quarantined, as it may have been over a remote data source.
const REPLACE_SEARCH = `
  update watches set search = $3, filters = $4, position = $5, is_current = false, baseline_at = now(), found = null,
    scanned_at = null, failed_comparisons = 0, status = case when status = 'paused' then status else 'active' end,
    due_at = case when every = 'change' then ${SOON} else now() + watch_interval(every) end
  where account_id = $1 and id = $2`

async function replaceSearch(
  tx: Queryable,
  accountId: string,
  id: string,
  { search, filters }: Extract<WatchTarget, { search: unknown }>,
  snapshot: Snapshot,
): Promise<void> {
  await tx.query(REPLACE_SEARCH, [
    accountId,
    id,
    JSON.stringify(search),
    filters ? JSON.stringify(filters) : null,
    snapshot.position,
  ])
  await tx.query('delete from watch_homes where account_id = $1 and watch_id = $2', [accountId, id])
  await leaveTransitions(tx, accountId, id)
  await insertHomes(tx, accountId, id, snapshot.matches)
}

// Homes that stay keep their state, which is older than the baseline of the new ones. So all are compared with the data set.
const REPLACE_ZPIDS = `
  update watches set zpids = $3, is_current = false, failed_comparisons = 0,
    due_at = case when every = 'change' then ${SOON} else due_at end,
    position = case when is_current then greatest(position, (select position from watch_progress)) else position end
  where account_id = $1 and id = $2`

async function replaceHomes(
  tx: Queryable,
  accountId: string,
  id: string,
  before: LockedRow,
  after: readonly string[],
  snapshot: Snapshot,
): Promise<void> {
  const known = new Set(before.zpids)
  await tx.query(REPLACE_ZPIDS, [accountId, id, after])
  await tx.query('delete from watch_homes where account_id = $1 and watch_id = $2 and zpid <> all ($3)', [
    accountId,
    id,
    after,
  ])
  await leaveTransitions(tx, accountId, id, after)
  // Its first comparison creates the baseline of all its homes.
  if (before.isWithoutBaseline) return
  const added = snapshot.matches.filter(({ zpid }) => !known.has(zpid))
  await insertHomes(tx, accountId, id, added)
}

// A running search uses the old target: without its token, its result is discarded.
const REPLACE_REMOTE_SEARCH = `
  update watches set search = $3, filters = $4, baseline_at = null, scanned_at = null, found = null, scan_token = null,
    incomplete_scans = 0, failed_comparisons = 0, due_at = now(),
    status = case when status = 'paused' then status else 'pending' end
  where account_id = $1 and id = $2`

const REPLACE_REMOTE_ZPIDS = `
  update watches set zpids = $3, scan_token = null, failed_comparisons = 0, due_at = now(),
    unseen = array(
      select zpid from unnest($3::text[]) as zpid where zpid = any (unseen) or zpid <> all (zpids))
  where account_id = $1 and id = $2`

/** The next search creates the baseline: of all homes of the search, or of those that were added to the list. */
async function replaceRemote(
  tx: Queryable,
  accountId: string,
  id: string,
  watched: WatchTarget,
): Promise<void> {
  if ('zpids' in watched) {
    await tx.query(REPLACE_REMOTE_ZPIDS, [accountId, id, watched.zpids])
    const removed = 'delete from watch_homes where account_id = $1 and watch_id = $2 and zpid <> all ($3)'
    await tx.query(removed, [accountId, id, watched.zpids])
    await leaveTransitions(tx, accountId, id, watched.zpids)
    return
  }
  const { search, filters } = watched
  const values = [JSON.stringify(search), filters ? JSON.stringify(filters) : null]
  await tx.query(REPLACE_REMOTE_SEARCH, [accountId, id, ...values])
  await tx.query('delete from watch_homes where account_id = $1 and watch_id = $2', [accountId, id])
  await leaveTransitions(tx, accountId, id)
}

const REPLACE_FIELDS = `
  update watches set name = coalesce($3, name), events = coalesce($4, events), metadata = coalesce($5, metadata),
    min_change = case when $6 then $7::jsonb else min_change end, every = coalesce($8, every),
    -- With an interval, the watch is compared with the data set each time; otherwise once more.
    is_current = is_current and coalesce($8, every) = 'change',
    position = case when is_current and coalesce($8, every) <> 'change'
      then greatest(position, (select position from watch_progress)) else position end,
    due_at = case when $8 is null or $8 = every then due_at when $8 = 'change' then ${SOON}
      else now() + watch_interval($8) end
  where account_id = $1 and id = $2`

async function replaceFields(
  tx: Queryable,
  accountId: string,
  id: string,
  { name, events, metadata, minChange, every }: WatchUpdate,
): Promise<void> {
  await tx.query(REPLACE_FIELDS, [
    accountId,
    id,
    name ?? null,
    events ?? null,
    metadata ? JSON.stringify(metadata) : null,
    minChange !== undefined,
    minChange ? JSON.stringify(minChange) : null,
    every ?? null,
  ])
}

// It has been evaluated up to the evaluator's position.
const PAUSE = `
  update watches set status = 'paused', paused_reason = $3, is_current = false,
    position = case when is_current then greatest(position, (select position from watch_progress)) else position end
  where account_id = $1 and id = $2 and (status <> 'paused' or paused_reason <> $3)`

/** Pauses a watch, which keeps its state. False: there is no such watch, or it is already paused for this reason. */
export async function pauseWatch(
  database: Queryable,
  accountId: string,
  id: string,
  reason = 'requested',
): Promise<boolean> {
  return (await database.query(PAUSE, [accountId, id, reason])).rowCount > 0
}

/**
 * SQL: whether the key `k` belongs to a disconnected client: a connector (oauth/connectors.ts, oauth/external-connectors.ts), or a key that
 * an operator gave to a client. A key that an operator rotated lives on as its replacement.
 */
const IS_ENDED_CONNECTOR = `
  k.oauth_client is not null and least(k.revoked_at, k.expires_at) <= now() and not (
    k.oauth_grant is null and exists (
      select from api_keys other
      where other.account_id = k.account_id and other.oauth_client = k.oauth_client
        and other.oauth_grant is null and other.oauth_issuer is null
        and coalesce(least(other.revoked_at, other.expires_at) > now(), true)))`

/** SQL: whether the watch `w`, with the key `k`, would still be charged to a disconnected connector, now or after a top-up. */
export const HAS_LOST_CONNECTOR = `
  ${IS_ENDED_CONNECTOR} and (w.status <> 'paused' or w.paused_reason in ('out_of_credits', 'key_limit_reached'))`

// Locked in key order, as in every transaction that locks several watches.
const PAUSE_LOST = `
  with lost as (
    select w.account_id, w.id from api_keys k join watches w on w.key_id = k.id
    where ${HAS_LOST_CONNECTOR} order by w.account_id, w.id for update of w
  )
  update watches w set status = 'paused', paused_reason = 'requested', is_current = false,
    position = case when w.is_current then greatest(w.position, (select position from watch_progress)) else w.position end
  from lost where w.account_id = lost.account_id and w.id = lost.id`

/** Disconnecting a connector also ends its spending: its watches are paused. The account can resume them with another key. */
export async function pauseLostWatches(database: Queryable): Promise<void> {
  await database.query(PAUSE_LOST)
}

const TAKE_OVER = `
  update watches set key_id = $3
  where account_id = $1 and id = $2 and exists (
    select from api_keys k where k.id = watches.key_id and ${IS_ENDED_CONNECTOR})`

/** Pauses a watch whose search finds more homes than can be compared. */
export async function pauseCrowded(
  tx: Queryable,
  accountId: string,
  id: string,
  count: number,
): Promise<void> {
  await pauseWatch(tx, accountId, id, 'too_many_matches')
  await tx.query('update watches set found = $3 where account_id = $1 and id = $2', [accountId, id, count])
  await notifyWatch(tx, 'watch.paused', accountId, id)
}

const RESUME = `
  update watches set status = case when baseline_at is null then 'pending' else 'active' end, paused_reason = null,
    incomplete_scans = 0, failed_comparisons = 0, due_at = ${SOON}
  where account_id = $1 and id = $2 and status = 'paused'`

/** Resumes a watch: its next evaluation reports the net change of each home. False: there is no such watch, or it is not paused. */
export async function resumeWatch(database: Queryable, accountId: string, id: string): Promise<boolean> {
  return (await database.query(RESUME, [accountId, id])).rowCount > 0
}
