// Runs one request per key at a time. Further calls wait in order of arrival and are never refused. A cancelled call leaves the
// queue immediately.

import { type ProcessLease, SOLE_PROCESS } from '../../infrastructure/processes.ts'
import { type KeyQueues, LimitsUnavailable, type Slot } from './limits.ts'

/** Without the process lease, no call gets a slot. */
export function createKeyQueues(processLease: ProcessLease = SOLE_PROCESS): KeyQueues {
  /** Has an entry for each key with a call in flight. The set holds the functions that admit the waiting calls, in order of arrival. */
  const queues = new Map<string, Set<() => void>>()

  function admitNext(keyId: string): void {
    const waiting = queues.get(keyId)!
    const [next] = waiting
    if (!next) {
      queues.delete(keyId)
      return
    }
    waiting.delete(next)
    next()
  }

  // A class, because each lookup takes a slot, and an object with its own getter costs a microsecond more.
  class HeldSlot implements Slot {
    readonly #keyId: string
    readonly #losses = processLease.losses
    #isHeld = true

    constructor(keyId: string) {
      this.#keyId = keyId
    }

    get lost(): boolean {
      return !processLease.held || processLease.losses !== this.#losses
    }

    release(): void {
      if (!this.#isHeld) return
      this.#isHeld = false
      admitNext(this.#keyId)
    }
  }

  return {
    take(keyId, waitOptions) {
      if (!processLease.held)
        return Promise.reject(
          new LimitsUnavailable(
            'This process lost its lease on the limits. Another process counts the calls now.',
          ),
        )
      const waiting = queues.get(keyId)
      if (!waiting) {
        queues.set(keyId, new Set())
        return Promise.resolve(new HeldSlot(keyId))
      }
      const { signal } = waitOptions
      return new Promise((resolve, reject) => {
        const admit = () => {
          signal.removeEventListener('abort', leave)
          resolve(new HeldSlot(keyId))
        }
        const leave = () => {
          waiting.delete(admit)
          reject(signal.reason)
        }
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', leave, { once: true })
        waiting.add(admit)
      })
    },
    get size() {
      return queues.size
    },
  }
}
