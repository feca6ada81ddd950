// One example call for each operation, from the examples of the contract. The samples of the reference use it.

import { type OperationId, operations } from '@lotline/contract'
import { bodyExamples, exampleValues, listParameters, type Parameter } from '@lotline/contract/nodes'

export interface ExampleCall {
  readonly id: OperationId
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** undefined: no body is sent. */
  readonly body: unknown
}

/** Contains the required parameters, the parameters of `x-sample`, and the first example of the body. */
export function exampleCall(id: OperationId): ExampleCall {
  const parameters = listParameters(id)
  const shown = operations[id].sample.parameters
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter(
    ({ in: place, name, required }) => place === 'query' && (required || shown.includes(name)),
  )
  return {
    id,
    params: valuesOf(inPath),
    query: valuesOf(inQuery),
    body: Object.values(bodyExamples(id))[0],
  }
}

function valuesOf(parameters: readonly Parameter[]): Record<string, string> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, exampleOf(parameter)]))
}

function exampleOf(parameter: Parameter): string {
  const [value] = exampleValues(parameter)
  if (value === undefined)
    throw new Error(`The contract has no example for the parameter ${parameter.name}. Add one in spec/.`)
  return value
}
