// One call for each operation, with the values that the contract gives as examples: what the samples of the reference show.

import type { OperationId } from '@lotline/contract'
import { bodyExamples, exampleValues, type Parameter, parametersOf } from '@lotline/contract/nodes'

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
    listListings: { bbox: FROM_CONTRACT, price_max: FROM_CONTRACT, home_types: FROM_CONTRACT },
    listJobs: { status: 'succeeded' },
    listUsage: { since: FROM_CONTRACT },
  }

export function exampleCall(id: OperationId): ExampleCall {
  const parameters = parametersOf(id)
  const shown = SHOWN[id] ?? {}
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter(
    ({ in: place, name, required }) => place === 'query' && (required || name in shown),
  )
  return {
    id,
    params: valuesOf(inPath, shown),
    query: valuesOf(inQuery, shown),
    body: Object.values(bodyExamples(id))[0],
  }
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

function exampleOf(parameter: Parameter): string {
  const [value] = exampleValues(parameter)
  if (value === undefined) throw new Error(`The contract has no example of ${parameter.name}.`)
  return value
}
