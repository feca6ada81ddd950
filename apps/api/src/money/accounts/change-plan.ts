// Changes the plan of an account, or the figures of its plan. A change that reduces nothing takes effect immediately and begins a
// new cycle: the rest of the old grant expires, and the new grant is at least as large. A change that reduces the credits of a
// cycle or the rate waits for the end of the paid cycle.

import type { OperationId } from '@lotline/contract'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginCycle, renewIfDue } from '../credits/cycles.ts'
import { type AccountInfo, findAccount } from './find-accounts.ts'
import { type PlanId, plans } from './plans.ts'

export interface PlanChange {
  readonly plan: PlanId
  /** Credits of a cycle. Absent: unchanged if the plan stays the same, otherwise the plan's figure. */
  readonly credits?: number
  /** Absent: as before if the plan stays, else the plan's figure. */
  readonly ratePerMinute?: number
  /** Absent: unchanged if the plan stays the same, otherwise none. */
  readonly deniedOperations?: readonly OperationId[]
  /** The customer chose the change, and may withdraw it while it waits for the end of the cycle. */
  readonly byCustomer?: boolean
  /**
   * For a plan that begins: each cycle is paid separately, and without a payment for the next one the plan becomes Free.
   * Otherwise the plan renews automatically.
   */
  readonly prepaid?: boolean
  /** Ends the running cycle even if the account loses credits. */
  readonly atOnce?: boolean
}

/**
 * - `adjusted`: the plan and its credits stay; rate and denied operations change immediately, the cycle continues.
 * - `begun`: a new cycle has begun with the new terms.
 * - `waiting`: the new terms begin when the cycle ends (`account.renews_at`).
 */
export type PlanChangeResult = {
  readonly outcome: 'adjusted' | 'begun' | 'waiting'
  readonly account: AccountInfo
}

interface PlanTerms {
  readonly plan: PlanId
  readonly credits: number
  readonly rate: number
  readonly denied: readonly string[]
  readonly cycleMonths: number | null
}

/** Returns undefined if the account does not exist. Cancels a change that is waiting. */
export function changePlan(
  database: Database,
  accountId: string,
  change: PlanChange,
): Promise<PlanChangeResult | undefined> {
  return database.transaction((tx) => changePlanIn(tx, accountId, change))
}

/** Like `changePlan`, in an open transaction. */
export async function changePlanIn(
  tx: Queryable,
  accountId: string,
  change: PlanChange,
): Promise<PlanChangeResult | undefined> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
  await renewIfDue(tx, accountId)
  const before = await findAccount(tx, accountId)
  if (!before) return undefined
  const terms = newPlanTerms(change, before)
  const outcome = planChangeOutcome(change, before, terms)
  if (outcome === 'adjusted') {
    await adjustTerms(tx, accountId, terms)
    return { outcome, account: (await findAccount(tx, accountId))! }
  }
  await tx.query('select credit_cycle_in_advance($1)', [accountId])
  if (outcome === 'waiting') await keepWaiting(tx, accountId, terms, change.byCustomer === true)
  else await beginTerms(tx, accountId, terms, change.prepaid === true)
  return { outcome, account: (await findAccount(tx, accountId))! }
}

function newPlanTerms(change: PlanChange, before: AccountInfo): PlanTerms {
  const plan = plans[change.plan]
  const stays = change.plan === before.plan
  return {
    plan: change.plan,
    credits: change.credits ?? (stays ? before.credits_per_cycle : plan.creditsPerCycle),
    rate: change.ratePerMinute ?? (stays ? before.rate_limit_per_minute : plan.rateLimitPerMinute),
    denied: change.deniedOperations ?? (stays ? before.denied_operations : []),
    cycleMonths: plan.cycleMonths,
  }
}

function planChangeOutcome(
  change: PlanChange,
  before: AccountInfo,
  terms: PlanTerms,
): PlanChangeResult['outcome'] {
  const renews = before.renews_at !== null
  if (terms.plan === before.plan && (terms.credits === before.credits_per_cycle || !renews)) return 'adjusted'
  const lessens =
    terms.cycleMonths === null ||
    terms.credits < before.credits_per_cycle ||
    terms.rate < before.rate_limit_per_minute
  // A plan without renewal has no end of cycle to wait for.
  return lessens && renews && !change.atOnce ? 'waiting' : 'begun'
}

const CANCEL_WAITING = `
  next_plan = null, next_credits_per_cycle = null, next_rate_limit_per_minute = null, next_denied_operations = null,
  next_cycle_months = null`

/**
 * The cycle continues. A cycle that was paid in advance still begins when it ends; if it is of the same plan, it has the new rate
 * and denied operations. A plan whose running cycle was paid for still ends without another payment.
 */
async function adjustTerms(
  tx: Queryable,
  accountId: string,
  { plan, credits, rate, denied }: PlanTerms,
): Promise<void> {
  await tx.query(
    `update accounts set credits_per_cycle = $2, rate_limit_per_minute = $3, denied_operations = $4 where id = $1`,
    [accountId, credits, rate, denied],
  )
  const { rowCount: isNextPaid } = await tx.query(
    'select from purchases where account_id = $1 and in_advance and movement_id is null',
    [accountId],
  )
  if (isNextPaid) {
    await tx.query(
      `update accounts set next_rate_limit_per_minute = $3, next_denied_operations = $4 where id = $1 and next_plan = $2`,
      [accountId, plan, rate, denied],
    )
  } else {
    await cancelWaitingChange(tx, accountId)
  }
}

async function beginTerms(
  tx: Queryable,
  accountId: string,
  terms: PlanTerms,
  prepaid: boolean,
): Promise<void> {
  await tx.query(
    `update accounts set plan = $2, credits_per_cycle = $3, rate_limit_per_minute = $4, denied_operations = $5, prepaid = $6,
       ${CANCEL_WAITING}
     where id = $1`,
    [accountId, terms.plan, terms.credits, terms.rate, terms.denied, prepaid],
  )
  await tx.query(
    `update accounts set cycle_months = $2::integer, cycle_anchor = now(), current_period_start = now(),
       renews_at = now() + make_interval(months => $2::integer)
     where id = $1`,
    [accountId, terms.cycleMonths],
  )
  await beginCycle(tx, accountId)
}

/**
 * Cancels the change that waits for the end of the cycle. The plan then renews automatically, unless its running cycle was paid
 * for.
 */
export async function cancelWaitingChange(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    `update accounts set ${CANCEL_WAITING}, prepaid = prepaid and is_cycle_paid(id) where id = $1`,
    [accountId],
  )
}

/**
 * Schedules a plan that was paid in advance for the end of the running cycle. Its cycles are then paid one by one. The caller has
 * locked the account, and the account has a cycle.
 */
export async function schedulePaidPlan(tx: Queryable, accountId: string, plan: PlanId): Promise<void> {
  const { creditsPerCycle: credits, rateLimitPerMinute: rate, cycleMonths } = plans[plan]
  await keepWaiting(tx, accountId, { plan, credits, rate, denied: [], cycleMonths }, true)
  await tx.query('update accounts set prepaid = true where id = $1', [accountId])
}

async function keepWaiting(
  tx: Queryable,
  accountId: string,
  terms: PlanTerms,
  byCustomer: boolean,
): Promise<void> {
  await tx.query(
    `update accounts set next_plan = $2, next_credits_per_cycle = $3, next_rate_limit_per_minute = $4,
       next_denied_operations = $5, next_cycle_months = $6::integer, next_by_customer = $7
     where id = $1`,
    [accountId, terms.plan, terms.credits, terms.rate, terms.denied, terms.cycleMonths, byCustomer],
  )
}
