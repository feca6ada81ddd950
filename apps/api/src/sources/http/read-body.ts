import type { Readable } from 'node:stream'

/** The whole body, or undefined when it is longer than `most` bytes, in which case the rest is not read. */
export async function readBody(body: Readable, most: number): Promise<Buffer | undefined> {
  // Cutting a body off makes the stream fail once more, when nobody listens any longer.
  body.on('error', () => {})
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)
}
