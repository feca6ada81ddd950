// Decides how the verdict on a recorded call may differ from the recorded one: an accepted call must stay accepted.

import type { CallVerdict, RecordedCall } from './call.ts'

export interface Difference {
  /** The difference in words. */
  readonly change: string
  readonly call: RecordedCall
}

/** Finds a difference that breaks the client of the call. A call that was refused may now be accepted. */
export function findDifference(
  recorded: RecordedCall & CallVerdict,
  verdict: CallVerdict,
): Difference | undefined {
  const { code, ignored = [], ...call } = recorded
  if (verdict.code !== undefined && verdict.code !== code) {
    const before = code === undefined ? 'accepted' : `refused with ${code}`
    return { change: `was ${before}, is refused with ${verdict.code}`, call }
  }
  const useless = (verdict.ignored ?? []).find((name) => !ignored.includes(name))
  if (code !== undefined || useless === undefined) return undefined
  return { change: `${useless} had an effect, is ignored`, call }
}

/** @returns the differences as lines for people: one for each operation and kind, with the first such call */
export function describe(differences: readonly Difference[]): readonly string[] {
  const kinds = Map.groupBy(differences, ({ change, call }) => `${call.id}: ${change}`)
  return [...kinds].map(([kind, [first, ...others]]) => {
    const { id: _, ...input } = first!.call
    const text = JSON.stringify(input)
    const shown = text.length > 300 ? `${text.slice(0, 297)}...` : text
    return `${kind} (${others.length + 1} of the recorded calls)\n  ${shown}`
  })
}
