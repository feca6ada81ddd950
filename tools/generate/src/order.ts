import { isObject } from './document.ts'

const TOP_LEVEL = [
  'openapi',
  'info',
  'jsonSchemaDialect',
  'servers',
  'security',
  'tags',
  'paths',
  'webhooks',
  'components',
]

/**
 * The same document with its keys in an order that does not depend on how the bundler walked the files: the
 * top level in reading order, components by group and name. Paths, operations and the fields of a schema keep
 * the order in which the author wrote them, because the reference shows them in it.
 */
export function inStableOrder(document: Record<string, unknown>): Record<string, unknown> {
  const known = TOP_LEVEL.filter((key) => key in document)
  const others = Object.keys(document)
    .filter((key) => !TOP_LEVEL.includes(key))
    .sort()
  return Object.fromEntries(
    [...known, ...others].map((key) => [
      key,
      key === 'components' ? componentsByName(document[key]) : document[key],
    ]),
  )
}

function componentsByName(components: unknown): unknown {
  if (!isObject(components)) return components
  return sorted(Object.entries(components).map(([group, members]) => [group, byName(members)]))
}

function byName(members: unknown): unknown {
  return isObject(members) ? sorted(Object.entries(members)) : members
}

function sorted(entries: (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
