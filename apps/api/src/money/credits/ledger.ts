// Charges for calls. A call states what it would deliver; the ledger charges what the account can pay, writes the usage row, and
// returns how much may be delivered. Concurrent calls are settled together (group commit): one round trip and one fsync for up to
// MAX_GROUP_SIZE calls. README.md in this folder has the invariants.

// Why: decisions/money/usage-row-is-the-posting.md
// Why: decisions/money/charge-is-several-statements.md

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Database, DatabaseUnavailable, type Queryable } from '../../infrastructure/database.ts'
import { type Observer, SILENT_OBSERVER } from '../../infrastructure/platform.ts'
import { CANCELLED, ChargeLost, recover } from './lost-answers.ts'
import {
  type Balance,
  type CallToSettle,
  type EventToSettle,
  type Settlement,
  toColumns,
} from './settlement.ts'

export type { Balance, CallToSettle, ChargeMode, Settlement } from './settlement.ts'

const MAX_GROUP_SIZE = 256
/** While one group is written, the next one fills. Two at a time would be half as large, and each has a fixed cost. */
const GROUPS_IN_FLIGHT = 1
/**
 * A group of this size goes to an idle database without waiting for the rest of its event loop turn. Otherwise, under steady
 * load, groups alternate between large and small, and the database and this process wait for each other.
 */
const MIN_GROUP_SIZE = 16
/** A slower group waits for a disk or a lock: another one may start beside it. */
const SLOW_GROUP_MS = 5
const MAX_GROUPS = 4

/** Status of the usage row of a call whose client disconnected before it was charged. */
export const CLIENT_DISCONNECTED = 499

export interface Ledger {
  /**
   * Resolves when the charge is on disk. Throws `DatabaseUnavailable` if nothing was charged, and `ChargeLost` if the connection
   * was lost during the write: the call is then recorded as free, or its outcome is unknown.
   */
  settle(call: CallToSettle): Promise<Settlement>
  /** Resolves when nothing is under way. */
  drained(): Promise<void>
}

interface PendingCall {
  readonly call: CallToSettle
  readonly resolve: (settlement: Settlement) => void
  readonly reject: (error: unknown) => void
}

export function createLedger(
  database: Database,
  onBalance: (accountId: string, balance: Balance, keyId: string) => void = () => {},
  observer: Observer = SILENT_OBSERVER,
): Ledger {
  let waiting: PendingCall[] = []
  /** An account is in one group at a time, so its calls are decided in order of arrival, and a lock on it delays no other account. */
  const busyAccounts = new Set<string>()
  const unanswered = new Set<Promise<void>>()
  let groupsInFlight = 0
  let slowGroups = 0

  function startGroups(): void {
    while (waiting.length > 0 && groupsInFlight < Math.min(MAX_GROUPS, GROUPS_IN_FLIGHT + slowGroups)) {
      const group: PendingCall[] = []
      const left: PendingCall[] = []
      for (const entry of waiting) {
        const fits = group.length < MAX_GROUP_SIZE && !busyAccounts.has(entry.call.accountId)
        ;(fits ? group : left).push(entry)
      }
      if (group.length === 0) return
      waiting = left
      const answered = runGroup(group).finally(() => unanswered.delete(answered))
      unanswered.add(answered)
    }
  }

  async function runGroup(group: readonly PendingCall[]): Promise<void> {
    groupsInFlight++
    for (const { call } of group) busyAccounts.add(call.accountId)
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slowGroups++
      startGroups()
    }, SLOW_GROUP_MS)
    const answer = await settleGroup(group)
    clearTimeout(timer)
    if (isSlow) slowGroups--
    for (const { call } of group) busyAccounts.delete(call.accountId)
    groupsInFlight--
    startGroups()
    // Sending the responses takes as long as a group. The next group is sent first, so that the database works meanwhile.
    await nextTurn()
    answer()
  }

  /** Never throws. The returned function resolves or rejects each call of the group. */
  async function settleGroup(group: readonly PendingCall[]): Promise<() => void> {
    const from = performance.now()
    try {
      const settlements = await settleCalls(
        database,
        group.map(({ call }) => (call.hasDisconnected?.() ? withdrawnError(call) : call)),
      )
      observer.settledGroup(group.length, performance.now() - from)
      return () => {
        for (const [i, { call, resolve }] of group.entries()) {
          const settlement = settlements[i]!
          onBalance(call.accountId, settlement, call.keyId)
          resolve(settlement)
        }
      }
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return settleFromBooks(group, error)
      if (group.length === 1) return () => rejectAll(group, error)
      // The whole statement was rolled back. The calls are settled one by one, so that one that cannot be written does not affect
      // the others. Each is answered immediately, since a later one may wait for a lock.
      for (const entry of group) (await settleGroup([entry]))()
      return () => {}
    }
  }

  /** If the connection was lost during the write, only the ledger knows the outcome: a written charge is delivered. */
  async function settleFromBooks(
    group: readonly PendingCall[],
    error: DatabaseUnavailable,
  ): Promise<() => void> {
    if (!error.outcomeUnknown) return () => rejectAll(group, error)
    try {
      const booked = await recoverSettlements(
        database,
        group.map(({ call }) => call),
      )
      return () => {
        for (const { call, resolve, reject } of group) {
          const settlement = booked?.get(call.requestId)
          if (settlement) resolve(settlement)
          else reject(new ChargeLost(booked || call.mode === 'free' ? 'free' : 'unknown', error))
        }
      }
    } catch (secondError) {
      return () => rejectAll(group, secondError)
    }
  }

  function rejectAll(group: readonly PendingCall[], error: unknown): void {
    for (const { reject } of group) reject(error)
  }

  let scheduled = false
  return {
    settle(call) {
      const end = observer.settle()
      return new Promise((resolve, reject) => {
        waiting.push({
          call,
          resolve(settlement) {
            end(settlement.verdict)
            if (settlement.charged > 0) observer.charged(call.operation ?? 'none', settlement.charged)
            resolve(settlement)
          },
          reject(error) {
            end('failed')
            reject(error)
          },
        })
        if (groupsInFlight === 0 && waiting.length >= MIN_GROUP_SIZE) return startGroups()
        if (scheduled) return
        scheduled = true
        // Calls of one event loop turn form a group.
        setImmediate(() => {
          scheduled = false
          startGroups()
        })
      })
    },
    async drained() {
      while (waiting.length > 0 || unanswered.size > 0) {
        await Promise.all(unanswered)
        await nextTurn()
      }
    },
  }
}

