import { type Contract, follow } from './contract.ts'
import type { JsonObject } from './json.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** An operation and the path item that it stands in, which may hold parameters for all its operations. */
export interface OperationInPath {
  readonly item: JsonObject
  readonly operation: JsonObject
}

/** The operations of a path item by method, in lower case. */
export function operationsOf(contract: Contract, item: JsonObject): ReadonlyMap<string, JsonObject> {
  const operations = methods.map((method) => [method, follow(contract, item[method])] as const)
  return new Map(operations.flatMap(([method, operation]) => (operation ? [[method, operation]] : [])))
}
