// The scopes of connectors and the OAuth endpoints. A scope is a set of operations; the key of a connector may use the operations
// of the scopes that its user granted.

import { type OperationId, operationIds, operations } from '@lotline/contract'

export const SCOPES = ['read', 'jobs', 'watches'] as const
export type Scope = (typeof SCOPES)[number]

/** The endpoints of the authorization server. */
export const PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const

/** The audience of tokens (RFC 8707). */
export function mcpResourceUrl(publicUrl: string): string {
  return `${publicUrl}/mcp`
}

/** Connectors cannot use keys and webhooks: they could extend their rights, or send data elsewhere. */
const DENIED_PATHS = /^\/v1\/(?:keys|webhooks)\b/
/** Operations with another method than GET that change nothing. A search that runs as a job needs more (operations/start-job.ts). */
const READ_OPERATIONS: readonly OperationId[] = [
  'searchListings',
  'searchForSale',
  'searchForRent',
  'searchSold',
  'estimateCall',
] as OperationId[]
const JOB_OPERATIONS: readonly OperationId[] = ['createPropertyBatch', 'searchWithDetails', 'abortJob']

/** The operations of a connector with these scopes. */
export function operationsInScopes(scopes: readonly Scope[]): OperationId[] {
  return operationIds.filter((id) => {
    const scope = findScope(id)
    return scope !== undefined && scopes.includes(scope)
  })
}

function findScope(id: OperationId): Scope | undefined {
  const { path, method } = operations[id]
  if (DENIED_PATHS.test(path)) return undefined
  if (method === 'GET' || READ_OPERATIONS.includes(id)) return 'read'
  if (JOB_OPERATIONS.includes(id)) return 'jobs'
  return path.startsWith('/v1/watches') ? 'watches' : undefined
}

/** The scopes of an authorization request. A request without known scopes asks for all. */
export function scopesIn(requested: string | undefined): Scope[] {
  const named = SCOPES.filter((scope) => requested?.split(' ').includes(scope))
  return named.length === 0 ? [...SCOPES] : named
}
