// Chance that can be repeated: the same seed makes the same choices. Every client, proxy and schedule draws from a stream
// of its own, so that what one of them does never shifts the choices of another.

export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** A stream of its own for this name. */
  fork(name: string): Random
}

export function seeded(seed: string): Random {
  let state = hash(seed)
  /** mulberry32: small, and good enough to choose faults with. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick: (from) => from[int(0, from.length - 1)]!,
    fork: (name) => seeded(`${seed}/${name}`),
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value | 0
}
