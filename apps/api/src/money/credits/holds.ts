// Two-phase credits for jobs: hold what the work may cost, then charge what it cost and release the rest. A hold is closed once,
// even with races, retries, or crashes. The statements are in migrations/0013_holds.sql. The caller passes the
// transaction in which its job is accepted or ends, and locks the job's row first. After the commit, it passes the returned
// balance to `principals.updateBalance`.

import type { PriceStage, Stage } from '@lotline/contract'
import type { Queryable } from '../../infrastructure/database.ts'
import type { Balance } from './ledger.ts'
import { isKeyShort } from './settlement.ts'

/** The largest step by which a hold grows if the worst case is unknown. */
export const HOLD_STEP = 500

export interface JobOfAccount {
  readonly accountId: string
  readonly jobId: string
}

export interface HoldRequest extends JobOfAccount {
  /** The maximum cost of the job in credits, or a first step if it is unknown. */
  readonly wanted: number
  /** The minimum cost of a successful job in credits: the sum of its stages' minimums. */
  readonly least: number
  /** The limit that the client set. The hold never grows beyond it. Absent: no limit. */
  readonly most?: number
  /** The key that started the job: its limit applies to the job. */
  readonly keyId?: string
  /** The present prices of its stages. The job is charged at these prices, even if the contract changes. */
  readonly prices?: readonly PriceStage[]
}

export type PlaceHoldResult =
  /**
   * `amount` credits are held: `wanted`, or less if the limit of the key or the last credit of the account requires it. Repeating
   * it for the same job returns the same.
   */
  | ({ readonly placed: true; readonly amount: number } & Balance)
  /** Too few credits: `required` is what must be available (balance minus held) for this job. Nothing was changed. */
  | ({ readonly placed: false; readonly required: number } & Balance)

/**
 * Holds credits for a job that is being accepted: up to `wanted`, within the limit of the key, and without the last credit of the
 * account, because a job's results cannot be read at balance 0.
 *
 * Refuses if less than `least` can be held, or if no credit can be held although the job wants some: its results would be empty.
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

/**
 * Grows an open hold by up to `by` credits (at most HOLD_STEP), within the limit of its key, and without the last credit of the
 * account.
 */
export async function growHold(
  tx: Queryable,
  job: JobOfAccount & { readonly by: number },
): Promise<GrowHoldResult> {
  if (job.by > HOLD_STEP)
    throw new RangeError(
      `A hold can grow by at most ${HOLD_STEP} credits at a time. ${job.by} were requested.`,
    )
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
  /** Delivered rows. */
  readonly units: number
  /** The price of these units, at the price with which the job was accepted. */
  readonly credits: number
}

export type CloseHoldResult =
  | ({
      readonly closed: true
      readonly charged: number
      /** Credits that are no longer held and were not charged. */
      readonly released: number
      /** The part of the released credits that an earlier cycle granted, and that therefore expired. */
      readonly expired: number
    } & Balance)
  /** The hold was closed earlier, by `settleHold` or `releaseHold`. Nothing was changed. */
  | ({
      readonly closed: false
      readonly state: 'settled' | 'released'
      readonly charged: number
      readonly released: number
    } & Balance)

/**
 * Charges a successful job and releases the rest of its hold, once, even with concurrent calls. Fills the usage rows that
 * `recordAccepted` wrote, one per stage; all stages must be named.
 *
 * @throws when the stages cost more than is held, a usage row is missing, or the hold does not exist
 */
export function settleHold(
  tx: Queryable,
  job: JobOfAccount & { readonly stages: readonly StageCost[] },
): Promise<CloseHoldResult> {
  return closeHold(tx, job, 'settled', job.stages)
}

/** Releases the hold of a job that failed, timed out, or was aborted, without a charge. Its usage rows stay at 0. */
export function releaseHold(tx: Queryable, job: JobOfAccount): Promise<CloseHoldResult> {
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
): Promise<CloseHoldResult> {
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

/** undefined: the job never had a hold. */
export async function findHold(database: Queryable, job: JobOfAccount): Promise<StoredHold | undefined> {
  const { rows } = await database.query<StoredHold>(
    'select state, amount, charged from holds where account_id = $1 and job_id = $2',
    [job.accountId, job.jobId],
    { name: 'find_hold' },
  )
  return rows[0]
}
