// Fixtures of the ledger tests: an account with credits, a call or job of it, and its state.

import { randomUUID } from 'node:crypto'
import { type OperationId, operations } from '@lotline/contract'
import type { Database, Queryable } from '../../../src/infrastructure/database/database.ts'
import { type OpenedAccount, openAccount } from '../../../src/money/accounts/open-account.ts'
import type { CallToSettle } from '../../../src/money/credits/ledger.ts'
import { recordAccepted } from '../../../src/money/credits/usage.ts'
import { createRequestId } from '../../../src/requests/engine/request-id.ts'

/** An account on a plan that renews by the month, with this much granted. */
export function openWith(database: Database, credits: number): Promise<OpenedAccount> {
  return openAccount(database, { plan: 'custom', credits })
}

/** A call that would deliver `units` units, at the contract's price. */
export function callOf(
  account: OpenedAccount,
  operation: OperationId,
  units: number,
  over: Partial<CallToSettle> = {},
): CallToSettle {
  const stage = operations[operation].price.stages[0]!
  return {
    accountId: account.accountId,
    keyId: account.keyId,
    requestId: createRequestId(),
    endpoint: operations[operation].path,
    operation,
    actor: operations[operation].actor,
    status: 200,
    admittedAt: new Date(),
    mode: stage.price === 0 ? 'free' : stage.per,
    units,
    price: stage.price,
    minimum: stage.minimum,
    ...over,
  }
}

export interface TestJob {
  readonly accountId: string
  readonly jobId: string
  readonly requestId: string
}

/** A job as its acceptance leaves it, but for its hold. */
export async function acceptJob(
  tx: Queryable,
  account: OpenedAccount,
  operation: OperationId = 'createPropertyBatch',
  admittedAt = new Date(),
): Promise<TestJob> {
  const job = {
    accountId: account.accountId,
    jobId: randomUUID(),
    requestId: createRequestId(),
  }
  await recordAccepted(tx, {
    ...job,
    keyId: account.keyId,
    endpoint: operations[operation].path,
    operation,
    admittedAt,
  })
  return job
}

/** The stage of a job without stages that delivered so many rows, one credit each. */
export function rows(job: TestJob, units: number) {
  return { ...job, stages: [{ requestId: job.requestId, stage: null, units, credits: units }] }
}

export interface Money {
  readonly balance: number
  readonly held: number
  readonly grant_left: number
  readonly expiring: number
}

export async function moneyOf(database: Queryable, account: { accountId: string }): Promise<Money> {
  const { rows } = await database.query<Money>(
    'select balance, held, grant_left, expiring from accounts where id = $1',
    [account.accountId],
  )
  return rows[0]!
}

/** The postings of an account, oldest first: kind, change of the balance, change of what is held. */
export async function postingsOf(
  database: Queryable,
  account: { accountId: string },
): Promise<[kind: string, amount: number, heldChange: number][]> {
  const { rows } = await database.query<{ kind: string; amount: number; held_change: number }>(
    'select kind, amount, held_change from postings where account_id = $1 order by id',
    [account.accountId],
  )
  return rows.map(({ kind, amount, held_change }) => [kind, amount, held_change])
}

/** Lets time pass for an account: moves its cycle into the past. `by` is an interval of PostgreSQL. */
export async function letPass(
  database: Queryable,
  account: { accountId: string },
  by: string,
): Promise<void> {
  await database.query(
    `update accounts set cycle_anchor = cycle_anchor - $2::interval, renews_at = renews_at - $2::interval,
       current_period_start = current_period_start - $2::interval
     where id = $1`,
    [account.accountId, by],
  )
}
