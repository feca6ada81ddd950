// Reading the bundle as it stands: following its references, and finding the nodes of an operation.

import { type OperationId, operations } from './generated/operations.ts'
import { openapi } from './openapi.ts'

export type Node = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  /** A value of no characters means the same as no parameter. */
  readonly allowEmptyValue?: boolean
  readonly schema?: unknown
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

/** Resolves a node: returns the node itself or the target of its `$ref`. */
export function resolve(node: unknown): Node {
  let found = node as Node
  while (typeof found.$ref === 'string') {
    found = found.$ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>(
        (at, step) => (at as Node)[step.replaceAll('~1', '/').replaceAll('~0', '~')],
        openapi,
      ) as Node
  }
  return found
}

/** What a node says of a value: with what it refers to, also where it adds a default to it. */
export function wholeSchema(node: unknown): Node {
  const { allOf = [], ...own } = resolve(node)
  return Object.assign({}, ...(allOf as Node[]).map(wholeSchema), own) as Node
}

export function operationNode(id: OperationId): Node {
  const { path, method } = operations[id]
  return openapi.paths[path]![method.toLowerCase()] as Node
}

/** The parameters of the path and of the operation. */
export function listParameters(id: OperationId): Parameter[] {
  const ofPath = (openapi.paths[operations[id].path]!.parameters ?? []) as Node[]
  const own = (operationNode(id).parameters ?? []) as Node[]
  return [...ofPath, ...own].map((node) => resolve(node) as unknown as Parameter)
}

/** The values that the contract shows for a parameter, as texts. */
export function exampleValues({ example, examples }: Parameter): string[] {
  const values = examples ? Object.values(examples).map(({ value }) => value) : [example]
  return values.filter((value) => value !== undefined).map(String)
}

/** The JSON bodies that the contract shows for a call, by the name of the example; empty where there is no body. */
export function bodyExamples(id: OperationId): Readonly<Record<string, unknown>> {
  const request = operationNode(id).requestBody
  return request === undefined ? {} : jsonExamples(resolve(request))
}

/** The JSON bodies that the contract shows for an answer, by the name of the example. */
export function answerExamples(id: OperationId, status: number): Readonly<Record<string, unknown>> {
  return jsonExamples(resolve((operationNode(id).responses as Node)[String(status)]))
}

function jsonExamples({ content }: Node): Readonly<Record<string, unknown>> {
  const { examples } = (content as Node)['application/json'] as Node
  return Object.fromEntries(
    Object.entries(examples as Node).map(([name, example]) => [name, resolve(example).value]),
  )
}
