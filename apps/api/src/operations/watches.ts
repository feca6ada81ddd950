// The operations of watches, in a table like that of the searches (searches.ts): each takes its input to the watches and
// shows what they answer.

import { type Input, shownValue } from '@lotline/contract'
import { plans } from '../accounts/plans.ts'
import type { Principal } from '../accounts/principals.ts'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { findPlaces } from '../places/find-places.ts'
import { isRefusal, type Refusal, refuseAt, refuseFor } from '../platform/refusal.ts'
import { areaPlaceIn, toAreaSearch } from '../search/search-filters.ts'
import { type MinChange, WATCH_EVENTS } from '../watches/home-event.ts'
import { shownEvent, shownWatch } from '../watches/notify.ts'
import type { Watched } from '../watches/watch-store.ts'
import { chooseFormat, deliver } from './deliver.ts'
import { nextPage } from './getJobResults.ts'

type WatchOperation =
  | 'createWatch'
  | 'listWatches'
  | 'getWatch'
  | 'updateWatch'
  | 'deleteWatch'
  | 'listWatchEvents'

/** The handler of each by its operationId. */
export function createWatchOperations(app: App): { readonly [K in WatchOperation]: HandlerOf<K> } {
  return {
    createWatch: createWatch(app),
    listWatches:
      (_input, { principal }) =>
      async () =>
        deliver({ data: (await app.watches.list(principal.accountId)).map(shownWatch) }),
    getWatch:
      ({ params }, { principal }) =>
      async () => {
        const watch = await app.watches.find(principal.accountId, params.id)
        return watch ? deliver({ data: shownWatch(watch) }) : refuseUnknownWatch()
      },
    updateWatch: updateWatch(app),
    deleteWatch:
      ({ params }, { principal }) =>
      async () =>
        (await mayChange(app, principal, params.id)) &&
        (await app.watches.delete(principal.accountId, params.id))
          ? { status: 204, units: 1, body: () => undefined }
          : refuseUnknownWatch(),
    listWatchEvents: listWatchEvents(app),
  }
}

