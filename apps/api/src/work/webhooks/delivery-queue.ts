// The queue of deliveries: a due delivery is claimed with a lease, and the result of its attempt is recorded under that lease. Operations
// of several steps are SQL functions (migrations/).
// Why: decisions/work/paused-webhooks-drop.md

import type { Database } from '../../infrastructure/database.ts'
import { type AttemptOutcome, batch } from '../../infrastructure/platform.ts'
import { bodyOf } from '../events/event.ts'

/** A claimed delivery, whose next attempt has begun. */
export interface ClaimedDelivery {
  readonly accountId: string
  readonly webhookId: string
  readonly eventId: string
  /** The lease token. */
  readonly token: string
  /** The first attempt is 1. */
  readonly attempt: number
  /** How many attempts may follow this one. */
  readonly attemptsLeft: number
  readonly attemptId: number
  readonly url: string
  /** The creation time of the event. */
  readonly type: string
  /** Encrypted secrets; the current one first. */
  readonly secrets: readonly Buffer[]
  /** The body to send. Deliveries of one claim with the same body share one string. */
  readonly body: Buffer
}

/** Maximum concurrent attempts, over all processes. */
export interface DeliveryBounds {
  readonly perAccount: number
  readonly perWebhook: number
}

/** The result of an attempt. */
export interface AttemptResult {
  readonly delivered: boolean
  /** null: no response. */
  readonly statusCode: number | null
  /** The reason for a missing response. */
  readonly error: string | null
  /** How long a 429 response asked to pause the webhook. */
  readonly pauseMs?: number
  readonly preview: string
}

/** The result as the metrics name it; undefined: nothing was sent. */
export function outcomeName(outcome: AttemptResult | undefined): AttemptOutcome {
  if (outcome === undefined) return 'not_sent'
  if (outcome.delivered) return 'delivered'
  return outcome.statusCode === null ? 'no_answer' : 'refused'
}

export interface DeliveryQueue {
  claim(room: number, leaseMs: number, bounds: DeliveryBounds): Promise<ClaimedDelivery[]>
  /** Returns the tokens of the leases that are still held. */
  renew(deliveries: readonly ClaimedDelivery[], leaseMs: number): Promise<ReadonlySet<string>>
  /** Records the result of an attempt; after a failure the next attempt is due in `retryAfterMs`. Without the lease, writes nothing. */
  record(delivery: ClaimedDelivery, outcome: AttemptResult, retryAfterMs: number): Promise<void>
  /** Requeues a cancelled attempt. It counts as an attempt only if its request had been written. */
  abort(delivery: ClaimedDelivery, pauseMs?: number): Promise<void>
  /** Removes expired leases. */
  reap(): Promise<void>
}

/** The notification for a transaction that makes a delivery due. A poll each second finds the delivery without it. */
export const DELIVERIES_CHANNEL = 'lotline_deliveries'

const RECORD_AT_A_TIME = 256

// An account may have a hundred webhooks, and the data of an event may be large, so deliveries of the same event share one copy.
const CLAIM = `
  select account_id as "accountId", webhook_id as "webhookId", event_id as "eventId", token, attempt,
    attempts_left as "attemptsLeft", attempt_id as "attemptId", url, secrets, type, happened_at as "happenedAt",
    case when row_number() over (partition by account_id, event_id, attempt) = 1 then data end as data
  from claim_deliveries($1, $2, $3, $4, $5)`

// Leases are renewed while results of other attempts are recorded. Both statements lock their rows in key order, which prevents deadlocks.
const RENEW = `
  with held as materialized (
    select d.account_id, d.event_id, d.webhook_id
    from webhook_deliveries d
      join unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[]) as mine (account_id, event_id, webhook_id, token)
        on d.account_id = mine.account_id and d.event_id = mine.event_id and d.webhook_id = mine.webhook_id
          and d.lease_token = mine.token
    order by d.account_id, d.event_id, d.webhook_id for no key update of d
  )
  update webhook_deliveries d set lease_until = now() + $1::float8 * interval '1 ms'
    from held h
    where d.account_id = h.account_id and d.event_id = h.event_id and d.webhook_id = h.webhook_id
  returning d.lease_token as token`

