// Header fields that every answer has, whatever was asked: no sniffing, no caching, and for browsers CORS.

import { openapi, operations } from '@lotline/contract'

export const STANDARD_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const

/** What web pages may read of an answer. One text: joined for each answer, it would cost a microsecond. */
export const EXPOSED_HEADERS = [...Object.keys(openapi.components.headers!), 'Allow'].join(', ')
export const METHODS = [...new Set(Object.values(operations).map((operation) => operation.method))]
