// The operations of watches, in a table like that of the searches (searches.ts): each takes its input to the watches and
// shows what they answer.

import { type Input, inputFault, shownValue } from '@lotline/contract'
import { findPlaces } from '../../data/places.ts'
import type { SourceDirectory } from '../../data/sources.ts'
import { areaPlaceIn, TIMED_FILTERS, toAreaSearch } from '../../domain/search.ts'
import type { ListingSites } from '../../domain/site-urls.ts'
import type { Database, SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal, type Refusal, refuseAt, refuseFor, refuseInput } from '../../infrastructure/refusals.ts'
import { type Principal, plans, readEmailAddress } from '../../money/accounts.ts'
import { ANSWER_GONE, RepeatedCall, type RunOnce } from '../../work/idempotency.ts'
import {
  type MinChange,
  type NewSubscriber,
  type StoredEvent,
  type SubscriberRefusal,
  shownEvent,
  shownWatch,
  shownWithoutHomes,
  WATCH_EVENTS,
  type Watches,
  type WatchListEntry,
  type WatchTarget,
} from '../../work/watches.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver, deliverTable } from '../presentation/answer.ts'
import { findListPage, type ListPageDeps, pageMeta, refuseTwoPlaces } from './list-page.ts'
import { onceCall } from './once.ts'

export type WatchesDeps = ListPageDeps & {
  readonly database: Database
  readonly listCursors: SignedCursors
  readonly once: RunOnce
  readonly sites: ListingSites
  readonly sources: SourceDirectory
  readonly watches: Watches
}

type WatchOperation =
  | 'createWatch'
  | 'listWatches'
  | 'getWatch'
  | 'updateWatch'
  | 'deleteWatch'
  | 'listWatchEvents'

/** The handler of each by its operationId. */
export function createWatchOperations(deps: WatchesDeps): { readonly [K in WatchOperation]: HandlerOf<K> } {
  return {
    createWatch: createWatch(deps),
    listWatches: listWatches(deps),
    getWatch:
      ({ params }, { principal }) =>
      async () => {
        const watch = await deps.watches.find(principal.accountId, params.id)
        return watch ? deliver({ data: shownWatch(watch) }) : refuseUnknownWatch()
      },
    updateWatch: updateWatch(deps),
    deleteWatch:
      ({ params }, { principal }) =>
      async () => {
        const { accountId, keyId, isOfClient } = principal
        const isDeleted = await deps.watches.delete(accountId, params.id, isOfClient ? keyId : null)
        return isDeleted ? { status: 204, units: 1, body: () => undefined } : refuseUnknownWatch()
      },
    listWatchEvents: listWatchEvents(deps),
  }
}

function listWatches({ watches, listCursors }: WatchesDeps): HandlerOf<'listWatches'> {
  return ({ query }, { principal: { accountId } }) =>
    async () => {
      const page = await findListPage<WatchListEntry>(
        { listCursors },
        ['listWatches', accountId],
        query,
        (after, limit) => watches.list(accountId, after, limit),
        ({ micros, id }) => [micros, id],
        (found) => found.at(-1)?.isLastThatFits ?? false,
      )
      if (isRefusal(page)) return page
      const data = page.entries.map(({ micros: _, isLastThatFits: __, ...watch }) => shownWithoutHomes(watch))
      return deliver({ data, meta: pageMeta(page, query.limit) })
    }
}

