// Changing the plan of an account, or the figures of its plan. What lessens nothing takes effect at once and begins a new
// cycle: what is left of the old grant expires and the new one is given, which is never less. What lessens the credits of
// a cycle or the rate waits for the end of the cycle that was paid for. No account loses anything before then.

import type { OperationId } from '@lotline/contract'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginCycle, renewIfDue } from '../credits/cycles.ts'
import { type AccountInfo, findAccount } from './find-accounts.ts'
import { type PlanId, plans } from './plans.ts'

export interface PlanChange {
  readonly plan: PlanId
  /** Credits of a cycle. Absent: as before if the plan stays, else the plan's figure. */
  readonly credits?: number
  /** Absent: as before if the plan stays, else the plan's figure. */
  readonly ratePerMinute?: number
  /** Absent: as before if the plan stays, else none. */
  readonly deniedOperations?: readonly OperationId[]
  /** The account itself has chosen it: it may then withdraw what waits for the end of the cycle. */
  readonly byCustomer?: boolean
  /**
   * Of a plan that begins: its cycles are paid one by one, and without a payment for the next one, it becomes Free. Otherwise it renews by
   * itself.
   */
  readonly prepaid?: boolean
  /** Ends the running cycle even where the account loses by it. */
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

/** undefined when there is no such account. A change that was waiting is called off by this one. */
export function changePlan(
  database: Database,
  accountId: string,
  change: PlanChange,
): Promise<PlanChangeResult | undefined> {
  return database.transaction((tx) => changePlanIn(tx, accountId, change))
}

/** `changePlan` in a transaction of the caller's. */
export async function changePlanIn(
  tx: Queryable,
  accountId: string,
  change: PlanChange,
): Promise<PlanChangeResult | undefined> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
  await renewIfDue(tx, accountId)
  const before = await findAccount(tx, accountId)
  if (!before) return undefined
  const terms = termsOf(change, before)
  const outcome = outcomeOf(change, before, terms)
  if (outcome === 'adjusted') {
    await adjustTerms(tx, accountId, terms)
    return { outcome, account: (await findAccount(tx, accountId))! }
  }
  await tx.query('select credit_cycle_in_advance($1)', [accountId])
  if (outcome === 'waiting') await keepWaiting(tx, accountId, terms, change.byCustomer === true)
  else await beginTerms(tx, accountId, terms, change.prepaid === true)
  return { outcome, account: (await findAccount(tx, accountId))! }
}

function termsOf(change: PlanChange, before: AccountInfo): PlanTerms {
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

function outcomeOf(change: PlanChange, before: AccountInfo, terms: PlanTerms): PlanChangeResult['outcome'] {
  const renews = before.renews_at !== null
  if (terms.plan === before.plan && (terms.credits === before.credits_per_cycle || !renews)) return 'adjusted'
  const lessens =
    terms.cycleMonths === null ||
    terms.credits < before.credits_per_cycle ||
    terms.rate < before.rate_limit_per_minute
  // A plan that does not renew has no end to wait for.
  return lessens && renews && !change.atOnce ? 'waiting' : 'begun'
}

const CANCEL_WAITING = `
  next_plan = null, next_credits_per_cycle = null, next_rate_limit_per_minute = null, next_denied_operations = null,
  next_cycle_months = null`

/**
 * The cycle continues. A cycle that was paid in advance still begins when it ends, with the new rate and denied operations if it is of the
 * same plan, and a plan whose running cycle was paid for still ends without another payment.
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

/** Calls off what waits for the end of the cycle. The plan then renews by itself, unless its running cycle was paid for. */
export async function cancelWaitingChange(tx: Queryable, accountId: string): Promise<void> {
  await tx.query(
    `update accounts set ${CANCEL_WAITING}, prepaid = prepaid and is_cycle_paid(id) where id = $1`,
    [accountId],
  )
}

/**
 * Lets a plan begin when the running cycle ends, because it was paid for then. Its cycles are paid one by one from now on. The account
 * is locked, and it has a cycle.
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
