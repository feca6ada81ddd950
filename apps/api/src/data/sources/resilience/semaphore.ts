// Limits how many queries the provider has at a time, and decides which is next. Synchronous calls come before jobs, which
// keep a small share of their own so that no number of calls stops them. Within each of the two, accounts take turns
// (platform/fair-turns.ts): one account's four jobs of 500 entries delay another's query by one answer.

import { FairTurns } from '../../../infrastructure/platform.ts'
import type { QueryOwner } from '../provider.ts'

export interface Semaphore {
  /** Resolves when the query may be sent. Rejects with the signal's reason when that comes first. */
  take(signal: AbortSignal, owner?: QueryOwner): Promise<Permit>
}

/** The right to send one query, until it is released. */
export interface Permit {
  /** A second call does nothing. */
  release(): void
}

/** A semaphore of which a permit can be taken without waiting. */
export interface LocalSemaphore extends Semaphore {
  /** undefined: none is free now. */
  takeFree(owner?: QueryOwner): Permit | undefined
}

export interface SemaphoreOptions {
  readonly count: number
  /**
   * How long a query counts, in milliseconds. One that takes longer continues, but its slot is free for another: queries
   * that hang must not delay those that come after the provider has recovered.
   */
  readonly heldMs: number
  /** The most slots that jobs hold at a time; the rest is for synchronous calls alone. Default: all. */
  readonly background?: number
  /** While jobs hold fewer slots than this, their queries come before those of synchronous calls. Default: 0. */
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
