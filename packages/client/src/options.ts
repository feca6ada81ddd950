// What the client and each call can be told, and where the client finds what it is not told.

import type { Job } from './contract.ts'
import type { Fetch } from './core/attempt.ts'
import { LotlineError } from './errors.ts'

export interface LotlineOptions {
  /** The key, `lot_…`. Left out, it is the environment's `LOTLINE_API_KEY`. */
  apiKey?: string | undefined
  /**
   * Where the service is, for example `https://api.example.com`, without `/v1`. Left out, it is the environment's
   * `LOTLINE_BASE_URL`, and without that `http://127.0.0.1:8080`, where a service on this machine listens.
   */
  baseUrl?: string | undefined
  /** Sends the requests instead of the global `fetch`: for proxies, for logs, for tests. It honours the signal it gets. */
  fetch?: Fetch | undefined
  /**
   * How long one attempt may take, up to the last byte of its answer; milliseconds. Left out, it is 310,000: the service
   * itself ends a call after 5 minutes, and its answer says more than a time-out here.
   */
  timeoutMs?: number | undefined
  /** How often a call is repeated that may be repeated, 0 for never. Left out, it is 3. */
  maxRetries?: number | undefined
}

/** What any single call can be told. */
export interface CallOptions {
  /** Ends the call, and everything that follows from it; it rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Instead of the client's. */
  timeoutMs?: number | undefined
  /** Instead of the client's. */
  maxRetries?: number | undefined
  /** Sent along with the call. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** What waiting for a job can be told. To wait no longer than a minute, give `signal: AbortSignal.timeout(60_000)`. */
export interface WaitOptions extends CallOptions {
  /** Called with the job as often as it was asked after, the last time when it has ended. */
  onProgress?: ((job: Job) => void | Promise<void>) | undefined
}

/** What a call that starts a job can be told; `onProgress` counts when its rows are iterated. */
export interface JobOptions extends WaitOptions {
  /**
   * Within 24 hours the same key with the same request starts no second job. Left out, each call has a key of its own,
   * so that its repetitions are safe; give one to be safe beyond the life of this process.
   */
  idempotencyKey?: string | undefined
}

export interface Settings {
  readonly apiKey: string
  readonly baseUrl: string
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly maxRetries: number
}

const LOCAL_URL = 'http://127.0.0.1:8080'
const TIMEOUT_MS = 310_000
const MAX_RETRIES = 3

/** @throws LotlineError `missing_api_key`; TypeError and RangeError for options that cannot be meant */
export function readSettings(options: LotlineOptions): Settings {
  const apiKey = options.apiKey ?? findInEnvironment('LOTLINE_API_KEY')
  if (!apiKey) {
    throw new LotlineError({
      code: 'missing_api_key',
      message: 'There is no API key. Give new Lotline({ apiKey }), or set LOTLINE_API_KEY.',
    })
  }
  const baseUrl = options.baseUrl ?? findInEnvironment('LOTLINE_BASE_URL') ?? LOCAL_URL
  if (!/^https?:\/\/[^/?#]+[^?#]*$/i.test(baseUrl)) {
    throw new TypeError(`baseUrl is like https://api.example.com, not ${baseUrl}.`)
  }
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    // Looked up at each call, so that whoever replaces the global one later is heard.
    fetch: options.fetch ?? ((request, init) => globalThis.fetch(request, init)),
    timeoutMs: readTimeoutMs(options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: readMaxRetries(options.maxRetries ?? MAX_RETRIES),
  }
}

export function readTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0))
    throw new RangeError(`timeoutMs is a number of milliseconds above 0, not ${timeoutMs}.`)
  return timeoutMs
}

export function readMaxRetries(maxRetries: number): number {
  if (!(maxRetries >= 0)) throw new RangeError(`maxRetries is a number of at least 0, not ${maxRetries}.`)
  return maxRetries
}

function findInEnvironment(name: string): string | undefined {
  try {
    const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
    return process?.env?.[name] || undefined
  } catch {
    // Deno asks for permission before it shows the environment.
    return undefined
  }
}
