// Calls for which the contract has no operation: the path is unknown, or has other methods.

import { operations } from '@lotline/contract'
import { type Refusal, refuseFor } from '../platform/refusal.ts'

const PATHS = Object.values(operations).map(({ path, method }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}))

export function refuseUnknownPath(): Refusal {
  return refuseFor('not_found', 'path', {})
}

/** Sets the header Allow where the path has other methods. */
export function refuseRoute(call: {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
}): Refusal {
  const allowed = methodsOf(call.path)
  if (allowed.length === 0) return refuseUnknownPath()
  call.headers.allow = allowed.join(', ')
  return refuseFor('method_not_allowed', 'method', { method: call.method, allowed: [allowed.join(' or ')] })
}

/** The methods that the contract has for a path, in alphabetical order. */
function methodsOf(path: string): string[] {
  return [...new Set(PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
}
