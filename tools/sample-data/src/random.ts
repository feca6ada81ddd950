/**
 * Chance that repeats. Each home asks for a stream by name, one for each section of its record, so
 * a record never depends on which homes came before it, and a new field in one section leaves the
 * other sections as they were. Only exact arithmetic is used: every machine draws the same numbers.
 */
export interface Random {
  /** At least 0, below 1. */
  unit(): number
  /** A whole number between the bounds, both included. */
  int(min: number, max: number): number
  /** A number at least `min` and below `max`. */
  between(min: number, max: number): number
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** `count` different items in the list's own order; all of them if the list is shorter. */
  some<T>(items: readonly T[], count: number): T[]
  /** One key of the table, each as likely as its weight is large. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

/** The stream of that name: `randomFor(zpid, 'photos')`. */
export function randomFor(...name: (string | number)[]): Random {
  let state = hash32(name.join('/'))

  // mulberry32: 32 bits of state are ample for the few hundred draws a home needs.
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (min: number, max: number) => min + Math.floor(unit() * (max - min + 1))

  return {
    unit,
    int,
    between: (min, max) => min + unit() * (max - min),
    chance: (probability) => unit() < probability,
    pick: (items) => items[int(0, items.length - 1)]!,
    some(items, count) {
      const taken = []
      for (let left = items.length, wanted = Math.min(count, left); wanted > 0; left--) {
        if (int(1, left) > wanted) continue
        taken.push(items[items.length - left]!)
        wanted--
      }
      return taken
    },
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let rest = unit() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        rest -= weight
        if (rest < 0) return key
      }
      return entries[0]![0]
    },
  }
}

/** FNV-1a over the text's UTF-16 units, then mixed so that similar names differ in every bit. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
