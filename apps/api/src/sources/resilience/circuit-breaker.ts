// Stops asking a source that does not answer, so that callers learn it at once and the source can recover. While the
// circuit is open, one question in each interval is let through to see whether it has; the first that is answered
// closes it. Probes do not wait for each other, so one that hangs delays nothing: after the source's recovery the
// circuit is closed within one interval and one answer. (cockatiel's breaker lets all others wait for its probe, which
// may hang for the whole of a question's time, and closes when the probe's caller leaves.)

export type CircuitState = 'closed' | 'open'

/** One question under way. At most one of its functions is called; none when it was given up unanswered. */
export interface Passage {
  /** The source answered, whatever it said. */
  answered(): void
  /** The source could not be reached, was overloaded or took too long. */
  failed(): void
}

export interface CircuitBreaker {
  /** Whether a question may be asked now. */
  readonly permits: boolean
  /** To be called when a question is asked; undefined when it may not be. */
  enter(): Passage | undefined
}

export interface CircuitBreakerOptions {
  /** This many consecutive failures open it. */
  readonly failuresInARow: number
  /** And so does this share (0 to 1) of the last `sample` questions. */
  readonly share: number
  readonly sample: number
  /** While it is open, one question is let through in each such interval. */
  readonly probeEveryMs: number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
  readonly onChange?: ((state: CircuitState) => void) | undefined
}

export function createCircuitBreaker(options: CircuitBreakerOptions): CircuitBreaker {
  const { failuresInARow, share, sample, probeEveryMs, now, onChange } = options
  let state: CircuitState = 'closed'
  let lastProbeAt = 0
  let inARow = 0
  /** The last questions while it was closed; true: failed. */
  let outcomes: boolean[] = []

  function change(next: CircuitState): void {
    state = next
    lastProbeAt = now()
    inARow = 0
    outcomes = []
    onChange?.(next)
  }

  function note(failed: boolean): void {
    // What was asked before it opened says nothing about the source of now.
    if (state === 'open') return
    inARow = failed ? inARow + 1 : 0
    outcomes.push(failed)
    if (outcomes.length > sample) outcomes.shift()
    const tooMany = outcomes.length === sample && outcomes.filter(Boolean).length >= share * sample
    if (failed && (inARow >= failuresInARow || tooMany)) change('open')
  }

  const probeIsDue = () => now() - lastProbeAt >= probeEveryMs

  return {
    get permits() {
      return state === 'closed' || probeIsDue()
    },
    enter() {
      if (state === 'closed') return { answered: () => note(false), failed: () => note(true) }
      if (!probeIsDue()) return undefined
      lastProbeAt = now()
      return { answered: () => state === 'open' && change('closed'), failed: () => {} }
    },
  }
}
