/** How the entries of two maps correspond. */
export interface Matched<Base, Head = Base> {
  readonly removed: readonly (readonly [key: string, base: Base])[]
  readonly added: readonly (readonly [key: string, head: Head])[]
  readonly kept: readonly (readonly [key: string, base: Base, head: Head])[]
}

/** Pairs the entries of two maps by key, in the order of the maps. */
export function match<Base, Head>(
  base: ReadonlyMap<string, Base>,
  head: ReadonlyMap<string, Head>,
): Matched<Base, Head> {
  const baseEntries = [...base]
  return {
    removed: baseEntries.filter(([key]) => !head.has(key)),
    added: [...head].filter(([key]) => !base.has(key)),
    kept: baseEntries.flatMap(([key, value]) => (head.has(key) ? [[key, value, head.get(key) as Head]] : [])),
  }
}
