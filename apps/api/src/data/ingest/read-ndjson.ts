// Reads NDJSON: one record per line, in the record's own form. Lines are judged one by one, so a broken line affects only itself.

import { isUtf8 } from 'node:buffer'
import type { SourceRow } from './source-row.ts'
import { splitLines } from './split-lines.ts'

/** Yields all rows whose lines end in one chunk together. */
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
    return { line, record: hasRoundedZpid(record) ? parseWithExactZpids(text) : record, asRead: () => text }
  } catch (error) {
    return { line, fault: `is not JSON: ${(error as Error).message}`, asRead: () => text }
  }
}

// A zpid may have 20 digits and be written as a number. A JavaScript number would round it to another home's zpid.
function hasRoundedZpid(record: unknown): boolean {
  const zpid = (record as { zpid?: unknown } | null)?.zpid
  return typeof zpid === 'number' && !Number.isSafeInteger(zpid)
}

function parseWithExactZpids(text: string): unknown {
  const revive = (key: string, value: unknown, context?: { source?: string }) =>
    key === 'zpid' && typeof value === 'number' ? (context?.source ?? value) : value
  return JSON.parse(text, revive)
}
