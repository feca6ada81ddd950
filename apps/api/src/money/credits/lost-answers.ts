// Finds out whether a charge was written when the connection was lost during the write. If it was not, the same statement cancels
// the call: it writes a usage row that makes the lost statement fail, in case that one is still under way (in a socket, or in a
// stalled backend). So a call that was reported as free is never charged later.

// Why: decisions/money/lost-database-during-a-charge.md

import { type Database, DatabaseUnavailable, type Queryable } from '../../infrastructure/database.ts'
import { retry } from '../../infrastructure/platform.ts'
import { type AdmittedCall, toColumns } from './settlement.ts'

/** How long to wait for the database to come back. */
const RECOVERY_TIMEOUT_MS = 5000
const RECOVERY_POLL_MS = 100
/** Status of the usage row of a call that was cancelled. */
export const CANCELLED = 503

/**
 * The connection was lost while a charge was written. `free`: it was not written and cannot be any more; its usage row has 503.
 * `unknown`: the database did not come back.
 */
export class ChargeLost extends DatabaseUnavailable {
  readonly charge: 'free' | 'unknown'

  constructor(charge: 'free' | 'unknown', cause: DatabaseUnavailable) {
    super(cause.message, { cause, outcomeUnknown: charge === 'unknown' })
    this.charge = charge
  }
}

export interface LostCall extends AdmittedCall {
  /** The stage of the row that the lost statement would have written. */
  readonly stage: string | null
}

// The order is that of the lost statement, so that the two cannot deadlock. The insert waits for a row that another transaction
// is writing. It does not lock the account, which a stalled statement may have locked. It writes no row into an hour that may be
// closed meanwhile, an hour after its end (migrations/0014_charges.sql).
const CANCEL_CALLS = `
  with cancelled as (
    insert into usage_rows (account_id, key_id, request_id, endpoint, operation, actor, stage, status_code, created_at)
    select e.account, e.key, e.request, e.endpoint, e.operation, e.actor, e.stage, ${CANCELLED}, e.admitted
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
      with ordinality as e (account, key, request, endpoint, operation, actor, admitted, stage, ord)
    where e.admitted > now() - interval '30 minutes' order by e.ord
    on conflict (account_id, created_at, request_id, actor) do nothing
  )
  select exists (select from unnest($7::timestamptz[]) admitted where admitted <= now() - interval '30 minutes') as "isLate"`

/** Cancels the calls that have no usage row yet. Returns false if it is too late for some of them. */
async function cancelCalls(database: Queryable, calls: readonly LostCall[]): Promise<boolean> {
  const { rows } = await database.query<{ isLate: boolean }>(CANCEL_CALLS, [
    ...toColumns(calls),
    calls.map((call) => call.stage),
  ])
  return !rows[0]!.isLate
}

/**
 * Cancels what was not written, then calls `find`. Calls that are not found were cancelled. Returns undefined if the database
 * does not come back in time, or if a call is half an hour old.
 */
export async function recover<T>(
  database: Database,
  calls: readonly LostCall[],
  find: () => Promise<T>,
): Promise<T | undefined> {
  const isAway = (error: unknown) => error instanceof DatabaseUnavailable
  try {
    return await retry(
      async () => {
        return (await cancelCalls(database, calls)) ? await find() : undefined
      },
      { timeoutMs: RECOVERY_TIMEOUT_MS, pauseMs: RECOVERY_POLL_MS, mayPass: isAway },
    )
  } catch (error) {
    if (isAway(error)) return undefined
    throw error
  }
}
