// Writes the engine's result as a response.

import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { BodyParts, CallResponse } from '../../requests/engine.ts'

/** A response that sends no byte for this long is cut off: its client has stopped reading, and its key's slot is needed. */
const STALLED_MS = 30_000

/** Texts and bytes in send order. */
export function isParts(body: CallResponse['body']): body is BodyParts {
  return Array.isArray(body)
}

/** Text that is produced while it is sent. */
export function isPieces(body: NonNullable<CallResponse['body']>): body is AsyncIterable<string | Buffer> {
  return !(typeof body === 'string' || Buffer.isBuffer(body) || isParts(body))
}

/** Writes headers and parts to the socket at once, without copying byte parts. */
function sendParts(reply: FastifyReply, { status, headers }: CallResponse, parts: BodyParts): FastifyReply {
  const { raw } = reply
  let length = 0
  for (const part of parts) length += Buffer.byteLength(part)
  reply.hijack()
  if (raw.destroyed) return reply
  const before = reply.getHeaders() as OutgoingHttpHeaders
  raw.writeHead(status, Object.assign(before, headers, { 'content-length': length }))
  raw.cork()
  for (const part of parts) raw.write(part)
  raw.end()
  raw.uncork()
  return reply
}

/** @param body the bytes to send, if they differ from the unmodified body */
export function send(
  reply: FastifyReply,
  response: CallResponse,
  body: CallResponse['body'] = response.body,
): FastifyReply {
  const { status, headers, code } = response
  reply.request.refusedAs = code
  if (isParts(body)) return sendParts(reply, response, body)
  reply.code(status).headers(headers)
  // A streamed body is not produced for a response without a body.
  if (reply.request.method === 'HEAD' && body !== undefined && isPieces(body)) {
    Readable.from(body).destroy()
    return reply.send()
  }
  // Fastify adds a charset to the media type of a JSON string.
  if (typeof body === 'string') return reply.send(Buffer.from(body))
  if (body === undefined || Buffer.isBuffer(body)) return reply.send(body)
  return reply.send(body instanceof Readable ? body : Readable.from(body))
}

/** Call it when sending begins. */
export function cutWhenStalled(response: ServerResponse): void {
  // A response that the operating system has accepted completely can no longer stall here.
  const isTaken = response.writableEnded && response.writableLength === 0
  if (!isTaken && !response.destroyed) response.setTimeout(STALLED_MS, () => response.destroy())
}
