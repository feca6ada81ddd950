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
import {
  type CreditAction,
  changeCredits,
  creditLimitOf,
  type MadeChange,
  type WaitsForApproval,
} from './credit-limit.ts'
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

/** An account would begin with more credits than the operator may give alone. Nothing was created. */
export interface AboveCreditLimit {
  readonly aboveLimit: number
}

export async function createAccount(
  database: Database,
  operator: Operator,
  order: NewAccount,
): Promise<OpenedAccount | AboveCreditLimit> {
  try {
    return await runAsOperator(database, operator, async (change) => {
      const opened = await openAccount(change.database, order)
      const { accountId, keyId } = opened
      const account = (await findAccount(change.database, accountId))!
      const limit = await creditLimitOf(change.database, operator)
      if (limit !== undefined && Math.max(account.balance, account.credits_per_cycle) > limit)
        throw new TooManyCredits(limit)
      await change.note({
        action: 'accounts.create',
        accountId,
        after: { ...auditedAccountState(account), key_id: keyId },
      })
      return opened
    })
  } catch (error) {
    if (error instanceof TooManyCredits) return { aboveLimit: error.limit }
    throw error
  }
}

/** Thrown, so that the account is not created. */
class TooManyCredits extends Error {
  override readonly name = 'TooManyCredits'
  readonly limit: number

  constructor(limit: number) {
    super('The account would begin with too many credits.')
    this.limit = limit
  }
}

interface AccountWork<T> {
  readonly result: T
  readonly changed: boolean
  readonly why?: object
}

/** Reads an account, changes it, and describes the change. undefined: the account does not exist, and `work` was not called. */
async function makeChange<T>(
  database: Database,
  { operator, accountId, action }: AccountChange,
  work: (database: Database) => Promise<AccountWork<T>>,
): Promise<MadeChange<T> | undefined> {
  const before = await lockAccount(database, accountId)
  if (!before) return undefined
  const { result, changed, why } = await work(database)
  const after = (await findAccount(database, accountId))!
  const [was, is] = [auditedAccountState(before), auditedAccountState(after)]
  // A change without an effect has no entry.
  const isChange = changed && JSON.stringify(was) !== JSON.stringify(is)
  const approved = operator.approvedBy !== undefined && { approved_by: operator.approvedBy }
  return {
    result,
    accountId,
    credits: movedCredits(before, after),
    ...(isChange && { action: { action, accountId, before: was, after: { ...is, ...why, ...approved } } }),
  }
}

/** How many credits a change moves: at once, or with each cycle from now on. Negative if it takes them. */
function movedCredits(before: AccountInfo, after: AccountInfo): number {
  const atOnce = after.balance - before.balance
  const cycle = Math.max(after.credits_per_cycle, after.next_plan?.credits_per_cycle ?? 0)
  const eachCycle = cycle - before.credits_per_cycle
  return eachCycle > Math.abs(atOnce) ? eachCycle : atOnce
}

/**
 * Changes an account and writes a trail entry if something changed.
 *
 * @param work returns whether it changed something. It is not called if the account does not exist.
 */
function changeAccount<T>(
  asked: AccountChange,
  work: (database: Database) => Promise<AccountWork<T>>,
): Promise<T | undefined> {
  return runAsOperator(asked.database, asked.operator, async (change) => {
    const made = await makeChange(change.database, asked, work)
    if (made?.action) await change.note(made.action)
    return made?.result
  })
}

/** Like `changeAccount`, for a change of credits, which may need a second person. @param request its arguments */
function changeAccountCredits<T>(
  asked: AccountChange & {
    readonly action: CreditAction
    readonly request: Readonly<Record<string, unknown>>
  },
  work: (database: Database) => Promise<AccountWork<T>>,
): Promise<T | undefined | WaitsForApproval> {
  return runAsOperator(asked.database, asked.operator, (change) =>
    changeCredits<T | undefined>(
      change,
      asked,
      async (database) =>
        (await makeChange(database, asked, work)) ?? {
          result: undefined,
          credits: 0,
          accountId: asked.accountId,
        },
    ),
  )
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
): Promise<PlanChangeResult | undefined | WaitsForApproval> {
  return changeAccountCredits(
    { database, operator, accountId, action: 'accounts.set-plan', request: { change: wanted } },
    async (joined) => ({
      result: (await changePlan(joined, accountId, wanted))!,
      changed: true,
    }),
  )
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
): Promise<TopUp | WaitsForApproval> {
  const done = await changeAccountCredits(
    { database, operator, accountId, action: 'credits.topup', request: { amount, ...note } },
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
): Promise<Awaited<ReturnType<typeof adjustAsOperator>> | WaitsForApproval> {
  const done = await changeAccountCredits(
    { database, operator, accountId, action: 'credits.adjust', request: { amount, reason } },
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
): Promise<Refund | WaitsForApproval> {
  const done = await changeAccountCredits(
    { database, operator, accountId, action: 'credits.refund', request: { request, reason } },
    async (joined) => {
      const result = await refundCall(joined, accountId, request, { operator: operator.name, reason })
      return { result, changed: result.refunded > 0, why: { refunded: result.refunded, request, reason } }
    },
  )
  return done ?? { refunded: 0, because: 'no such account' }
}
