import { all, drop, put, rename } from '../mutate.ts'
import { home, homeId, search } from '../paths-in-example.ts'
import type { Row } from './row.ts'

export const breaking: readonly Row[] = [
  ['a path is removed', 'path-removed', 'none', '/v1/search', drop('paths', '/v1/search')],
  [
    'a method is removed',
    'method-removed',
    'none',
    'DELETE /v1/homes/{id}',
    drop('paths', '/v1/homes/{id}', 'delete'),
  ],
  [
    'a path parameter is renamed',
    'path-parameter-renamed',
    'none',
    '/v1/homes/{id}',
    all(rename('/v1/homes/{homeId}', 'paths', '/v1/homes/{id}'), put('homeId', ...homeId, 'name')),
  ],
  [
    'an operationId is renamed',
    'operation-id-changed',
    'none',
    'GET /v1/homes/{id}',
    put('fetchHome', ...home, 'operationId'),
  ],
  ['a price rises', 'price-changed', 'none', 'GET /v1/homes/{id}', put(2, ...home, 'x-credits', 'price')],
  [
    'the minimum of a stage falls',
    'price-changed',
    'none',
    'POST /v1/search',
    put(0, ...search, 'x-credits', 'stages', 'search', 'minimum'),
  ],
  [
    'a price is per row instead of per call',
    'price-changed',
    'none',
    'GET /v1/homes/{id}',
    put('row', ...home, 'x-credits', 'per'),
  ],
  ['a price is no longer stated', 'price-changed', 'none', 'GET /v1/homes/{id}', drop(...home, 'x-credits')],
  [
    'an open operation demands a key',
    'security-changed',
    'none',
    'GET /v1/status',
    drop('paths', '/v1/status', 'get', 'security'),
  ],
  [
    'the key goes into the query',
    'security-changed',
    'none',
    'GET /v1/homes/{id}',
    put([{ query: [] }], 'security'),
  ],
  [
    'the scheme of the key changes under its name',
    'security-changed',
    'none',
    'POST /v1/search',
    put('basic', 'components', 'securitySchemes', 'bearer', 'scheme'),
  ],
]

export const harmless: readonly Row[] = [
  ['a path is added', 'path-added', 'none', '/v1/new', put({ get: { responses: {} } }, 'paths', '/v1/new')],
  [
    'a method is added',
    'method-added',
    'none',
    'PUT /v1/search',
    put({ responses: {} }, 'paths', '/v1/search', 'put'),
  ],
  [
    'an operation is deprecated',
    'deprecation-added',
    'none',
    'GET /v1/homes/{id}',
    put(true, ...home, 'deprecated'),
  ],
]
