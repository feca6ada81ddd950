// One request in flight per key. Further calls wait in arrival order and are never turned away; one that is given up
// leaves the queue at once.

import { type ProcessLease, SOLE_PROCESS } from '../processes/process-lease.ts'
import { type KeyQueues, LimitsUnavailable, type Slot } from './limits.ts'

/** Without the standing nobody is let to the front. */
export function createKeyQueues(standing: ProcessLease = SOLE_PROCESS): KeyQueues {
  /** A key is here while one call is in flight; the set holds how to admit those behind it, in order of arrival. */
  const queues = new Map<string, Set<() => void>>()

  function slotOf(keyId: string): Slot {
    let held = true
    const { losses } = standing
    return {
      get lost() {
        return !standing.held || standing.losses !== losses
      },
      release() {
        if (!held) return
        held = false
        const waiting = queues.get(keyId)!
        const [admitNext] = waiting
        if (!admitNext) {
          queues.delete(keyId)
          return
        }
        waiting.delete(admitNext)
        admitNext()
      },
    }
  }

  return {
    take(keyId, patience) {
      if (!standing.held) return Promise.reject(new LimitsUnavailable('Another process counts the calls.'))
      const waiting = queues.get(keyId)
      if (!waiting) {
        queues.set(keyId, new Set())
        return Promise.resolve(slotOf(keyId))
      }
      const { signal } = patience
      return new Promise((resolve, reject) => {
        const admit = () => {
          signal.removeEventListener('abort', leave)
          resolve(slotOf(keyId))
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
