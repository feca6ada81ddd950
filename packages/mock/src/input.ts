// Judging input by the schemas of the contract, as the service does: texts in paths, queries and headers become the
// numbers and booleans that the contract says they are, bodies are taken as they came, and the first finding counts.

import { type OperationId, openapi, operations } from '@lotline/contract'
import { faultOf } from '@lotline/contract/checks'
import { resolve } from '@lotline/contract/nodes'
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { pointer } from './pointer.ts'
import type { Refusal } from './refusal.ts'

export interface Input {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** undefined where the operation takes none. */
  readonly body: unknown
}

/** undefined: the input fits the contract. Turns texts into numbers and booleans in place. */
export type CheckInput = (operationId: OperationId, input: Input) => Refusal | undefined

type Part = keyof Input

// In the order in which the service judges them.
const PARTS: readonly Part[] = ['params', 'body', 'query', 'headers']
const PLACES: Readonly<Record<string, Part>> = { path: 'params', query: 'query', header: 'headers' }
const DOCUMENT = 'contract'
// verbose: a finding carries the contract's node, which names the error code.
// validateSchema: that the contract is well-formed is known, and finding it again would double the time to start.
const SHARED: Options = {
  strict: false,
  verbose: true,
  allErrors: false,
  addUsedSchema: false,
  validateSchema: false,
}

export function createInputCheck(): CheckInput {
  const bodies = createAjv({ ...SHARED, coerceTypes: false })
  const texts = createAjv({ ...SHARED, coerceTypes: 'array' })
  const compiled = new Map<OperationId, readonly (readonly [Part, ValidateFunction])[]>()

  function validatorsOf(operationId: OperationId) {
    const known = compiled.get(operationId)
    if (known) return known
    const schemas = schemasOf(operationId)
    const validators = PARTS.flatMap((part) => {
      const schema = schemas[part]
      return schema ? [[part, (part === 'body' ? bodies : texts).compile(schema)] as const] : []
    })
    compiled.set(operationId, validators)
    return validators
  }

  return (operationId, input) => {
    for (const [part, validate] of validatorsOf(operationId)) {
      if (validate(input[part])) continue
      const finding = validate.errors?.[0]
      if (finding) return faultOf(finding, part)
    }
    return undefined
  }
}

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020(options)
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv.addSchema(openapi, DOCUMENT)
}

/** One schema for each part of the input that the operation has; their nodes are those of the contract. */
function schemasOf(operationId: OperationId): Partial<Record<Part, object>> {
  const { path, method, hasBody } = operations[operationId]
  const item = openapi.paths[path] ?? {}
  const verb = method.toLowerCase()
  const schemas: Partial<Record<Part, { type: 'object'; required: string[]; properties: object }>> = {}
  for (const steps of [[], [verb]]) {
    const parameters = (steps.length === 0 ? item : resolve(item[verb])).parameters
    for (const [index, parameter] of Array.isArray(parameters) ? parameters.entries() : []) {
      const { name, in: place, required } = resolve(parameter)
      const part = PLACES[String(place)]
      if (part === undefined) continue
      const schema = schemas[part] ?? { type: 'object', required: [], properties: {} }
      schemas[part] = schema
      const key = part === 'headers' ? String(name).toLowerCase() : String(name)
      const own = pointer('paths', path, ...steps, 'parameters', index, 'schema')
      Object.assign(schema.properties, {
        [key]: { $ref: DOCUMENT + (parameter.$ref === undefined ? own : `${parameter.$ref}/schema`) },
      })
      if (required === true) schema.required.push(key)
    }
  }
  if (!hasBody) return schemas
  const body = pointer('paths', path, verb, 'requestBody', 'content', 'application/json', 'schema')
  return { ...schemas, body: { $ref: DOCUMENT + body } }
}
