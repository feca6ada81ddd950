import type { Evidence } from './evidence.ts'

/**
 * One thing that must hold. Tells every contradiction that it finds, in words that lead to it, and returns how many
 * things it has looked at: a check that has looked at nothing has proven nothing.
 */
export type Check = (evidence: Evidence, tell: (contradiction: string) => void) => number | Promise<number>

/** Lists by a key, in the order given. */
export function groupBy<T>(all: Iterable<T>, keyOf: (one: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    if (key === null) continue
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

export function sum<T>(all: Iterable<T>, of: (one: T) => number): number {
  let total = 0
  for (const one of all) total += of(one)
  return total
}

export const TERMINAL: ReadonlySet<string> = new Set(['succeeded', 'failed', 'timed_out', 'aborted'])
