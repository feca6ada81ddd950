// The usage rows of calls that started a job: one for each stage, written with the job and filled when its hold is
// settled. Those of all other calls are written by the statement that charges (ledger.ts), or, where its answer was
// lost and it had written none, by the one that gives such calls up (lost-answers.ts).

import { type OperationId, operations } from '@lotline/contract'
import type { Queryable } from '../../infrastructure/database.ts'
import type { AdmittedCall } from './settlement.ts'

/** A call that is about to be answered with 202. */
export interface AcceptedJobCall extends Omit<AdmittedCall, 'actor'> {
  readonly operation: OperationId
  readonly jobId: string
}

// Usage that is closed is summed (migrations/0150_usage_sums.sql): the rows of a late call have the first moment after it.
const RECORD_ACCEPTED = `
  insert into usage_rows (account_id, key_id, request_id, endpoint, operation, job_id, created_at, status_code, stage, actor)
    select $1, $2, $3, $4, $5, $6,
      greatest($7::timestamptz, (select closed_until from usage_summed where account_id = $1)), 202, s.stage, s.actor
    from unnest($8::text[], $9::text[]) with ordinality as s (stage, actor, ord) order by s.ord`

/**
 * Writes the call's usage rows at 0 units and 0 credits, one for each stage of its operation. Call it in
 * the transaction that accepts the job, after its hold, which locks the account.
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
