// JSON Schemas of the tools, cut from the schemas of the contract: references resolved, and without the keywords that
// only the contract's own tools read. Clients of MCP read JSON Schema 2020-12, as OpenAPI 3.1 does.

import { type Node, resolve } from '../nodes.ts'
import { openapi } from '../openapi.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Of no use to a client of a tool: validators warn about the formats of numbers. */
const LEFT_OUT = new Set(['example', 'examples', 'int64', 'int32', 'double'])

/** A schema of the contract by its name, complete in itself. */
export function schemaOf(name: string): JsonSchema {
  return standAlone({ $ref: `#/components/schemas/${name}` }) as JsonSchema
}

/** The object schema with some of its properties. Others are allowed: `fields` brings them. */
export function pick(name: string, names: readonly string[]): JsonSchema {
  const { properties, required = [] } = resolve(openapi.components.schemas![name]) as {
    readonly properties: Node
    readonly required?: readonly string[]
  }
  const unknown = names.find((field) => !properties[field])
  if (unknown !== undefined) throw new Error(`${name} has no property ${unknown}`)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((field) => [field, brief(standAlone(properties[field]))])),
    required: required.filter((field) => names.includes(field)),
    additionalProperties: true,
  }
}

/** A schema of the contract for a result, without its texts. */
export function resultSchemaOf(name: string): JsonSchema {
  return brief(schemaOf(name)) as JsonSchema
}

/** Without descriptions: the list of tools is read by a model, and what a result means is in its names. */
function brief(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(brief)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
      .map(([key, value]) => [key, brief(value)]),
  )
}

/** One property of an object schema. */
export function propertyOf(name: string, field: string): JsonSchema {
  const { properties } = resolve(openapi.components.schemas![name]) as { readonly properties: Node }
  return standAlone(properties[field]) as JsonSchema
}

function standAlone(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(standAlone)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as Node
  const whole = $ref === undefined ? own : { ...resolve(node), ...own }
  return Object.fromEntries(
    Object.entries(whole)
      .filter(([key, value]) => !key.startsWith('x-') && !LEFT_OUT.has(key) && !isNumberFormat(key, value))
      .map(([key, value]) => [key, standAlone(value)]),
  )
}

function isNumberFormat(key: string, value: unknown): boolean {
  return key === 'format' && LEFT_OUT.has(String(value))
}
