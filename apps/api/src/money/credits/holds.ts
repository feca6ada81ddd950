// Credits in two phases, for jobs: hold what the work may cost, then charge what it did cost and release the rest. A hold
// is closed once, whatever races, retries or crashes: everything reduces to "is this hold still open?". The statements
// are in migrations/0005_hold_functions.sql; the caller brings the transaction in which its job is accepted or ends, and
// locks the job's row before it calls these. After it commits, `principals.updateBalance` takes the returned balance.

import type { PriceStage, Stage } from '@lotline/contract'
import type { Queryable } from '../../infrastructure/database.ts'
import type { Balance } from './ledger.ts'
import { isKeyShort } from './settlement.ts'

/** The most credits that a hold grows by in one step, where the worst case is unknown. */
export const HOLD_STEP = 500

export interface JobOfAccount {
  readonly accountId: string
  readonly jobId: string
}

export interface HoldRequest extends JobOfAccount {
  /** What the job may cost at most, or a first step where that is unknown. In credits. */
  readonly wanted: number
  /** What it costs at least when it succeeds: the sum of its stages' minimums. In credits. */
  readonly least: number
  /** What its client allows it to cost: the hold never grows beyond it. Absent: no limit. */
  readonly most?: number
  /** The key that started the job: its limit applies to the job. */
  readonly keyId?: string
  /** What its stages cost now: it is charged at these prices, whatever the contract says when it ends. */
  readonly prices?: readonly PriceStage[]
}

export type PlaceHoldResult =
  /**
   * `amount` credits are held: `wanted`, or what the limit of the key leaves, or all but the account's last one. Repeated for the
   * same job, it is the same.
   */
  | ({ readonly placed: true; readonly amount: number } & Balance)
  /** Too little is left: `required` is what must be available (balance less held) for this job. Nothing was changed. */
  | ({ readonly placed: false; readonly required: number } & Balance)

/**
 * Holds credits for a job that is being accepted: `wanted`, but never the last credit of the account, because at balance
 * 0 the job's own results could not be read, and never more than the limit of the key leaves.
 *
 * Refused when less than `least` could be held, and when the job wants something and could not be given one credit: it
 * would be accepted only to be cut to nothing.
 */
export async function placeHold(tx: Queryable, hold: HoldRequest): Promise<PlaceHoldResult> {
  const { rows } = await tx.query<
    { verdict: 'held' | 'repeated' | 'insufficient'; amount: number } & Balance
  >(
    'select verdict, amount, balance, held, key_left as "keyLeft" from place_hold($1, $2, $3, $4, $5, $6, $7)',
    [
      hold.accountId,
      hold.jobId,
      hold.wanted,
      hold.least,
      hold.prices ? JSON.stringify(hold.prices) : null,
      hold.most ?? null,
      hold.keyId ?? null,
    ],
    { name: 'place_hold' },
  )
  const { verdict, amount, ...left } = rows[0]!
  if (verdict !== 'insufficient') return { placed: true, amount, ...left }
  return { placed: false, required: Math.max(hold.least, Math.min(hold.wanted, 1)) + 1, ...left }
}

export type GrowHoldResult =
  /** The hold is now `amount`. */
  | ({ readonly grown: true; readonly by: number; readonly amount: number } & Balance)
  /** The hold did not grow: only the last credit is left, a limit of the client or of the key is reached, or the hold is closed. */
  | ({
      readonly grown: false
      readonly because: 'insufficient' | 'key_limit' | 'closed'
      readonly amount: number
    } & Balance)

/** Makes an open hold greater by up to `by` credits (at most HOLD_STEP), within the limit of its key, leaving the account its last one. */
export async function growHold(
  tx: Queryable,
  job: JobOfAccount & { readonly by: number },
): Promise<GrowHoldResult> {
  if (job.by > HOLD_STEP)
    throw new RangeError(`A hold grows by at most ${HOLD_STEP} at a time, not ${job.by}.`)
  const { rows } = await tx.query<
    { verdict: 'grown' | 'insufficient' | 'closed'; step: number; amount: number } & Balance
  >(
    'select verdict, step, amount, balance, held, key_left as "keyLeft" from grow_hold($1, $2, $3)',
    [job.accountId, job.jobId, job.by],
    { name: 'grow_hold' },
  )
  const { verdict, step, amount, ...left } = rows[0]!
  if (verdict === 'grown') return { grown: true, by: step, amount, ...left }
  const because = verdict === 'insufficient' && isKeyShort(left, 1) ? 'key_limit' : verdict
  return { grown: false, because, amount, ...left }
}

/** The result of one stage of a job: its rows and its charge. */
export interface StageCost {
  readonly requestId: string
  /** null for a job without stages. */
  readonly stage: Stage
  /** Rows that are delivered. */
  readonly units: number
  /** The stage's price for these units, as the job was accepted with it. */
  readonly credits: number
}

export type Closed =
  | ({
      readonly closed: true
      readonly charged: number
      /** Credits that are no longer held and were not charged. */
      readonly released: number
      /** How many of the released ones an earlier cycle had granted: they are gone. */
      readonly expired: number
    } & Balance)
  /** It had been closed before, by `settleHold` or by `releaseHold`. Nothing was changed. */
  | ({
      readonly closed: false
      readonly state: 'settled' | 'released'
      readonly charged: number
      readonly released: number
    } & Balance)

/**
 * Charges for a job that succeeded and releases the rest of its hold: once, even when two settle at a time. Fills the
 * usage rows that `recordAccepted` wrote, one for each stage; all stages must be named.
 *
 * Throws when the stages cost more than is held, when a usage row is missing, and when there is no such hold.
 */
export function settleHold(
  tx: Queryable,
  job: JobOfAccount & { readonly stages: readonly StageCost[] },
): Promise<Closed> {
  return closeHold(tx, job, 'settled', job.stages)
}

/** Releases a job's hold without charging anything: it failed, timed out or was aborted. Its usage rows stay at 0. */
export function releaseHold(tx: Queryable, job: JobOfAccount): Promise<Closed> {
  return closeHold(tx, job, 'released', [])
}

interface ClosedRow extends Balance {
  readonly verdict: 'closed' | 'settled' | 'released'
  readonly charged: number
  readonly released: number
  readonly expired: number
}

async function closeHold(
  tx: Queryable,
  job: JobOfAccount,
  state: 'settled' | 'released',
  stages: readonly StageCost[],
): Promise<Closed> {
  const { rows } = await tx.query<ClosedRow>(
    `select verdict, charged, released, expired, balance, held from close_hold(
       $1, $2, $3, $4::text[], $5::text[], $6::bigint[], $7::bigint[])`,
    [
      job.accountId,
      job.jobId,
      state,
      stages.map(({ requestId }) => requestId),
      stages.map(({ stage }) => stage),
      stages.map(({ units }) => units),
      stages.map(({ credits }) => credits),
    ],
    { name: 'close_hold' },
  )
  const { verdict, expired, ...rest } = rows[0]!
  return verdict === 'closed'
    ? { closed: true, expired, ...rest }
    : { closed: false, state: verdict, ...rest }
}

export interface StoredHold {
  readonly state: 'open' | 'settled' | 'released'
  /** Credits, including all growth. */
  readonly amount: number
  readonly charged: number
}

/** Is this hold still open? undefined when the job never had one. */
export async function findHold(database: Queryable, job: JobOfAccount): Promise<StoredHold | undefined> {
  const { rows } = await database.query<StoredHold>(
    'select state, amount, charged from holds where account_id = $1 and job_id = $2',
    [job.accountId, job.jobId],
    { name: 'find_hold' },
  )
  return rows[0]
}
