// Opens an account with its first key and first grant, completely or not at all. The mailbox of its e-mail address is recorded,
// so that no sign-up opens a second account with it (sign-up.ts).

import { hash, randomUUID } from 'node:crypto'
import type { OperationId } from '@lotline/contract'
import { type Database, type Queryable, writeToJournal } from '../../infrastructure/database.ts'
import { beginCycle } from '../credits/cycles.ts'
import { readEmailAddress } from './email-address.ts'
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

const INSERT_ACCOUNT = `
  insert into accounts (email, plan, credits_per_cycle, rate_limit_per_minute, denied_operations, cycle_months, renews_at, id)
    values ($1, $2, $3, $4, $5, $6::integer, now() + make_interval(months => $6::integer), $7)`

export function openAccount(database: Database, account: NewAccount): Promise<OpenedAccount> {
  return database.transaction((tx) => open(tx, account))
}

/** Opens the first account. Returns undefined if there is one already. Of several concurrent calls, one succeeds. */
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

/**
 * Opens an account in the transaction of its owner's sign-up. Returns undefined and does nothing if the mailbox has had an
 * account. Concurrent sign-ups of a mailbox wait here for each other.
 */
export async function openForMailbox(
  tx: Queryable,
  account: NewAccount,
  mailboxHash: Buffer,
): Promise<OpenedAccount | undefined> {
  const accountId = randomUUID()
  return (await recordMailbox(tx, mailboxHash, accountId, true))
    ? openAs(tx, accountId, account, 'First key')
    : undefined
}

/** The hash of a normalized address, as it is stored. */
export function hashMailbox(mailbox: string): Buffer {
  return hash('sha256', mailbox, 'buffer')
}

async function open(tx: Queryable, account: NewAccount): Promise<OpenedAccount> {
  const accountId = randomUUID()
  const address = account.email === undefined ? undefined : readEmailAddress(account.email)
  // The operator may open further accounts for a mailbox.
  if (address) await recordMailbox(tx, hashMailbox(address.mailbox), accountId, false)
  return openAs(tx, accountId, account)
}

/** Returns false if another account has the mailbox. */
async function recordMailbox(
  tx: Queryable,
  mailboxHash: Buffer,
  accountId: string,
  signedUp: boolean,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into mailboxes (mailbox_hash, account_id, signed_up) values ($1, $2, $3) on conflict do nothing',
    [mailboxHash, accountId, signedUp],
  )
  return rowCount === 1
}

async function openAs(
  tx: Queryable,
  accountId: string,
  account: NewAccount,
  keyName = '',
): Promise<OpenedAccount> {
  const plan = plans[account.plan]
  await tx.query(INSERT_ACCOUNT, [
    account.email ?? null,
    account.plan,
    account.credits ?? plan.creditsPerCycle,
    account.ratePerMinute ?? plan.rateLimitPerMinute,
    account.deniedOperations ?? [],
    plan.cycleMonths,
    accountId,
  ])
  await beginCycle(tx, accountId)
  await writeToJournal(tx, [{ kind: 'account_created', account: accountId }])
  return { accountId, ...(await issueKey(tx, accountId, { name: keyName })) }
}
