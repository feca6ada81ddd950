// How many questions may be with the source at a time. Whoever finds no slot waits, first come first served, until one
// is free or their own patience ends.

export interface Slots {
  /** Rejects with the signal's reason when that comes first. */
  take(signal: AbortSignal): Promise<Slot>
}

export interface Slot {
  /** A second call does nothing. */
  release(): void
}

export interface SlotsOptions {
  readonly count: number
  /**
   * How long a question counts. One that takes longer goes on, but its slot is free for another: questions that hang
   * must not keep those waiting that come after the source has recovered.
   */
  readonly heldMs: number
}

export function createSlots({ count, heldMs }: SlotsOptions): Slots {
  let free = count
  /** A Set keeps the order of arrival and lets go of anyone who leaves. */
  const waiting = new Set<() => void>()

  function hold(): Slot {
    let held = true
    const release = () => {
      if (!held) return
      held = false
      clearTimeout(timer)
      const [next] = waiting
      if (next) {
        waiting.delete(next)
        next()
      } else free++
    }
    const timer = setTimeout(release, heldMs)
    timer.unref()
    return { release }
  }

  return {
    take(signal) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason)
        if (free > 0) {
          free--
          return resolve(hold())
        }
        const enter = () => {
          signal.removeEventListener('abort', leave)
          resolve(hold())
        }
        const leave = () => {
          waiting.delete(enter)
          reject(signal.reason)
        }
        waiting.add(enter)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
  }
}
