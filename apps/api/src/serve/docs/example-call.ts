// One call for each operation, with the values that the contract gives as examples: what the samples of the reference show.

import { type OperationId, openapi, operations } from '@lotline/contract'

export interface ExampleCall {
  readonly id: OperationId
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** undefined: none is sent. */
  readonly body: unknown
}

const FROM_CONTRACT = Symbol('the first example of the contract')

/** What a sample shows beyond that which the operation requires. */
const SHOWN: Readonly<Partial<Record<OperationId, Readonly<Record<string, string | typeof FROM_CONTRACT>>>>> =
  {
    getPropertyByUrl: { fields: FROM_CONTRACT },
    getPropertyByAddress: { fields: FROM_CONTRACT },
    getProperty: { fields: FROM_CONTRACT },
    getBuildingUnits: { include_units: FROM_CONTRACT },
    listListings: { price_max: FROM_CONTRACT, home_types: FROM_CONTRACT },
    listJobs: { status: 'succeeded' },
    listUsage: { since: FROM_CONTRACT },
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

export function exampleCall(id: OperationId): ExampleCall {
  const parameters = parametersOf(id)
  const shown = SHOWN[id] ?? {}
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter(
    ({ in: place, name, required }) => place === 'query' && (required || name in shown),
  )
  return { id, params: valuesOf(inPath, shown), query: valuesOf(inQuery, shown), body: exampleBody(id) }
}

function valuesOf(
  parameters: readonly Parameter[],
  shown: Readonly<Record<string, string | typeof FROM_CONTRACT>>,
): Record<string, string> {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const { name } = parameter
      const given = shown[name] ?? FROM_CONTRACT
      return [name, given === FROM_CONTRACT ? exampleOf(parameter) : given]
    }),
  )
}

function exampleOf({ name, example, examples }: Parameter): string {
  const value = example ?? Object.values(examples ?? {})[0]?.value
  if (value === undefined) throw new Error(`The contract has no example of ${name}.`)
  return String(value)
}

function exampleBody(id: OperationId): unknown {
  const request = nodeOf(id).requestBody as Node | undefined
  if (!request) return undefined
  const content = resolve(request).content as Readonly<Record<string, Node>>
  const examples = content['application/json']!.examples as Readonly<Record<string, Node>>
  return resolve(Object.values(examples)[0]!).value
}

function parametersOf(id: OperationId): Parameter[] {
  const ofPath = (openapi.paths[operations[id].path]!.parameters ?? []) as Node[]
  const own = (nodeOf(id).parameters ?? []) as Node[]
  return [...ofPath, ...own].map((node) => resolve(node) as unknown as Parameter)
}

function nodeOf(id: OperationId): Node {
  const { path, method } = operations[id]
  return openapi.paths[path]![method.toLowerCase()] as Node
}

function resolve(node: Node): Node {
  if (!node.$ref) return node
  let found: unknown = openapi
  for (const step of node.$ref.slice(2).split('/')) found = (found as Record<string, unknown>)[step]
  return resolve(found as Node)
}
