// Caches responses that change only with a release. Their ETag is a hash of their content, so a browser can revalidate them, and each is
// compressed once instead of for every client.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { withVary } from './compress.ts'

const pack = promisify(gzip)
const PACKING_PAYS_BYTES = 4096

interface StaticCacheEntry {
  readonly tag: string
  readonly packed: Buffer | undefined
}

/** Applies to all routes of `app` whose response is a text that depends only on the path and `?view=full`. */
export function cacheStatic(server: FastifyInstance): void {
  const kept = new Map<string, Promise<StaticCacheEntry>>()

  server.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
    const { view } = request.query as { readonly view?: unknown }
    const text = `${request.routeOptions.url}${view === 'full' ? ' full' : ''}`
    if (!kept.has(text)) kept.set(text, keep(payload))
    const { tag, packed } = await kept.get(text)!
    // Browsers store the response and revalidate it each time, so no browser shows an old one after an upgrade.
    reply.header('cache-control', 'no-cache').header('etag', tag)
    if (packed) reply.header('vary', withVary(reply.getHeader('vary')))
    if (request.headers['if-none-match']?.split(/\s*,\s*/).includes(tag)) {
      reply.code(304).removeHeader('content-length')
      return null
    }
    if (!packed || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return payload
    reply.header('content-encoding', 'gzip').removeHeader('content-length')
    return packed
  })
}

async function keep(text: string): Promise<StaticCacheEntry> {
  const bytes = Buffer.from(text)
  const tag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { tag, packed: bytes.length < PACKING_PAYS_BYTES ? undefined : await pack(bytes) }
}
