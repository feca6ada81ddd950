// THE RECORD of a run: what clients sent and saw, what receivers got, what the provider was asked, and what was done
// to the service meanwhile. One JSON line each, only ever appended; the auditor reads nothing else but it and the
// database. Times are milliseconds of the machine's monotonic clock.

import type { Job, OperationId } from '@lotline/contract'

/** What every call says of itself, answered or not. */
export interface CallFacts {
  /** Counts up over the run. */
  readonly call: number
  readonly client: string
  /** The key's id; null: no key, or none that was ever issued. */
  readonly keyId: string | null
  /** null: the call is meant for no operation. */
  readonly operation: OperationId | null
  readonly method: string
  readonly path: string
  readonly sentAt: number
  readonly idempotencyKey?: string
  /** X-Max-Credits. */
  readonly maxCredits?: number
  /** A home that this call alone asks for. */
  readonly ownZpid?: string
  /** Calls of one burst were sent one after the other on connections of their own, without a proxy between. */
  readonly burst?: string
}

/** The head of an answer came; `whole` says whether its body did. */
export interface AnswerRecord extends CallFacts {
  readonly kind: 'answer'
  readonly headAt: number
  readonly endAt: number
  readonly whole: boolean
  readonly status: number
  readonly requestId: string | null
  /** X-Credits-Charged. */
  readonly charged: number | null
  /** Of an error. */
  readonly code: string | null
  /** Rows of a list, in whichever format. */
  readonly rows: number | null
  /** Of a 202. */
  readonly jobId?: string
  /** The id of what a 201 has created. */
  readonly createdId?: string
  /** Of a search in an area: its rows that are outside. */
  readonly outside?: readonly string[]
  /** A secret that stood in it, and should not. */
  readonly leaks?: string
}

/** No head came. What the call did is unknown, and nothing is due for it. */
export interface LostRecord extends CallFacts {
  readonly kind: 'lost'
  readonly endAt: number
  readonly reason: string
}

/** A job as an answer showed it. */
export interface JobRecord {
  readonly kind: 'job'
  readonly sentAt: number
  readonly endAt: number
  readonly keyId: string
  readonly job: Job
}

/** What a job must come to. */
export interface OrderRecord {
  readonly kind: 'order'
  readonly jobId: string
  readonly keyId: string
  /** The rows of its result, by the id that each row carries; absent: only their number is known. */
  readonly expected?: readonly string[]
}

/** One page of a result, whole. */
export interface PageRecord {
  readonly kind: 'page'
  readonly jobId: string
  readonly format: 'json' | 'csv' | 'ndjson'
  readonly offset: number
  readonly limit: number
  readonly total: number
  /** Of the rows, in their order. */
  readonly ids: readonly string[]
}

/** A webhook whose creation was answered. Its secret is in the file of secrets. */
export interface WebhookRecord {
  readonly kind: 'webhook'
  readonly webhookId: string
  readonly keyId: string
  /** The path at the receiver. */
  readonly hook: string
  readonly events: readonly string[]
  readonly endAt: number
}

/** A DELETE that was answered with 204. */
export interface RevokedRecord {
  readonly kind: 'revoked'
  readonly webhookId: string
  readonly hook: string
  readonly sentAt: number
  readonly endAt: number
}

/** The key of a connector was revoked: the response 204 has come. */
export interface EndedRecord {
  readonly kind: 'ended'
  readonly keyId: string
  readonly endAt: number
}

/** A request that a receiver got, whole. */
export interface DeliveryRecord {
  readonly kind: 'delivery'
  /** When its head came. */
  readonly at: number
  readonly hook: string
  readonly webhookId: string | null
  readonly timestamp: string | null
  readonly signature: string | null
  readonly attempt: number
  readonly body: string
  readonly answered: 'accepted' | 'refused' | 'kept waiting'
}

/** A query that reached the provider. */
export interface QuestionRecord {
  readonly kind: 'query'
  readonly operation: string | null
  readonly zpid: string | null
  readonly arrivedAt: number
  readonly endedAt: number
  readonly end: 'answered' | 'closed'
  /** What was done wrong on purpose; null: nothing. */
  readonly fault: string | null
}

/** Something that was done to the service. */
export interface FaultRecord {
  readonly kind: 'fault'
  readonly fault: string
  readonly at: number
  /** When the service was well again, or the fault over. */
  readonly endAt: number
  readonly detail: string
}

export type TortureRecord =
  | AnswerRecord
  | LostRecord
  | JobRecord
  | OrderRecord
  | PageRecord
  | WebhookRecord
  | RevokedRecord
  | EndedRecord
  | DeliveryRecord
  | QuestionRecord
  | FaultRecord

/** The records of one kind. */
export type RecordOf<Kind extends TortureRecord['kind']> = Extract<TortureRecord, { kind: Kind }>
