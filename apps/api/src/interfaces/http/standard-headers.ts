// Headers of every response: no sniffing, no caching, and CORS for browsers.

import { openapi, operations } from '@lotline/contract'

export const STANDARD_HEADERS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' } as const

/** Headers that web pages may read. A constant: joining the list for each response would cost a microsecond. */
export const EXPOSED_HEADERS = [...Object.keys(openapi.components.headers!), 'Allow'].join(', ')
export const METHODS = [...new Set(Object.values(operations).map((operation) => operation.method))]