const RECORD = `
  with held as materialized (
    select o.*, d.attempt_id
    from webhook_deliveries d
      join unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::boolean[], $6::integer[], $7::text[], $8::text[],
        $9::float8[], $10::float8[])
        as o (account_id, event_id, webhook_id, token, delivered, status_code, error, preview, retry_after_ms, pause_ms)
        on d.account_id = o.account_id and d.event_id = o.event_id and d.webhook_id = o.webhook_id
          and d.lease_token = o.token
    order by d.account_id, d.event_id, d.webhook_id for no key update of d
  ), paused as (
    insert into webhook_pauses as p (account_id, webhook_id, until)
      select account_id, webhook_id, now() + max(pause_ms) * interval '1 ms' from held where pause_ms > 0
      group by account_id, webhook_id order by account_id, webhook_id
      on conflict (account_id, webhook_id) do update set until = greatest(p.until, excluded.until)
  ), ended as (
    update webhook_deliveries d set
        state = case when h.delivered then 'delivered' when d.attempt >= d.last_attempt then 'dropped' else 'waiting' end,
        due_at = case when h.delivered then d.due_at else now() + h.retry_after_ms * interval '1 ms' end,
        ended_at = case when h.delivered or d.attempt >= d.last_attempt then now() end,
        lease_token = null, lease_until = null
      from held h
      where d.account_id = h.account_id and d.event_id = h.event_id and d.webhook_id = h.webhook_id
  )
  update webhook_attempts t set
      ended_at = now(), delivered = h.delivered, status_code = h.status_code, error = h.error,
      response_preview = h.preview
    from held h
    where t.account_id = h.account_id and t.webhook_id = h.webhook_id and t.id = h.attempt_id`

interface ClaimedRow extends Omit<ClaimedDelivery, 'body'> {
  readonly type: string
  readonly happenedAt: Date
  /** JSON; null: another row of the same event and attempt has it. */
  readonly data: string | null
}

function withBodies(rows: readonly ClaimedRow[]): ClaimedDelivery[] {
  const nameOf = ({
    accountId,
    eventId,
    attempt,
  }: Pick<ClaimedDelivery, 'accountId' | 'eventId' | 'attempt'>) => `${accountId} ${eventId} ${attempt}`
  const bodies = new Map<string, Buffer>()
  for (const row of rows) {
    const { eventId: id, type, happenedAt, attempt, data } = row
    if (data !== null) bodies.set(nameOf(row), bodyOf({ id, type, happenedAt, attempt, data }))
  }
  // Without the data, which is in the body.
  return rows.map(({ happenedAt: _happenedAt, data: _data, ...claimed }) => ({
    ...claimed,
    body: bodies.get(nameOf(claimed))!,
  }))
}

interface RecordedAttempt {
  readonly delivery: ClaimedDelivery
  readonly outcome: AttemptResult
  readonly retryAfterMs: number
}

/** `keyIds`: the available encryption keys. A delivery that needs another key is not claimed. Default: all are available. */
export function createDeliveryQueue(
  database: Database,
  keyIds: () => readonly string[] | null = () => null,
): DeliveryQueue {
  const record = batch<RecordedAttempt, void>(RECORD_AT_A_TIME, async (group) => {
    await database.query(
      RECORD,
      [
        group.map(({ delivery }) => delivery.accountId),
        group.map(({ delivery }) => delivery.eventId),
        group.map(({ delivery }) => delivery.webhookId),
        group.map(({ delivery }) => delivery.token),
        group.map(({ outcome }) => outcome.delivered),
        group.map(({ outcome }) => outcome.statusCode),
        group.map(({ outcome }) => outcome.error),
        group.map(({ outcome }) => outcome.preview),
        group.map(({ retryAfterMs }) => retryAfterMs),
        group.map(({ outcome }) => outcome.pauseMs ?? null),
      ],
      { name: 'record_attempts' },
    )
    return []
  })

  return {
    async claim(room, leaseMs, { perAccount, perWebhook }) {
      const { rows } = await database.query<ClaimedRow>(
        CLAIM,
        [room, perAccount, perWebhook, leaseMs, keyIds()],
        {
          name: 'claim_deliveries',
        },
      )
      return withBodies(rows)
    },
    async renew(deliveries, leaseMs) {
      const { rows } = await database.query<{ token: string }>(
        RENEW,
        [
          leaseMs,
          deliveries.map(({ accountId }) => accountId),
          deliveries.map(({ eventId }) => eventId),
          deliveries.map(({ webhookId }) => webhookId),
          deliveries.map(({ token }) => token),
        ],
        { name: 'renew_deliveries' },
      )
      return new Set(rows.map(({ token }) => token))
    },
    record: (delivery, outcome, retryAfterMs) => record({ delivery, outcome, retryAfterMs }),
    async abort({ token }, pauseMs = 0) {
      await database.query('select end_broken_attempts($1, $2)', [token, pauseMs], { name: 'break_off' })
    },
    async reap() {
      await database.query('select end_broken_attempts(null, 0)', [], { name: 'reap_deliveries' })
    },
  }
}
