import type { IncomingMessage } from 'node:http'
import { BODY_LIMIT_BYTES, type BodyBytes } from '../../requests/engine.ts'

/** The body of a request. It is read only if the request is not refused first. */
export class RequestBody implements BodyBytes {
  readonly type: string | undefined
  readonly encoding: string | undefined
  readonly length: number | undefined
  /** The bytes read. */
  size = 0
  readonly #raw: IncomingMessage
  #overran = false

  constructor(raw: IncomingMessage) {
    this.type = raw.headers['content-type']
    this.encoding = raw.headers['content-encoding']
    this.length = announcedLength(raw)
    this.#raw = raw
  }

  /** Whether the announced or sent length exceeds the limit. */
  get tooLong(): boolean {
    return this.#overran || (this.length ?? 0) > BODY_LIMIT_BYTES
  }

  async read(limit: number): Promise<Buffer | undefined> {
    const chunks: Buffer[] = []
    // The rest stays unread on a connection that must still carry the response.
    for await (const chunk of this.#raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      this.size += chunk.length
      if (this.size > limit) {
        this.#overran = true
        return undefined
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }
}

function announcedLength({ headers }: IncomingMessage): number | undefined {
  if (headers['transfer-encoding'] !== undefined) return undefined
  return Number(headers['content-length'] ?? 0)
}
