// The subscriber of a watch: a person who gets digests by mail, or one webhook. It is stored in the transaction that creates or changes
// the watch. A person must confirm the address first (confirmation.ts).
// Why: decisions/work/subscribers-are-strangers.md

import { hash } from 'node:crypto'
import { type Budget, type Queryable, takeBudget } from '../../../infrastructure/database.ts'
import type { EmailAddress } from '../../../money/accounts.ts'

export type DigestFrequency = 'daily' | 'weekly'

export type NewSubscriber =
  | { readonly email: EmailAddress; readonly frequency: DigestFrequency | undefined }
  | { readonly webhookId: string }

/** A subscriber in the form of the contract. */
export interface Subscriber {
  readonly email: string | null
  readonly frequency: DigestFrequency | null
  readonly webhook_id: string | null
  readonly status: 'unconfirmed' | 'active' | 'unsubscribed' | 'revoked'
}

/** Why a subscriber is refused. `confirmations`: too many addresses were asked today; `waitS` says how many seconds to wait. */
export type SubscriberRefusal =
  | { readonly because: 'unknown_webhook' }
  | { readonly because: 'refused_address' }
  | { readonly because: 'confirmations'; readonly waitS: number }

/** Days after which an address that was not confirmed is deleted. */
export const UNCONFIRMED_KEPT_DAYS = 30

/** Mails that ask for a confirmation. */
const CONFIRMATIONS_OF_ACCOUNT = {
  kind: 'confirmations_of_account',
  perDay: 20,
} as const satisfies Budget
/** From all accounts together. */
const CONFIRMATIONS_TO_MAILBOX = {
  kind: 'confirmations_to_mailbox',
  perDay: 3,
} as const satisfies Budget

/** SQL: the subscriber of a watch `w`, in the form of the contract. */
export const SUBSCRIBER = `(
  select json_build_object('email', s.email, 'frequency', s.frequency, 'webhook_id', s.webhook_id, 'status', case
    when s.webhook_id is null then s.status
    when exists (select from webhooks h where h.account_id = s.account_id and h.id = s.webhook_id and h.revoked_at is null)
      then 'active'
    else 'revoked' end)
  from watch_subscribers s where s.account_id = w.account_id and s.watch_id = w.id) as subscriber`

/** Thrown to roll back the transaction of a watch whose subscriber is refused. */
export class SubscriberRefused extends Error {
  readonly refusal: SubscriberRefusal

  constructor(refusal: SubscriberRefusal) {
    super(`the subscriber is refused: ${refusal.because}`)
    this.refusal = refusal
  }
}

/**
 * Gives a watch a subscriber, or none. The same address, or the same webhook, keeps its state. @throws {SubscriberRefused} if it is
 * refused
 */
export async function setSubscriber(
  tx: Queryable,
  accountId: string,
  watchId: string,
  subscriber: NewSubscriber | null,
): Promise<void> {
  if (subscriber === null) return removeSubscriber(tx, accountId, watchId)
  if ('webhookId' in subscriber) return setWebhook(tx, accountId, watchId, subscriber.webhookId)
  const { email, frequency } = subscriber
  const { rowCount } = await tx.query(KEEP_PERSON, [accountId, watchId, email.address, frequency ?? null])
  if (rowCount > 0) return
  const mailbox = hash('sha256', email.mailbox, 'buffer')
  const { rows } = await tx.query(
    'select from refused_mailboxes where account_id = $1 and mailbox_hash = $2',
    [accountId, mailbox],
  )
  if (rows.length > 0) throw new SubscriberRefused({ because: 'refused_address' })
  const waitS = await takeBudget(
    tx,
    [CONFIRMATIONS_OF_ACCOUNT, accountId],
    [CONFIRMATIONS_TO_MAILBOX, mailbox.toString('base64')],
  )
  if (waitS !== undefined) throw new SubscriberRefused({ because: 'confirmations', waitS })
  await removeSubscriber(tx, accountId, watchId)
  await tx.query(INSERT_PERSON, [accountId, watchId, email.address, mailbox, frequency ?? 'daily'])
}

// The same address keeps its state. Another frequency moves the next digest.
const KEEP_PERSON = `
  update watch_subscribers set frequency = coalesce($4, frequency),
    digest_at = case when digest_at is null or coalesce($4, frequency) = frequency then digest_at
      else next_digest_at($4, now()) end
  where account_id = $1 and watch_id = $2 and lower(email) = lower($3)`

const INSERT_PERSON = `
  insert into watch_subscribers (account_id, watch_id, email, mailbox_hash, frequency, status, ask_at)
  values ($1, $2, $3, $4, $5, 'unconfirmed', now())`

async function setWebhook(tx: Queryable, accountId: string, watchId: string, webhookId: string) {
  const asked = [accountId, watchId, webhookId]
  const same = 'select from watch_subscribers where account_id = $1 and watch_id = $2 and webhook_id = $3'
  if ((await tx.query(same, asked)).rows.length > 0) return
  const { rows } = await tx.query(
    'select from webhooks where account_id = $1 and id = $2 and revoked_at is null for key share',
    [accountId, webhookId],
  )
  if (rows.length === 0) throw new SubscriberRefused({ because: 'unknown_webhook' })
  await removeSubscriber(tx, accountId, watchId)
  await tx.query(
    "insert into watch_subscribers (account_id, watch_id, webhook_id, status) values ($1, $2, $3, 'active')",
    asked,
  )
}

// An open digest is for the subscriber who is removed. The digests that were sent stay until they expire.
const REMOVE = `
  with gone as (delete from watch_subscribers where account_id = $1 and watch_id = $2 returning account_id, watch_id)
  delete from watch_digests d using gone
  where d.account_id = gone.account_id and d.watch_id = gone.watch_id and d.outcome is null`

async function removeSubscriber(tx: Queryable, accountId: string, watchId: string): Promise<void> {
  await tx.query(REMOVE, [accountId, watchId])
}

/** Deletes all data about the subscriber of a deleted watch. */
export async function deleteSubscriber(tx: Queryable, accountId: string, watchId: string): Promise<void> {
  const ids = [accountId, watchId]
  await tx.query('delete from watch_subscribers where account_id = $1 and watch_id = $2', ids)
  await tx.query('delete from watch_digests where account_id = $1 and watch_id = $2', ids)
}
