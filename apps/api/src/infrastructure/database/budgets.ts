// Budgets: limits per minute, hour, or day that all processes share and that survive restarts. Each is declared in one line where
// it is used, and all are rows of one table (migrations/0015_processes.sql). A window begins with its first take. Limits that must
// cost no statement, such as guesses, are buckets in memory (platform/token-buckets.ts).
// Why: decisions/infrastructure/one-table-of-budgets.md
// Why: decisions/money/budget-windows-do-not-slide.md

import type { Queryable } from './queryable.ts'

export interface Budget {
  /** The name of the budget in the table. */
  readonly kind: string
  readonly perMinute?: number
  readonly perHour?: number
  readonly perDay?: number
}

/** The lengths of the windows in seconds, as the table has them. */
export const WINDOW_SECONDS = { perMinute: 60, perHour: 3_600, perDay: 86_400 } as const

/** `subject`: the id of an account, or a hash of personal data. */
export type BudgetOfSubject = readonly [budget: Budget, subject: string]

interface BudgetRow {
  readonly taken: number
  readonly bound: number
  readonly left_ms: readonly number[]
}

/** Takes one from each budget. If one is used up, takes nothing and returns the whole seconds to wait; otherwise returns undefined. */
export async function takeBudget(
  database: Queryable,
  ...wanted: readonly BudgetOfSubject[]
): Promise<number | undefined> {
  const windows = wanted.flatMap(([budget, subject]) =>
    (['perMinute', 'perHour', 'perDay'] as const).flatMap((name) => {
      const limit = budget[name]
      return limit === undefined ? [] : { kind: budget.kind, subject, seconds: WINDOW_SECONDS[name], limit }
    }),
  )
  const { rows } = await database.query<BudgetRow>('select * from take_budgets(1, $1, $2, $3, $4)', [
    windows.map(({ kind }) => kind),
    windows.map(({ subject }) => subject),
    windows.map(({ seconds }) => seconds),
    windows.map(({ limit }) => limit),
  ])
  const { taken, bound, left_ms } = rows[0]!
  return taken === 1 ? undefined : Math.max(1, Math.ceil(left_ms[bound - 1]! / 1000))
}
