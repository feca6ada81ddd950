import type { Queryable } from '../../infrastructure/database.ts'
import { createEventId } from './event.ts'

/** What an event is about. */
export interface Subject {
  /** `job`, or another kind of thing that has events. */
  readonly type: string
  readonly id: string
}

/** Something that happened, before it has an id and receivers. */
export interface NewEvent {
  readonly accountId: string
  readonly subject: Subject
  /** As webhooks subscribe to it. */
  readonly type: string
  readonly happenedAt: Date | string
  /** Sent as `data`. */
  readonly data: object
}

/**
 * Writes an event in the transaction that causes it, for each live webhook of the account that subscribes to its type.
 * The event of a job is written once: a second one fails on the index `webhook_events_by_job`.
 */
export async function writeEvents(tx: Queryable, event: NewEvent): Promise<void> {
  const { accountId, subject, type, happenedAt, data } = event
  await tx.query(
    'select write_events($1, $2, $3, $4, $5, $6, $7)',
    [accountId, subject.type, subject.id, createEventId(), type, happenedAt, JSON.stringify(data)],
    { name: 'write_events' },
  )
}
