// Clients must live with values that a later version of the contract adds. Each enum that the contract declares open
// (`x-extensible-enum`) gets a value in the examples of responses and events that no version has.

import type { ContractExample } from './examples.ts'

const UNKNOWN = 'added_by_a_later_version'

// biome-ignore lint/suspicious/noExplicitAny: a document that another program serves
type Json = any

/** The examples, and beside each kind of response a copy in which all open enums have an unknown value. */
export function addUnknownValues(document: Json, examples: readonly ContractExample[]): ContractExample[] {
  const schemas = document.components.schemas
  const altered = new Map<string, ContractExample>()
  for (const example of examples) {
    const { kind, operationId, status, name, value } = example
    const place = `${kind} ${operationId} ${status}`
    if (kind === 'request' || altered.has(place)) continue
    const changed = withUnknown(value, [schemaOf(document, example)], schemas)
    if (JSON.stringify(changed) === JSON.stringify(value)) continue
    altered.set(place, { ...example, name: `${name} with unknown values`, value: changed })
  }
  return [...examples, ...altered.values()]
}

function withUnknown(value: unknown, schemas: readonly Json[], components: Json): unknown {
  const all = schemas.flatMap((schema) => branchesOf(schema, components))
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items }) => items ?? [])
    return value.map((item) => withUnknown(item, items, components))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => {
        const properties = all.flatMap((schema) => schema.properties?.[name] ?? [])
        return [name, withUnknown(child, properties, components)]
      }),
    )
  }
  return typeof value === 'string' && all.some((schema) => 'x-extensible-enum' in schema) ? UNKNOWN : value
}

/** A schema and all that it refers to or is composed of. */
function branchesOf(schema: Json, components: Json): Json[] {
  const target = schema.$ref ? [components[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]] : []
  const parts = [...target, ...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return [schema, ...parts.flatMap((part) => branchesOf(part, components))]
}

function schemaOf(document: Json, { kind, operationId, status }: ContractExample): Json {
  const items = Object.values({ ...document.paths, ...document.webhooks }) as Json[]
  const operation = items
    .flatMap((item) => Object.values(item) as Json[])
    .find((one) => one?.operationId === operationId)
  const holder = kind === 'response' ? operation.responses[status!] : operation.requestBody
  const found = holder.$ref
    ? document.components.responses[holder.$ref.slice(holder.$ref.lastIndexOf('/') + 1)]
    : holder
  return found.content['application/json'].schema
}
