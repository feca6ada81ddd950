// Validates request headers that the HTTP parser accepted.
// Why: decisions/interfaces/malformed-http.md

import type { FastifyRequest } from 'fastify'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'
import { HEADER_LIMIT_BYTES, URL_LIMIT_BYTES } from './http-limits.ts'

/** Refuses invalid headers that the parser accepted. */
export function refuseHead({
  originalUrl,
  raw,
}: Pick<FastifyRequest, 'originalUrl' | 'raw'>): Refusal | undefined {
  if (originalUrl.length > URL_LIMIT_BYTES)
    return refuseFor('uri_too_long', 'url', { bound: URL_LIMIT_BYTES })
  let bytes = originalUrl.length
  for (const text of raw.rawHeaders) bytes += text.length
  if (bytes > HEADER_LIMIT_BYTES) {
    return refuseFor('headers_too_large', 'headers', { bound: HEADER_LIMIT_BYTES })
  }
  // RFC 9112, section 3.2.
  if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
    return refuseFor('invalid_parameter', 'no_host', {})
  }
  // RFC 9112, section 3.2: with two hosts, a proxy and this server could each use a different one.
  if (countHosts(raw.rawHeaders) > 1) {
    return refuseFor('invalid_parameter', 'two_hosts', {})
  }
  return undefined
}

/** `rawHeaders`: names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
