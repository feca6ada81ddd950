// Calls made from the contract's own examples: for every operation the least that is valid, and each documented body.
// An operation that is added to the contract is called by every test that goes over all of them.

import { type OperationId, operations } from '../src/generated/operations.ts'
import { bodyExamples, exampleValues, listParameters, type Parameter } from '../src/nodes.ts'

export interface ExampleCall {
  readonly id: OperationId
  readonly params: Readonly<Record<string, string>>
  /** A list is sent as a repeated parameter. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** undefined: none is sent. */
  readonly body?: unknown
}

/** Of the parameters that say where to search, one must be given, and two of them only together. */
const CHOSEN_PARAMETERS: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  listListings: ['bbox'],
}
const PARAMETERS_SENT_TOGETHER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  near: { radius_m: '1000' },
  radius_m: { near: '-122.357,47.637' },
}

/** The required parameters, and the first example of the body. */
export function minimalCall(id: OperationId): ExampleCall {
  const required = listParameters(id).filter(
    ({ name, required, in: place }) => required || place === 'path' || CHOSEN_PARAMETERS[id]?.includes(name),
  )
  const [body] = Object.values(bodyExamples(id))
  return {
    id,
    params: exampleParameterValues(required.filter((parameter) => parameter.in === 'path')),
    query: exampleParameterValues(required.filter((parameter) => parameter.in === 'query')),
    ...(body !== undefined && { body }),
  }
}

export function requiredQueryParameters(id: OperationId): readonly string[] {
  return listParameters(id)
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => name)
}

/** A call for each documented value of each parameter and for each documented body. */
export function everyExampleCall(id: OperationId): readonly { name: string; call: ExampleCall }[] {
  const minimal = minimalCall(id)
  const byQuery = listParameters(id)
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) =>
      exampleValues(parameter).map((value) => ({
        name: `${parameter.name}=${value}`,
        call: {
          ...minimal,
          query: { ...minimal.query, ...PARAMETERS_SENT_TOGETHER[parameter.name], [parameter.name]: value },
        },
      })),
    )
  const byBody = Object.entries(bodyExamples(id)).map(([name, value]) => ({
    name: `body ${name}`,
    call: { ...minimal, body: value },
  }))
  return [...byQuery, ...byBody]
}

export function exampleCallPath({ id, params, query }: ExampleCall): string {
  const path = operations[id].path.replace(/\{([^}]+)\}/g, (_braces, name: string) =>
    encodeURIComponent(params[name]!),
  )
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one]))
  const search = new URLSearchParams(pairs as [string, string][]).toString()
  return search ? `${path}?${search}` : path
}

function exampleParameterValues(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(
    parameters.map((parameter) => {
      const [value] = exampleValues(parameter)
      if (value === undefined) throw new Error(`the contract has no example of ${parameter.name}`)
      return [parameter.name, value]
    }),
  )
}
