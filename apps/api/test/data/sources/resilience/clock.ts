/** A clock that only moves when a test moves it. Milliseconds. */
export function createClock() {
  let at = 1_000_000
  return {
    now: () => at,
    advance(ms: number) {
      at += ms
    },
  }
}
