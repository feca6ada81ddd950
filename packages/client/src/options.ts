// The options of the client and of each call, and the environment variables that replace them.

import type { ResponseCache } from './cache.ts'
import type { Job } from './contract.ts'
import type { Fetch } from './core/attempt.ts'
import type { Logger } from './core/send.ts'
import { LotlineError } from './errors.ts'

export interface LotlineOptions {
  /** The API key, `lot_…`. The default is the environment variable `LOTLINE_API_KEY`. */
  apiKey?: string | undefined
  /**
   * The address of the service, for example `https://api.example.com`, without `/v1`. The default is the environment
   * variable `LOTLINE_BASE_URL`, or else `http://127.0.0.1:8080`, where a service on this machine listens.
   */
  baseUrl?: string | undefined
  /** Replaces the global `fetch`, for proxies, logs and tests. It must honor the signal that it gets. */
  fetch?: Fetch | undefined
  /**
   * The time for one attempt, until the last byte of its response, in milliseconds. The default is 310,000: the service
   * ends a call after 5 minutes, and its response says more than a timeout here.
   */
  timeoutMs?: number | undefined
  /** How often a call is retried that is safe to retry. 0 means never; the default is 3. */
  maxRetries?: number | undefined
  /** The maximum charge of each call, in credits. By default there is none. */
  maxCredits?: number | undefined
  /**
   * Keeps records, parts of records, and pages of results with their tags, for example `new MemoryCache()`. A repeated call
   * asks whether its data has changed, and is free if it has not. By default nothing is kept.
   */
  cache?: ResponseCache | undefined
  /**
   * Where each attempt (`debug`) and each retry (`info`) is logged, for example `console`. A line has the method, the path,
   * the status, the time and the request id, and never a key, a query or a body. By default nothing is logged.
   */
  logger?: Logger | undefined
}

/** The options of each call. */
export interface CallOptions {
  /** Aborts the call and everything that follows from it. The call rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** The timeout of this call, in milliseconds, instead of the client's. */
  timeoutMs?: number | undefined
  /** The maximum number of retries of this call, instead of the client's. */
  maxRetries?: number | undefined
  /** The maximum charge of this call, in credits, instead of the client's. For a job, the charge of all its stages. */
  maxCredits?: number | undefined
  /** Headers to add to the request. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The options of waiting for a job. To wait one minute at most, pass `signal: AbortSignal.timeout(60_000)`. */
export interface WaitOptions extends CallOptions {
  /** Called with the job after each poll, the last time when the job has ended. */
  onProgress?: ((job: Job) => void | Promise<void>) | undefined
}

/** The options of a call that starts a job. `onProgress` is called while its rows are iterated. */
export interface JobOptions extends WaitOptions {
  /**
   * Within 24 hours, the same key with the same request does not start a second job. By default each call has its own key,
   * so that its retries are safe. Pass a key to be safe beyond the life of this process.
   */
  idempotencyKey?: string | undefined
}

export interface Settings {
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  readonly maxCredits: number | undefined
  readonly cache: ResponseCache | undefined
  readonly logger: Logger | undefined
}

const LOCAL_URL = 'http://127.0.0.1:8080'
const TIMEOUT_MS = 310_000
const MAX_RETRIES = 3

/** @throws LotlineError `missing_api_key`; TypeError or RangeError for invalid options */
export function readSettings(options: LotlineOptions): Settings {
  const apiKey = options.apiKey ?? findInEnvironment('LOTLINE_API_KEY')
  if (!apiKey) {
    throw new LotlineError({
      code: 'missing_api_key',
      message: 'The API key is missing. Pass new Lotline({ apiKey }), or set LOTLINE_API_KEY.',
    })
  }
  const baseUrl = options.baseUrl ?? findInEnvironment('LOTLINE_BASE_URL') ?? LOCAL_URL
  if (!/^https?:\/\/[^/?#]+[^?#]*$/i.test(baseUrl)) {
    throw new TypeError(`baseUrl must be a URL such as https://api.example.com, not ${baseUrl}.`)
  }
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // The global fetch is looked up at each call, so that a later replacement takes effect.
    fetch: options.fetch ?? ((request, init) => globalThis.fetch(request, init)),
    timeoutMs: readTimeoutMs(options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: readMaxRetries(options.maxRetries ?? MAX_RETRIES),
    maxCredits: readMaxCredits(options.maxCredits),
    cache: options.cache,
    logger: options.logger,
  }
}

export function readTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0))
    throw new RangeError(`timeoutMs must be a number of milliseconds above 0, not ${timeoutMs}.`)
  return timeoutMs
}

export function readMaxRetries(maxRetries: number): number {
  if (!(maxRetries >= 0)) throw new RangeError(`maxRetries must be 0 or more, not ${maxRetries}.`)
  return maxRetries
}

export function readMaxCredits(maxCredits: number | undefined): number | undefined {
  if (maxCredits !== undefined && !(Number.isSafeInteger(maxCredits) && maxCredits >= 0))
    throw new RangeError(`maxCredits must be a whole number of 0 or more, not ${maxCredits}.`)
  return maxCredits
}

function findInEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
    return process?.env?.[name] || undefined
  } catch {
    // Deno asks the user for permission before it reads the environment.
    return undefined
  }
}

/** The options of a call that creates something. */
export interface IdempotentOptions {
  /** Makes the call safe to repeat for 24 hours: a repetition with the same key returns the first response again. */
  idempotencyKey?: string | undefined
}

/**
 * Returns what a retry of a call that creates something could do. Without an idempotency key, a call that may have
 * been executed is not retried.
 */
export function repeatable(idempotencyKey: string | undefined): {
  readonly repetition: 'acts' | 'safe'
  readonly idempotencyKey: string | undefined
} {
  return { repetition: idempotencyKey === undefined ? 'acts' : 'safe', idempotencyKey }
}
