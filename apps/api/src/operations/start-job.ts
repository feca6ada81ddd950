// What the operations that start a job share: their work is to have it accepted. A call that repeats its Idempotency-Key
// is told of the job that it started the first time, and is an admitted call like any other.

import { type AcceptedJob, type OperationId, operations } from '@lotline/contract'
import type { App } from '../app.ts'
import type { Call } from '../engine/call.ts'
import type { Accepted, PricedResult } from '../engine/operation-result.ts'
import type { Order } from '../jobs/job.ts'
import { fingerprintOf } from '../jobs/store/idempotency.ts'
import type { Refusal } from '../platform/refusal.ts'

interface Receipt {
  readonly data: AcceptedJob
}

/** Accepted now, or before with the same key. */
type JobStarted = Accepted<Receipt> | PricedResult<202, Receipt>

export interface JobAsked {
  readonly order: Order
  /** Credits: the worst case, or a first step where that is not known. */
  readonly wanted: number
  /** Things to do, where that is known at once. */
  readonly size?: number
  readonly idempotency?: {
    readonly key: string | undefined
    /** All of the request that the job depends on. */
    readonly input: unknown
  }
}

export function startJob({ jobs }: App, call: Call, asked: JobAsked) {
  const { order, wanted, idempotency, size = null } = asked
  const key = idempotency?.key
  const asking = {
    accountId: call.principal.accountId,
    keyId: call.principal.keyId,
    requestId: call.requestId,
    endpoint: call.endpoint,
    admittedAt: call.admittedAt,
    ignored: call.ignored,
    ...(key !== undefined && {
      idempotency: { key, fingerprint: fingerprintOf(order.operation, idempotency?.input) },
    }),
  }
  const accept = async (): Promise<JobStarted | Refusal> => {
    const cost = { wanted, least: leastHold(order.operation) }
    const acceptance = await jobs.accept(asking, order, cost, size)
    switch (acceptance.accepted) {
      case 'not':
        return acceptance.refusal
      case 'now':
        return { accepted: { data: acceptance.job }, credits: acceptance.credits }
      case 'before':
        return { status: 202, units: 0, body: () => ({ data: acceptance.job }), replayed: true }
    }
  }
  return Object.assign(accept, { judgesCredits: true as const })
}

/** A job that could not have a single row of each of its stages is not begun. */
function leastHold(operation: OperationId): number {
  return operations[operation].price.stages.reduce(
    (sum, stage) => sum + Math.max(stage.minimum, stage.price),
    0,
  )
}
