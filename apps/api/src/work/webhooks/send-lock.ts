// The send lock, which a request needs between opening its connection and writing. A request is written only under a shared lock on its
// webhook's row, which must show that the webhook is active, is not revoked, and has the URL that the connection was opened for. Revoking
// and changing a webhook take the lock exclusively. So after a revocation, a pause, or a change of the URL has been answered, no request
// that contradicts it begins. The lock is held while requests are written to open sockets, never while a receiver is waited for.
// Many attempts share one transaction, which also records that each has been sent. An attempt without that record can be repeated as if it
// had never begun.

import type { Database } from '../../infrastructure/database.ts'
import { batch } from '../../infrastructure/platform.ts'

export interface Passing {
  readonly accountId: string
  readonly webhookId: string
  /** null: there is no row to update. This is a test delivery, which a paused webhook also gets. */
  readonly attemptId: number | null
  /** The connection's URL, which must still be the webhook's. */
  readonly url: string
  /**
   * Writes the request; resolves when writing has succeeded or failed, before any response. False: it was too late, and nothing of the
   * attempt was ever written.
   */
  readonly write: () => Promise<boolean>
}

export interface SendLock {
  /**
   * False: the webhook is revoked, paused, or has another URL, another process has the attempt, or `write` came too late. Nothing was
   * written.
   */
  pass(passing: Passing): Promise<boolean>
}

const GROUP_SIZE = 256

// All transactions lock rows in the same order, so two processes never deadlock. The commit is not flushed to disk: if the record is lost,
// the attempt is repeated, which receivers must tolerate anyway. Planned anew for each group: a cached plan from a time with few attempts
// would read all of them.
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
