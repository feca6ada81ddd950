// Compares the last reported state of a home with its current state, and returns the event to report. No I/O: callers read the log and the
// data set.

import { type ListingFacts, type ReportedStatus, reportedStatus } from '../../data/sources.ts'

/** In order of importance: several changes of one home in one evaluation become one event, of the first type that applies. */
export const WATCH_EVENTS = [
  'listing.removed',
  'listing.back_on_market',
  'listing.new',
  'listing.status_changed',
  'listing.price_changed',
] as const
export type WatchEventType = (typeof WATCH_EVENTS)[number]

/** A home that matches again within this many days is back on the market. After that, it is new. */
export const REMEMBERED_DAYS = 90

/** Retention of watch events, in days. */
export const WATCH_EVENTS_KEPT_DAYS = 90

export type RemovalReason = 'sold' | 'pending' | 'left_filters' | 'withdrawn' | 'taken_down'

/** The last reported state of a home. */
export interface HomeState {
  readonly status: ReportedStatus
  /** The last known price. */
  readonly price: number | null
  /** null while the home matches. */
  readonly leftAt: Date | null
}

/** The current state of a home. */
export interface Observation {
  /** null: the data set does not have it. */
  readonly facts: Pick<ListingFacts, 'kind' | 'is_pending' | 'sale_type' | 'price'> | null
  /** Whether the watch's search finds it, or its list contains it. */
  readonly matches: boolean
  /** Whether the home is newly listed. False: it was already listed, and now matches the filters. Read only for new homes. */
  readonly isListed: boolean
  readonly at: Date
  /** Whether the watch's search also finds pending homes. If so, a home that it no longer finds left for a reason other than its status. */
  readonly findsPending?: boolean
}

export interface HomeEvent {
  readonly type: WatchEventType
  readonly reason?: RemovalReason | 'listed' | 'entered_filters'
  readonly changed: readonly ('presence' | 'status' | 'price')[]
  /** Only the changed fields. */
  readonly previous: { readonly status?: ReportedStatus; readonly price?: number }
  readonly current: { readonly status?: ReportedStatus; readonly price?: number }
  /** The change of the price, in dollars and percent. */
  readonly change?: { readonly amount: number; readonly percent: number | null }
}

export interface Judgement {
  /** undefined: nothing to report. */
  readonly event?: HomeEvent
  /** The new state; undefined: unchanged. */
  readonly state?: HomeState
}

/** The smallest price change to report. A change must reach every given bound. */
export interface MinChange {
  /** US dollars. */
  readonly amount?: number
  /** Percent of the last reported price. */
  readonly percent?: number
}

const DAY_MS = 86_400_000

/** @param events the event types to report @param minChange smaller price changes of a home that stays are not reported, but add up */
export function judgeHome(
  state: HomeState | undefined,
  { facts, matches, isListed, at, findsPending = false }: Observation,
  events: ReadonlySet<string>,
  minChange?: MinChange | null,
): Judgement {
  const wasIn = state !== undefined && state.leftAt === null
  if (!wasIn && !matches) return {}
  const status = facts ? reportedStatus(facts) : 'off_market'
  // If the price is missing this time, the last known price is kept.
  const price = facts?.price ?? state?.price ?? null
  if (wasIn && !matches) {
    const event = removal(state, facts, status, findsPending)
    return { ...(events.has(event.type) && { event }), state: { status, price, leftAt: at } }
  }
  const now: HomeState = { status, price, leftAt: null }
  if (!wasIn) {
    const remembered = state?.leftAt && at.getTime() - state.leftAt.getTime() <= REMEMBERED_DAYS * DAY_MS
    const event: HomeEvent = remembered
      ? { type: 'listing.back_on_market', ...differences(state, now, ['presence']) }
      : {
          type: 'listing.new',
          reason: isListed ? 'listed' : 'entered_filters',
          changed: ['presence'],
          previous: {},
          current: { status, ...(price !== null && { price }) },
        }
    return { ...(events.has(event.type) && { event }), state: now }
  }
  if (state!.price !== null && price !== null && isBelow(minChange, state!.price, price))
    return judgeStay(state!, { ...now, price: state!.price }, events)
  return judgeStay(state!, now, events)
}

/** For a home that matched and still does. */
function judgeStay(state: HomeState, now: HomeState, events: ReadonlySet<string>): Judgement {
  const differ = differences(state, now, [])
  if (differ.changed.length === 0) return state.price === now.price ? {} : { state: now }
  const applicable: WatchEventType[] = [
    ...(differ.changed.includes('status') ? (['listing.status_changed'] as const) : []),
    ...(differ.changed.includes('price') ? (['listing.price_changed'] as const) : []),
  ]
  const type = applicable.find((candidate) => events.has(candidate))
  return { ...(type && { event: { type, ...differ } }), state: now }
}

/** Tolerates rounding, which must not suppress a change that exactly reaches the bound. */
const ROUNDING = 1 - 1e-12

function isBelow(minChange: MinChange | null | undefined, before: number, now: number): boolean {
  const { amount = 0, percent = 0 } = minChange ?? {}
  const difference = Math.abs(now - before)
  return difference < amount * ROUNDING || difference * 100 < percent * before * ROUNDING
}

function removal(
  state: HomeState,
  facts: Observation['facts'],
  status: ReportedStatus,
  findsPending: boolean,
): HomeEvent {
  const price = facts?.price ?? state.price
  const differ = differences(state, { status, price, leftAt: null }, ['presence'])
  return { type: 'listing.removed', reason: reasonOf(state, facts, status, findsPending), ...differ }
}

function reasonOf(
  state: HomeState,
  facts: Observation['facts'],
  status: ReportedStatus,
  findsPending: boolean,
): RemovalReason {
  if (!facts) return 'taken_down'
  if (status === 'off_market') return 'withdrawn'
  if (status === state.status) return 'left_filters'
  if (status === 'pending') return findsPending ? 'left_filters' : 'pending'
  return status === 'sold' ? 'sold' : 'left_filters'
}

/** A price that appears or disappears is not a change. */
function differences(before: HomeState, now: HomeState, changed: readonly 'presence'[]) {
  const hasNewStatus = before.status !== now.status
  const hasNewPrice = before.price !== null && now.price !== null && before.price !== now.price
  return {
    changed: [
      ...changed,
      ...(hasNewStatus ? (['status'] as const) : []),
      ...(hasNewPrice ? (['price'] as const) : []),
    ],
    previous: {
      ...(hasNewStatus && { status: before.status }),
      ...(hasNewPrice && { price: before.price! }),
    },
    current: { ...(hasNewStatus && { status: now.status }), ...(hasNewPrice && { price: now.price! }) },
    ...(hasNewPrice && { change: changeOf(before.price!, now.price!) }),
  }
}

/** Percent with two decimals; null if the previous price was 0. */
function changeOf(before: number, now: number): { amount: number; percent: number | null } {
  const amount = Math.round((now - before) * 100) / 100
  return { amount, percent: before === 0 ? null : Math.round(((now - before) / before) * 10_000) / 100 }
}
