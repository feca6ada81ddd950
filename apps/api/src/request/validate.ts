// Check 6: the input is what the contract says. Fastify's validator (Ajv over the contract) finds the fault; the
// contract also says which error code the fault has, by `x-error-code` on the node that failed.

import type { ErrorCode } from '@lotline/contract'
import { type OperationId, operations } from '@lotline/contract'
import type { FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../refusal.ts'

/** One finding of Ajv in verbose mode. */
interface Finding {
  readonly keyword: string
  readonly instancePath: string
  readonly message?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly parentSchema?: Readonly<Record<string, unknown>>
}

/** undefined: the input is valid, and defaults have been filled in. */
export function refuseInvalid(request: FastifyRequest, operationId: OperationId): Refusal | undefined {
  const query = request.query as Readonly<Record<string, unknown>>
  for (const name of operations[operationId].queryParameters) {
    if (Array.isArray(query[name])) {
      return refuse('invalid_parameter', `The query parameter ${name} may be given only once.`, {
        parameter: name,
      })
    }
  }
  const error = request.validationError
  if (error) {
    const finding = error.validation?.[0] as Finding | undefined
    if (finding) return refusalOf(finding, error.validationContext ?? 'body')
    return refuse('invalid_parameter', 'The request is not valid.')
  }
  if (operations[operationId].hasBody && !isObject(request.body)) {
    return request.body === undefined || request.body === null
      ? refuse('missing_input', 'Send a JSON object as the body of the request.')
      : refuse('invalid_json', 'The body must be a JSON object.')
  }
  return undefined
}

function refusalOf(finding: Finding, context: string): Refusal {
  if (finding.keyword === 'required') {
    const name = String(finding.params?.missingProperty)
    const place = placeOf(finding.instancePath, name)
    const code = codeOf(finding) ?? 'missing_input'
    return refuse(code, `${place} is required.`, { parameter: place })
  }
  const place = placeOf(finding.instancePath) || context
  return refuse(codeOf(finding) ?? 'invalid_parameter', `${place} ${explain(finding)}.`, { parameter: place })
}

function codeOf(finding: Finding): ErrorCode | undefined {
  return finding.parentSchema?.['x-error-code'] as ErrorCode | undefined
}

function placeOf(instancePath: string, name?: string): string {
  return [...instancePath.split('/').slice(1), ...(name ? [name] : [])].join('.')
}

function explain(finding: Finding): string {
  if (finding.keyword === 'enum') {
    const allowed = finding.params?.allowedValues as readonly unknown[]
    return `must be one of ${allowed.map(String).join(', ')}`
  }
  if (finding.keyword === 'pattern') return 'does not have the right form'
  return finding.message ?? 'is not valid'
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
