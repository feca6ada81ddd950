// A row of the table: what is measured, what it must reach, and what came out.

import { type Figure, figureOf, ratioOf } from './statistics.ts'

export interface Target {
  /** The judged value: our own figure or its ratio to the baseline. */
  readonly of: 'ours' | 'ratio'
  readonly bound: 'at least' | 'at most'
  readonly value: number
}

export interface Measure {
  readonly name: string
  readonly unit: string
  /** Absent: listed, and not judged. */
  readonly target?: Target
}

/** Samples, one a round. Those of the baseline, where there is one, belong to the same rounds. */
export interface Samples {
  readonly ours: readonly number[]
  readonly baseline?: readonly number[]
  /** A note that a reader needs to interpret the figure correctly. */
  readonly note?: string
}

export interface Row {
  readonly name: string
  /** null: it could not be measured; `note` says why. */
  readonly ours: number | null
  readonly baseline: number | null
  readonly ratio: number | null
  /** The target as text for people. `bound` contains its parts. */
  readonly target: string | null
  readonly bound: Target | null
  readonly unit: string
  /** null: there is no target, or nothing to judge. */
  readonly met: boolean | null
  readonly spread: { readonly ours: Figure | null; readonly baseline: Figure | null }
  readonly note: string | null
}

export function toRow(measure: Measure, samples: Samples): Row {
  const ours = figureOf(samples.ours)
  const baseline = samples.baseline ? figureOf(samples.baseline) : null
  const ratio = samples.baseline ? ratioOf(samples.ours, samples.baseline) : null
  return {
    ...headOf(measure),
    ours: ours.median,
    baseline: baseline?.median ?? null,
    ratio,
    met: judge(measure.target, ours.median, ratio),
    spread: { ours, baseline },
    note: samples.note ?? null,
  }
}

/** A row that could not be measured says so; it is not left out. */
export function toMissingRow(measure: Measure, reason: string): Row {
  return {
    ...headOf(measure),
    ours: null,
    baseline: null,
    ratio: null,
    met: null,
    spread: { ours: null, baseline: null },
    note: `not measured: ${reason}`,
  }
}

export function targetText({ of, bound, value }: Target, unit: string): string {
  const sign = bound === 'at least' ? '≥' : '≤'
  return of === 'ratio' ? `${sign} ${value} ×` : `${sign} ${value.toLocaleString('en-US')} ${unit}`
}

function headOf({ name, unit, target }: Measure) {
  return { name, unit, target: target ? targetText(target, unit) : null, bound: target ?? null }
}

function judge(target: Target | undefined, ours: number, ratio: number | null): boolean | null {
  if (!target) return null
  const value = target.of === 'ours' ? ours : ratio
  if (value === null) return null
  return target.bound === 'at least' ? value >= target.value : value <= target.value
}
