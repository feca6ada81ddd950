// Judging input by the schemas of the contract, for the service and the mock alike: texts in paths, queries and headers
// become the numbers and booleans that the contract says they are, bodies are taken as they came, and the first finding
// counts. The validators of an operation are compiled when it is first called: a start does not wait for them.

import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { findAreaFault } from './checks/area-finding.ts'
import { describeFinding, type Fault, type Finding } from './checks/finding.ts'
import { limitPlaceJudge } from './checks/limit-place.ts'
import { addContractKeywords } from './checks/needs-one-of.ts'
import { createTextReader, type ReadTexts } from './checks/read-texts.ts'
import { findUnstorable, isStorable } from './checks/storable-text.ts'
import type { OperationId } from './generated/operations.ts'
import { listParameters, operationNode, resolve } from './nodes.ts'

export interface Input {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, unknown>>
  /** undefined if the operation takes no body. */
  readonly body: unknown
}

/** undefined: the input fits the contract. Turns texts into numbers and booleans in place. */
export type CheckInput = (operationId: OperationId, input: Input) => Fault | undefined

export interface InputCheckOptions {
  /** Whether what was left out is filled in, in place, with the contract's defaults. */
  readonly useDefaults: boolean
}

type InputPart = keyof Input

// In the order in which they are judged. The texts of a part that fits are looked through for characters that none may have.
const INPUT_PARTS: readonly InputPart[] = ['params', 'body', 'query', 'headers']
const INPUT_PART_BY_LOCATION = { path: 'params', query: 'query', header: 'headers' } as const
// verbose: a finding carries the contract's node, which names the error code.
// validateSchema: that the contract is well-formed is known, and finding it again would double the time to start.
const SHARED_AJV_OPTIONS: Options = {
  strict: false,
  verbose: true,
  allErrors: false,
  addUsedSchema: false,
  validateSchema: false,
}

export function createInputCheck({ useDefaults }: InputCheckOptions): CheckInput {
  const validatorsOf = compilerFor(useDefaults)
  return (operationId, input) => {
    for (const { part, names, read, validate } of validatorsOf(operationId)) {
      const inexact = read?.(input[part] as Record<string, unknown>)
      if (inexact) return describeFinding(inexact, part)
      if (validate(input[part])) {
        const fault = findUnstorableIn(input, part, names)
        if (fault) return fault
        continue
      }
      const finding = findMostSpecificError(validate.errors ?? [])
      if (finding) return findAreaFault(finding, part, input[part]) ?? describeFinding(finding, part)
    }
    return limitPlaceJudge(operationId)(input)
  }
}

/** The validator of a part of an operation's input. */
interface PartValidator {
  readonly part: InputPart
  /** The parameters that the operation reads. What else a client sends in a query or a header reaches nothing. */
  readonly names: readonly string[]
  /** The schemas of all input parts except the body. */
  readonly read: ReadTexts | undefined
  readonly validate: ValidateFunction
}

type Compiler = (operationId: OperationId) => readonly PartValidator[]

// By `useDefaults`. All checks of a process share them: the contract is the same, and compiling takes longer than a thousand calls.
const compilers = new Map<boolean, Compiler>()

function compilerFor(useDefaults: boolean): Compiler {
  const compiler = compilers.get(useDefaults) ?? createCompiler(useDefaults)
  compilers.set(useDefaults, compiler)
  return compiler
}

/** The validators of the parts of an operation's input, each compiled once. */
function createCompiler(useDefaults: boolean): Compiler {
  const ajv = createAjv({ ...SHARED_AJV_OPTIONS, useDefaults })
  const compiled = new Map<OperationId, readonly PartValidator[]>()

  return (operationId) => {
    const known = compiled.get(operationId)
    if (known) return known
    const schemas = operationSchemas(operationId)
    const validators = INPUT_PARTS.flatMap((part) => {
      const schema = schemas[part]
      if (schema === undefined) return []
      const properties = part === 'body' ? undefined : (schema as { properties: object }).properties
      return [
        {
          part,
          names: Object.keys(properties ?? {}),
          validate: ajv.compile(schema),
          read: properties && createTextReader({ ...properties }),
        },
      ]
    })
    compiled.set(operationId, validators)
    return validators
  }
}

function findUnstorableIn(input: Input, part: InputPart, names: readonly string[]): Fault | undefined {
  if (part === 'body') return findUnstorable(input.body, part)
  for (const name of names) {
    const value = input[part][name]
    if (typeof value === 'string' && !isStorable(value)) return findUnstorable(value, name)
  }
  return undefined
}

/**
 * The first finding, unless the value fits none of several schemas: then the deepest, or where the value itself has another
 * type than all of them, that it fits none.
 */
function findMostSpecificError(findings: readonly Finding[]): Finding | undefined {
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
 * One schema for each part of the input that the operation has, with what its references lead to in their places, and one
 * schema for "of this schema or null": Ajv fills in no default that is behind a reference or in a union.
 */
function operationSchemas(operationId: OperationId): Partial<Record<InputPart, object>> {
  const schemas: Partial<
    Record<InputPart, { type: 'object'; required: string[]; properties: Record<string, unknown> }>
  > = {}
  for (const parameter of listParameters(operationId)) {
    const part = INPUT_PART_BY_LOCATION[parameter.in]
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

/** Input schemas never refer to themselves. */
function dereference(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(dereference)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...beside } = node as { readonly $ref?: unknown }
  const entries = Object.entries(beside).map(([name, value]) => [name, dereference(value)])
  const own = Object.fromEntries(entries) as SchemaNode
  return typeof $ref === 'string' ? { ...(dereference(resolve(node)) as object), ...own } : nullable(own)
}

type SchemaNode = Readonly<Record<string, unknown>>

/** A union of one type and null as one schema. */
function nullable(node: SchemaNode): SchemaNode {
  const { anyOf, ...own } = node as { readonly anyOf?: readonly SchemaNode[] }
  if (anyOf?.length !== 2) return node
  const [one, ...more] = anyOf.filter(({ type }) => type !== 'null')
  if (typeof one?.type !== 'string' || more.length > 0) return node
  const { type, enum: choices } = one
  return { ...one, type: [type, 'null'], ...(Array.isArray(choices) && { enum: [...choices, null] }), ...own }
}
