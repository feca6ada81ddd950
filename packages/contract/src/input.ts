// Judging input by the schemas of the contract, for the service and the mock alike: texts in paths, queries and headers
// become the numbers and booleans that the contract says they are, bodies are taken as they came, and the first finding
// counts. The validators of an operation are compiled when it is first called: a start does not wait for them.

import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { areaFaultOf } from './checks/area-finding.ts'
import { type Fault, type Finding, faultOf } from './checks/finding.ts'
import { addContractKeywords } from './checks/needs-one-of.ts'
import type { OperationId } from './generated/operations.ts'
import { operationNode, parametersOf, resolve } from './nodes.ts'

export interface Input {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** undefined where the operation takes none. */
  readonly body: unknown
}

/** undefined: the input fits the contract. Turns texts into numbers and booleans in place. */
export type CheckInput = (operationId: OperationId, input: Input) => Fault | undefined

export interface InputCheckOptions {
  /** Whether what was left out is filled in, in place, with the contract's defaults. */
  readonly useDefaults: boolean
}

type Part = keyof Input

// In the order in which they are judged.
const PARTS: readonly Part[] = ['params', 'body', 'query', 'headers']
const PLACES = { path: 'params', query: 'query', header: 'headers' } as const
// verbose: a finding carries the contract's node, which names the error code.
// validateSchema: that the contract is well-formed is known, and finding it again would double the time to start.
const SHARED: Options = {
  strict: false,
  verbose: true,
  allErrors: false,
  addUsedSchema: false,
  validateSchema: false,
}

export function createInputCheck({ useDefaults }: InputCheckOptions): CheckInput {
  const validatorsOf = compilerFor(useDefaults)
  return (operationId, input) => {
    for (const [part, validate] of validatorsOf(operationId)) {
      if (validate(input[part])) continue
      const finding = findTelling(validate.errors ?? [])
      if (finding) return areaFaultOf(finding, part, input[part]) ?? faultOf(finding, part)
    }
    return undefined
  }
}

type Compiler = (operationId: OperationId) => readonly (readonly [Part, ValidateFunction])[]

// By `useDefaults`. All checks of a process share them: the contract is the same, and compiling takes longer than a thousand calls.
const compilers = new Map<boolean, Compiler>()

function compilerFor(useDefaults: boolean): Compiler {
  const compiler = compilers.get(useDefaults) ?? createCompiler(useDefaults)
  compilers.set(useDefaults, compiler)
  return compiler
}

/** The validators of the parts of an operation's input, each compiled once. */
function createCompiler(useDefaults: boolean): Compiler {
  const bodies = createAjv({ ...SHARED, useDefaults, coerceTypes: false })
  const texts = createAjv({ ...SHARED, useDefaults, coerceTypes: 'array' })
  const compiled = new Map<OperationId, readonly (readonly [Part, ValidateFunction])[]>()

  return (operationId) => {
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
}

/**
 * The first finding, unless the value fits none of several schemas: then the deepest, or where the value itself has another
 * type than all of them, that it fits none.
 */
function findTelling(findings: readonly Finding[]): Finding | undefined {
  const last = findings.at(-1)
  if (last?.keyword !== 'anyOf') return findings[0]
  const inner = findings.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'anyOf' && (keyword !== 'type' || instancePath.length > last.instancePath.length),
  )
  const depth = Math.max(...inner.map(({ instancePath }) => instancePath.length))
  return inner.find(({ instancePath }) => instancePath.length === depth) ?? last
}

function createAjv(options: Options): Ajv2020 {
  const ajv = new Ajv2020(options)
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return addContractKeywords(ajv)
}

/**
 * One schema for each part of the input that the operation has, with what its references lead to in their places: Ajv
 * fills in no default that is behind a reference.
 */
function schemasOf(operationId: OperationId): Partial<Record<Part, object>> {
  const schemas: Partial<
    Record<Part, { type: 'object'; required: string[]; properties: Record<string, unknown> }>
  > = {}
  for (const parameter of parametersOf(operationId)) {
    const part = PLACES[parameter.in]
    const schema = schemas[part] ?? { type: 'object', required: [], properties: {} }
    schemas[part] = schema
    const key = part === 'headers' ? parameter.name.toLowerCase() : parameter.name
    schema.properties[key] = dereference(parameter.schema)
    if (parameter.required) schema.required.push(key)
  }
  const { requestBody } = operationNode(operationId)
  if (requestBody === undefined) return schemas
  const content = resolve(requestBody).content as Readonly<Record<string, { readonly schema: unknown }>>
  return { ...schemas, body: dereference(content['application/json']!.schema) as object }
}

/** No schema of an input refers to itself. */
function dereference(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereference)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...beside } = node as { readonly $ref?: unknown }
  const entries = Object.entries(beside).map(([name, value]) => [name, dereference(value)])
  const own = Object.fromEntries(entries) as object
  return typeof $ref === 'string' ? { ...(dereference(resolve(node)) as object), ...own } : own
}
