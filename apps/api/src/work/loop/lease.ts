// The right to work on something, for a while. Its holder asks `stopping` at each checkpoint and passes `signal` to
// whatever takes long; the loop (work-loop.ts) renews it, and tells the holder when it is lost.

/** Another process may hold the lease by now. Nothing may be written any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The process ends, and the next checkpoint is too far away to wait for it. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

export class Lease {
  /** On this process's monotonic clock, in milliseconds; never later than it truly is. */
  heldUntil: number
  /** Whether something was recorded since the claim: cancelled work then does not begin again where it began. */
  hasProgress = false
  #stopping = false
  #yielding = false
  readonly #controller = new AbortController()

  constructor(heldUntil: number) {
    this.heldUntil = heldUntil
  }

  /** Aborts with `LeaseLost` or `Stopping`. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether to leave the work at the next checkpoint. */
  get stopping(): boolean {
    return this.#stopping
  }

  /** Whether to leave the work at the next checkpoint, because another account's work needs the place. */
  get yielding(): boolean {
    return this.#yielding
  }

  get lost(): boolean {
    return this.#controller.signal.reason instanceof LeaseLost
  }

  lose(): void {
    this.#controller.abort(new LeaseLost())
  }

  stop(): void {
    this.#stopping = true
  }

  giveWay(): void {
    this.#yielding = true
  }

  abort(): void {
    this.#controller.abort(new Stopping())
  }

  /** The work is over, however it ended: its remaining queries are aborted. */
  end(): void {
    this.abort()
  }

  /** Resolves after `ms`, or as soon as the signal aborts. */
  pause(ms: number): Promise<void> {
    if (this.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      this.signal.addEventListener('abort', end, { once: true })
    })
  }
}
