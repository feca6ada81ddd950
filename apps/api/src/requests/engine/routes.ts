// Which methods a path has, and which media types an operation. The most specific path of the contract decides:
// /v1/properties/batch is not a zpid, whatever the method.

import { isCharged, type OperationId, operationIds, operations, shownValue } from '@lotline/contract'
import { refusedTypes } from '@lotline/contract/checks'
import { type Refusal, refuseFor } from '../../infrastructure/refusals.ts'

interface Route {
  readonly method: string
  /** With its parameters in braces. */
  readonly path: string
}

/** HEAD is answered as GET. A client that only asks whether something is there must not be charged for it, so not where GET costs. */
export function answersHead(operationId: OperationId): boolean {
  return operations[operationId].method === 'GET' && !isCharged(operations[operationId])
}

const OPERATION_ROUTES: readonly Route[] = operationIds.flatMap((operationId) => {
  const { method, path } = operations[operationId]
  return answersHead(operationId)
    ? [
        { method, path },
        { method: 'HEAD', path },
      ]
    : [{ method, path }]
})

const PATHS = [...Map.groupBy(OPERATION_ROUTES, ({ path }) => path)].map(([path, routes]) => ({
  path,
  parameters: path.split('{').length,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
  methods: routes.map(({ method }) => method).sort(),
}))

/** Methods that a path lacks while another path, to whose parameters it fits, has them. */
export const wrongMethods: readonly Route[] = PATHS.flatMap(({ path, methods }) =>
  [...new Set(PATHS.filter(({ pattern }) => pattern.test(path)).flatMap((other) => other.methods))]
    .filter((method) => !methods.includes(method))
    .map((method) => ({ method, path })),
)

export function refuseUnknownPath(): Refusal {
  return refuseFor('not_found', 'path', {})
}

/** Sets the header Allow where the path has other methods. */
export function refuseRoute(call: {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
}): Refusal {
  const allowed = methodsAtPath(call.path)
  if (allowed.length === 0) return refuseUnknownPath()
  call.headers.allow = allowed.join(', ')
  return refuseFor('method_not_allowed', 'method', { method: call.method, allowed: [allowed.join(' or ')] })
}

/**
 * undefined: a response of the operation has a type that the client accepts.
 *
 * @param isDryRun whether the call only asks for an estimate
 */
export function refuseTypes(
  operationId: OperationId,
  { accept, isDryRun }: { readonly accept: string | undefined; readonly isDryRun: boolean },
): Refusal | undefined {
  if (accept === undefined) return undefined
  const types = refusedTypes(operationId, { accept, isDryRun })
  return types && refuseFor('not_acceptable', 'offered', { types, value: shownValue(accept) })
}

/** The methods that the contract has for a path, in alphabetical order. */
function methodsAtPath(path: string): readonly string[] {
  const fitting = PATHS.filter(({ pattern }) => pattern.test(decoded(path)))
  const least = Math.min(...fitting.map(({ parameters }) => parameters))
  return fitting.find(({ parameters }) => parameters === least)?.methods ?? []
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Characters of a path that a usage row keeps: a call that costs nothing must not fill the disk. */
const MAX_ENDPOINT = 200

/** A path as a usage row has it: without anything that may be a key or a part of one. */
export function metricEndpoint(path: string): string {
  return path.replace(/[0-9A-Za-z]{32,}/g, '…').slice(0, MAX_ENDPOINT)
}
