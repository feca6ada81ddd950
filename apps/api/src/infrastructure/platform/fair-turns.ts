// The rule by which accounts share places in this process: the account with the fewest under way comes first, and accounts with
// equally many take turns. The provider's semaphore, the lines for long computations, and long bodies follow it. Over all
// processes, claim_jobs and claim_deliveries follow the same rule in the database: by turn, then by due time.
// Why: decisions/infrastructure/fair-turns.md

/** The holders of places and the waiters for one, by account. How many places there are is decided elsewhere. */
export class FairTurns<T> {
  #holding = 0
  readonly #held = new Map<string, number>()
  /** Accounts in the order in which they were last served; those that wait of each, in the order of arrival. */
  readonly #waiting = new Map<string, Set<T>>()

  /** Places that are held. */
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

  /** Removes the one whose turn it is. undefined: none waits. */
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
    // To the end: accounts with equally many take turns.
    this.#waiting.delete(chosen)
    if (queue.size > 0) this.#waiting.set(chosen, queue)
    return waiting
  }
}
