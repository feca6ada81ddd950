// Follows the links in mails: a person confirms an address, refuses mail, or unsubscribes. Opening a link changes nothing, because
// programs that scan mails open links; a POST does.

import type { Database, Queryable } from '../../../infrastructure/database.ts'
import { consumeLink } from '../../../money/accounts.ts'
import type { DigestFrequency } from './subscriber-store.ts'

/** How long the link in the mail that asks for a confirmation works. */
export const CONFIRMATION_MINUTES = 7 * 24 * 60

export interface ConfirmedSubscriber {
  /** The name of the watch. */
  readonly name: string
  readonly frequency: DigestFrequency
}

// Events before the confirmation are not mailed.
const CONFIRM = `
  update watch_subscribers s set status = 'active', ask_at = null, reported_seq = w.last_seq,
    digest_at = next_digest_at(s.frequency, now())
  from watches w
  where s.id = $1 and s.status = 'unconfirmed' and w.account_id = s.account_id and w.id = s.watch_id
  returning w.name, s.frequency`

/** Confirms the address that the link was sent to. undefined: the link was used or has expired, or the subscriber is gone. */
export function confirmSubscriber(
  database: Database,
  token: string,
): Promise<ConfirmedSubscriber | undefined> {
  return database.transaction(async (tx) => {
    const link = await consumeLink(tx, 'watch_subscriber', token)
    return link && (await tx.query<ConfirmedSubscriber>(CONFIRM, [link.subscriberId])).rows[0]
  })
}

/** Refuses all mail because of the account that gave the address. undefined: as for `confirmSubscriber`. */
export function refuseSubscription(database: Database, token: string): Promise<true | undefined> {
  return database.transaction(async (tx) => {
    const link = await consumeLink(tx, 'watch_subscriber', token)
    return link && ((await endAll(tx, link.subscriberId)) ? true : undefined)
  })
}

// The row of the watch is not locked, so that a link never waits for an evaluation.
const END_ONE = `
  with ended as (
    update watch_subscribers set status = 'unsubscribed', ask_at = null, digest_at = null
    where id = $1 and email is not null returning account_id, watch_id
  ), closed as (
    update watch_digests d set outcome = 'dropped', due_at = null from ended
    where d.account_id = ended.account_id and d.watch_id = ended.watch_id and d.outcome is null
  )
  select from ended`

const END_ALL = `
  with person as (
    select account_id, mailbox_hash from watch_subscribers where id = $1 and mailbox_hash is not null
  ), refused as (
    insert into refused_mailboxes (account_id, mailbox_hash) select account_id, mailbox_hash from person on conflict do nothing
  ), locked as (
    -- In the order of the watches, so that two links of one person do not wait for each other.
    select s.account_id, s.watch_id from person
    join watch_subscribers s on s.account_id = person.account_id and s.mailbox_hash = person.mailbox_hash
    order by s.watch_id for update of s
  ), ended as (
    update watch_subscribers s set status = 'unsubscribed', ask_at = null, digest_at = null from locked
    where s.account_id = locked.account_id and s.watch_id = locked.watch_id
    returning s.account_id, s.watch_id
  ), closed as (
    update watch_digests d set outcome = 'dropped', due_at = null from ended
    where d.account_id = ended.account_id and d.watch_id = ended.watch_id and d.outcome is null
  )
  select from ended`

async function endAll(tx: Queryable, subscriberId: string): Promise<boolean> {
  return (await tx.query(END_ALL, [subscriberId])).rows.length > 0
}

/**
 * Ends the digests of one watch, or of all watches of the account to this mailbox: then the account may not mail it again. False: there
 * is no such subscriber any more, so nothing is sent. It can be repeated.
 */
export async function unsubscribe(
  database: Database,
  subscriberId: string,
  { all }: { readonly all: boolean },
): Promise<boolean> {
  if (all) return endAll(database, subscriberId)
  return (await database.query(END_ONE, [subscriberId])).rows.length > 0
}
