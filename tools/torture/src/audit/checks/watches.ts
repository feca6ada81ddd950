// Watches: their events follow from the files that were imported, whatever was killed meanwhile. Everything here is worked
// out from the files, by rules of the auditor's own (@lotline/api/watch-oracle).

import { createOracle, type DataSet, type ExpectedEvent } from '@lotline/api/watch-oracle'
import type { FeedHome } from '../../feed/homes.ts'
import type { ChangeRecord, SeenEvent } from '../../feed/records.ts'
import { FEED_WATCHES, type FeedWatch } from '../../feed/watches.ts'
import { type Check, groupBy, sum } from '../check.ts'
import type { FeedEvidence, LoggedFacts } from '../feed-evidence.ts'

type Homes = ReadonlyMap<string, FeedHome>

/** What the data set had after each change; the first is what the watches were created over. */
function historyOf(changes: readonly ChangeRecord[]): Homes[] {
  const homes = new Map<string, FeedHome>()
  return changes.map(({ homes: imported, removed }) => {
    for (const home of imported) homes.set(home.zpid, home)
    for (const zpid of removed) homes.delete(zpid)
    return new Map(homes)
  })
}

const KINDS = {
  FOR_SALE: 'for_sale',
  PENDING: 'for_sale',
  SOLD: 'recently_sold',
  FOR_RENT: 'for_rent',
  OFF_MARKET: 'off_market',
} as const

function factsOf(home: FeedHome | undefined): LoggedFacts | null {
  if (!home) return null
  const { homeStatus, price, bedrooms: beds } = home
  return { kind: KINDS[homeStatus], price, beds, is_pending: homeStatus === 'PENDING' }
}

export const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other)

/** With the names of objects in their order, so that equal values are equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
}

/** A killed import leaves nothing, and one that was repeated is there once. */
export const logIsWhatWasImported: Check = ({ feed: { records, books } }, tell) => {
  const history = historyOf(records.change)
  const due = history
    .map((now, at) => {
      const before: Homes = history[at - 1] ?? new Map()
      const zpids = new Set([...before.keys(), ...now.keys()])
      return new Map(
        [...zpids].flatMap((zpid) => {
          const [from, to] = [factsOf(before.get(zpid)), factsOf(now.get(zpid))]
          // A home that is new again may lie elsewhere: that it was gone is enough here.
          return isSame(from, to) ? [] : [[zpid, { from, to }] as const]
        }),
      )
    })
    .filter(({ size }) => size > 0)
  let [lastSeq, lastVersion] = [0, 0]
  for (const { seq, version, zpid } of books.changes) {
    if (seq <= lastSeq || version < lastVersion)
      tell(`change ${seq} of home ${zpid} in version ${version} follows ${lastSeq} of ${lastVersion}`)
    ;[lastSeq, lastVersion] = [seq, version]
  }
  const versions = [...groupBy(books.changes, ({ version }) => String(version)).values()]
  if (versions.length !== due.length)
    tell(`${due.length} imports and removals changed something, and the log has ${versions.length} versions`)
  for (const [at, expected] of due.entries()) {
    const logged = versions[at] ?? []
    for (const { zpid, before, after, seq } of logged) {
      const change = expected.get(zpid)
      if (!change) tell(`change ${seq} of home ${zpid} is in no file of its time`)
      else if (!isSame(before, change.from) || !isSame(after, change.to))
        tell(`change ${seq} of home ${zpid} is ${canonical([before, after])}, due ${canonical(change)}`)
    }
    const zpids = logged.map(({ zpid }) => zpid)
    if (new Set(zpids).size < zpids.length) tell(`version ${at} has a home twice`)
    for (const zpid of expected.keys())
      if (!zpids.includes(zpid)) tell(`a change of home ${zpid} is not in the log`)
  }
  return books.changes.length
}

/** The events of a watch as they were read at the end. */
function lastReading({ records }: FeedEvidence, watchId: string): SeenEvent[] {
  return records.events
    .filter((page) => page.watchId === watchId && page.isLast)
    .flatMap(({ events }) => [...events])
}

const idOf = ({ records }: FeedEvidence, { name }: FeedWatch) => records.created[0]!.ids[name]

const dataSetOf = (homes: Homes, { matches }: FeedWatch): DataSet => ({
  records: homes as unknown as DataSet['records'],
  found: new Set([...homes.values()].filter(matches).map(({ zpid }) => zpid)),
})

