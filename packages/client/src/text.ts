// Rows as CSV or NDJSON: a stream of bytes to be piped somewhere, or read to its end as one text.

import type { Job } from './contract.ts'
import type { Receipt } from './result.ts'

export type TextFormat = 'csv' | 'ndjson'

export interface TextMeta {
  /** Rows in this text; undefined for the text of several pages. */
  readonly count?: number
  /** Rows of the whole result; undefined where the service does not know. */
  readonly total?: number
  /** The cursor of the next page of a search with `sort`. */
  readonly next_cursor?: string
  /** What cut the result. */
  readonly truncated_by?: NonNullable<Job['truncated_by']>
}

export interface CsvText extends Receipt {
  readonly format: 'csv'
  readonly meta: TextMeta
  /** UTF-8: a header line, then a line for each row. Empty when there are no rows. Can be read once. */
  readonly body: ReadableStream<Uint8Array>
  /** Reads `body` to its end. */
  text(): Promise<string>
}

export interface NdjsonText<Row> extends Receipt, AsyncIterable<Row> {
  readonly format: 'ndjson'
  readonly meta: TextMeta
  /** UTF-8: a line of JSON for each row. Can be read once, or iterated row by row instead. */
  readonly body: ReadableStream<Uint8Array>
  /** Reads `body` to its end. */
  text(): Promise<string>
}

export type TextOf<Format extends TextFormat, Row> = Format extends 'csv' ? CsvText : NdjsonText<Row>

export function textMeta(headers: Headers): TextMeta {
  const count = headers.get('x-row-count')
  const total = headers.get('x-total-count')
  const nextCursor = headers.get('x-next-cursor')
  const truncatedBy = headers.get('x-truncated-by') as Job['truncated_by']
  return {
    ...(count !== null && { count: Number(count) }),
    ...(total !== null && { total: Number(total) }),
    ...(nextCursor !== null && { next_cursor: nextCursor }),
    ...(truncatedBy !== null && { truncated_by: truncatedBy }),
  }
}

export function createText<Format extends TextFormat, Row>(
  format: Format,
  body: ReadableStream<Uint8Array>,
  receipt: Receipt,
  meta: TextMeta,
): TextOf<Format, Row> {
  const text = { ...receipt, format, meta, body, text: () => new Response(body).text() }
  const rows = () => parseRows<Row>(body)
  return (format === 'csv' ? text : { ...text, [Symbol.asyncIterator]: rows }) as unknown as TextOf<
    Format,
    Row
  >
}

/** The bytes of parts, one after the other; a part is asked for when the one before has been read. */
export function toStream(parts: AsyncIterator<Uint8Array, unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await parts.next()
        if (done) controller.close()
        else controller.enqueue(value as Uint8Array)
      },
      async cancel() {
        await parts.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

/** The chunks of a stream. Leaving early gives the stream up. */
export async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

async function* parseRows<Row>(body: ReadableStream<Uint8Array>): AsyncGenerator<Row, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of readChunks(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line) yield JSON.parse(line) as Row
  }
  rest += decoder.decode()
  if (rest) yield JSON.parse(rest) as Row
}

const QUOTE = 0x22
const LINE_FEED = 0x0a

/** A CSV text without its header line, which the pages after the first repeat. A quoted name may hold line breaks. */
export async function* dropCsvHeader(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let inHeader = true
  let quoted = false
  for await (const chunk of readChunks(body)) {
    if (!inHeader) {
      yield chunk
      continue
    }
    for (const [at, byte] of chunk.entries()) {
      if (byte === QUOTE) quoted = !quoted
      if (byte !== LINE_FEED || quoted) continue
      inHeader = false
      if (at + 1 < chunk.length) yield chunk.subarray(at + 1)
      break
    }
  }
}
