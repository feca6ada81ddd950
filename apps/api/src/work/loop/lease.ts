// A temporary, exclusive right to do a piece of work. The holder checks `stopping` at each checkpoint and passes `signal` to long
// operations. The loop (work-loop.ts) renews the lease and reports its loss.

/** Another process may hold the lease. The holder must not write anything. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** The process is stopping, and the next checkpoint is too far away to wait for it. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

export class Lease {
  /** The expiry on this process's monotonic clock, in milliseconds; never later than the real one. */
  heldUntil: number
  /** Whether the run has stored a checkpoint since the claim. If it has, cancelled work does not start over. */
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

  /** Whether to stop at the next checkpoint. */
  get stopping(): boolean {
    return this.#stopping
  }

  /** Whether to stop at the next checkpoint, because another account's work needs the place. */
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

  /** Ends the lease and aborts the remaining queries of the work. */
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
