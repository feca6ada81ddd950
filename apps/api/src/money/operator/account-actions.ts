// Changes of accounts by operators, from the command line and the console. Each change and its trail entry are in one
// transaction.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { changePlan, type PlanChange, type PlanChangeResult } from '../accounts/change-plan.ts'
import { type AccountInfo, findAccount } from '../accounts/find-accounts.ts'
import { type NewAccount, type OpenedAccount, openAccount } from '../accounts/open-account.ts'
import { resumeAccount, suspendAccount } from '../accounts/suspend.ts'
import { type TopUp, topUp } from '../accounts/top-up.ts'
import { renewIfDue } from '../credits/cycles.ts'
import { adjustAsOperator, type OperatorNote, type Refund, refundCall } from '../credits/operator-entries.ts'
import { type Operator, runAsOperator } from './trail.ts'

/** The fields of an account that the trail shows. A key is never included. */
function auditedAccountState(account: AccountInfo): object {
  const { email, status, plan, credits_per_cycle, rate_limit_per_minute, denied_operations } = account
  const { balance, held, renews_at, next_plan } = account
  return {
    email,
    status,
    plan,
    credits_per_cycle,
    rate_limit_per_minute,
    denied_operations,
    balance,
    held,
    renews_at,
    next_plan,
  }
}

/** Locks and reads the account after a due renewal, so that nothing changes it between "before" and "after". */
async function lockAccount(tx: Queryable, accountId: string): Promise<AccountInfo | undefined> {
  await tx.query('select from accounts where id = $1 for no key update', [accountId])
  await renewIfDue(tx, accountId)
  return findAccount(tx, accountId)
}

export function createAccount(
  database: Database,
  operator: Operator,
  order: NewAccount,
): Promise<OpenedAccount> {
  return runAsOperator(database, operator, async (change) => {
    const opened = await openAccount(change.database, order)
    const { accountId, keyId } = opened
    const account = (await findAccount(change.database, accountId))!
    await change.note({
      action: 'accounts.create',
      accountId,
      after: { ...auditedAccountState(account), key_id: keyId },
    })
    return opened
  })
}

/**
 * Changes an account and writes a trail entry if something changed.
 *
 * @param work returns whether it changed something. It is not called if the account does not exist.
 */
function changeAccount<T>(
  { database, operator, accountId, action }: AccountChange,
  work: (
    database: Database,
  ) => Promise<{ readonly result: T; readonly changed: boolean; readonly why?: object }>,
): Promise<T | undefined> {
  return runAsOperator(database, operator, async (change) => {
    const before = await lockAccount(change.database, accountId)
    if (!before) return undefined
    const { result, changed, why } = await work(change.database)
    if (changed) {
      const [was, is] = [
        auditedAccountState(before),
        auditedAccountState((await findAccount(change.database, accountId))!),
      ]
      // A change without an effect has no entry.
      if (JSON.stringify(was) !== JSON.stringify(is))
        await change.note({ action, accountId, before: was, after: { ...is, ...why } })
    }
    return result
  })
}

interface AccountChange {
  readonly database: Database
  readonly operator: Operator
  readonly accountId: string
  readonly action: string
}

/** Returns undefined if the account does not exist. */
export function setPlan(
  database: Database,
  operator: Operator,
  accountId: string,
  wanted: PlanChange,
): Promise<PlanChangeResult | undefined> {
  return changeAccount({ database, operator, accountId, action: 'accounts.set-plan' }, async (joined) => ({
    result: (await changePlan(joined, accountId, wanted))!,
    changed: true,
  }))
}

/** Returns false if the account does not exist. An account that already has the status is not changed. */
export async function setStatus(
  database: Database,
  operator: Operator,
  accountId: string,
  status: AccountInfo['status'],
): Promise<boolean> {
  const action = status === 'active' ? 'accounts.resume' : 'accounts.suspend'
  const found = await changeAccount({ database, operator, accountId, action }, async (joined) => {
    const { status: before } = (await findAccount(joined, accountId))!
    await (status === 'active' ? resumeAccount : suspendAccount)(joined, accountId)
    return { result: true, changed: before !== status }
  })
  return found ?? false
}

/** The ledger gets the name of the operator, too. */
type Reasons = Omit<OperatorNote, 'operator'>

/** A top-up (accounts/top-up.ts). */
export async function topUpAccount(
  database: Database,
  operator: Operator,
  accountId: string,
  amount: number,
  note: Reasons,
): Promise<TopUp> {
  const done = await changeAccount(
    { database, operator, accountId, action: 'credits.topup' },
    async (joined) => {
      const result = await topUp(joined, accountId, amount, { ...note, operator: operator.name })
      return { result, changed: result.toppedUp, why: { added: amount, ...note } }
    },
  )
  return done ?? { toppedUp: false, because: 'no such account' }
}

/** An adjustment (credits/operator-entries.ts). */
export async function adjustAccount(
  database: Database,
  operator: Operator,
  accountId: string,
  amount: number,
  reason: string,
): ReturnType<typeof adjustAsOperator> {
  const done = await changeAccount(
    { database, operator, accountId, action: 'credits.adjust' },
    async (joined) => {
      const result = await adjustAsOperator(joined, accountId, amount, { operator: operator.name, reason })
      return { result, changed: result.adjusted, why: { adjusted: amount, reason } }
    },
  )
  return done ?? { adjusted: false, because: 'no such account' }
}

/** A refund (credits/operator-entries.ts). */
export async function refundAccount(
  database: Database,
  operator: Operator,
  accountId: string,
  request: string,
  reason: string,
): Promise<Refund> {
  const done = await changeAccount(
    { database, operator, accountId, action: 'credits.refund' },
    async (joined) => {
      const result = await refundCall(joined, accountId, request, { operator: operator.name, reason })
      return { result, changed: result.refunded > 0, why: { refunded: result.refunded, request, reason } }
    },
  )
  return done ?? { refunded: 0, because: 'no such account' }
}
