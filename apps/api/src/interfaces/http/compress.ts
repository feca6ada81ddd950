// Compresses responses by the client's Accept-Encoding. Small bodies are sent as they are: if they fit into one packet, compression costs
// time and saves none. Streamed text is compressed while it is produced.

import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { FastifyReply } from 'fastify'
import Negotiator from 'negotiator'
import type { BodyParts, CallResponse } from '../../requests/engine.ts'
import { isParts, isPieces } from './send.ts'

/** Bytes from which a body is compressed. A smaller body fits into a TCP packet, headers aside. */
export const MIN_COMPRESSED_BYTES = 1400
/** Bytes of streamed text that are compressed at a time: one row is too little to justify the overhead of a handover. */
const BLOCK_BYTES = 64 * 1024

/** The default quality of brotli takes tens of times as long, for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 } }

const compressBrotli = promisify(brotliCompress)

/** In order of preference, if the client accepts several equally. */
const ENCODINGS = {
  zstd: { whole: promisify(zstdCompress), stream: () => createZstdCompress() },
  br: { whole: (bytes: Buffer) => compressBrotli(bytes, BROTLI), stream: () => createBrotliCompress(BROTLI) },
  gzip: { whole: promisify(gzip), stream: () => createGzip() },
} as const
type Encoding = keyof typeof ENCODINGS
type OfferedEncoding = Encoding | 'identity'
const OFFERED: OfferedEncoding[] = [...(Object.keys(ENCODINGS) as Encoding[]), 'identity']

/** The body in the client's preferred encoding. */
export function compress(
  reply: FastifyReply,
  { body }: CallResponse,
  acceptEncoding: string | undefined,
): CallResponse['body'] | Promise<Buffer> {
  if (body === undefined) return undefined
  const isWhole = !isPieces(body)
  if (isWhole && lengthOf(body) < MIN_COMPRESSED_BYTES) return body
  reply.header('vary', withVary(reply.getHeader('vary')))
  const encoding = chooseEncoding(acceptEncoding)
  if (!encoding) return body
  reply.header('content-encoding', encoding)
  if (!isWhole) return compressPieces(body, encoding)
  return compressWhole(isParts(body) ? joined(body) : body, encoding)
}

/** The length in bytes. For a string, a lower bound: its number of UTF-16 units. */
function lengthOf(body: string | Buffer | BodyParts): number {
  return isParts(body) ? body.reduce((sum, part) => sum + part.length, 0) : body.length
}

function joined(parts: BodyParts): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

/** The library's types lack the server's preference. */
interface EncodingNegotiator {
  encodings(available: OfferedEncoding[], options: { preferred: OfferedEncoding[] }): OfferedEncoding[]
}

/** undefined: the body is sent uncompressed. This also applies to a client that accepts no encoding. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined
  const accepted = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding },
  }) as unknown as EncodingNegotiator
  const [best] = accepted.encodings(OFFERED, { preferred: OFFERED })
  return best === 'identity' ? undefined : best
}

/** Runs outside the main thread. */
function compressWhole(body: string | Buffer, encoding: Encoding): Promise<Buffer> {
  return ENCODINGS[encoding].whole(typeof body === 'string' ? Buffer.from(body) : body)
}

/** Reads ahead at most one block beyond the compressor's buffer. Destroying it ends the reading of `pieces`. */
export function compressPieces(pieces: AsyncIterable<string | Buffer>, encoding: Encoding): Readable {
  // A failure destroys the returned stream, so its reader gets the error.
  return pipeline(Readable.from(inBlocks(pieces)), ENCODINGS[encoding].stream(), () => {})
}

async function* inBlocks(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let gathered: Buffer[] = []
  let size = 0
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    gathered.push(bytes)
    size += bytes.length
    if (size < BLOCK_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}

/** The value of Vary for a response whose encoding depends on the request. */
export function withVary(before: unknown): string {
  if (typeof before === 'string' && before.endsWith('Accept-Encoding')) return before
  return before === undefined ? 'Accept-Encoding' : `${String(before)}, Accept-Encoding`
}