/** Of watches that are never paused: import by import, what differs between two searches. */
export const eventsAreTheChanges: Check = ({ feed }, tell) => {
  const history = historyOf(feed.records.change)
  let looked = 0
  for (const watch of FEED_WATCHES.filter(({ reports }) => reports === 'each')) {
    const seen = lastReading(feed, idOf(feed, watch))
    const { filters } = watch.body as { filters?: { pending?: boolean } }
    const expect = createOracle(dataSetOf(history[0]!, watch), filters?.pending !== false)
    let from = 0
    for (const homes of history.slice(1)) {
      const due = expect(dataSetOf(homes, watch)).filter(({ type }) => watch.events?.includes(type) ?? true)
      const reported = seen.slice(from, from + due.length).map(comparable)
      const inOrder = reported.sort((one, other) => (one.zpid < other.zpid ? -1 : 1))
      for (const [at, event] of due.entries()) {
        if (isSame(event, inOrder[at])) continue
        tell(
          `watch ${watch.name}, from event ${from + 1} on: due ${canonical(event)}, has ${canonical(inOrder[at])}`,
        )
        return looked
      }
      from += due.length
      looked += due.length
    }
    if (seen.length !== from) tell(`watch ${watch.name} has ${seen.length} events, due ${from}`)
  }
  return looked
}

export function comparable(
  event: SeenEvent & { readonly change?: ExpectedEvent['change'] | null },
): ExpectedEvent {
  const { zpid, type, reason, changed, previous, current, change } = event
  return {
    zpid,
    type,
    changed,
    previous,
    current,
    ...(reason !== null && { reason }),
    ...(change && { change }),
  }
}

/** Of watches that are paused, by a call or without credits: nothing is lost, repeated, or reported that was reversed. */
export const pausesKeepTheNetChange: Check = ({ feed }, tell) => {
  const history = historyOf(feed.records.change)
  let looked = feed.records.change.filter(({ isFlip }) => isFlip).length
  for (const watch of FEED_WATCHES) {
    if (watch.reports === 'each') continue
    const seen = lastReading(feed, idOf(feed, watch))
    if (watch.reports === 'none') {
      for (const { seq, zpid } of seen)
        tell(`event ${seq} of home ${zpid} reports a change that was reversed`)
      continue
    }
    const { records, found } = dataSetOf(history[0]!, watch)
    const known = new Map([...found].map((zpid) => [zpid, stateOf(records.get(zpid) as unknown as FeedHome)]))
    for (const event of seen) {
      looked++
      const fault = apply(known, event)
      if (fault) tell(`watch ${watch.name}, event ${event.seq} of home ${event.zpid}: ${fault}`)
    }
    const last = dataSetOf(history.at(-1)!, watch)
    const present = [...known].filter(([, { isIn }]) => isIn).map(([zpid]) => zpid)
    for (const zpid of present)
      if (!last.found.has(zpid)) tell(`watch ${watch.name} did not report that ${zpid} is gone`)
    for (const zpid of last.found) {
      const [is, was] = [stateOf(last.records.get(zpid) as unknown as FeedHome), known.get(zpid)]
      if (!was?.isIn) tell(`watch ${watch.name} did not report that home ${zpid} is there`)
      else if (
        was.status !== is.status ||
        (is.price !== null && was.price !== null && was.price !== is.price)
      )
        tell(`watch ${watch.name} last reported ${canonical(was)} of home ${zpid}, which is ${canonical(is)}`)
    }
  }
  return looked
}

interface State {
  readonly status: string
  readonly price: number | null
  readonly isIn: boolean
}

const STATUSES = {
  FOR_SALE: 'for_sale',
  PENDING: 'pending',
  SOLD: 'sold',
  FOR_RENT: 'for_rent',
  OFF_MARKET: 'off_market',
} as const
const stateOf = ({ homeStatus, price }: FeedHome): State => ({
  status: STATUSES[homeStatus],
  price,
  isIn: true,
})

