// The memory that waiting calls may hold. A call that waits for its key's slot keeps its parsed input, up to a megabyte, and
// nothing else bounds how many calls wait. Above the bound the largest is refused first: a few of those make room for all
// others.

/** The maximum size of the inputs of all waiting calls of a process, in bytes. */
export const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** The memory of a waiting call beside its input. */
const CALL_BYTES = 4_096

/** The call was refused because The inputs of waiting calls exceed the memory limit.. Becomes 503. */
export class WaitingInputsFull extends Error {
  override readonly name = 'WaitingInputsFull'

  constructor() {
    super('The inputs of waiting calls exceed the memory limit.')
  }
}

export interface WaitingInputs {
  /**
   * Counts a call that may have to wait. Then refuses calls, the largest first and possibly this one, until all fit. The returned
   * function uncounts the call, and does nothing if it was refused.
   *
   * @param bytes of its input (`estimateBytes`)
   */
  enter(bytes: number, refuse: (reason: WaitingInputsFull) => void): () => void
  /** Held now. */
  readonly bytes: number
}

interface WaitingInput {
  readonly bytes: number
  readonly refuse: (reason: WaitingInputsFull) => void
}

export function createWaitingInputs(maxBytes = MAX_WAITING_BYTES): WaitingInputs {
  const calls = new Set<WaitingInput>()
  let held = 0

  function remove(call: WaitingInput): void {
    if (calls.delete(call)) held -= call.bytes
  }

  return {
    enter(bytes, refuse) {
      const call: WaitingInput = { bytes: bytes + CALL_BYTES, refuse }
      calls.add(call)
      held += call.bytes
      while (held > maxBytes) {
        const largest = findLargest(calls)
        remove(largest)
        largest.refuse(new WaitingInputsFull())
      }
      return () => remove(call)
    },
    get bytes() {
      return held
    },
  }
}

/** Of several, the one that came last. At most 16,384 calls fit, so looking at each costs little. */
function findLargest(calls: ReadonlySet<WaitingInput>): WaitingInput {
  let largest: WaitingInput | undefined
  for (const call of calls) if (!largest || call.bytes >= largest.bytes) largest = call
  return largest!
}

/** About how many bytes a parsed JSON value takes in memory, and rather more than fewer. */
export function estimateBytes(value: unknown): number {
  let bytes = 0
  // A list of what is still to be counted, since a body may be nested deeper than the stack is.
  const left: unknown[] = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string') bytes += 24 + 2 * next.length
    else if (Array.isArray(next)) {
      bytes += 32 + 8 * next.length
      for (const item of next) left.push(item)
    } else if (typeof next === 'object' && next !== null) {
      bytes += 64
      // Parsed input has no names but its own. A list of them would be made for each call.
      for (const name in next) {
        bytes += 40 + 2 * name.length
        left.push((next as Readonly<Record<string, unknown>>)[name])
      }
    } else bytes += 16
  }
  return bytes
}
