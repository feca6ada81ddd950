// The figures for programs. A row has seven fields and keeps them; what explains a row stands beside it in `details`.

import type { Machine } from './machine.ts'
import type { Row, Target } from './row.ts'
import type { Figure } from './statistics.ts'

export interface Report {
  /** ISO 8601. */
  readonly measuredAt: string
  readonly machine: Machine
  readonly rounds: number
  /** How long a side was measured in a round. */
  readonly seconds: number
  readonly rows: readonly Pick<Row, 'name' | 'ours' | 'baseline' | 'ratio' | 'target' | 'unit' | 'met'>[]
  /** Details in the order of the rows. */
  readonly details: readonly {
    readonly name: string
    /** The target in parts; null: there is none. */
    readonly target: Target | null
    readonly spread: { readonly ours: Figure | null; readonly baseline: Figure | null }
    readonly note: string | null
  }[]
}

export function toReport(
  rows: readonly Row[],
  facts: { readonly machine: Machine; readonly rounds: number; readonly seconds: number },
): Report {
  return {
    measuredAt: new Date().toISOString(),
    ...facts,
    rows: rows.map(({ name, ours, baseline, ratio, target, unit, met }) => ({
      name,
      ours,
      baseline,
      ratio,
      target,
      unit,
      met,
    })),
    details: rows.map(({ name, bound, spread, note }) => ({ name, target: bound, spread, note })),
  }
}
