// THE SEND LOCK between an open connection and its request. A request begins only under a shared lock on its webhook's row,
// where revoked_at is still null, the webhook is active, and its URL is the one that the connection was made for. Revoking and
// changing a webhook take that lock exclusively. So once a revocation, a pause or a change of the URL has been answered, no
// request that contradicts it begins. The lock is held for as long as writing to open sockets takes, never while a receiver is waited for.
//
// Many attempts go through together, in one transaction, which also notes that each has been sent: an attempt without that
// note can be repeated as if it had never begun.

import type { Database } from '../../infrastructure/database.ts'
import { batch } from '../../infrastructure/platform.ts'

export interface Passing {
  readonly accountId: string
  readonly webhookId: string
  /** null: there is no such note to make. It is a test, which a paused webhook gets too. */
  readonly attemptId: number | null
  /** Where the connection leads: the webhook must still have this URL. */
  readonly url: string
  /**
   * Writes the request; resolves as soon as that is done or has failed, whatever the answer. False: it was too late, and
   * nothing of the attempt was ever written.
   */
  readonly write: () => Promise<boolean>
}

export interface SendLock {
  /**
   * False: the webhook is revoked, paused, or has another URL, another process has the attempt by now, or `write` came too
   * late. Nothing was written.
   */
  pass(passing: Passing): Promise<boolean>
}

const GROUP_SIZE = 256

// Rows are locked in one order everywhere, so that two processes never wait for each other. The note need not survive a
// loss of power, and the disk is not waited for: without it the attempt is repeated, which receivers must bear anyway.
// Planned anew for each group: a plan that was kept from when there were few attempts would read all of them.
const LOCK_AND_NOTE = `
  with passing as (
    select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[])
      as p (account_id, webhook_id, attempt_id, url)
  ), live as materialized (
    select account_id, id, url, active from webhooks
    where (account_id, id) in (select account_id, webhook_id from passing) and revoked_at is null
    order by account_id, id for share
  ), noted as (
    update webhook_attempts t set sent_at = clock_timestamp()
      from passing p
        join live l on l.account_id = p.account_id and l.id = p.webhook_id and l.url = p.url and l.active
      where t.account_id = p.account_id and t.webhook_id = p.webhook_id and t.id = p.attempt_id
    returning t.id
  )
  select l.id as "webhookId", l.url, n.id as "attemptId", set_config('synchronous_commit', 'off', true)
  from live l left join passing p on p.account_id = l.account_id and p.webhook_id = l.id
    left join noted n on n.id = p.attempt_id`

const TAKE_BACK_NOTE = `
  update webhook_attempts t set sent_at = null
  from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as p (account_id, webhook_id, attempt_id)
  where t.account_id = p.account_id and t.webhook_id = p.webhook_id and t.id = p.attempt_id`

export function createSendLock(database: Database): SendLock {
  return { pass: batch(GROUP_SIZE, (group) => passGroup(database, group)) }
}

function passGroup(database: Database, group: readonly Passing[]): Promise<boolean[]> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ webhookId: string; url: string; attemptId: number | null }>(
      LOCK_AND_NOTE,
      [...columnsOf(group), group.map(({ url }) => url)],
    )
    const noted = new Set(rows.map(({ attemptId }) => attemptId))
    const liveUrls = new Map(rows.map(({ webhookId, url }) => [webhookId, url]))
    const open = group.map(({ webhookId, attemptId, url }) =>
      attemptId === null ? liveUrls.get(webhookId) === url : noted.has(attemptId),
    )
    const isWritten = await Promise.all(group.map(({ write }, index) => open[index] === true && write()))
    const tooLate = group.filter((_, index) => open[index] && !isWritten[index])
    if (tooLate.length > 0) await tx.query(TAKE_BACK_NOTE, columnsOf(tooLate))
    return isWritten
  })
}

function columnsOf(group: readonly Passing[]): readonly (readonly (string | number | null)[])[] {
  return [
    group.map(({ accountId }) => accountId),
    group.map(({ webhookId }) => webhookId),
    group.map(({ attemptId }) => attemptId),
  ]
}
