// Limits concurrent queries to the provider, and decides which query is next. Synchronous calls come before jobs, which keep a small share
// so that no number of calls stops them. Within both groups, accounts take turns (platform/fair-turns.ts): four jobs of 500 entries delay
// another account's query by one result.

import { FairTurns } from '../../../infrastructure/platform.ts'
import type { QueryOwner } from '../provider.ts'

export interface Semaphore {
  /** Resolves when the query may be sent. Rejects with the signal's reason if the signal aborts first. */
  take(signal: AbortSignal, owner?: QueryOwner): Promise<Permit>
}

/** The permission to send one query, until it is released. */
export interface Permit {
  /** A second call does nothing. */
  release(): void
}

/** A semaphore that can also give a permit without waiting. */
export interface LocalSemaphore extends Semaphore {
  /** undefined: no permit is free now. */
  takeFree(owner?: QueryOwner): Permit | undefined
}

export interface SemaphoreOptions {
  readonly count: number
  /**
   * How long a permit counts, in milliseconds. A query that takes longer continues, but its permit is free for another query: queries that
   * hang must not delay those that come after the provider has recovered.
   */
  readonly heldMs: number
  /** The maximum of permits that jobs hold at a time. The rest is for synchronous calls. Default: all. */
  readonly background?: number
  /** While jobs hold fewer permits than this, their queries come before those of synchronous calls. Default: 0. */
  readonly backgroundFirst?: number
}

interface PermitRequest {
  enter(): void
}

const NO_OWNER: QueryOwner = { account: '', background: false }

export function createSemaphore(options: SemaphoreOptions): LocalSemaphore {
  const { count, heldMs, background: mostBackground = count, backgroundFirst = 0 } = options
  const calls = new FairTurns<PermitRequest>()
  const jobs = new FairTurns<PermitRequest>()

  function fill(): void {
    while (calls.held + jobs.held < count) {
      const next = chooseNext()
      if (!next) return
      next.enter()
    }
  }

  function chooseNext(): PermitRequest | undefined {
    if (jobs.held >= mostBackground) return calls.next()
    return jobs.held < backgroundFirst ? (jobs.next() ?? calls.next()) : (calls.next() ?? jobs.next())
  }

  function hold(lane: FairTurns<PermitRequest>, account: string): Permit {
    lane.hold(account)
    let held = true
    const release = () => {
      if (!held) return
      held = false
      clearTimeout(timer)
      lane.release(account)
      fill()
    }
    const timer = setTimeout(release, heldMs)
    timer.unref()
    return { release }
  }

  return {
    takeFree({ account, background } = NO_OWNER) {
      const isFree = calls.held + jobs.held < count && (!background || jobs.held < mostBackground)
      return isFree ? hold(background ? jobs : calls, account) : undefined
    },
    take(signal, { account, background } = NO_OWNER) {
      const lane = background ? jobs : calls
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        const waiting: PermitRequest = {
          enter() {
            signal.removeEventListener('abort', leave)
            resolve(hold(lane, account))
          },
        }
        const leave = () => {
          lane.leave(account, waiting)
          reject(signal.reason)
        }
        lane.wait(account, waiting)
        signal.addEventListener('abort', leave, { once: true })
        fill()
      })
    },
  }
}
