import { put } from '../mutate.ts'
import { home } from '../paths-in-example.ts'
import type { VerdictRow } from './row.ts'

const regional = (regions: readonly string[], fallback: string) => [
  { url: '/' },
  { url: 'https://{region}.example.com', variables: { region: { enum: regions, default: fallback } } },
]

export const breaking: readonly VerdictRow[] = [
  [
    'the API moves to another base URL',
    'server-removed',
    'none',
    'servers',
    put([{ url: 'https://example.com' }], 'servers'),
  ],
  [
    'all paths get a prefix through the base URL',
    'server-removed',
    'none',
    'servers',
    put('/api', 'servers', 0, 'url'),
  ],
  [
    'an operation moves to a base URL of its own',
    'server-removed',
    'none',
    'GET /v1/homes/{id}',
    put([{ url: 'https://homes.example.com' }], ...home, 'servers'),
  ],
]

export const harmless: readonly VerdictRow[] = [
  [
    'a base URL is added',
    'server-added',
    'none',
    'servers',
    put([{ url: '/' }, { url: 'https://example.com/' }], 'servers'),
  ],
  [
    'a base URL with a variable is added',
    'server-added',
    'none',
    'servers',
    put(regional(['eu', 'us'], 'us'), 'servers'),
  ],
  [
    'an operation gets a further base URL',
    'server-added',
    'none',
    'GET /v1/homes/{id}',
    put([{ url: '/' }, { url: 'https://homes.example.com' }], ...home, 'servers'),
  ],
  [
    'another base URL comes first',
    'default-server-changed',
    'none',
    'GET /v1/status',
    put([{ url: 'https://b.example.com' }, { url: '/' }], 'paths', '/v1/status', 'get', 'servers'),
  ],
]
