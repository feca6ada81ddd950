/** Replacement values: each has a different type, sign, or size. */
const STRANGERS = [true, -1, 'x', [], {}, 0.5, '', [null], { x: 1 }, 2 ** 40, '2026-11-20T00:00:00Z']
/** Each value is replaced by this many of them, in rotation, and by null. */
const STRANGERS_FOR_EACH = 2

/**
 * Mutated copies of a JSON value, each with one change: a field or an entry is removed, or replaced by a value of another kind. Deep values
 * are changed at every level. The same value always gives the same copies, which share unchanged parts.
 */
export function spoiledCopies(value: unknown): unknown[] {
  let next = 0
  return copiesOf(value)

  function copiesOf(part: unknown): unknown[] {
    const others: unknown[] = [null]
    for (let i = 0; i < STRANGERS_FOR_EACH; i++) others.push(STRANGERS[next++ % STRANGERS.length])
    if (Array.isArray(part)) {
      // The first entries of a long list represent all.
      const some = part.slice(0, 2).flatMap((entry, at) => copiesOf(entry).map((copy) => part.with(at, copy)))
      return [...others, part.slice(1), [...part, ...part], ...some]
    }
    if (typeof part !== 'object' || part === null) return others
    const changed = Object.entries(part).flatMap(([name, child]) => {
      const { [name]: _, ...without } = part as Record<string, unknown>
      return [without, ...copiesOf(child).map((copy) => ({ ...part, [name]: copy }))]
    })
    return [...others, { ...part, anotherField: 1 }, ...changed]
  }
}