/** Brings what is known up to date. Returns what is wrong with the event. */
function apply(known: Map<string, State>, { zpid, type, previous, current }: SeenEvent): string | undefined {
  const before = known.get(zpid)
  const isIn = type !== 'listing.removed'
  const status = (current.status ?? before?.status) as string
  const price = (current.price ?? before?.price ?? null) as number | null
  known.set(zpid, { status, price, isIn })
  const wasIn = before?.isIn ?? false
  const comes = type === 'listing.new' || type === 'listing.back_on_market'
  if (comes === wasIn) return `it is ${type}, and the home ${wasIn ? 'matched' : 'did not match'} before`
  if (previous.status !== undefined && previous.status !== before?.status)
    return `the status before was ${before?.status}, and the event says ${previous.status}`
  // A price that was unknown may have become known without an event.
  if (previous.price !== undefined && before?.price != null && previous.price !== before.price)
    return `the price before was ${before.price}, and the event says ${previous.price}`
  const isChange = wasIn !== isIn || status !== before?.status || price !== before?.price
  return isChange ? undefined : 'it reports no change'
}

/** By the database, and by everything that readers have seen at any time. */
export const eventsAreNumberedOnce: Check = ({ feed }, tell) => {
  const { books, records } = feed
  const events = groupBy(books.events, ({ watch_id }) => watch_id)
  for (const { id, last_seq } of books.watches) {
    const own = events.get(id) ?? []
    for (const [at, { seq }] of own.entries())
      if (seq !== at + 1) tell(`event ${at + 1} of watch ${id} has the number ${seq}`)
    if (own.length !== last_seq)
      tell(`watch ${id} has ${own.length} events, and its last number is ${last_seq}`)
  }
  const ids = books.events.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) tell('two events have the same id')
  const written = new Map(books.events.map((event) => [`${event.watch_id} ${event.seq}`, event]))
  const first = new Map<string, string>()
  let looked = 0
  for (const { watchId, after, events: page } of records.events) {
    for (const [at, event] of page.entries()) {
      looked++
      const name = `${watchId} ${event.seq}`
      if (event.seq !== after + at + 1) tell(`after ${after}, watch ${watchId} sent the number ${event.seq}`)
      const row = written.get(name)
      if (row?.id !== event.id || row.zpid !== event.zpid || row.type !== event.type)
        tell(`event ${name} was read as ${event.id}, and is ${row?.id}`)
      const text = canonical(event)
      if ((first.get(name) ?? text) !== text) tell(`event ${name} was read in two ways`)
      first.set(name, text)
    }
  }
  return looked
}

export const anEventCostsOneCredit: Check = ({ feed: { books } }, tell) => {
  const charges = new Map(
    books.postings.filter(({ kind }) => kind === 'charge').map((one) => [one.request_id, one] as const),
  )
  const rows = books.usage.filter(({ endpoint }) => endpoint === 'watch')
  for (const { request_id, units, credits_charged } of rows) {
    const charged = -(charges.get(request_id)?.amount ?? 0)
    if (units !== 1 || credits_charged !== 1 || charged !== 1)
      tell(
        `${request_id} is a row of ${units} events for ${credits_charged} credits, of which ${charged} are charged`,
      )
  }
  // The request id of the row of an event has the last 16 characters of the event's id.
  const rowsOf = groupBy(rows, ({ account_id, request_id }) => `${account_id} ${request_id.slice(-16)}`)
  for (const { account_id, id } of books.events) {
    const own = rowsOf.get(`${account_id} ${id.slice(-16)}`)?.length ?? 0
    if (own !== 1) tell(`event ${id} of account ${account_id} has ${own} usage rows`)
  }
  const events = groupBy(books.events, ({ account_id }) => account_id)
  const usage = groupBy(rows, ({ account_id }) => account_id)
  for (const { id, balance } of books.accounts) {
    const count = events.get(id)?.length ?? 0
    const units = sum(usage.get(id) ?? [], (row) => row.units)
    if (count !== units) tell(`account ${id} has ${count} events, and usage rows of ${units}`)
    const charged = -sum(
      books.postings.filter(({ account_id, kind }) => account_id === id && kind === 'charge'),
      ({ amount }) => amount,
    )
    const others = books.usage.filter(({ account_id, endpoint }) => account_id === id && endpoint !== 'watch')
    if (count + sum(others, (row) => row.credits_charged) !== charged)
      tell(`account ${id} has ${count} events, and was charged ${charged} credits`)
    const posted = sum(
      books.postings.filter(({ account_id }) => account_id === id),
      ({ amount }) => amount,
    )
    if (posted !== balance) tell(`account ${id} has ${balance} credits, and its postings make ${posted}`)
  }
  return books.events.length
}

