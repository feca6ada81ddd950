// Sends one open digest. It is claimed under a lease, checked again right before it is sent, and recorded under the token of the lease. If
// a process is killed between the server's acceptance and the record, the digest is sent again with the same Message-ID, by which
// mailboxes recognize the copy.
// Why: decisions/work/digests-at-least-once.md

import type { Queryable, SignedCursors } from '../../../infrastructure/database.ts'
import type { Mailer } from '../../../infrastructure/mail.ts'
import type { Observer } from '../../../infrastructure/platform.ts'
import type { EventView } from '../notify.ts'
import { readWatchEvents } from '../read-watches.ts'
import { digestHomes } from './digest-content.ts'
import type { SubscriberMails } from './mail-texts.ts'
import type { DigestFrequency } from './subscriber-store.ts'

/** Longer than a mail and its statements can take. The lease is not renewed. */
const LEASE = "interval '2 minutes'"
/** A mail takes at most 20 seconds. */
const NEEDED = "interval '30 seconds'"
/** Minutes after the first attempt, the second one, and so on. After the last one, the digest has failed. */
const RETRY_MINUTES = [1, 5, 30, 120, 360] as const
/** Events that a digest is made of, at most: the latest ones. */
const MAX_EVENTS = 500
/** Homes that a digest shows, at most. */
const MAX_HOMES = 50

/** Links that unsubscribe are signed for this. */
export const UNSUBSCRIBE_SCOPE = ['unsubscribe']

export interface DigestParts {
  readonly database: Queryable
  readonly mailer: Mailer
  readonly publicUrl: string
  readonly mails: () => Promise<SubscriberMails>
  /** Signs the links that unsubscribe. */
  readonly signer: SignedCursors
  readonly view: EventView
  readonly observer: Observer
}

interface ClaimedDigest {
  readonly account_id: string
  readonly watch_id: string
  readonly period: string
  readonly id: string
  readonly subscriber_id: string
  readonly after_seq: number
  readonly upto_seq: number
  readonly attempts: number
  readonly token: string
}

const CLAIM = `
  update watch_digests set attempts = attempts + 1, lease_token = gen_random_uuid(), lease_until = now() + ${LEASE}
  where (account_id, watch_id, period) = (
    select account_id, watch_id, period from watch_digests
    where due_at <= now() and (lease_until is null or lease_until < now())
    order by due_at limit 1 for update skip locked)
  returning account_id, watch_id, period::text, id, subscriber_id, after_seq, upto_seq, attempts, lease_token as token`

interface Recipient {
  readonly email: string
  readonly frequency: DigestFrequency
  readonly name: string
  /** Whether the lease lasts long enough for the mail. */
  readonly isHeld: boolean
}

const OF_DIGEST = 'd.account_id = $1 and d.watch_id = $2 and d.period = $3::date and d.lease_token = $4'

// No digest is sent to a person who has unsubscribed, for a paused watch, or for a suspended account. The check runs just before sending.
const RECIPIENT = `
  select s.email, s.frequency, w.name, d.lease_until > now() + ${NEEDED} as "isHeld"
  from watch_digests d
  join watch_subscribers s on s.account_id = d.account_id and s.watch_id = d.watch_id and s.id = d.subscriber_id
  join watches w on w.account_id = d.account_id and w.id = d.watch_id
  join accounts a on a.id = d.account_id
  where ${OF_DIGEST} and s.status = 'active' and w.status <> 'paused' and a.status = 'active'`

/** Sends the next open digest that is due. False: there is none. */
export async function sendNextDigest(parts: DigestParts): Promise<boolean> {
  const { database, observer } = parts
  const { rows } = await database.query<ClaimedDigest>(CLAIM)
  const [digest] = rows
  if (!digest) return false
  let outcome: DigestOutcome = 'not_sent'
  try {
    // Each attempt ended with a crash.
    if (digest.attempts <= RETRY_MINUTES.length + 1) outcome = await sendDigest(parts, digest)
  } finally {
    if (outcome === 'not_sent') {
      const minutes = RETRY_MINUTES[digest.attempts - 1]
      if (minutes === undefined) observer.watchSubscriber('digest_failed')
      await database.query(FAIL, [...keyOf(digest), minutes ?? null])
    }
  }
  return true
}

/** `over`: it was sent, or nothing may be sent, which is recorded. */
type DigestOutcome = 'over' | 'not_sent'

async function sendDigest(parts: DigestParts, digest: ClaimedDigest): Promise<DigestOutcome> {
  const { database, mailer, publicUrl } = parts
  const texts = await parts.mails()
  const { homes, shown } = await contentOf(parts, digest)
  const links = await parts.signer.of(UNSUBSCRIBE_SCOPE)
  const unsubscribeUrl = `${publicUrl}/subscriptions/unsubscribe/${links.write([digest.subscriber_id])}`
  const recipient = (await database.query<Recipient>(RECIPIENT, keyOf(digest))).rows[0]
  if (!recipient) {
    await database.query(DROP, keyOf(digest))
    return 'over'
  }
  // Its lease is about to end. Another claim sends it.
  if (!recipient.isHeld) return 'over'
  // All its homes are withheld meanwhile.
  if (homes === 0) {
    await database.query(FINISH, [...keyOf(digest), 'dropped'])
    return 'over'
  }
  const { email, name, frequency } = recipient
  const changes = digest.upto_seq - digest.after_seq
  const moreHomes = homes - shown.length
  const content = texts.digestMail({ name, frequency, homes: shown, moreHomes, changes, unsubscribeUrl })
  const mail = { ...content, id: `digest.${digest.id}`, unsubscribeUrl }
  if (await mailer.send({ kind: 'watch_digest', to: email, ...mail })) return 'not_sent'
  await database.query(FINISH, [...keyOf(digest), 'sent'])
  return 'over'
}

async function contentOf({ database, view }: DigestParts, digest: ClaimedDigest) {
  const { account_id: accountId, watch_id: id, after_seq, upto_seq } = digest
  const after = Math.max(after_seq, upto_seq - MAX_EVENTS)
  const events = await readWatchEvents(database, { accountId, id, after, limit: upto_seq - after })
  const all = digestHomes(events, id, view)
  return { homes: all.length, shown: all.slice(0, MAX_HOMES) }
}

function keyOf({ account_id, watch_id, period, token }: ClaimedDigest): readonly unknown[] {
  return [account_id, watch_id, period, token]
}

// The events are reported. One statement, so that no later digest has them again. The subscriber is locked before the digest, as in all
// statements that lock both: the condition on `person` is evaluated before the digest is locked.
const FINISH = `
  with person as (
    select s.id from watch_digests d
    join watch_subscribers s on s.account_id = d.account_id and s.watch_id = d.watch_id
    where ${OF_DIGEST} for update of s
  ), ended as (
    update watch_digests d set outcome = $5, due_at = null, lease_until = null
    where ${OF_DIGEST} and d.outcome is null and (select count(*) from person) >= 0
    returning subscriber_id, upto_seq
  )
  update watch_subscribers s set reported_seq = ended.upto_seq from ended where s.id = ended.subscriber_id`

// Nothing may be sent now. Its events are not reported: if the watch is resumed, the next digest has them.
const DROP = `
  update watch_digests d set outcome = 'dropped', due_at = null, lease_until = null
  where ${OF_DIGEST} and d.outcome is null`

const FAIL = `
  update watch_digests d set lease_until = null, due_at = now() + make_interval(mins => $5::integer),
    outcome = case when $5::integer is null then 'failed' end
  where ${OF_DIGEST} and d.outcome is null`