function withdrawnError(call: CallToSettle): CallToSettle {
  const { record: _unused, ...rest } = call
  return { ...rest, status: CLIENT_DISCONNECTED, mode: 'free', units: 0 }
}

// The statements that settle a group of calls, and that find out what was settled.
const SETTLE_CALLS = `
  select verdict, units, charged, balance, held, key_left as "keyLeft" from settle_calls(
    p_account => $1, p_key => $2, p_request => $3, p_endpoint => $4, p_operation => $5, p_actor => $6, p_admitted => $7,
    p_status => $8, p_mode => $9, p_units => $10, p_price => $11, p_minimum => $12, p_zpid => $13, p_generation => $14,
    p_source => $15)`

/**
 * Charges a group of calls or events and writes their usage rows, completely or not at all. The settlements are in the order of
 * the calls. Use it only for charges within a transaction; all other calls use a group of `createLedger`.
 */
export async function settleCalls(
  database: Queryable,
  calls: readonly (CallToSettle | EventToSettle)[],
): Promise<Settlement[]> {
  const records = calls.some(({ record }) => record) ? calls.map(({ record }) => record) : null
  const { rows } = await database.query<Settlement>(
    SETTLE_CALLS,
    [
      ...toColumns(calls),
      calls.map((call) => call.status),
      calls.map((call) => call.mode),
      calls.map((call) => call.units),
      calls.map((call) => call.price),
      calls.map((call) => call.minimum),
      ...(['zpid', 'generation', 'source'] as const).map(
        (name) => records?.map((record) => record?.[name] ?? null) ?? null,
      ),
    ],
    { name: 'settle_calls' },
  )
  return rows
}

// A cancelled call has the status CANCELLED, whatever it was about to return.
const FIND_SETTLED = `
  select u.request_id, case when u.status_code = 402 then 'insufficient' else 'settled' end as verdict,
    u.units, u.credits_charged as charged, a.balance, a.held, l.remaining as "keyLeft"
  from usage_rows u join accounts a on a.id = u.account_id left join key_allowances l on l.key_id = u.key_id
  where (u.account_id, u.created_at, u.request_id) in (select * from unnest($1::uuid[], $2::timestamptz[], $3::text[]))
    and u.status_code <> ${CANCELLED}`

/**
 * Finds which of these calls were settled although the response was lost, by request id. The others are cancelled and stay free.
 * Returns undefined if the database does not come back in time.
 */
function recoverSettlements(
  database: Database,
  calls: readonly CallToSettle[],
): Promise<ReadonlyMap<string, Settlement> | undefined> {
  return recover(
    database,
    calls.map((call) => ({ ...call, stage: null })),
    async () => {
      const { rows } = await database.query<Settlement & { request_id: string }>(FIND_SETTLED, [
        calls.map((call) => call.accountId),
        calls.map((call) => call.admittedAt.toISOString()),
        calls.map((call) => call.requestId),
      ])
      return new Map(rows.map(({ request_id, ...settlement }) => [request_id, settlement]))
    },
  )
}
