// Which paths of the query parameter `fields` lead nowhere, so that the response can name them: neither the contract nor
// the record has them. A path that the contract names is used also where a record has no such value.

import { type Node, resolve } from '../nodes.ts'
import { openapi } from '../openapi.ts'

const STEP = /\[(\d+)\]|[^.[\]]+/g

type FieldStep = { readonly name: string } | { readonly index: number }

/** Names such as `fields.pirce`, in their order. The text must be a list of paths that the service accepts. */
export function unknownFields(text: string, records: readonly unknown[]): string[] {
  const paths = text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '')
  return paths
    .filter((path) => {
      const steps = stepsOf(path)
      return !isDocumented(steps) && !records.some((record) => leadsSomewhere(record, steps))
    })
    .map((path) => `fields.${path}`)
}

function stepsOf(path: string): FieldStep[] {
  return [...path.matchAll(STEP)].map(([name, index]) =>
    index === undefined ? { name } : { index: Number(index) },
  )
}

function isDocumented(steps: readonly FieldStep[]): boolean {
  let nodes = partsOf(openapi.components.schemas?.Property as Node)
  for (const step of steps) {
    nodes = nodes.flatMap((node) => {
      if ('index' in step) return itemsOf(node)
      return [node, ...itemsOf(node)].flatMap(({ properties }) => {
        const named = (properties as Readonly<Record<string, Node>> | undefined) ?? {}
        return Object.hasOwn(named, step.name) ? partsOf(named[step.name]!) : []
      })
    })
  }
  return nodes.length > 0
}

function itemsOf({ items }: Node): Node[] {
  return items === undefined ? [] : partsOf(items as Node)
}

/** The node, and what it is composed of. */
function partsOf(node: Node): Node[] {
  const own = resolve(node)
  const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (own[key] ?? []) as Node[])
  return [own, ...inner.flatMap(partsOf)]
}

function leadsSomewhere(value: unknown, [step, ...rest]: readonly FieldStep[]): boolean {
  if (step === undefined) return true
  if (Array.isArray(value)) {
    return 'index' in step
      ? step.index < value.length && leadsSomewhere(value[step.index], rest)
      : value.some((element) => leadsSomewhere(element, [step, ...rest]))
  }
  if (typeof value !== 'object' || value === null || 'index' in step || !Object.hasOwn(value, step.name)) {
    return false
  }
  return leadsSomewhere((value as Readonly<Record<string, unknown>>)[step.name], rest)
}
