// Which paths of the query parameter `fields` lead nowhere, so that the response can name them: neither the contract nor
// the record has them. A path that the contract names is used also where a record has no such value.

import { type Node, resolve } from '../nodes.ts'
import { openapi } from '../openapi.ts'

const PATH_STEP = /\[(\d+)\]|[^.[\]]+/g

type FieldStep = { readonly name: string } | { readonly index: number }

/** Names such as `fields.pirce`, in their order. The text must be a list of paths that the service accepts. */
export function unknownFields(text: string, records: readonly unknown[]): string[] {
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  return paths
    .filter((path) => {
      const steps = parsePath(path)
      return !isDocumented(steps) && !records.some((record) => reachesKnownField(record, steps))
    })
    .map((path) => `fields.${path}`)
}

function parsePath(path: string): FieldStep[] {
  return [...path.matchAll(PATH_STEP)].map(([name, index]) =>
    index === undefined ? { name } : { index: Number(index) },
  )
}

function isDocumented(steps: readonly FieldStep[]): boolean {
  let nodes = partSchemas(openapi.components.schemas?.Property as Node)
  for (const step of steps) {
    nodes = nodes.flatMap((node) => {
      if ('index' in step) return itemSchemas(node)
      return [node, ...itemSchemas(node)].flatMap(({ properties }) => {
        const named = (properties as Readonly<Record<string, Node>> | undefined) ?? {}
        return Object.hasOwn(named, step.name) ? partSchemas(named[step.name]!) : []
      })
    })
  }
  return nodes.length > 0
}

function itemSchemas({ items }: Node): Node[] {
  return items === undefined ? [] : partSchemas(items as Node)
}

/** The node, and what it is composed of. */
function partSchemas(node: Node): Node[] {
  const own = resolve(node)
  const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (own[key] ?? []) as Node[])
  return [own, ...inner.flatMap(partSchemas)]
}

function reachesKnownField(value: unknown, [step, ...rest]: readonly FieldStep[]): boolean {
  if (step === undefined) return true
  if (Array.isArray(value)) {
    return 'index' in step
      ? step.index < value.length && reachesKnownField(value[step.index], rest)
      : value.some((element) => reachesKnownField(element, [step, ...rest]))
  }
  if (typeof value !== 'object' || value === null || 'index' in step || !Object.hasOwn(value, step.name)) {
    return false
  }
  return reachesKnownField((value as Readonly<Record<string, unknown>>)[step.name], rest)
}