function createWatch({ watches, database, once }: WatchesDeps): HandlerOf<'createWatch'> {
  return ({ body, headers }, call) => {
    const { principal } = call
    if (watches.isRemote && body.every === 'change') return refuseChangeLog()
    const asked = readWatched(body)
    if (isRefusal(asked)) return asked
    const { name, metadata = {}, paused } = body
    const every = body.every ?? (watches.isRemote ? '1d' : undefined)
    const badName = refuseMetadata(metadata)
    if (badName) return badName
    const events = body.events?.length ? body.events : WATCH_EVENTS
    const subscriber = readSubscriber(body.subscriber, watches)
    if (isRefusal(subscriber)) return subscriber
    const asking = onceCall('createWatch', call, { headers, input: body, hasSecret: false })
    // The watch as it is now: it may have a thousand homes, which are not stored a second time.
    const showAgain = async (found: { readonly id: string } | Refusal) => {
      if (isRefusal(found)) return found
      const watch = await watches.find(principal.accountId, found.id)
      if (!watch) return ANSWER_GONE
      return {
        status: 201 as const,
        units: 0,
        body: () => ({ data: shownWatch(watch) }),
        replayed: true as const,
      }
    }
    return async () => {
      const found = asking && (await once.find<{ readonly id: string }>(asking))
      if (found) return showAgain(found)
      const watched = await withPlaces(database, asked, body)
      if (isRefusal(watched)) return watched
      const { accountId, keyId } = principal
      const { maxWatches, maxWatchMatches } = plans[principal.plan]
      const creating = watches.create(
        {
          accountId,
          keyId,
          name,
          watched,
          events,
          metadata,
          ...(every && { every }),
          ...(paused && { paused }),
          ...(subscriber && { subscriber }),
          minChange: readMinChange(body.min_change) ?? null,
          ...(asking && {
            once: async (tx) => {
              await once.take(tx, asking)
              return (id: string) => once.keep(tx, asking, { id })
            },
          }),
        },
        { watches: maxWatches, matches: maxWatchMatches },
      )
      const created = await creating.catch((error: unknown) => {
        if (error instanceof RepeatedCall) return error
        throw error
      })
      if (created instanceof RepeatedCall)
        return showAgain(created.found as { readonly id: string } | Refusal)
      if (!created.created) {
        if (created.because === 'subscriber') return refuseSubscriber(created.refusal, body.subscriber)
        return created.because === 'watch_limit'
          ? refuseFor('watch_limit', 'watches', { bound: maxWatches })
          : refuseCrowded(watched, created.count, maxWatchMatches)
      }
      const watch = await watches.find(accountId, created.id)
      // It was deleted in the same moment, by another call.
      if (!watch) return refuseUnknownWatch()
      // Its events are charged as they are written.
      return { status: 201, units: 0, body: () => ({ data: shownWatch(watch) }) }
    }
  }
}

/** The key of an OAuth client changes only its own watches: the events of the others are charged to other keys, without its limit. */
async function mayChange(
  { watches }: WatchesDeps,
  { accountId, keyId, isOfClient }: Principal,
  id: string,
): Promise<boolean> {
  return !isOfClient || watches.isOfKey(accountId, id, keyId)
}

function updateWatch(deps: WatchesDeps): HandlerOf<'updateWatch'> {
  const { watches, database } = deps
  return ({ params, body }, { principal }) => {
    if (watches.isRemote && body.every === 'change') return refuseChangeLog()
    const asked = body.filters || body.zpids ? readWatched(body) : undefined
    if (isRefusal(asked)) return asked
    // A watch always has a name and an interval, and is paused or not: null changes nothing.
    const name = body.name ?? undefined
    const every = body.every ?? undefined
    const paused = body.paused ?? undefined
    const metadata = body.metadata === null ? {} : body.metadata
    const badName = metadata && refuseMetadata(metadata)
    if (badName) return badName
    // Null is what a new watch has. An empty list means the same as none.
    const events = body.events === null ? WATCH_EVENTS : body.events?.length ? body.events : undefined
    const subscriber = readSubscriber(body.subscriber, watches)
    if (isRefusal(subscriber)) return subscriber
    return async () => {
      if (!(await mayChange(deps, principal, params.id))) return refuseUnknownWatch()
      const watched = asked && (await withPlaces(database, asked, body))
      if (isRefusal(watched)) return watched
      const { maxWatchMatches: matches } = plans[principal.plan]
      const update = {
        name,
        watched,
        events,
        metadata,
        every,
        paused,
        minChange: readMinChange(body.min_change),
        subscriber,
        keyId: principal.keyId,
      }
      const updated = await watches.update(principal.accountId, params.id, update, { matches })
      if (!updated.updated) {
        if (updated.because === 'unknown') return refuseUnknownWatch()
        if (updated.because === 'subscriber') return refuseSubscriber(updated.refusal, body.subscriber)
        return updated.because === 'other_kind'
          ? refuseOtherKind(watched!)
          : refuseCrowded(watched!, updated.count, matches)
      }
      const watch = await watches.find(principal.accountId, params.id)
      return watch ? deliver({ data: shownWatch(watch) }) : refuseUnknownWatch()
    }
  }
}

type WatchPatch = Input<'updateWatch'>['body']

/** The contract lets no body pass that has neither or both. */
function readWatched({ filters, zpids }: Pick<WatchPatch, 'filters' | 'zpids'>): WatchTarget | Refusal {
  if (!filters) return { zpids: [...new Set(zpids)] }
  const search = toAreaSearch(filters)
  if (isRefusal(search)) return search
  for (const name of TIMED_FILTERS) {
    const place = `filters.${name}`
    if (search[name] !== undefined)
      return refuseFor('invalid_filters', 'time_filter', { place }, { parameter: place })
  }
  return { search, filters }
}

/** The watch keeps the boundaries that its places have now. */
async function withPlaces(
  database: Database,
  watched: WatchTarget,
  { filters }: Pick<WatchPatch, 'filters'>,
): Promise<WatchTarget | Refusal> {
  if (!('search' in watched) || !filters) return watched
  const search = await findPlaces(database, watched.search, { placeOf: areaPlaceIn(filters), keep: true })
  return isRefusal(search) ? search : { ...watched, search }
}

