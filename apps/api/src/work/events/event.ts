// The payload that a webhook receiver gets: the event's id and type, its time, the attempt number, and the data of its subject.

import { monotonicFactory } from 'ulid'

/**
 * Retention of events and of their delivery attempts, in days: as long as the jobs that they report. A revoked webhook is kept equally
 * long. No attempt begins after the revocation, so its last attempt expires with it or before it.
 */
export const EVENTS_KEPT_DAYS = 30

const nextUlid = monotonicFactory()

/** `evt_` + 26 characters (a ULID). */
export function createEventId(): string {
  return `evt_${nextUlid()}`
}

export interface EventMessage {
  readonly id: string
  readonly type: string
  /** The time of the event. Each attempt repeats it. */
  readonly happenedAt: Date
  /** The first attempt is 1. */
  readonly attempt: number
  /** JSON text, inserted without parsing it. */
  readonly data: string
}

export function bodyOf({ id, type, happenedAt, attempt, data }: EventMessage): Buffer {
  const head = JSON.stringify({ id, type, timestamp: happenedAt.toISOString(), attempt })
  return Buffer.from(`${head.slice(0, -1)},"data":${data}}`)
}
