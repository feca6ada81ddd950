// One clock for all processes of a run: the machine's monotonic one, which neither jumps with the wall clock nor stops
// with a frozen process.

/** Milliseconds since the machine came up. */
export function nowMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}
