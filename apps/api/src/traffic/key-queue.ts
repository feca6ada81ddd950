// One request in flight per key. Further calls wait in arrival order and are never turned away; one that is given up
// leaves the queue at once.

/** A place at the front. Giving it back again does nothing. */
export interface Slot {
  release(): void
}

/** Who waits. The signal is asked for only when there is something to wait for. */
export interface Patience {
  readonly signal: AbortSignal
}

export interface KeyQueues {
  /** Resolves when it is this call's turn. Rejects with the signal's reason when it is given up while waiting. */
  take(keyId: string, patience: Patience): Promise<Slot>
  /** Keys that have a call in flight: 0 when the process is idle. */
  readonly size: number
}

export function createKeyQueues(): KeyQueues {
  /** A key is here while one call is in flight; the set holds how to admit those behind it, in order of arrival. */
  const queues = new Map<string, Set<() => void>>()

  function slotOf(keyId: string): Slot {
    let held = true
    return {
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