export const theLastCreditIsKept: Check = ({ feed: { books } }, tell) => {
  let looked = 0
  for (const [account, postings] of groupBy(books.postings, ({ account_id }) => account_id)) {
    let balance = 0
    for (const { id, kind, amount } of postings) {
      balance += amount
      if (kind !== 'charge') continue
      looked++
      if (balance < 1) tell(`after posting ${id}, account ${account} has ${balance} credits`)
    }
  }
  return looked
}

/** Written to be sent once, in order, at most 100 at a time; and what receivers got is what the log has. */
export const whatIsDeliveredIsTheLog: Check = ({ feed }, tell) => {
  const { books, records } = feed
  const log = new Map<string, string>()
  for (const { events, isLast } of records.events)
    if (isLast) for (const event of events) log.set(`${event.watch_id} ${event.seq}`, canonical(event))
  const times = new Map<string, number>()
  for (const { id, data } of books.sent) {
    const { events } = JSON.parse(data) as { readonly events: readonly SeenEvent[] }
    if (events.length > 100) tell(`the webhook event ${id} has ${events.length} events`)
    for (const [at, { watch_id, seq }] of events.entries()) {
      const name = `${watch_id} ${seq}`
      times.set(name, (times.get(name) ?? 0) + 1)
      if (at > 0 && seq <= events[at - 1]!.seq) tell(`the webhook event ${id} has ${seq} after a later one`)
    }
  }
  const subscribed = new Set(books.sent.map(({ account_id }) => account_id))
  for (const { account_id, watch_id, seq } of books.events) {
    if (!subscribed.has(account_id)) continue
    const count = times.get(`${watch_id} ${seq}`) ?? 0
    if (count !== 1) tell(`event ${seq} of watch ${watch_id} is in ${count} webhook events`)
  }
  let looked = 0
  for (const { body, hook } of records.delivery) {
    const { type, data } = JSON.parse(body) as { type: string; data: { events?: readonly SeenEvent[] } }
    if (type !== 'watch.changes') continue
    for (const event of data.events ?? []) {
      looked++
      if (log.get(`${event.watch_id} ${event.seq}`) !== canonical(event))
        tell(`event ${event.seq} of watch ${event.watch_id} came to ${hook} in another form than the log has`)
    }
  }
  const accepted = new Set(
    records.delivery
      .filter(({ answered }) => answered === 'accepted')
      .map(({ hook, webhookId }) => `${hook} ${webhookId}`),
  )
  for (const { event_id, state, url } of books.deliveries)
    if (state === 'delivered' && !accepted.has(`${new URL(url).pathname} ${event_id}`))
      tell(`${event_id} counts as delivered to ${url}, and was not accepted there`)
  return looked
}

/** In the end, the data set is what was imported, and each watch knows what a search finds. */
export const watchesKnowWhatIsThere: Check = ({ feed }, tell) => {
  const { books, records } = feed
  const last = historyOf(records.change).at(-1) ?? new Map<string, FeedHome>()
  const stored = new Map(books.listings.map((row) => [row.zpid, row]))
  for (const { zpid, homeStatus, price } of last.values()) {
    const row = stored.get(zpid)
    if (row?.status !== homeStatus || row.price !== price)
      tell(`home ${zpid} is ${row?.status} for ${row?.price}, and was imported as ${homeStatus} for ${price}`)
  }
  for (const zpid of stored.keys()) if (!last.has(zpid)) tell(`home ${zpid} was removed and is there`)
  const end = books.changes.at(-1)?.seq ?? 0
  if (books.position < end) tell(`changes from ${books.position + 1} to ${end} were not evaluated`)
  const homes = groupBy(books.homes, ({ watch_id }) => watch_id)
  const watches = new Map(books.watches.map((row) => [row.id, row]))
  for (const watch of FEED_WATCHES) {
    const id = idOf(feed, watch)
    const row = watches.get(id)
    if (row?.status !== 'active' || !row.is_current) tell(`watch ${watch.name} is ${row?.status}`)
    const known = new Map((homes.get(id) ?? []).map((home) => [home.zpid, home]))
    const { found } = dataSetOf(last, watch)
    for (const zpid of new Set([...known.keys(), ...found])) {
      const [has, is] = [known.get(zpid), last.get(zpid)]
      if (!has || !is || !found.has(zpid)) tell(`watch ${watch.name} ${has ? 'has' : 'lacks'} home ${zpid}`)
      else if (has.status !== stateOf(is).status || (is.price !== null && has.price !== is.price))
        tell(`watch ${watch.name} knows ${has.status} for ${has.price} of home ${zpid}`)
    }
  }
  return stored.size
}
