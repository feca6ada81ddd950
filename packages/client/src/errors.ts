// Everything that the SDK throws, but for the reason of a signal that a caller aborted. Each class is a kind of failure
// that a program treats alike; `code` tells apart what is within one, and is all that is needed without `instanceof`.

import type { LotlineErrorCode, UnsuccessfulJob } from './contract.ts'
import type { Credits } from './result.ts'

export interface LotlineErrorFacts {
  readonly code: LotlineErrorCode
  readonly message: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  /** Absolute. */
  readonly docUrl?: string | undefined
  readonly details?: unknown
  readonly credits?: Credits | undefined
  /** Milliseconds to wait at least before the call is repeated. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** The base of every error of the SDK. */
export class LotlineError extends Error {
  /** The stable name of what went wrong. Decide by it, never by the message. */
  readonly code: LotlineErrorCode
  /** The HTTP status; undefined when there was no answer. */
  readonly status: number | undefined
  /** The id of the request, which finds it in `account.usage()` and is what support needs. */
  readonly requestId: string | undefined
  /** Where the manual of the service explains the code; undefined when there was no answer of the service. */
  readonly docUrl: string | undefined
  /** Facts for programs, with some codes only. */
  readonly details: unknown
  /** What the call cost, which is 0, and what is left; undefined when the service did not know the key. */
  readonly credits: Credits | undefined
  /** How many milliseconds the service wants a caller to wait before it repeats the call. */
  readonly retryAfterMs: number | undefined

  constructor(facts: LotlineErrorFacts) {
    super(facts.message, 'cause' in facts ? { cause: facts.cause } : undefined)
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.docUrl = facts.docUrl
    this.details = facts.details
    this.credits = facts.credits
    this.retryAfterMs = facts.retryAfterMs
  }
}

/** 400, 405, 408, 413, 414, 415, 431: the call is wrong. Repeating it does not help. */
export class InvalidRequestError extends LotlineError {}

/** 401: there is no key, or it is malformed, unknown or revoked. */
export class AuthenticationError extends LotlineError {}

/** 402: the balance is 0, or fewer credits are available than the least that the call can cost. */
export class OutOfCreditsError extends LotlineError {
  /** Credits of the account; undefined where the service did not say. */
  get balance(): number | undefined {
    return numberIn(this.details, 'balance')
  }
  /** Credits that running jobs have set aside. */
  get held(): number | undefined {
    return numberIn(this.details, 'held')
  }
  /** Credits that the call needs at least. */
  get required(): number | undefined {
    return numberIn(this.details, 'required')
  }
}

/** 403: the account is suspended, or its plan does not include the operation. */
export class ForbiddenError extends LotlineError {}

/** 404: there is no such home, building, job or webhook. */
export class NotFoundError extends LotlineError {}

/** 409: the call contradicts the state of things. */
export class ConflictError extends LotlineError {}

/** 409 `job_not_ready`: the job has not succeeded, so it has no results. */
export class JobNotReadyError extends ConflictError {}

/** 409 `job_limit`: the account has as many open jobs, stored rows or stored bytes as its plan allows. */
export class JobLimitError extends ConflictError {
  /** Which bound is reached: `open_jobs`, `stored_rows`, `stored_bytes`, or one that a later version has. */
  get bound(): string | undefined {
    return textIn(this.details, 'bound')
  }
  /** What the account uses of it. */
  get value(): number | undefined {
    return numberIn(this.details, 'value')
  }
  /** What the plan allows. */
  get limit(): number | undefined {
    return numberIn(this.details, 'limit')
  }
}

/** 429: the key has used up its requests of the last 60 seconds. */
export class RateLimitedError extends LotlineError {
  declare readonly retryAfterMs: number
}

/** 429 `lookup_budget_exceeded`: too many lookups of the account found nothing in the last minute or day. */
export class LookupBudgetError extends RateLimitedError {
  /** Which budget is used up: that of the `minute` or of the `day`. */
  get window(): string | undefined {
    return textIn(this.details, 'window')
  }
  /** Failed lookups that the plan allows in the window. */
  get limit(): number | undefined {
    return numberIn(this.details, 'limit')
  }
}

/** 5xx: the service, or the source of its data, failed or was too slow. Nothing was charged. */
export class ServerError extends LotlineError {}

/** There was no answer, or it broke off. Whether the call was carried out is not known. */
export class ConnectionError extends LotlineError {}

/** There was no complete answer within `timeoutMs`. Whether the call was carried out is not known. */
export class TimeoutError extends LotlineError {}

/** The job that was waited for has ended without a result. It cost nothing. */
export class JobFailedError extends LotlineError {
  readonly job: UnsuccessfulJob

  constructor(job: UnsuccessfulJob, requestId: string) {
    super({
      code: `job_${job.status}`,
      message: `The job ${job.id} has ended as ${job.status}. ${job.error?.message ?? ''}`.trim(),
      requestId,
      details: job.error ?? undefined,
    })
    this.job = job
  }
}

/** The delivery is not from the service, not for this webhook, or too old. Answer it with 400. */
export class WebhookVerificationError extends LotlineError {
  constructor(message: string, cause?: unknown) {
    super({ code: 'webhook_not_genuine', message, ...(cause !== undefined && { cause }) })
  }
}

function numberIn(details: unknown, name: string): number | undefined {
  const value = (details as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'number' ? value : undefined
}

function textIn(details: unknown, name: string): string | undefined {
  const value = (details as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

// Written out, because a bundler that shortens the names of classes leaves those of properties alone.
const CLASSES = {
  LotlineError,
  InvalidRequestError,
  AuthenticationError,
  OutOfCreditsError,
  ForbiddenError,
  NotFoundError,
  ConflictError,
  JobNotReadyError,
  JobLimitError,
  RateLimitedError,
  LookupBudgetError,
  ServerError,
  ConnectionError,
  TimeoutError,
  JobFailedError,
  WebhookVerificationError,
}
for (const [name, { prototype }] of Object.entries(CLASSES)) {
  Object.defineProperty(prototype, 'name', { value: name, configurable: true, writable: true })
}
