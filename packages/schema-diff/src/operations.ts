import { compareDeprecation } from './annotations.ts'
import { compareRequestBody } from './bodies.ts'
import { type Comparison, facing, into, match, note, type Place, placeOf } from './comparison.ts'
import { type Contract, follow, type OperationInPath } from './document.ts'
import { compareExtensions } from './extensions.ts'
import { holderOf } from './holder.ts'
import { type JsonObject, membersOf, sameJson } from './json.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { compareSecurity } from './security.ts'
import { compareOwnServers } from './servers.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The operations of a path item by method, in lower case. */
export function operationsOf(contract: Contract, item: JsonObject): ReadonlyMap<string, JsonObject> {
  const operations = methods.map((method) => [method, follow(contract, item[method])] as const)
  return new Map(operations.flatMap(([method, operation]) => (operation ? [[method, operation]] : [])))
}

/** The operationId is the name of a method in every generated client. */
export function compareOperationIds(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  if (sameJson(base.operationId, head.operationId)) return
  note(comparison, 'operation-id-changed', place, {
    before: base.operationId,
    after: head.operationId,
    message: 'The operationId is another one.',
  })
}

/**
 * Compares all that an operation promises its callers.
 * @param renamed the path parameters' names in the base → their names in the head
 */
function compareOperation(
  comparison: Comparison,
  place: Place,
  base: OperationInPath,
  head: OperationInPath,
  renamed: ReadonlyMap<string, string>,
): void {
  const request = facing(place, 'request')
  const response = facing(place, 'response')
  compareOperationIds(comparison, place, base.operation, head.operation)
  compareOwnServers(comparison, place, base, head)
  compareOperationExtensions(comparison, place, base.operation, head.operation)
  compareSecurity(comparison, place, base.operation, head.operation)
  compareDeprecation(comparison, place, base.operation, head.operation)
  compareParameters(comparison, request, base, head, renamed)
  compareRequestBody(comparison, into(request, 'request'), base.operation, head.operation)
  compareResponses(comparison, response, base.operation, head.operation)
}

/** Compares the extensions of operations, which are written on webhooks as well. */
export function compareOperationExtensions(
  comparison: Comparison,
  place: Place,
  base: JsonObject,
  head: JsonObject,
): void {
  const [before, after] = [holderOf(comparison.base, base), holderOf(comparison.head, head)]
  compareExtensions(comparison, place, 'operation', before, after)
}

interface PathEntry {
  readonly template: string
  readonly item: JsonObject
}

/** Compares the paths of two contracts and the methods of each. */
export function comparePaths(comparison: Comparison): void {
  const paths = match(pathsOf(comparison.base), pathsOf(comparison.head))
  for (const [, { template }] of paths.removed) {
    note(comparison, 'path-removed', placeOf(template), { before: template, message: 'The path is gone.' })
  }
  for (const [, { template }] of paths.added) {
    note(comparison, 'path-added', placeOf(template), { after: template, message: 'The path is new.' })
  }
  for (const [, base, head] of paths.kept) {
    if (base.template !== head.template) {
      note(comparison, 'path-parameter-renamed', placeOf(base.template), {
        before: base.template,
        after: head.template,
        message: 'A parameter of the path has another name.',
      })
    }
    compareMethods(comparison, base, head)
  }
}

function compareMethods(comparison: Comparison, base: PathEntry, head: PathEntry): void {
  const renamed = new Map(
    parameterNames(base.template).map((name, index) => [name, parameterNames(head.template)[index] ?? name]),
  )
  const operations = match(operationsOf(comparison.base, base.item), operationsOf(comparison.head, head.item))
  const placeFor = (method: string) => placeOf(`${method.toUpperCase()} ${base.template}`)
  for (const [method] of operations.removed) {
    const message = 'The method is gone from this path.'
    note(comparison, 'method-removed', placeFor(method), { before: method.toUpperCase(), message })
  }
  for (const [method] of operations.added) {
    const message = 'The method is new on this path.'
    note(comparison, 'method-added', placeFor(method), { after: method.toUpperCase(), message })
  }
  for (const [method, baseOperation, headOperation] of operations.kept) {
    compareOperation(
      comparison,
      placeFor(method),
      { item: base.item, operation: baseOperation },
      { item: head.item, operation: headOperation },
      renamed,
    )
  }
}

/** Paths keyed by what stands on the wire: `/jobs/{id}` and `/jobs/{jobId}` are one path to an HTTP client. */
function pathsOf(contract: Contract): ReadonlyMap<string, PathEntry> {
  return new Map(
    [...membersOf(contract.root.paths)].map(([template, node]) => [
      template.replaceAll(/\{[^}]*\}/g, '{}'),
      { template, item: follow(contract, node) ?? {} },
    ]),
  )
}

function parameterNames(template: string): readonly string[] {
  return [...template.matchAll(/\{([^}]*)\}/g)].map((found) => found[1] ?? '')
}
