// Wrong before the input is looked at: the key, the path, the method, the size and type of the body.

import { type OperationId, operationIds, operations } from '../src/generated/operations.ts'
import type { BadRequest } from './bad-request.ts'
import { ADDRESS, BOX, BOX_TEXT, samplePath, UUID, WEBHOOK_URL } from './valid-input.ts'

const withBody = operationIds.filter((id) => operations[id].hasBody)
const ONE_MIB = 1024 * 1024

function samplePathFor(operation: OperationId): string {
  return samplePath(operations[operation].path)
}

/** A body that would do for any operation. */
const anyBody = { filters: { bbox: BOX }, addresses: [ADDRESS], url: WEBHOOK_URL }

function call(
  name: string,
  request: Pick<BadRequest, 'method' | 'path'> & Partial<BadRequest>,
  status: number,
  code: BadRequest['expect']['code'],
  allow?: readonly string[],
): BadRequest {
  return { name, ...request, expect: { status, code, ...(allow && { allow }) } }
}

const badKeys: readonly BadRequest[] = operationIds.flatMap((operation) => {
  const request = { operation, method: operations[operation].method, path: samplePathFor(operation) }
  return [
    call(`${operation} without a key`, { ...request, authorization: null }, 401, 'missing_api_key'),
    call(
      `${operation} with a malformed key`,
      { ...request, authorization: 'Bearer lot_tooshort' },
      401,
      'invalid_api_key',
    ),
  ]
})

const oddKeys: readonly BadRequest[] = [
  ['an empty Authorization header', '', 'missing_api_key'],
  ['another scheme', 'Basic dXNlcjpwYXNz', 'invalid_api_key'],
  ['a scheme without a key', 'Bearer', 'invalid_api_key'],
  ['a key of another prefix', 'Bearer sk_MockDemoKeyMockDemoKeyMockDemoKe3HG0yr', 'invalid_api_key'],
  ['a key with a wrong checksum', 'Bearer lot_MockDemoKeyMockDemoKeyMockDemoKe000000', 'invalid_api_key'],
  ['two keys', 'Bearer lot_a lot_b', 'invalid_api_key'],
].map(([name = '', authorization = '', code]) =>
  call(
    name,
    { operation: 'getAccount', method: 'GET', path: '/v1/me', authorization },
    401,
    code as 'invalid_api_key',
  ),
)

const ALLOWED_ON_WEBHOOK = operationIds
  .filter((id) => operations[id].path === '/v1/webhooks/{id}')
  .flatMap((id) => (operations[id].method === 'GET' ? ['GET', 'HEAD'] : [operations[id].method]))

const badRoutes: readonly BadRequest[] = [
  call('a path outside /v1', { method: 'GET', path: '/v2/me' }, 404, 'not_found'),
  call('an unknown path', { method: 'GET', path: '/v1/unknown' }, 404, 'not_found'),
  call(
    'an unknown part of a home',
    { method: 'GET', path: '/v1/properties/48749425/roof' },
    404,
    'not_found',
  ),
  call('a path of another case', { method: 'GET', path: '/v1/Me' }, 404, 'not_found'),
  call('a slash too many', { method: 'GET', path: '/v1/me/' }, 404, 'not_found'),
  call('an unknown path with any method', { method: 'DELETE', path: '/v1/search/all' }, 404, 'not_found'),
  call(
    'an unknown path without a key',
    { method: 'GET', path: '/v1/unknown', authorization: null },
    401,
    'missing_api_key',
  ),
  call('POST where only GET is', { method: 'POST', path: '/v1/me' }, 405, 'method_not_allowed', [
    'GET',
    'HEAD',
  ]),
  call('GET where only POST is', { method: 'GET', path: '/v1/search' }, 405, 'method_not_allowed', ['POST']),
  call('PUT on a search', { method: 'PUT', path: '/v1/search', body: {} }, 405, 'method_not_allowed', [
    'POST',
  ]),
  call(
    'PUT on a webhook',
    { method: 'PUT', path: `/v1/webhooks/${UUID}` },
    405,
    'method_not_allowed',
    ALLOWED_ON_WEBHOOK,
  ),
  call(
    'DELETE on the list of webhooks',
    { method: 'DELETE', path: '/v1/webhooks' },
    405,
    'method_not_allowed',
    ['POST', 'GET', 'HEAD'],
  ),
  call('DELETE on a job', { method: 'DELETE', path: `/v1/jobs/${UUID}` }, 405, 'method_not_allowed', [
    'GET',
    'HEAD',
  ]),
  call('POST on a home', { method: 'POST', path: '/v1/properties/48749425' }, 405, 'method_not_allowed', [
    'GET',
  ]),
  call('POST on by-url', { method: 'POST', path: '/v1/properties/by-url' }, 405, 'method_not_allowed', [
    'GET',
  ]),
  ...['GET', 'PUT', 'DELETE'].map((method) =>
    call(`${method} on the batch`, { method, path: '/v1/properties/batch' }, 405, 'method_not_allowed', [
      'POST',
    ]),
  ),
  call(
    'a URL that is too long',
    { method: 'GET', path: `/v1/listings?bbox=${BOX_TEXT}&x=${'x'.repeat(20_000)}` },
    414,
    'uri_too_long',
  ),
  call(
    'headers that are too large',
    { method: 'GET', path: '/v1/me', headers: { 'x-large': 'x'.repeat(20_000) } },
    431,
    'headers_too_large',
  ),
]

/** Types that no response of any operation has, and one that some have. */
const badTypes: readonly BadRequest[] = operationIds
  .filter((id) => operations[id].acceptsFormats.length > 0)
  .flatMap((operation) => {
    const { method, hasBody, acceptsFormats } = operations[operation]
    const request = { operation, method, path: samplePathFor(operation), ...(hasBody && { body: anyBody }) }
    const types = [
      'image/png',
      'text/html;q=0.9, application/json;q=0',
      'application/vnd.lotline.estimate+json',
    ]
    return [...types, ...(acceptsFormats.includes('text/csv') ? [] : ['text/csv'])].map((accept) =>
      call(
        `${operation} that accepts only ${accept}`,
        { ...request, headers: { accept } },
        406,
        'not_acceptable',
      ),
    )
  })

const badBodies: readonly BadRequest[] = withBody.flatMap((operation) => {
  const request = { operation, method: operations[operation].method, path: samplePathFor(operation) }
  const text = JSON.stringify(anyBody)
  return [
    call(
      `${operation} with a body declared as text`,
      { ...request, body: text, headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ),
    call(
      `${operation} with a form`,
      { ...request, body: 'url=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'unsupported_media_type',
    ),
    call(
      `${operation} with a body of no declared type`,
      { ...request, body: new TextEncoder().encode(text) },
      415,
      'unsupported_media_type',
    ),
    call(
      `${operation} with a compressed body`,
      { ...request, body: text, headers: { 'content-encoding': 'gzip' } },
      415,
      'unsupported_media_type',
    ),
    call(
      `${operation} with a body of more than 1 MiB`,
      { ...request, body: { ...anyBody, description: 'x'.repeat(ONE_MIB) } },
      413,
      'payload_too_large',
    ),
    call(`${operation} with half an object`, { ...request, body: '{"filters":' }, 400, 'invalid_json'),
    call(`${operation} with a body that is no JSON`, { ...request, body: 'url=x' }, 400, 'invalid_json'),
  ]
})

export const badCalls: readonly BadRequest[] = [
  ...badKeys,
  ...oddKeys,
  ...badRoutes,
  ...badTypes,
  ...badBodies,
]
