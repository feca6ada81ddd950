// Formats watches and their events, the same for GET and for webhooks, and writes the webhook events of watches. Webhook events are written
// in the transaction that causes them, so webhooks deliver exactly the events of the log.

import type { Property } from '@lotline/contract'
import { infoOf } from '../../data/places.ts'
import { originOf } from '../../data/sources.ts'
import { type UncheckedFields, withheldEvent } from '../../domain/record.ts'
import { toSearchRow } from '../../domain/search.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { writeEvents } from '../events/write-events.ts'
import type { HomeEvent } from './home-event.ts'
import { readWatch, readWatchEvents, type StoredEvent, type StoredWatch } from './read-watches.ts'

/** Options for homes in events. */
export interface EventView {
  /** The site that links of search rows lead to. */
  readonly sites: Parameters<typeof toSearchRow>[2]
  /** The public form of a source. */
  readonly publicName: (source: string) => string
}

/** Watch events in one webhook event, at most. */
const EVENTS_AT_A_TIME = 100

/** A watch in an evaluation. */
interface EvaluatedWatch {
  readonly accountId: string
  readonly id: string
  /** The number of its last event before the evaluation. */
  readonly lastSeq: number
}

/** The results of an evaluation that are sent to webhooks. */
export interface Notices {
  /** Watches with new events. */
  readonly changed: readonly EvaluatedWatch[]
  /** Watches that were paused because their account is out of credits. */
  readonly paused: readonly EvaluatedWatch[]
}

/** Writes the webhook events of an evaluation, in its transaction. */
export type Notify = (tx: Queryable, notices: Notices) => Promise<void>

// Creating a webhook waits for this lock (as in write_events), even if its account has none yet. Without the lock, a webhook that was
// created before the events became visible might miss them. A separate statement, so that the next one sees the commit that this one waited
// for.
const LOCK_ACCOUNTS = 'select from accounts where id = any ($1) order by id for key share'

const SUBSCRIBERS = `
  select distinct account_id as "accountId" from webhooks
  where account_id = any ($1) and revoked_at is null and events && array['watch.changes', 'watch.paused']`

export function createNotify(view: EventView): Notify {
  return async (tx, { changed, paused }) => {
    const accounts = [...new Set([...changed, ...paused].map(({ accountId }) => accountId))]
    if (accounts.length === 0) return
    await tx.query(LOCK_ACCOUNTS, [accounts], { name: 'lock_watch_accounts' })
    const { rows } = await tx.query<{ accountId: string }>(SUBSCRIBERS, [accounts], {
      name: 'watch_subscribers',
    })
    const subscribers = new Set(rows.map(({ accountId }) => accountId))
    for (const watch of changed) if (subscribers.has(watch.accountId)) await writeChanges(tx, watch, view)
    for (const { accountId, id } of paused)
      if (subscribers.has(accountId)) await notifyWatch(tx, 'watch.paused', accountId, id)
  }
}

async function writeChanges(tx: Queryable, { accountId, id, lastSeq }: EvaluatedWatch, view: EventView) {
  const watch = await readWatch(tx, accountId, id)
  if (!watch) return
  for (let after = lastSeq; after < watch.last_seq; after += EVENTS_AT_A_TIME) {
    const events = await readWatchEvents(tx, { accountId, id, after, limit: EVENTS_AT_A_TIME })
    await writeEvents(tx, {
      accountId,
      subject: { type: 'watch', id },
      type: 'watch.changes',
      happenedAt: new Date(),
      onlyWebhook: watch.subscriber?.webhook_id ?? null,
      data: { watch: watchOfEvent(watch), events: events.map((event) => shownEvent(event, id, view)) },
    })
  }
}

/** Events about a watch itself, which are free. */
export type WatchNotice = 'watch.ready' | 'watch.paused' | 'watch.quarantined'

/**
 * Writes an event about a watch in the transaction that causes it, after the watch's row was changed. @param missing for
 * `watch.quarantined`: how many homes the last search lacked
 */
export async function notifyWatch(
  tx: Queryable,
  type: WatchNotice,
  accountId: string,
  id: string,
  missing?: number,
): Promise<void> {
  const watch = await readWatch(tx, accountId, id)
  if (!watch) return
  await writeEvents(tx, {
    accountId,
    subject: { type: 'watch', id },
    type,
    happenedAt: new Date(),
    onlyWebhook: watch.subscriber?.webhook_id ?? null,
    data: {
      watch: watchOfEvent(watch),
      ...(type !== 'watch.quarantined' && { count: watch.count }),
      ...(type === 'watch.paused' && { reason: watch.paused_reason }),
      ...(missing !== undefined && { missing }),
    },
  })
}

/** A watch in an event. It has no subscriber, so that no address is stored with events or sent to webhooks. */
function watchOfEvent(watch: StoredWatch) {
  const { subscriber: _, ...shown } = shownWatch(watch)
  return shown
}

/** A watch in the form of the contract. */
export function shownWatch({ zpids, ...watch }: StoredWatch) {
  return { ...shownWithoutHomes(watch), zpids: zpids && [...zpids] }
}

/** A watch in the form of the contract's list. */
export function shownWithoutHomes({ created_at, places, ...watch }: Omit<StoredWatch, 'zpids'>) {
  return {
    ...watch,
    events: [...watch.events],
    created_at: created_at.toISOString(),
    ...(places && { area: places.map(infoOf) }),
  }
}

/**
 * An event in the form of the contract, with the home's search row at the time of the event. An event never changes, unless its home is
 * withheld later.
 */
export function shownEvent(
  { body, summary, source, observedAt, metadata, withheld, ...event }: StoredEvent,
  watchId: string,
  { sites, publicName }: EventView,
) {
  const {
    reason = null,
    change = null,
    changed,
    ...rest
  } = JSON.parse(body) as Omit<HomeEvent, 'type'> & {
    readonly source_updated_at: string | null
  }
  const record = summary === null ? null : (JSON.parse(summary) as Property)
  const shown = {
    ...event,
    watch_id: watchId,
    reason,
    changed: [...changed],
    change,
    ...rest,
    observed_at: observedAt.toISOString(),
    listing: record && toSearchRow(record, observedAt, sites),
    source:
      source === null ? null : sourceOf(record ?? {}, publicName(source), observedAt, rest.source_updated_at),
    metadata,
  }
  return withheld === null ? shown : withheldEvent(shown, withheld)
}

function sourceOf(record: Property, name: string, observedAt: Date, updatedAt: string | null) {
  const { authority, attribution } = originOf(record as UncheckedFields, name)
  return {
    name,
    authority,
    fetched_at: observedAt.toISOString(),
    source_updated_at: updatedAt,
    attribution,
  }
}
