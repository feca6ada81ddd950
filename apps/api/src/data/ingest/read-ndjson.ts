// NDJSON: a record in each line, in the record's own shape. Lines are judged one by one, so a broken one costs no
// more than itself.

import { isUtf8 } from 'node:buffer'
import type { SourceRow } from './source-row.ts'
import { splitLines } from './split-lines.ts'

/** The rows whose lines end in one chunk are given together. */
export async function* readNdjson(bytes: AsyncIterable<Buffer>): AsyncGenerator<readonly SourceRow[]> {
  for await (const lines of splitLines(bytes)) {
    const rows: SourceRow[] = []
    for (const { line, content } of lines) {
      if (content === undefined) rows.push({ line, fault: 'is longer than 4 MiB' })
      else if (!isUtf8(content)) rows.push({ line, fault: 'is not UTF-8 text' })
      else {
        const text = content.toString()
        if (!/^\s*$/.test(text)) rows.push(parse(line, text))
      }
    }
    yield rows
  }
}

function parse(line: number, text: string): SourceRow {
  try {
    const record: unknown = JSON.parse(text)
    return { line, record: hasRoundedZpid(record) ? parseWithExactZpids(text) : record }
  } catch (error) {
    return { line, fault: `is not JSON: ${(error as Error).message}` }
  }
}

// A zpid may have 20 digits and stand there as a number; as a JavaScript number it would become another home's.
function hasRoundedZpid(record: unknown): boolean {
  const zpid = (record as { zpid?: unknown } | null)?.zpid
  return typeof zpid === 'number' && !Number.isSafeInteger(zpid)
}

function parseWithExactZpids(text: string): unknown {
  const revive = (key: string, value: unknown, context?: { source?: string }) =>
    key === 'zpid' && typeof value === 'number' ? (context?.source ?? value) : value
  return JSON.parse(text, revive)
}
