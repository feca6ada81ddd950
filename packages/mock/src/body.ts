// The body of a request: JSON of at most 1 MiB, or the refusal that the service gives.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { formatMessage } from '@lotline/contract'
import type { Refusal } from './refusal.ts'

const MAX_BODY_BYTES = 1024 * 1024
/** A body that is too large is read to its end, so that the sender gets to see the answer; up to here. Bytes. */
const MAX_DISCARDED_BYTES = 64 * MAX_BODY_BYTES

export async function readBody(request: IncomingMessage): Promise<{ readonly value: unknown } | Refusal> {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = request.headers
  const isEmpty = encoding === undefined && (length === undefined || length === '0')
  if (type === undefined && isEmpty) return missing()
  const isPlain = /^(identity)?$/i.test(request.headers['content-encoding'] ?? '')
  if (!isPlain || !/^application\/json\s*(;|$)/i.test(type ?? '')) {
    return {
      code: 'unsupported_media_type',
      message: formatMessage('unsupported_media_type', 'not_json', {}),
    }
  }
  const bytes = await readBytes(request)
  if (bytes === undefined) {
    return {
      code: 'payload_too_large',
      message: formatMessage('payload_too_large', 'body', { bound: MAX_BODY_BYTES }),
      headers: { Connection: 'close' },
    }
  }
  if (bytes.length === 0) return missing()
  if (!isUtf8(bytes)) {
    return { code: 'invalid_json', message: formatMessage('invalid_json', 'utf8', {}) }
  }
  try {
    return { value: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return { code: 'invalid_json', message: formatMessage('invalid_json', 'syntax', {}) }
  }
}

function missing(): Refusal {
  return { code: 'missing_input', message: formatMessage('missing_input', 'body', {}) }
}

/** undefined if the body is larger than the limit. */
async function readBytes(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk)
    if (size > MAX_DISCARDED_BYTES) break
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : undefined
}