const METADATA_NAME = /^[^\0]{1,100}$/u

/** The names of the values; the contract bounds the values and their number. */
function refuseMetadata(metadata: Readonly<Record<string, string>>): Refusal | undefined {
  const bad = Object.keys(metadata).find((name) => !METADATA_NAME.test(name))
  return bad === undefined
    ? undefined
    : refuseAt('invalid_metadata', 'name', 'metadata', { value: shownValue(bad) })
}

/** undefined: it was not sent. null, and an object without bounds: every change is reported. */
function readMinChange(asked: WatchPatch['min_change']): MinChange | null | undefined {
  if (!asked) return asked
  const { amount, percent } = asked
  if (!amount && !percent) return null
  return { ...(amount && { amount }), ...(percent && { percent }) }
}

const EMAIL_PLACE = 'subscriber.email'
const WEBHOOK_PLACE = 'subscriber.webhook_id'

/** undefined: it was not sent. null: none. The contract lets nothing pass that has neither an address nor a webhook, or both. */
function readSubscriber(
  asked: WatchPatch['subscriber'],
  { subscriptions }: Pick<Watches, 'subscriptions'>,
): NewSubscriber | null | undefined | Refusal {
  if (!asked) return asked
  if (asked.webhook_id) return { webhookId: asked.webhook_id }
  if (!subscriptions)
    return refuseFor('invalid_parameter', 'no_mail', { place: EMAIL_PLACE }, { parameter: EMAIL_PLACE })
  const email = readEmailAddress(asked.email!)
  return email
    ? { email, frequency: asked.frequency ?? undefined }
    : refuseInput(
        'invalid_parameter',
        EMAIL_PLACE,
        inputFault('form', { form: ['an email address'], value: shownValue(asked.email) }),
      )
}

function refuseSubscriber(refusal: SubscriberRefusal, asked: WatchPatch['subscriber']): Refusal {
  switch (refusal.because) {
    case 'confirmations':
      return { ...refuseFor('rate_limited', 'confirmations', {}), retryAfterS: refusal.waitS }
    case 'refused_address':
      return refuseAt('invalid_parameter', 'refused_address', EMAIL_PLACE, {})
    case 'unknown_webhook':
      return refuseAt('invalid_parameter', 'unknown_webhook', WEBHOOK_PLACE, {
        value: shownValue(asked?.webhook_id),
      })
  }
}

const watchTargetField = (watched: WatchTarget) => ('zpids' in watched ? 'zpids' : 'filters')

function refuseCrowded(watched: WatchTarget, count: number, limit: number): Refusal {
  const place = watchTargetField(watched)
  const values = { place, value: count, bound: limit.toLocaleString('en-US') }
  return refuseFor('invalid_filters', 'too_many_matches', values, { parameter: place, count, limit })
}

function refuseOtherKind(watched: WatchTarget): Refusal {
  const place = watchTargetField(watched)
  const kind = place === 'zpids' ? 'filters' : 'zpids'
  return refuseFor('invalid_filters', 'other_kind', { place, kind }, { parameter: place })
}

/** A remote data source does not say what changes. */
function refuseChangeLog(): Refusal {
  return refuseFor('invalid_parameter', 'no_change_log', {}, { parameter: 'every' })
}

function listWatchEvents(deps: WatchesDeps): HandlerOf<'listWatchEvents'> {
  const { watches, sites, listCursors, sources } = deps
  return ({ params, query }, call) => {
    const { after, limit } = query
    const twice = refuseTwoPlaces(query.cursor, after, 'after')
    if (twice) return twice
    return async () => {
      const { accountId } = call.principal
      if (!(await watches.find(accountId, params.id))) return refuseUnknownWatch()
      let from = after
      const page = await findListPage<StoredEvent, readonly [seq: number]>(
        { listCursors },
        ['listWatchEvents', accountId, params.id.toLowerCase()],
        query,
        (behind, most) => {
          from = behind?.[0] ?? after
          return watches.events({ accountId, id: params.id, after: from, limit: most })
        },
        ({ seq }) => [seq],
      )
      if (isRefusal(page)) return page
      const rows = page.entries.map((event) =>
        shownEvent(event, params.id, { sites, publicName: sources.publicName }),
      )
      const next_after = rows.at(-1)?.seq ?? from
      const { nextCursor } = page
      const place =
        query.cursor === undefined ? { after: next_after } : { after: undefined, cursor: nextCursor }
      const next = nextCursor === undefined ? undefined : { ...query, ...place }
      return deliverTable(rows, { ...pageMeta(page, limit), next_after }, { query, call, next })
    }
  }
}

function refuseUnknownWatch(): Refusal {
  return refuseFor('not_found', 'watch', {})
}
