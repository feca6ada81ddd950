// The statements behind the ledger: settling a group of calls, and asking the books what was settled.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import type { CallToSettle, Settlement } from './ledger.ts'

const SETTLE_CALLS = `
  select verdict, units, charged, balance, held from settle_calls(
    $1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::timestamptz[],
    $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[], $14::bigint[])`

/** Charges a group of calls and writes their usage rows, all or none. The order of the answers is that of the calls. */
export async function settleCalls(database: Database, calls: readonly CallToSettle[]): Promise<Settlement[]> {
  const { rows } = await database.query<Settlement>(
    SETTLE_CALLS,
    [
      calls.map((call) => call.accountId),
      calls.map((call) => call.keyId),
      calls.map((call) => call.requestId),
      calls.map((call) => call.endpoint),
      calls.map((call) => call.operation),
      calls.map((call) => call.actor),
      calls.map((call) => call.status),
      calls.map((call) => call.admittedAt.toISOString()),
      calls.map((call) => call.mode),
      calls.map((call) => call.units),
      calls.map((call) => call.price),
      calls.map((call) => call.minimum),
      calls.map((call) => call.record?.zpid ?? null),
      calls.map((call) => call.record?.generation ?? null),
    ],
    { name: 'settle_calls' },
  )
  return rows
}

/** How long the database may take to come back and say what it had written. */
const ASK_BOOKS_MS = 5000
const ASK_AGAIN_MS = 100

const FIND_SETTLED = `
  select u.request_id, case when u.status_code = 402 then 'insufficient' else 'settled' end as verdict,
    u.units, u.credits_charged as charged, a.balance, a.held
  from usage_rows u join accounts a on a.id = u.account_id
  where (u.account_id, u.request_id) in (select * from unnest($1::uuid[], $2::text[]))`

/** What was settled of these calls, by request id; undefined when the database does not come back to be asked. */
export async function findSettled(
  database: Database,
  calls: readonly CallToSettle[],
): Promise<ReadonlyMap<string, Settlement> | undefined> {
  for (const end = performance.now() + ASK_BOOKS_MS; performance.now() < end; await sleep(ASK_AGAIN_MS)) {
    try {
      const { rows } = await database.query<Settlement & { request_id: string }>(FIND_SETTLED, [
        calls.map((call) => call.accountId),
        calls.map((call) => call.requestId),
      ])
      return new Map(rows.map(({ request_id, ...settlement }) => [request_id, settlement]))
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
  }
  return undefined
}
