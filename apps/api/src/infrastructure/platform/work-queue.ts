// A queue for expensive work: a fixed number of places, which accounts share in turns (fair-turns.ts).

import { FairTurns } from './fair-turns.ts'

export interface WorkQueue {
  /**
   * @param account the account of the work; work without an account waits like that of one account
   * @throws the signal's reason if it aborts while waiting; without a signal, it waits without a limit
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal, account?: string): Promise<T>
}

/**
 * @param places how much work may run at a time
 * @param rest how long a place stays empty while work waits, as a share of the time for which it was taken
 */
export function createWorkQueue(places: number, rest: number): WorkQueue {
  const turns = new FairTurns<() => void>()

  function leave(account: string): void {
    turns.release(account)
    turns.next()?.()
  }

  /** Waiting work is bounded by the calls under way: it leaves the queue when its client disconnects or its time is over. */
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
