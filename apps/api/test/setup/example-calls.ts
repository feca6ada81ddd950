// Calls made from the contract's own examples: for every operation the least that is valid, and each documented body.
// An operation that is added to the contract is called by every test that goes over all of them.

import { type OperationId, openapi, operations } from '@lotline/contract'
import type { Received, Sent, TestServer } from './test-server.ts'

export interface ExampleCall {
  readonly id: OperationId
  readonly params: Readonly<Record<string, string>>
  /** A list is sent as a repeated parameter. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** undefined: none is sent. */
  readonly body?: unknown
}

interface Node {
  readonly $ref?: string
  readonly [name: string]: unknown
}

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** The required parameters, and the first example of the body. */
export function minimalCall(id: OperationId): ExampleCall {
  const required = parametersOf(id).filter((parameter) => parameter.required || parameter.in === 'path')
  const [body] = exampleBodies(id)
  return {
    id,
    params: valuesOf(required.filter((parameter) => parameter.in === 'path')),
    query: valuesOf(required.filter((parameter) => parameter.in === 'query')),
    ...(body !== undefined && { body }),
  }
}

export function requiredQueryParameters(id: OperationId): readonly string[] {
  return parametersOf(id)
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => name)
}

/** A call for each documented value of each parameter and for each documented body. */
export function everyExampleCall(id: OperationId): readonly { name: string; call: ExampleCall }[] {
  const minimal = minimalCall(id)
  const byQuery = parametersOf(id)
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) =>
      exampleValues(parameter).map((value) => ({
        name: `${parameter.name}=${value}`,
        call: { ...minimal, query: { ...minimal.query, [parameter.name]: value } },
      })),
    )
  const byBody = Object.entries(examplesOfBody(id)).map(([name, { value }]) => ({
    name: `body ${name}`,
    call: { ...minimal, body: value },
  }))
  return [...byQuery, ...byBody]
}

export function pathOf({ id, params, query }: ExampleCall): string {
  const path = operations[id].path.replace(/\{([^}]+)\}/g, (_braces, name: string) =>
    encodeURIComponent(params[name]!),
  )
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const search = new URLSearchParams(pairs as [string, string][]).toString()
  return search ? `${path}?${search}` : path
}

export function sendCall(server: TestServer, call: ExampleCall, sent: Sent = {}): Promise<Received> {
  return server.send(operations[call.id].method, pathOf(call), {
    ...(call.body !== undefined && { body: call.body }),
    ...sent,
  })
}

/** The bodies that the contract shows for a success, as JSON, by the name of the example. */
export function answerExamples(id: OperationId, status: number): Readonly<Record<string, unknown>> {
  const content = resolve(resolve(operationNode(id).responses as Node)[String(status)] as Node)
    .content as Node
  const examples = (content['application/json'] as Node).examples as Readonly<Record<string, Node>>
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, resolve(example).value]))
}

function exampleBodies(id: OperationId): unknown[] {
  return Object.values(examplesOfBody(id)).map(({ value }) => value)
}

function examplesOfBody(id: OperationId): Readonly<Record<string, { readonly value: unknown }>> {
  const request = operationNode(id).requestBody as Node | undefined
  if (!request) return {}
  const content = resolve(request).content as Readonly<Record<string, Node>>
  return content['application/json']!.examples as Readonly<Record<string, { value: unknown }>>
}

function valuesOf(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const [value] = exampleValues(parameter)
      if (value === undefined) throw new Error(`the contract has no example of ${parameter.name}`)
      return [parameter.name, value]
    }),
  )
}

function exampleValues({ example, examples }: Parameter): string[] {
  const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
  return values.filter((value) => value !== undefined).map(String)
}

function parametersOf(id: OperationId): Parameter[] {
  const ofPath = (openapi.paths[operations[id].path]!.parameters ?? []) as Node[]
  const own = (operationNode(id).parameters ?? []) as Node[]
  return [...ofPath, ...own].map((node) => resolve(node) as unknown as Parameter)
}

function operationNode(id: OperationId): Node {
  const { path, method } = operations[id]
  return openapi.paths[path]![method.toLowerCase()] as Node
}

function resolve(node: Node): Node {
  if (!node.$ref) return node
  let found: unknown = openapi
  for (const step of node.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[step]
  return resolve(found as Node)
}
