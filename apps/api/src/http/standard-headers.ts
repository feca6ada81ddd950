// Header fields that every answer has, whatever was asked: no sniffing, no caching, and for browsers CORS.

import { openapi, operations } from '@lotline/contract'

export const STANDARD_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const

/** What web pages may read of an answer. One text: joined for each answer, it would cost a microsecond. */
export const EXPOSED_HEADERS = [...Object.keys(openapi.components.headers!), 'Allow'].join(', ')
export const METHODS = [...new Set(Object.values(operations).map((operation) => operation.method))]

/**
 * The CORS fields of an answer, names and values in turn, as @fastify/cors sets them: for answers that are given without
 * it. `origins` is the setting CORS_ORIGINS.
 */
export function crossOriginHeaders(
  origins: '*' | readonly string[],
): (origin: string | undefined) => readonly string[] {
  const exposed = ['access-control-expose-headers', EXPOSED_HEADERS]
  if (origins === '*') {
    const forAll = ['access-control-allow-origin', '*', ...exposed]
    return () => forAll
  }
  return (origin) =>
    origin !== undefined && origins.includes(origin)
      ? ['vary', 'Origin', 'access-control-allow-origin', origin, ...exposed]
      : ['vary', 'Origin', ...exposed]
}
