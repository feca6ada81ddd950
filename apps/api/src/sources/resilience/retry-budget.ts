// How many questions may be asked again. Retries help against single faults, and make an overload worse: so they are a
// share of what is asked, and a source that fails for everyone soon gets hardly more than the first questions.

export interface RetryBudget {
  /** A question was asked for the first time. */
  earn(): void
  /** Whether one may be asked again, which then counts. */
  spend(): boolean
}

export interface RetryBudgetOptions {
  /** Retries for each question, such as 0.1. */
  readonly share: number
  /** Retries for each second, so that rare questions may be asked again as well. */
  readonly perSecond: number
  /** The most that can be saved up, and what there is at the start. */
  readonly most: number
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number
}

export function createRetryBudget({ share, perSecond, most, now }: RetryBudgetOptions): RetryBudget {
  let saved = most
  let savedAt = now()

  function save(amount: number): void {
    const at = now()
    saved = Math.min(most, saved + amount + ((at - savedAt) / 1000) * perSecond)
    savedAt = at
  }

  return {
    earn: () => save(share),
    spend() {
      save(0)
      // Ten shares of 0.1 do not add up to 1 in floating point.
      if (saved < 1 - 1e-9) return false
      saved = Math.max(0, saved - 1)
      return true
    },
  }
}
