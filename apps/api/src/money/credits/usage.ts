// The usage rows of calls that started a job: one per stage, written with the job and filled when its hold is settled. The
// statement that charges (ledger.ts) writes the rows of all other calls; if its response was lost and it wrote none, the
// statement that cancels the calls (lost-answers.ts) does.

import { type OperationId, operations } from '@lotline/contract'
import type { Queryable } from '../../infrastructure/database.ts'
import type { AdmittedCall } from './settlement.ts'

/** A call that is about to be answered with 202. */
export interface AcceptedJobCall extends Omit<AdmittedCall, 'actor'> {
  readonly operation: OperationId
  readonly jobId: string
}

// Closed hours are already summed (migrations/0014_charges.sql), so the rows of a late call get the first time after them.
const RECORD_ACCEPTED = `
  insert into usage_rows (account_id, key_id, request_id, endpoint, operation, job_id, created_at, status_code, stage, actor)
    select $1, $2, $3, $4, $5, $6,
      greatest($7::timestamptz, (select closed_until from usage_summed where account_id = $1)), 202, s.stage, s.actor
    from unnest($8::text[], $9::text[]) with ordinality as s (stage, actor, ord) order by s.ord`

/**
 * Writes the call's usage rows with 0 units and 0 credits, one per stage of its operation. Call it in the transaction that
 * accepts the job, after its hold, which locks the account.
 */
export async function recordAccepted(tx: Queryable, call: AcceptedJobCall): Promise<void> {
  const { actor, price } = operations[call.operation]
  await tx.query(
    RECORD_ACCEPTED,
    [
      call.accountId,
      call.keyId,
      call.requestId,
      call.endpoint,
      call.operation,
      call.jobId,
      call.admittedAt.toISOString(),
      price.stages.map(({ stage }) => stage),
      price.stages.map(({ stage }) => stage ?? actor),
    ],
    { name: 'record_accepted' },
  )
}
