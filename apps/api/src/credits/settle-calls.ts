// The statements behind the ledger: settling a group of calls, and asking the books what was settled.

import type { Database } from '../database/database.ts'
import { columnsOf } from './admitted-call.ts'
import { GIVEN_UP, recover } from './lost-answers.ts'
import type { CallToSettle, Settlement } from './settlement.ts'

const SETTLE_CALLS = `
  select verdict, units, charged, balance, held from settle_calls(
    p_account => $1, p_key => $2, p_request => $3, p_endpoint => $4, p_operation => $5, p_actor => $6, p_admitted => $7,
    p_status => $8, p_mode => $9, p_units => $10, p_price => $11, p_minimum => $12, p_zpid => $13, p_generation => $14,
    p_source => $15)`

/** Charges a group of calls and writes their usage rows, all or none. The order of the answers is that of the calls. */
export async function settleCalls(database: Database, calls: readonly CallToSettle[]): Promise<Settlement[]> {
  const { rows } = await database.query<Settlement>(
    SETTLE_CALLS,
    [
      ...columnsOf(calls),
      calls.map((call) => call.status),
      calls.map((call) => call.mode),
      calls.map((call) => call.units),
      calls.map((call) => call.price),
      calls.map((call) => call.minimum),
      calls.map((call) => call.record?.zpid ?? null),
      calls.map((call) => call.record?.generation ?? null),
      calls.map((call) => call.record?.source ?? null),
    ],
    { name: 'settle_calls' },
  )
  return rows
}

// What was given up has the status of that, whatever the call itself was about to answer.
const FIND_SETTLED = `
  select u.request_id, case when u.status_code = 402 then 'insufficient' else 'settled' end as verdict,
    u.units, u.credits_charged as charged, a.balance, a.held
  from usage_rows u join accounts a on a.id = u.account_id
  where (u.account_id, u.created_at, u.request_id) in (select * from unnest($1::uuid[], $2::timestamptz[], $3::text[]))
    and u.status_code <> ${GIVEN_UP}`

/**
 * What was settled of these calls although the answer was lost, by request id; the others are given up and stay free.
 * undefined when the database does not come back to be asked.
 */
export function recoverSettlements(
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
