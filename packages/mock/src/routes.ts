// Which operation a request is for. Fixed paths go before paths with parameters, as in the service.

import {
  faultMessage,
  formatMessage,
  inputFault,
  isCharged,
  type Operation,
  type OperationId,
  openapi,
  operationIds,
  operations,
  shownValue,
} from '@lotline/contract'
import { resolve } from '@lotline/contract/nodes'
import type { Refusal } from './refusal.ts'

export interface Route {
  readonly operationId: OperationId
  readonly operation: Operation
  /** The decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
}

const ZPID_PATTERN = (resolve(openapi.components.parameters?.Zpid).schema as { 'x-form': string })['x-form']

// Routes with fewer parameters come first.
const TEMPLATES = operationIds
  .map((operationId) => ({ operationId, operation: operations[operationId] }))
  .map((entry) => ({ ...entry, segments: entry.operation.path.split('/') }))
  .sort((one, other) => countParameters(one.segments) - countParameters(other.segments))

/** @param path the path of the URL, still encoded */
export function findRoute(method: string, path: string): Route | Refusal {
  const segments = decode(path)
  if (segments === undefined) return undecodable(path)
  const fitting = TEMPLATES.filter((template) => matchesTemplate(template.segments, segments))
  // The path with the fewest parameters decides: /v1/properties/batch is not a zpid, whatever the method.
  const matches = fitting.filter(({ operation }) => operation.path === fitting[0]!.operation.path)
  const match = matches.find(({ operation }) => allowedMethods(operation).includes(method))
  if (match) return { ...match, params: readPathParameters(match.segments, segments) }
  const allowed = matches.flatMap(({ operation }) => allowedMethods(operation)).sort()
  if (allowed.length === 0) return { code: 'not_found', message: formatMessage('not_found', 'path', {}) }
  return {
    code: 'method_not_allowed',
    message: formatMessage('method_not_allowed', 'method', { method, allowed: [allowed.join(' or ')] }),
    headers: { Allow: allowed.join(', ') },
  }
}

/** HEAD is answered as GET where GET costs nothing. */
function allowedMethods(operation: Operation): string[] {
  return operation.method === 'GET' && !isCharged(operation) ? ['GET', 'HEAD'] : [operation.method]
}

function undecodable(path: string): Refusal {
  const zpid = /^\/v1\/properties\/([^/]*)/.exec(path)?.[1]
  return zpid !== undefined
    ? {
        code: 'invalid_zpid',
        message: faultMessage(
          'invalid_zpid',
          'zpid',
          inputFault('form', { form: [ZPID_PATTERN], value: shownValue(zpid) }),
        ),
        details: { parameter: 'zpid' },
      }
    : { code: 'not_found', message: formatMessage('not_found', 'path', {}) }
}

function decode(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** An empty segment may be a parameter: it is a malformed one, as the schemas find. */
function matchesTemplate(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((step, at) => isParameter(step) || step === segments[at])
  )
}

function readPathParameters(
  template: readonly string[],
  segments: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    template.flatMap((step, at) => (isParameter(step) ? [[step.slice(1, -1), segments[at] ?? '']] : [])),
  )
}

function countParameters(template: readonly string[]): number {
  return template.filter(isParameter).length
}

function isParameter(step: string): boolean {
  return step.startsWith('{')
}
