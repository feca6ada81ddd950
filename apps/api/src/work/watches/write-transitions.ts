// Records each change of a watch's reported state that imports cause, in the transaction that writes the state. When an import is undone,
// its transitions are undone too (undo-transitions.ts).

import { encodeTime } from 'ulid'
import type { Queryable } from '../../infrastructure/database.ts'
import type { HomeCause, LockedWatch } from './evaluate-snapshot.ts'
import type { HomeState } from './home-event.ts'

/** The number of final characters that an event's id and its usage row's request id have in common. */
const SHARED_CHARACTERS = 16

/**
 * The request id of an event's usage row, which links the charge to the event. It begins with the time, like the request id of a call, and
 * ends like the event's id. @param at milliseconds since 1970
 */
export function usageIdOf(eventId: string, at: number): string {
  return `req_${encodeTime(at)}${eventId.slice(-SHARED_CHARACTERS)}`
}

const INSERT = `
  insert into watch_transitions (account_id, watch_id, zpid, imports, after, was_status, was_price, was_left_at, status, price,
      left_at, event_id, request_id)
    select account_id, watch_id, zpid, imports::bigint[], after, was_status, was_price, was_left_at, status, price, left_at,
      event_id, request_id
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::float8[], $8::timestamptz[],
        $9::text[], $10::float8[], $11::timestamptz[], $12::text[], $13::text[]) as n
      (account_id, watch_id, zpid, imports, after, was_status, was_price, was_left_at, status, price, left_at, event_id,
        request_id)`

/** A reported state to record: of an event, without an event, or unchanged because its changes cancel out. */
export interface TransitionWrite {
  readonly watch: Pick<LockedWatch, 'accountId' | 'id'>
  readonly zpid: string
  /** The reported state before; undefined: the watch did not know the home. */
  readonly before: HomeState | undefined
  readonly state: HomeState
  /** undefined: a remote data source has no log. */
  readonly home: { readonly cause?: HomeCause }
  /** The id of the event; absent: there is none. */
  readonly id?: string
}

/**
 * Records the transitions that an import has caused, and no others.
 *
 * @param writes the states, in the order in which they were reported
 * @param at the moment of the charges, in milliseconds since 1970
 */
export async function writeTransitions(
  tx: Queryable,
  writes: readonly TransitionWrite[],
  at: number,
): Promise<void> {
  const rows = writes.flatMap((write) => {
    const { cause } = write.home
    return cause && !cause.isUndo && cause.imports.some((id) => id > 0) ? [{ ...write, cause }] : []
  })
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id ?? null)
  await tx.query(INSERT, [
    rows.map(({ watch }) => watch.accountId),
    rows.map(({ watch }) => watch.id),
    rows.map(({ zpid }) => zpid),
    rows.map(({ cause }) => `{${cause.imports.join(',')}}`),
    rows.map(({ cause }) => cause.after),
    rows.map(({ before }) => before?.status ?? null),
    rows.map(({ before }) => before?.price ?? null),
    rows.map(({ before }) => before?.leftAt ?? null),
    rows.map(({ state }) => state.status),
    rows.map(({ state }) => state.price),
    rows.map(({ state }) => state.leftAt),
    ids,
    ids.map((id) => (id === null ? null : usageIdOf(id, at))),
  ])
}

const LEAVE = `
  update watch_transitions set is_of_state = false
  where account_id = $1 and watch_id = $2 and is_of_state and ($3::text[] is null or zpid <> all ($3))`

/**
 * After a watch got another search or list: its state does not rest on its earlier transitions any more. An undo retracts their events and
 * leaves the state.
 *
 * @param kept homes whose state stays; default: none
 */
export async function leaveTransitions(
  tx: Queryable,
  accountId: string,
  id: string,
  kept: readonly string[] | null = null,
): Promise<void> {
  await tx.query(LEAVE, [accountId, id, kept])
}
