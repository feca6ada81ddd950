// Splits bytes into lines, with bounded memory.

import { MAX_LINE_BYTES } from './source-row.ts'

export interface Line {
  /** Counted from 1. */
  readonly line: number
  /** Without the line break and without a byte order mark. undefined: the line is longer than `maxBytes`, and was skipped. */
  readonly content: Buffer | undefined
}

const LINE_FEED = 10
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Yields all lines that end in a chunk together: promises for single lines would cost more than the lines. The contents are views of the
 * chunk, so use them before the next iteration. The last line needs no line break.
 */
export async function* splitLines(
  bytes: AsyncIterable<Buffer>,
  maxBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  let line = 1
  let parts: Buffer[] = []
  let length = 0

  function take(part: Buffer): void {
    length += part.length
    if (length <= maxBytes) parts.push(part)
    else parts = []
  }

  function complete(): Line {
    const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    const marked = line === 1 && whole.subarray(0, 3).equals(BYTE_ORDER_MARK)
    const done = { line, content: length > maxBytes ? undefined : marked ? whole.subarray(3) : whole }
    line += 1
    parts = []
    length = 0
    return done
  }

  for await (const chunk of bytes) {
    const lines: Line[] = []
    let from = 0
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, to))
      lines.push(complete())
      from = to + 1
    }
    if (from < chunk.length) take(chunk.subarray(from))
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [complete()]
}
