// Which answers of the contract the tests have got. What is documented must be reached by a test, or stand with its
// reason on the list of what is not covered; and that list holds nothing else, so that it can only shrink.

import { type OperationId, operations } from '@lotline/contract'

/** Each of them a line: operation, status, and the error code or (of a success with a body) the media type. */
export interface Coverage {
  readonly documented: readonly string[]
  /** Documented, neither reached nor excused. */
  readonly missing: readonly string[]
  /** Listed as unreachable, but reached by a test. */
  readonly reachedAfterAll: readonly string[]
  /** Listed as unreachable, but not or no longer documented. */
  readonly unknown: readonly string[]
  /** Faults of the list itself, in words. */
  readonly faults: readonly string[]
}

/** `list` is the text of the uncovered file. */
export function judgeCoverage(reached: ReadonlySet<string>, list: string): Coverage {
  const documented = documentedAnswers()
  const { excused, faults } = readList(list)
  return {
    documented,
    missing: documented.filter((answer) => !reached.has(answer) && !excused.includes(answer)),
    reachedAfterAll: excused.filter((answer) => reached.has(answer)),
    unknown: excused.filter((answer) => !documented.includes(answer)),
    faults,
  }
}

export function documentedAnswers(): string[] {
  return (Object.keys(operations) as OperationId[]).flatMap((id) =>
    Object.entries(operations[id].statuses).flatMap(([status, { errors, formats }]) => {
      const kinds = errors.length > 0 ? errors : formats.length > 0 ? formats : ['']
      return kinds.map((kind) => `${id} ${status} ${kind}`.trimEnd())
    }),
  )
}

/** A line is an answer with its reason behind a `#`; lines that begin with `#` and empty ones are passed over. */
function readList(list: string): { excused: readonly string[]; faults: readonly string[] } {
  const excused: string[] = []
  const faults: string[] = []
  for (const [index, line] of list.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, answer = line.trim(), reason = ''] = /^(.*?)\s*#\s*(.*)$/.exec(line) ?? []
    const last = excused.at(-1)
    if (reason === '') faults.push(`line ${index + 1} gives no reason: ${answer}`)
    if (last !== undefined && last >= answer) faults.push(`line ${index + 1} is not in order: ${answer}`)
    excused.push(answer)
  }
  return { excused, faults }
}
