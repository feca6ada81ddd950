// What a file in rows/ is: the figures that it promises, and how they are measured. A promised figure that is not
// returned, or whose measurement fails, is in the table all the same, with the reason.

import type { Bench } from './bench.ts'
import { type Measure, type Row, type Samples, toMissingRow, toRow } from './row.ts'

export interface Measurement {
  /** The name for `--only`. */
  readonly name: string
  /** The measurement takes long. It runs only with `--only` or `--all`. */
  readonly onlyWhenAsked?: true
  readonly measures: readonly Measure[]
  /** Samples by the position of their measure; a text says why there are none. */
  run(bench: Bench): Promise<readonly (Samples | string)[]>
}

export async function measure(measurement: Measurement, bench: Bench): Promise<Row[]> {
  try {
    const results = await measurement.run(bench)
    return measurement.measures.map((one, index) => {
      const result = results[index] ?? 'the measurement gave no figure'
      return typeof result === 'string' ? toMissingRow(one, result) : toRow(one, result)
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return measurement.measures.map((one) => toMissingRow(one, reason))
  }
}
