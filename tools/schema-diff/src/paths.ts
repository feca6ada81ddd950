import { type Comparison, note } from './comparison.ts'
import { type Contract, follow } from './contract.ts'
import { type JsonObject, membersOf } from './json.ts'
import { match } from './match.ts'
import { compareOperation } from './operation.ts'
import { operationsOf } from './operations.ts'
import { placeOf } from './place.ts'

interface Path {
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

function compareMethods(comparison: Comparison, base: Path, head: Path): void {
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
function pathsOf(contract: Contract): ReadonlyMap<string, Path> {
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
