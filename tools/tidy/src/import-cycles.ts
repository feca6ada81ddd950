// Files that import each other in a circle, types included: none of them can be read, tested or moved alone.

import { importsOf } from './imports.ts'
import type { Breach, Source } from './source.ts'

/** One breach for each circle, at its first file in order of path. */
export function findImportCycles(sources: readonly Source[]): Breach[] {
  const graph = new Map(
    sources.map((source) => [
      source.file,
      importsOf(source).flatMap(({ target }) => (target === undefined ? [] : [target])),
    ]),
  )
  return circlesOf(graph).map((circle) => {
    const [first, ...others] = circle.toSorted()
    return { file: first!, line: 1, rule: `imports in a circle with ${others.join(', ') || 'itself'}` }
  })
}

/** Strongly connected components of more than one member, and members that lead to themselves (Tarjan's algorithm). */
export function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []

  function visit(file: string): void {
    order.set(file, order.size)
    lowest.set(file, order.get(file)!)
    path.push(file)
    for (const next of graph.get(file)!) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      // A file that has left the path belongs to a component that is complete.
      if (path.includes(next)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(next)!))
    }
    if (lowest.get(file) !== order.get(file)) return
    const component = path.splice(path.indexOf(file))
    if (component.length > 1 || graph.get(file)!.includes(file)) circles.push(component)
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles
}
