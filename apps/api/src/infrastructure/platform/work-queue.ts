// A queue for work that takes much of the processor or the database: so much at a time, and accounts take turns (fair-turns.ts).

import { FairTurns } from './fair-turns.ts'

/** Places for work. */
export interface WorkQueue {
  /**
   * @param account whose work it is; work of no account waits as that of one account of its own, in order of arrival
   * @throws the signal's reason while it waits; without a signal, it waits for as long as it takes
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal, account?: string): Promise<T>
}

/**
 * @param places how much work is under way at a time
 * @param rest how long a place stays empty while others wait for it, as a share of the time for which it was taken
 */
export function createWorkQueue(places: number, rest: number): WorkQueue {
  const turns = new FairTurns<() => void>()

  function leave(account: string): void {
    turns.release(account)
    turns.next()?.()
  }

  /** Those that wait are bounded by the calls under way: each leaves the queue when its client or its time does. */
  function waitForPlace(account: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', cancel)
        turns.hold(account)
        resolve()
      }
      const cancel = () => {
        turns.leave(account, enter)
        reject(signal?.reason)
      }
      turns.wait(account, enter)
      signal?.addEventListener('abort', cancel, { once: true })
    })
  }

  return {
    async run(work, signal, account = '') {
      signal?.throwIfAborted()
      if (turns.held < places) turns.hold(account)
      else await waitForPlace(account, signal)
      const began = performance.now()
      try {
        signal?.throwIfAborted()
        return await work()
      } finally {
        if (!turns.isAnyWaiting || rest === 0) leave(account)
        else setTimeout(leave, rest * (performance.now() - began), account)
      }
    },
  }
}
