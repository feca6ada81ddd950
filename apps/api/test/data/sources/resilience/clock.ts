/** A clock that stands still until it is moved. Milliseconds. */
export function createClock() {
  let at = 1_000_000
  return {
    now: () => at,
    advance(ms: number) {
      at += ms
    },
  }
}
