// What the operations that start a job share: their work is to have it accepted. A call that repeats its Idempotency-Key
// gets the job that it started the first time, and is an admitted call like any other.

import { type AcceptedJob, type Cost, costOfRows } from '@lotline/contract'
import { checkPlaces } from '../../data/places.ts'
import type { Database } from '../../infrastructure/database.ts'
import type { Refusal } from '../../infrastructure/refusals.ts'
import type { Principal } from '../../money/accounts.ts'
import { HOLD_STEP } from '../../money/credits.ts'
import { fingerprintOf } from '../../work/idempotency.ts'
import { type HoldAsked, type JobSpec, type Jobs, judgeJobLimit, searchesOf } from '../../work/jobs.ts'
import type { Call } from '../engine/call.ts'
import type { Accepted, PricedResult } from '../engine/operation-result.ts'

export interface StartJobDeps {
  readonly database: Database
  readonly jobs: Jobs
}

interface Receipt {
  readonly data: AcceptedJob
}

/** Accepted now, or before with the same key. */
type JobStarted = Accepted<Receipt> | PricedResult<202, Receipt>

export interface JobAsked {
  readonly order: JobSpec
  /** What it may cost, in credits. */
  readonly cost: Cost
  /** Credits to hold at first, where the hold grows as rows arrive. Default: the most it can cost, or `HOLD_STEP`. */
  readonly firstHold?: number
  /** Things to do, where that is known at once. */
  readonly size?: number
  /** The client's name of an area of the search, for refusals. */
  readonly areaPlaceOf?: (index: number) => string
  readonly idempotency?: {
    readonly key: string | undefined
    /** All of the request that the job depends on. */
    readonly input: unknown
  }
}

/**
 * Whether a key may start the job that its search would become. That of a client may not if it was given none of the operations that
 * only start jobs, as a connector with the scope `read`.
 */
export function mayStartJobs({
  isOfClient,
  allowedOperations,
}: Pick<Principal, 'isOfClient' | 'allowedOperations'>): boolean {
  if (!isOfClient || !allowedOperations) return true
  return allowedOperations.includes('searchWithDetails') || allowedOperations.includes('createPropertyBatch')
}

export function startJob(deps: StartJobDeps, call: Call, asked: JobAsked) {
  const { order, idempotency, size = null, areaPlaceOf } = asked
  const key = idempotency?.key
  const { maxCredits } = call
  const asking = {
    accountId: call.principal.accountId,
    keyId: call.principal.keyId,
    requestId: call.requestId,
    endpoint: call.endpoint,
    admittedAt: call.admittedAt,
    ignored: call.ignored,
    areaPlaceOf,
    ...(key !== undefined && {
      // The limit may have come by a header.
      idempotency: {
        key,
        fingerprint: fingerprintOf(
          order.operation,
          maxCredits === undefined ? idempotency?.input : [idempotency?.input, maxCredits],
        ),
      },
    }),
  }
  const accept = async (): Promise<JobStarted | Refusal> => {
    const acceptance = await deps.jobs.accept(asking, order, toHoldRequest(asked, maxCredits), size)
    switch (acceptance.accepted) {
      case 'not':
        return acceptance.refusal
      case 'now':
        return { accepted: { data: acceptance.job }, credits: acceptance.credits }
      case 'before':
        return { status: 202, units: 0, body: () => ({ data: acceptance.job }), replayed: true }
    }
  }
  const check = checkPlaces(deps.database, searchesOf(order), areaPlaceOf ?? (() => 'filters.area'))
  const checkStorage = () =>
    judgeJobLimit(deps.database, asking.accountId, Buffer.byteLength(JSON.stringify(order.request)))
  return Object.assign(accept, { judgesCredits: true as const, check, checkStorage })
}

/** What to hold, in credits. A job that could not have a single row of each of its stages is not begun. */
function toHoldRequest(
  { order, cost: { max }, firstHold = max ?? HOLD_STEP }: JobAsked,
  maxCredits: number | undefined,
): HoldAsked {
  const least = costOfRows(order.operation, 1)
  const wanted = Math.max(least, Math.min(firstHold, max ?? firstHold))
  return maxCredits === undefined
    ? { least, wanted }
    : { least, wanted: Math.min(wanted, maxCredits), most: maxCredits }
}
