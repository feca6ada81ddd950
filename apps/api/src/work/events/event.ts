// What a receiver is sent: which event, when, which attempt, and the data of its subject.

import { monotonicFactory } from 'ulid'

/**
 * Days for which events and the attempts to deliver them are kept, as long as the jobs that they are about. A webhook is kept
 * as long after its revocation: no attempt has begun since, so that its last one goes with it or before it.
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
  /** When it happened: the same in every attempt. */
  readonly happenedAt: Date
  /** From 1. */
  readonly attempt: number
  /** JSON text, put in as it is. */
  readonly data: string
}

export function bodyOf({ id, type, happenedAt, attempt, data }: EventMessage): Buffer {
  const head = JSON.stringify({ id, type, timestamp: happenedAt.toISOString(), attempt })
  return Buffer.from(`${head.slice(0, -1)},"data":${data}}`)
}
