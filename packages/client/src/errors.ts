// Everything that the SDK throws, except the reason of a signal that the caller aborted. Each class is a kind of failure
// that a program handles in the same way. `code` distinguishes the failures of a class, and is enough without `instanceof`.

import type { DetailedErrorCode, ErrorDetails, LotlineErrorCode, UnsuccessfulJob } from './contract.ts'
import type { Credits } from './result.ts'

export interface LotlineErrorFacts {
  readonly code: LotlineErrorCode
  readonly message: string
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  /** The absolute URL of the guide page that explains the code. */
  readonly docUrl?: string | undefined
  readonly details?: unknown
  readonly credits?: Credits | undefined
  /** The minimum time to wait before the call is retried, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

/** The base of every error of the SDK. */
export class LotlineError extends Error {
  /** The stable name of the error. Compare this, never the message. */
  readonly code: LotlineErrorCode
  /** The HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** The id of the request. `account.usage()` lists the call under it; support needs it. */
  readonly requestId: string | undefined
  /** The URL of the page of the manual that explains the code; undefined if there was no response of the service. */
  readonly docUrl: string | undefined
  /** Facts for programs. Only some codes have them. `detailsOf` has their types. */
  readonly details: unknown
  /** The cost of the call, which is 0, and the available credits; undefined if the service did not know the key. */
  readonly credits: Credits | undefined
  /** The time to wait before the call is repeated, in milliseconds, as the service asks for. */
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

  /**
   * `details` with the type that it has for this code: `error.detailsOf('invalid_parameter')?.parameter`.
   * undefined if the error has another code, or no details.
   */
  detailsOf<Code extends DetailedErrorCode>(code: Code): ErrorDetails<Code> | undefined {
    if (this.code !== code || typeof this.details !== 'object') return undefined
    return (this.details ?? undefined) as ErrorDetails<Code> | undefined
  }
}

/** 400, 405, 408, 413, 414, 415, 431: the call is wrong. Repeating it does not help. */
export class InvalidRequestError extends LotlineError {}

/** 401: there is no key, or it is malformed, unknown or revoked. */
export class AuthenticationError extends LotlineError {}

/** 402: the balance is 0, or fewer credits are available than the least that the call can cost. */
export class OutOfCreditsError extends LotlineError {
  /** The balance of the account, in credits; undefined if the service did not send it. */
  get balance(): number | undefined {
    return numberField(this.details, 'balance')
  }
  /** The credits that running jobs hold. */
  get held(): number | undefined {
    return numberField(this.details, 'held')
  }
  /** The minimum number of credits that the call needs. */
  get required(): number | undefined {
    return numberField(this.details, 'required')
  }
}

/** 402 `max_credits_exceeded`: the call costs more than the limit that was set for it. Nothing was done. */
export class SpendingLimitError extends OutOfCreditsError {
  /** The spending limit of the call, in credits. */
  get maxCredits(): number | undefined {
    return numberField(this.details, 'max_credits')
  }
}

/** 402 `key_limit_reached`: the call costs more than the credit limit of its key leaves. Nothing was done. */
export class KeyLimitError extends OutOfCreditsError {
  /** The credit limit of the key, in credits. */
  get limit(): number | undefined {
    return numberField(this.details, 'limit')
  }
  /** The period of the limit: `total`, `day`, `week`, `month`, or a value that a later version adds. */
  get per(): string | undefined {
    return textField(this.details, 'per')
  }
  /** The credits that the key can still spend in the period. */
  get remaining(): number | undefined {
    return numberField(this.details, 'remaining')
  }
  /** When the limit is reset; undefined for a `total` limit. */
  get resetsAt(): Date | undefined {
    const at = textField(this.details, 'resets_at')
    return at === undefined ? undefined : new Date(at)
  }
}

/** 403: the account is suspended, or its plan does not include the operation. */
export class ForbiddenError extends LotlineError {}

/** 404: there is no such home, building, job or webhook. */
export class NotFoundError extends LotlineError {}

/** 409: the call conflicts with the current state. */
export class ConflictError extends LotlineError {}

/** 409 `job_not_ready`: the job has not succeeded, so it has no results. */
export class JobNotReadyError extends ConflictError {}

/** 409 `job_limit`: the account has as many open jobs, stored rows or stored bytes as its plan allows. */
export class JobLimitError extends ConflictError {
  /** The limit that is reached: `open_jobs`, `stored_rows`, `stored_bytes`, or one that a later version adds. */
  get bound(): string | undefined {
    return textField(this.details, 'bound')
  }
  /** The current usage of the account. */
  get value(): number | undefined {
    return numberField(this.details, 'value')
  }
  /** The maximum that the plan allows. */
  get limit(): number | undefined {
    return numberField(this.details, 'limit')
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
    return textField(this.details, 'window')
  }
  /** Failed lookups that the plan allows in the window. */
  get limit(): number | undefined {
    return numberField(this.details, 'limit')
  }
}

/** 5xx: the service or its data source failed or was too slow. The call was free, unless `details.charge` is `unknown`. */
export class ServerError extends LotlineError {}

/** There was no response, or it was incomplete. The service may have executed the call, unless it is `unsent`. */
export class ConnectionError extends LotlineError {
  /** Whether no connection was made, so that the service has not received the call. Browsers do not report it: false. */
  get unsent(): boolean {
    const { cause } = (this.cause ?? {}) as { cause?: { code?: unknown } }
    return UNSENT_ERROR_CODES.has(cause?.code)
  }
}

/** There was no complete response within `timeoutMs`. The service may have executed the call. */
export class TimeoutError extends LotlineError {}

/** The job ended without a result. It was free. */
export class JobFailedError extends LotlineError {
  readonly job: UnsuccessfulJob

  constructor(job: UnsuccessfulJob, requestId: string) {
    super({
      code: `job_${job.status}`,
      message:
        `The job ${job.id} did not succeed. Its status is ${job.status}. ${job.error?.message ?? ''}`.trim(),
      requestId,
      details: job.error ?? undefined,
    })
    this.job = job
  }
}

/** The delivery is not from the service, not for this webhook, or too old. Respond with 400. */
export class WebhookVerificationError extends LotlineError {
  constructor(message: string, cause?: unknown) {
    super({ code: 'webhook_not_genuine', message, ...(cause !== undefined && { cause }) })
  }
}

/** Codes of Node's failures before there is a connection. */
const UNSENT_ERROR_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

function numberField(details: unknown, name: string): number | undefined {
  const value = (details as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'number' ? value : undefined
}

function textField(details: unknown, name: string): string | undefined {
  const value = (details as Record<string, unknown> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}

// Written as literals, because minifiers shorten the names of classes and keep those of properties.
const ERROR_CLASSES = {
  LotlineError,
  InvalidRequestError,
  AuthenticationError,
  OutOfCreditsError,
  SpendingLimitError,
  KeyLimitError,
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
for (const [name, { prototype }] of Object.entries(ERROR_CLASSES)) {
  Object.defineProperty(prototype, 'name', { value: name, configurable: true, writable: true })
}
