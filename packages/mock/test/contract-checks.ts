// Judging the answers of the mock by the contract, and calls made of the contract's own examples. Written apart from
// what the mock uses, so that a mistake there does not hide itself.

import { type OperationId, openapi, operations } from '@lotline/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Node = Readonly<Record<string, unknown>>

const ajv = new Ajv2020({ strict: false, allErrors: true })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema(openapi, 'openapi')

export interface DocumentedAnswer {
  readonly operation: OperationId
  readonly status: number
  /** undefined: no body. */
  readonly mediaType: string | undefined
  /** By name; empty where there is no body. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly requiredHeaders: readonly string[]
  readonly headerSchemas: Readonly<Record<string, Node>>
}

/** Every answer that the contract documents for an operation, one for each media type. */
export function documentedAnswers(operation: OperationId): readonly DocumentedAnswer[] {
  const responses = operationNode(operation).responses as Readonly<Record<string, Node>>
  return Object.entries(responses).flatMap(([status, response]): DocumentedAnswer[] => {
    const { content = {}, headers = {} } = follow(response) as {
      content?: Readonly<Record<string, { examples: Readonly<Record<string, Node>> }>>
      headers?: Readonly<Record<string, Node>>
    }
    const followed = Object.entries(headers).map(([name, header]) => [name, follow(header)] as const)
    const shared = {
      operation,
      status: Number(status),
      requiredHeaders: followed.flatMap(([name, header]) => (header.required === true ? [name] : [])),
      headerSchemas: Object.fromEntries(
        followed.map(([name, header]) => [name, follow(header.schema as Node)]),
      ),
    }
    const bodies = Object.entries(content).map(([mediaType, { examples }]) => ({
      ...shared,
      mediaType,
      examples: Object.fromEntries(
        Object.entries(examples).map(([name, example]) => [name, follow(example).value]),
      ),
    }))
    return bodies.length > 0 ? bodies : [{ ...shared, mediaType: undefined, examples: {} }]
  })
}

/** What is wrong with a JSON body; empty when nothing is. */
export function faultsOfBody({ operation, status, mediaType = '' }: DocumentedAnswer, body: unknown): string {
  const { path, method } = operations[operation]
  const responses = operationNode(operation).responses as Readonly<Record<string, Node>>
  const { $ref } = responses[status] as { $ref?: string }
  const at = $ref ?? `#/paths/${encode(path)}/${method.toLowerCase()}/responses/${status}`
  const validate = ajv.getSchema(`openapi${at}/content/${encode(mediaType)}/schema`)
  if (!validate) throw new Error(`The contract has no schema for ${operation} ${status}.`)
  return validate(body) ? '' : ajv.errorsText(validate.errors)
}

/** What is wrong with the headers of an answer; empty when nothing is. */
export function faultsOfHeaders(
  { requiredHeaders, headerSchemas }: DocumentedAnswer,
  headers: Headers,
): readonly string[] {
  const missing = requiredHeaders.filter((name) => !headers.has(name)).map((name) => `${name} is missing`)
  const wrong = Object.entries(headerSchemas).flatMap(([name, schema]) => {
    const text = headers.get(name)
    if (text === null) return []
    return ajv.validate(schema, schema.type === 'integer' ? Number(text) : text) ? [] : [`${name}: ${text}`]
  })
  return [...missing, ...wrong]
}

/** A valid call of an operation, made of the examples of its parameters and of its body. */
export function validCall(operation: OperationId, bodyExample?: string): { path: string; init: RequestInit } {
  const { path, method } = operations[operation]
  const url = new URL(path.replaceAll('{', '%7B').replaceAll('}', '%7D'), 'http://localhost')
  for (const parameter of allParameters(operation)) {
    if (parameter.required !== true && parameter.name !== 'bbox') continue
    const [example] = Object.values(
      (parameter.examples ?? {}) as Readonly<Record<string, { value: unknown }>>,
    )
    const value = String(example?.value ?? parameter.example)
    if (parameter.in === 'query') url.searchParams.set(String(parameter.name), value)
    else url.pathname = url.pathname.replace(`%7B${parameter.name}%7D`, encodeURIComponent(value))
  }
  const bodies = bodyExamples(operation)
  const body = bodies[bodyExample ?? Object.keys(bodies)[0] ?? '']
  return {
    path: url.pathname + url.search,
    init: {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    },
  }
}

/** The bodies that the contract shows for a call, by name. */
export function bodyExamples(operation: OperationId): Readonly<Record<string, unknown>> {
  const { requestBody } = operationNode(operation) as {
    requestBody?: { content: Readonly<Record<string, { examples: Readonly<Record<string, Node>> }>> }
  }
  const examples = requestBody?.content['application/json']?.examples ?? {}
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, follow(example).value]))
}

function allParameters(operation: OperationId): readonly Node[] {
  const item = openapi.paths[operations[operation].path] ?? {}
  return [item.parameters, operationNode(operation).parameters]
    .flatMap((list) => (Array.isArray(list) ? (list as Node[]) : []))
    .map(follow)
}

function operationNode(operation: OperationId): Node {
  const { path, method } = operations[operation]
  return openapi.paths[path]?.[method.toLowerCase()] as Node
}

function follow(node: Node): Node {
  if (typeof node.$ref !== 'string') return node
  const found = node.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((at, step) => (at as Node)[step], openapi)
  return follow(found as Node)
}

function encode(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))
}
