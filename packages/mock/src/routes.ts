// Which operation a request is for. Fixed paths go before paths with parameters, as in the service.

import {
  faultMessage,
  inputFault,
  messageOf,
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
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>
}

const ZPID_FORM = (resolve(openapi.components.parameters?.Zpid).schema as { 'x-form': string })['x-form']

// Paths with fewer parameters first.
const TEMPLATES = operationIds
  .map((operationId) => ({ operationId, operation: operations[operationId] }))
  .map((entry) => ({ ...entry, segments: entry.operation.path.split('/') }))
  .sort((one, other) => parametersOf(one.segments) - parametersOf(other.segments))

/** @param path the path of the URL, still encoded */
export function findRoute(method: string, path: string): Route | Refusal {
  const segments = decode(path)
  if (segments === undefined) return undecodable(path)
  const matches = TEMPLATES.filter((template) => fits(template.segments, segments))
  const match = matches.find(({ operation }) => operation.method === method)
  if (match) return { ...match, params: paramsOf(match.segments, segments) }
  const allowed = [...new Set(matches.map(({ operation }) => operation.method))].sort()
  if (allowed.length === 0) return { code: 'not_found', message: messageOf('not_found', 'path', {}) }
  return {
    code: 'method_not_allowed',
    message: messageOf('method_not_allowed', 'method', { method, allowed: [allowed.join(' or ')] }),
    headers: { Allow: allowed.join(', ') },
  }
}

function undecodable(path: string): Refusal {
  const zpid = /^\/v1\/properties\/([^/]*)/.exec(path)?.[1]
  return zpid !== undefined
    ? {
        code: 'invalid_zpid',
        message: faultMessage(
          'invalid_zpid',
          'zpid',
          inputFault('form', { form: [ZPID_FORM], value: shownValue(zpid) }),
        ),
        details: { parameter: 'zpid' },
      }
    : { code: 'not_found', message: messageOf('not_found', 'path', {}) }
}

function decode(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** An empty segment may be a parameter: it is a malformed one, as the schemas find. */
function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((step, at) => isParameter(step) || step === segments[at])
  )
}

function paramsOf(template: readonly string[], segments: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    template.flatMap((step, at) => (isParameter(step) ? [[step.slice(1, -1), segments[at] ?? '']] : [])),
  )
}

function parametersOf(template: readonly string[]): number {
  return template.filter(isParameter).length
}

function isParameter(step: string): boolean {
  return step.startsWith('{')
}
