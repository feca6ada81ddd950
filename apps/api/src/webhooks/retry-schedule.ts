/** Attempts of an event before it is dropped. */
export const MAX_ATTEMPTS = 3
/** Up to this part of a wait is added or taken off, so that what failed together does not come back together. */
const SPREAD = 0.1

/** How long to wait after the n-th failed attempt (1, 2 …): base × n², give or take a tenth. In milliseconds. */
export function retryDelayMs(failed: number, baseMs: number, random: () => number = Math.random): number {
  return Math.round(baseMs * failed ** 2 * (1 + SPREAD * (2 * random() - 1)))
}
