// The rule by which accounts share places in this process: the account with the fewest places comes first, and accounts with
// equally many take turns. The provider's semaphore, the queues of long computations, and long bodies use it. Across processes,
// claim_jobs and claim_deliveries apply the same rule in the database: by turn, then by due time.

/** Counts held places and queues waiting work by account. The caller decides how many places there are. */
// Why: decisions/infrastructure/fair-turns.md
export class FairTurns<T> {
  #holding = 0
  readonly #held = new Map<string, number>()
  /** Accounts by the time they were last served, each with its waiting work in order of arrival. */
  readonly #waiting = new Map<string, Set<T>>()

  /** Held places. */
  get held(): number {
    return this.#holding
  }

  get isAnyWaiting(): boolean {
    return this.#waiting.size > 0
  }

  hold(account: string): void {
    this.#holding++
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1)
  }

  release(account: string): void {
    this.#holding--
    const left = this.#held.get(account)! - 1
    if (left > 0) this.#held.set(account, left)
    else this.#held.delete(account)
  }

  wait(account: string, waiting: T): void {
    const queue = this.#waiting.get(account)
    if (queue) queue.add(waiting)
    else this.#waiting.set(account, new Set([waiting]))
  }

  /** Stops waiting. */
  leave(account: string, waiting: T): void {
    const queue = this.#waiting.get(account)
    queue?.delete(waiting)
    if (queue?.size === 0) this.#waiting.delete(account)
  }

  /** Removes and returns the work whose turn it is. undefined: none waits. */
  next(): T | undefined {
    let chosen: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const account of this.#waiting.keys()) {
      const held = this.#held.get(account) ?? 0
      if (held < fewest) [chosen, fewest] = [account, held]
      if (held === 0) break
    }
    if (chosen === undefined) return undefined
    const queue = this.#waiting.get(chosen)!
    const [waiting] = queue
    queue.delete(waiting!)
    // Moved to the end, so that accounts with equally many places take turns.
    this.#waiting.delete(chosen)
    if (queue.size > 0) this.#waiting.set(chosen, queue)
    return waiting
  }
}
