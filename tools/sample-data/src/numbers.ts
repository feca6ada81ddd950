const powersOfTen = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000] as const

/** Rounds half up to that many decimals, 6 at most. */
export function round(value: number, decimals: 0 | 1 | 2 | 3 | 4 | 5 | 6 = 0): number {
  const factor = powersOfTen[decimals]
  return Math.round(value * factor) / factor
}

/** Rounds to the nearest multiple of `step`. */
export function toStep(value: number, step: number): number {
  return Math.round(value / step) * step
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}

/** Rate of change between two amounts, to six decimals; 0 when there is nothing to compare with. */
export function changeRate(before: number | null | undefined, now: number): number {
  return before ? round((now - before) / before, 6) : 0
}

/** "1,234,567". `toLocaleString` would depend on the machine's language data. */
export function withCommas(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** "$1,234". */
export function dollars(value: number): string {
  return `$${withCommas(value)}`
}
