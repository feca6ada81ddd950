// Repeats work: `retry` after a temporary failure, `poll` until there is a result. Both have the same bounds. A rule of
// tools/tidy forbids such loops elsewhere, so that each has a bound, a pause, and an end when its signal aborts.
// Why: decisions/infrastructure/retry-and-poll.md

/** Bounds of the repetition. Without `attempts` and `timeoutMs`, it continues until it succeeds or aborts. */
export interface RetryBounds {
  /** Including the first one. */
  readonly attempts?: number
  /** No attempt begins later than this many milliseconds after the first one. */
  readonly timeoutMs?: number
  /** Pause after each attempt in milliseconds. 0: the next one follows immediately. */
  readonly pauseMs: number | ((attempt: number, error?: unknown) => number)
  readonly signal?: AbortSignal | undefined
}

export interface RetryOptions extends RetryBounds {
  /** Whether a failure is temporary. Called only if there is time for another attempt. If it throws, the retries end. */
  readonly mayPass: (error: unknown, pauseMs: number) => boolean
}

/**
 * Repeats the work while its failures are temporary.
 *
 * @throws the last failure, or the signal's reason if it aborts during a pause
 */
export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      const pauseMs = findPause(options, startedAt, attempt, error)
      if (pauseMs === undefined || !options.mayPass(error, pauseMs)) throw error
      await pause(pauseMs, options.signal)
    }
  }
}

/** Polls until there is a result. Returns undefined if there was none in time, or if the signal aborted. */
export async function poll<T>(
  look: (attempt: number) => T | undefined | Promise<T | undefined>,
  bounds: RetryBounds,
): Promise<T | undefined> {
  const startedAt = performance.now()
  for (let attempt = 1; !bounds.signal?.aborted; attempt++) {
    const found = await look(attempt)
    if (found !== undefined) return found
    const pauseMs = findPause(bounds, startedAt, attempt)
    if (pauseMs === undefined) return undefined
    await pause(pauseMs, bounds.signal).catch(() => {})
  }
  return undefined
}

/** Returns undefined if there is no further attempt. */
function findPause(
  { attempts, timeoutMs, pauseMs }: RetryBounds,
  startedAt: number,
  attempt: number,
  error?: unknown,
): number | undefined {
  if (attempts !== undefined && attempt >= attempts) return undefined
  const ms = typeof pauseMs === 'number' ? pauseMs : pauseMs(attempt, error)
  if (timeoutMs !== undefined && performance.now() + ms > startedAt + timeoutMs) return undefined
  return ms
}

/**
 * Pauses that double with each attempt, up to a maximum.
 *
 * @param random adds jitter: a pause is then between 0 and twice the previous one, so that clients that failed together do not
 *   retry together
 */
export function exponentialBackoff(
  firstMs: number,
  longestMs: number,
  random = () => 1,
): (attempt: number) => number {
  return (attempt) => random() * Math.min(longestMs, firstMs * 2 ** (attempt - 1))
}

/** Resolves after `ms`, or rejects with the signal's reason if it aborts first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.reject(signal.reason)
  if (ms <= 0) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal!.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
