// Opening an account: the account, its first key and its first grant, all or none.

import type { OperationId } from '@lotline/contract'
import { beginCycle } from '../credits/cycles.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type IssuedKey, issueKey } from './keys.ts'
import { type PlanId, plans } from './plans.ts'

export { issueKey } from './keys.ts'

export interface NewAccount {
  readonly plan: PlanId
  readonly email?: string
  /** Credits of the first and, where the plan renews, each further cycle; the plan's figure if absent. */
  readonly credits?: number
  /** Requests per minute for each key; the plan's figure if absent. */
  readonly ratePerMinute?: number
  /** Operations that are answered with `plan_not_allowed`; none if absent. */
  readonly deniedOperations?: readonly OperationId[]
}

export interface OpenedAccount extends IssuedKey {
  readonly accountId: string
}

const OPEN = `
  insert into accounts (email, plan, credits_per_cycle, rate_limit_per_minute, denied_operations, cycle_months, renews_at)
    values ($1, $2, $3, $4, $5, $6::integer, now() + make_interval(months => $6::integer))
  returning id`

export function openAccount(database: Database, account: NewAccount): Promise<OpenedAccount> {
  return database.transaction((tx) => open(tx, account))
}

/** The first account there is; undefined where there is one already. Of many who ask at a time, one gets it. */
export function openFirstAccount(
  database: Database,
  account: NewAccount,
): Promise<OpenedAccount | undefined> {
  return database.transaction(async (tx) => {
    await tx.query('lock table accounts in share row exclusive mode')
    const { rows } = await tx.query('select from accounts limit 1')
    return rows.length === 0 ? open(tx, account) : undefined
  })
}

async function open(tx: Queryable, account: NewAccount): Promise<OpenedAccount> {
  const plan = plans[account.plan]
  const { rows } = await tx.query<{ id: string }>(OPEN, [
    account.email ?? null,
    account.plan,
    account.credits ?? plan.creditsPerCycle,
    account.ratePerMinute ?? plan.rateLimitPerMinute,
    account.deniedOperations ?? [],
    plan.cycleMonths,
  ])
  const accountId = rows[0]!.id
  await beginCycle(tx, accountId)
  return { accountId, ...(await issueKey(tx, accountId)) }
}
