// Creates, lists, changes, and revokes the webhooks of accounts. A revoked webhook is kept as long as its delivered events
// (retention/expired-rows.ts).
// Why: decisions/work/revoked-webhooks-are-listed.md

import type { Webhook, WebhookEventType, WebhookWithSecret } from '@lotline/contract'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { EVENTS_KEPT_DAYS } from '../events/event.ts'
import type { SecretBox } from './secret-box.ts'
import { addSecret } from './secrets.ts'

/** Live webhooks that an account may have. */
const MAX_LIVE_WEBHOOKS = 100
/** Revoked webhooks that are listed. Creating and revoking is free, so there may be very many. */
const MAX_REVOKED_LISTED = 100

/** The notification that a webhook was revoked, paused, or changed; its payload is the webhook's id. Senders then abort unsent attempts. */
export const REVOKED_CHANNEL = 'lotline_webhook_revoked'

export interface NewWebhook {
  readonly url: string
  readonly events: readonly WebhookEventType[]
  readonly description: string
  /** The balance at which `credits.low` is also sent. */
  readonly creditsThreshold?: number | undefined
}

/** The fields to change; undefined: unchanged. */
export interface WebhookChanges {
  readonly url?: string | undefined
  readonly events?: readonly WebhookEventType[] | undefined
  readonly description?: string | undefined
  /** False pauses the webhook, true resumes it. */
  readonly active?: boolean | undefined
  /** null: none. */
  readonly creditsThreshold?: number | null | undefined
}

interface WebhookRow extends Omit<Webhook, 'created_at' | 'revoked_at'> {
  readonly created_at: Date
  readonly revoked_at: Date | null
}

const COLUMNS = 'id, url, events, description, active, credits_threshold, created_at, revoked_at'

const LOCK_ACCOUNT = 'select from accounts where id = $1 for update'

/** Updates the account's thresholds for `credits.low`. The account's row must be locked. */
const SET_LOW_LEVEL = 'select set_low_level($1)'

/** The webhook with its secret, which is not shown again; or `webhook_limit`. */
export function createWebhook(
  database: Database,
  box: SecretBox,
  accountId: string,
  { url, events, description, creditsThreshold }: NewWebhook,
): Promise<WebhookWithSecret | Refusal> {
  return database.transaction(async (tx) => {
    // Takes the lock of write_events. It also prevents two concurrent calls from both counting 99.
    await tx.query(LOCK_ACCOUNT, [accountId])
    const { rows: counted } = await tx.query<{ live: number }>(
      'select count(*) as live from webhooks where account_id = $1 and revoked_at is null',
      [accountId],
    )
    if (counted[0]!.live >= MAX_LIVE_WEBHOOKS) {
      return refuseFor('webhook_limit', 'live', { bound: MAX_LIVE_WEBHOOKS })
    }
    const { rows } = await tx.query<WebhookRow>(
      `insert into webhooks (account_id, url, events, description, credits_threshold) values ($1, $2, $3, $4, $5)
       returning ${COLUMNS}`,
      [accountId, url, events, description, creditsThreshold ?? null],
    )
    if (creditsThreshold !== undefined) await tx.query(SET_LOW_LEVEL, [accountId])
    const webhook = webhookOf(rows[0]!)
    const secret = await addSecret(tx, box, { accountId, webhookId: webhook.id })
    return { ...webhook, secret }
  })
}

// Waits for senders that are writing to the webhook, which keep its row locked (send-lock.ts). Resets the reported threshold.
const UPDATE = `
  with mine as materialized (
    select url from webhooks where account_id = $1 and id = $2
  ), unreported as (
    delete from webhook_thresholds_sent t using webhooks w
      where t.account_id = $1 and t.webhook_id = $2 and w.account_id = $1 and w.id = $2 and w.revoked_at is null
        and $8 and w.credits_threshold is distinct from $7
  ), changed as (
    update webhooks set url = coalesce($3, url), events = coalesce($4, events), description = coalesce($5, description),
      active = coalesce($6, active), credits_threshold = case when $8 then $7 else credits_threshold end
    where account_id = $1 and id = $2 and revoked_at is null returning *
  )
  select ${COLUMNS}, case when $3::text <> (select url from mine) or not $6::boolean then pg_notify('${REVOKED_CHANNEL}', id::text) end
  from changed`

/**
 * Changes a webhook. When this resolves, no new request goes to its earlier URL, and none at all if it is paused. `revoked`: it cannot be
 * changed. undefined: the account has no such webhook.
 */
