import type { Queryable } from '../../infrastructure/database.ts'
import { createEventId } from './event.ts'

/** The subject of an event. */
export interface Subject {
  /** `job`, `watch`, or another kind of subject. */
  readonly type: string
  readonly id: string
}

/** An event before it has an id and receivers. */
export interface NewEvent {
  readonly accountId: string
  readonly subject: Subject
  /** The event type that webhooks subscribe to. */
  readonly type: string
  readonly happenedAt: Date | string
  /** The `data` field of the webhook payload. */
  readonly data: object
  /** The only webhook that gets it, if it subscribes to the type. null, the default: each that does. */
  readonly onlyWebhook?: string | null
}

/**
 * Writes an event in the transaction that causes it, for each live webhook of the account that subscribes to its type. A job has one event
 * of each kind: a second insert violates the index `webhook_events_by_job`.
 */
export async function writeEvents(tx: Queryable, event: NewEvent): Promise<void> {
  const { accountId, subject, type, happenedAt, data, onlyWebhook = null } = event
  await tx.query(
    'select write_events($1, $2, $3, $4, $5, $6, $7, $8)',
    [
      accountId,
      subject.type,
      subject.id,
      createEventId(),
      type,
      happenedAt,
      JSON.stringify(data),
      onlyWebhook && [onlyWebhook],
    ],
    { name: 'write_events' },
  )
}
