// Converts a response with status 400 or above into the error that the caller gets.
// Why: decisions/contract/sdk-retries.md

import {
  AuthenticationError,
  ConflictError,
  ForbiddenError,
  InvalidRequestError,
  JobLimitError,
  JobNotReadyError,
  KeyLimitError,
  LookupBudgetError,
  LotlineError,
  type LotlineErrorFacts,
  NotFoundError,
  OutOfCreditsError,
  RateLimitedError,
  ServerError,
  SpendingLimitError,
} from '../errors.ts'
import { findCredits } from '../result.ts'

const ERROR_CLASSES_BY_STATUS: Readonly<Record<number, new (facts: LotlineErrorFacts) => LotlineError>> = {
  401: AuthenticationError,
  402: OutOfCreditsError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitedError,
}

/** Error codes with a class of their own. Programs may handle them differently from other codes of the same status. */
const ERROR_CLASSES_BY_CODE: Readonly<
  Partial<Record<string, new (facts: LotlineErrorFacts) => LotlineError>>
> = {
  job_not_ready: JobNotReadyError,
  job_limit: JobLimitError,
  lookup_budget_exceeded: LookupBudgetError,
  max_credits_exceeded: SpendingLimitError,
  key_limit_reached: KeyLimitError,
}

/** The minimum time between a 429 and the next attempt, in milliseconds. */
export const SHORTEST_WAIT_MS = 2_000

/** @param url the URL of the call; links in the response are relative to it */
export function createApiError(status: number, headers: Headers, text: string, url: string): LotlineError {
  const stated = findError(text)
  const facts: LotlineErrorFacts = {
    code: stated?.code ?? 'unexpected_answer',
    message:
      stated?.message ??
      `The answer was ${status}, but not in Lotline's words: something between here and the service gave it.`,
    status,
    requestId: stated?.request_id ?? headers.get('x-request-id') ?? undefined,
    docUrl: stated?.doc_url === undefined ? undefined : resolveDocLink(stated.doc_url, url),
    details: stated?.details,
    credits: findCredits(headers),
    retryAfterMs: findRetryAfterMs(headers) ?? (status === 429 ? SHORTEST_WAIT_MS : undefined),
  }
  const Class =
    ERROR_CLASSES_BY_CODE[facts.code] ??
    ERROR_CLASSES_BY_STATUS[status] ??
    (status >= 500 ? ServerError : InvalidRequestError)
  return new Class(facts)
}

/** The error for a response that is not from Lotline. Usually the base URL is wrong. */
export function createUnexpectedResponseError(
  status: number,
  headers: Headers,
  cause?: unknown,
): LotlineError {
  const type = headers.get('content-type') ?? 'no media type'
  return new LotlineError({
    code: 'unexpected_answer',
    message: `The answer (${status}, ${type}) is not from Lotline. Check that baseUrl is the URL of the service.`,
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    ...(cause !== undefined && { cause }),
  })
}

interface ApiErrorBody {
  readonly code: string
  readonly message: string
  readonly request_id?: string
  readonly doc_url?: string
  readonly details?: unknown
}

function findError(text: string): ApiErrorBody | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: ApiErrorBody }
    return typeof error?.code === 'string' && typeof error.message === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

// Node 20 does not have URL.parse.
function resolveDocLink(link: string, base: string): string | undefined {
  return URL.canParse(link, base) ? new URL(link, base).href : undefined
}

/** Reads `Retry-After`: seconds, or a date if a proxy set it. Returns milliseconds. */
function findRetryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}