function createWatch({ watches, database }: App): HandlerOf<'createWatch'> {
  return ({ body }, { principal }) => {
    if (watches.isRemote && body.every === 'change') return refuseChangeLog()
    const asked = readWatched(body)
    if (isRefusal(asked)) return asked
    const { name, metadata = {}, paused } = body
    const every = body.every ?? (watches.isRemote ? '1d' : undefined)
    const badName = refuseMetadata(metadata)
    if (badName) return badName
    const events = body.events?.length ? body.events : WATCH_EVENTS
    return async () => {
      const watched = await withPlaces(database, asked, body)
      if (isRefusal(watched)) return watched
      const { accountId, keyId } = principal
      const { maxWatches, maxWatchMatches } = plans[principal.plan]
      const created = await watches.create(
        {
          ...{ accountId, keyId, name, watched, events, metadata },
          ...(every && { every }),
          ...(paused && { paused }),
          minChange: readMinChange(body.min_change) ?? null,
        },
        { watches: maxWatches, matches: maxWatchMatches },
      )
      if (!created.created) {
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
  { watches }: App,
  { accountId, keyId, isOfClient }: Principal,
  id: string,
): Promise<boolean> {
  return !isOfClient || watches.isOfKey(accountId, id, keyId)
}

function updateWatch(app: App): HandlerOf<'updateWatch'> {
  const { watches, database } = app
  return ({ params, body }, { principal }) => {
    if (watches.isRemote && body.every === 'change') return refuseChangeLog()
    const asked = body.filters || body.zpids ? readWatched(body) : undefined
    if (isRefusal(asked)) return asked
    const { name, metadata, every, paused } = body
    const badName = metadata && refuseMetadata(metadata)
    if (badName) return badName
    const events = body.events?.length ? body.events : undefined
    return async () => {
      if (!(await mayChange(app, principal, params.id))) return refuseUnknownWatch()
      const watched = asked && (await withPlaces(database, asked, body))
      if (isRefusal(watched)) return watched
      const { maxWatchMatches: matches } = plans[principal.plan]
      const update = {
        ...{ name, watched, events, metadata, every, paused },
        ...{ minChange: readMinChange(body.min_change), keyId: principal.keyId },
      }
      const updated = await watches.update(principal.accountId, params.id, update, { matches })
      if (!updated.updated) {
        if (updated.because === 'unknown') return refuseUnknownWatch()
        return updated.because === 'other_kind'
          ? refuseOtherKind(watched!)
          : refuseCrowded(watched!, updated.count, matches)
      }
      const watch = await watches.find(principal.accountId, params.id)
      return watch ? deliver({ data: shownWatch(watch) }) : refuseUnknownWatch()
    }
  }
}

type WatchInput = Input<'createWatch'>['body']

/** The contract lets no body pass that has neither or both. */
function readWatched({ filters, zpids }: Pick<WatchInput, 'filters' | 'zpids'>): Watched | Refusal {
  if (!filters) return { zpids: [...new Set(zpids)] }
  const search = toAreaSearch(filters)
  if (isRefusal(search)) return search
  for (const name of ['daysOnSite', 'openHouse'] as const) {
    const place = `filters.${name}`
    if (search[name] !== undefined)
      return refuseFor('invalid_filters', 'time_filter', { place }, { parameter: place })
  }
  return { search, filters }
}

/** The watch keeps the boundaries that its places have now. */
async function withPlaces(
  database: App['database'],
  watched: Watched,
  { filters }: Pick<WatchInput, 'filters'>,
): Promise<Watched | Refusal> {
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

/** undefined: it was not sent. null, an object without bounds: every change is reported. */
function readMinChange(asked: WatchInput['min_change']): MinChange | null | undefined {
  if (!asked) return undefined
  const { amount, percent } = asked
  if (!amount && !percent) return null
  return { ...(amount && { amount }), ...(percent && { percent }) }
}

const placeOf = (watched: Watched) => ('zpids' in watched ? 'zpids' : 'filters')

function refuseCrowded(watched: Watched, count: number, limit: number): Refusal {
  const place = placeOf(watched)
  const values = { place, value: count, bound: limit.toLocaleString('en-US') }
  return refuseFor('invalid_filters', 'too_many_matches', values, { parameter: place, count, limit })
}

function refuseOtherKind(watched: Watched): Refusal {
  const place = placeOf(watched)
  const kind = place === 'zpids' ? 'filters' : 'zpids'
  return refuseFor('invalid_filters', 'other_kind', { place, kind }, { parameter: place })
}

/** A remote data source does not say what changes. */
function refuseChangeLog(): Refusal {
  return refuseFor('invalid_parameter', 'no_change_log', {}, { parameter: 'every' })
}

function listWatchEvents({ watches, sites, sources: { publicName } }: App): HandlerOf<'listWatchEvents'> {
  return ({ params, query }, call) =>
    async () => {
      const { accountId } = call.principal
      if (!(await watches.find(accountId, params.id))) return refuseUnknownWatch()
      const { after, limit } = query
      // One more than asked for says whether there are more.
      const found = await watches.events({ accountId, id: params.id, after, limit: limit + 1 })
      const rows = found.slice(0, limit).map((event) => shownEvent(event, params.id, { sites, publicName }))
      const has_more = found.length > limit
      const next_after = rows.at(-1)?.seq ?? after
      return {
        status: 200,
        units: rows.length,
        body: () => ({ data: rows, meta: { count: rows.length, has_more, next_after } }),
        table: {
          ...{ format: chooseFormat(query.format, call.accept), rows },
          ...(has_more && { next: nextPage(call.endpoint, { ...query, after: next_after }) }),
        },
      }
    }
}

function refuseUnknownWatch(): Refusal {
  return refuseFor('not_found', 'watch', {})
}