export function updateWebhook(
  database: Database,
  accountId: string,
  id: string,
  { url, events, description, active, creditsThreshold }: WebhookChanges,
): Promise<Webhook | 'revoked' | undefined> {
  return database.transaction(async (tx) => {
    // Takes the lock of write_events, so an event that becomes visible after this call was written with these changes.
    await tx.query(LOCK_ACCOUNT, [accountId])
    const { rows } = await tx.query<WebhookRow>(
      UPDATE,
      [
        accountId,
        id,
        url ?? null,
        events ?? null,
        description ?? null,
        active ?? null,
        creditsThreshold ?? null,
        creditsThreshold !== undefined,
      ],
      { name: 'update_webhook' },
    )
    if (rows[0] && creditsThreshold !== undefined) await tx.query(SET_LOW_LEVEL, [accountId])
    if (rows[0]) return webhookOf(rows[0])
    return (await hasWebhook(tx, accountId, id)) ? 'revoked' : undefined
  })
}

const LIST = `
  select ${COLUMNS}, micros from (
    select * from webhooks where account_id = $1 and revoked_at is null
    union all (
      select * from webhooks where account_id = $1 and revoked_at > now() - interval '${EVENTS_KEPT_DAYS} days'
      order by revoked_at desc limit ${MAX_REVOKED_LISTED})
  ) as listed cross join lateral (select (extract(epoch from created_at) * 1000000)::bigint as micros) as clock
  where $2::bigint is null or micros < $2 or (micros = $2 and id > $3::uuid)
  order by micros desc, id limit $4`

/** A webhook with its position in the list: its creation time, in microseconds since 1970. */
export interface WebhookListEntry {
  readonly webhook: Webhook
  readonly micros: number
}

export interface ListPart {
  /** The position of the previous entry; null: from the start. */
  readonly after: readonly [micros: number, id: string | number] | null
  readonly limit: number
}

/** Live webhooks of an account and the last revoked ones, latest first. */
export async function listWebhooks(
  database: Queryable,
  accountId: string,
  { after, limit }: ListPart,
): Promise<WebhookListEntry[]> {
  const values = [accountId, after?.[0] ?? null, after?.[1] ?? null, limit]
  const { rows } = await database.query<WebhookRow & { micros: number }>(LIST, values, {
    name: 'list_webhooks',
  })
  return rows.map(({ micros, ...row }) => ({ webhook: webhookOf(row), micros }))
}

const FIND = `
  select ${COLUMNS} from webhooks
  where account_id = $1 and id = $2 and coalesce(revoked_at > now() - interval '${EVENTS_KEPT_DAYS} days', true)`

/** undefined: the account has no such webhook, or it was revoked long ago. */
export async function findWebhook(
  database: Queryable,
  accountId: string,
  id: string,
): Promise<Webhook | undefined> {
  const { rows } = await database.query<WebhookRow>(FIND, [accountId, id], { name: 'find_webhook' })
  return rows[0] && webhookOf(rows[0])
}

export async function hasWebhook(database: Queryable, accountId: string, id: string): Promise<boolean> {
  const { rows } = await database.query('select from webhooks where account_id = $1 and id = $2', [
    accountId,
    id,
  ])
  return rows.length > 0
}

// Waits for senders that are writing to the webhook, which keep its row locked (send-lock.ts). Unsent events are dropped later, by the
// sender that claims them, so revoking is fast however many there are. The row is locked before the clock is read, because an update alone
// reads the clock before it waits. So no attempt has a later sent_at, which an audit can check.
const REVOKE = `
  with mine as materialized (
    select account_id, id from webhooks where account_id = $1 and id = $2 and revoked_at is null for update
  ), revoked as (
    update webhooks w set revoked_at = clock_timestamp() from mine
      where w.account_id = mine.account_id and w.id = mine.id and w.revoked_at is null returning w.id
  )
  select pg_notify('${REVOKED_CHANNEL}', id::text) from revoked`

/**
 * Revokes a webhook permanently. When this resolves, no new request goes to it from any process. False: the account has no such webhook.
 * Revoking it again changes nothing.
 */
export async function revokeWebhook(database: Database, accountId: string, id: string): Promise<boolean> {
  const { rowCount } = await database.query(REVOKE, [accountId, id], { name: 'revoke_webhook' })
  return rowCount > 0 || (await hasWebhook(database, accountId, id))
}

function webhookOf({ created_at, revoked_at, active, ...webhook }: WebhookRow): Webhook {
  const { id, url, events, description, credits_threshold = null } = webhook
  return {
    id,
    url,
    events,
    description,
    credits_threshold,
    active: active && revoked_at === null,
    created_at: created_at.toISOString(),
    revoked_at: revoked_at?.toISOString() ?? null,
  }
}
