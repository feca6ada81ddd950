// The few numbers that sum up a round of measurements. Medians, because one disturbed round must not move a figure;
// and the least and the greatest beside them, because a median alone hides how far rounds lay apart.

export interface Figure {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** The value below which the given part of the samples lies (nearest rank). `part` is from 0 to 1. */
export function quantile(samples: readonly number[], part: number): number {
  if (samples.length === 0) throw new RangeError('A quantile needs at least one sample.')
  const sorted = [...samples].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))]!
}

/** The middle sample, or the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  if (samples.length === 0) throw new RangeError('A median needs at least one sample.')
  const sorted = [...samples].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export function figureOf(samples: readonly number[]): Figure {
  return { median: median(samples), min: Math.min(...samples), max: Math.max(...samples) }
}

/**
 * Ours over the baseline: the median of the ratios of each round, since the two of one round were measured under the
 * same load of the machine.
 */
export function ratioOf(ours: readonly number[], baseline: readonly number[]): number {
  if (ours.length !== baseline.length)
    throw new RangeError('Both sides must have the same number of samples, one per round.')
  return median(ours.map((value, round) => value / baseline[round]!))
}
