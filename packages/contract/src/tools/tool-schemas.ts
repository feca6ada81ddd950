// JSON Schemas of the tools, cut from the schemas of the contract: references resolved, and without the keywords that
// only the contract's own tools read. Clients of MCP read JSON Schema 2020-12, as OpenAPI 3.1 does.

import { type Node, resolve } from '../nodes.ts'
import { openapi } from '../openapi.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Of no use to a client of a tool: validators warn about the formats of numbers. */
const OMITTED_KEYWORDS = new Set(['example', 'examples', 'int64', 'int32', 'double'])

/** A schema of the contract by its name, complete in itself. */
export function contractSchema(name: string): JsonSchema {
  return inlineReferences({ $ref: `#/components/schemas/${name}` }) as JsonSchema
}

/** The object schema with some of its properties. Others are allowed: `fields` brings them. */
export function pickProperties(name: string, names: readonly string[]): JsonSchema {
  const { properties, required = [] } = resolve(openapi.components.schemas![name]) as {
    readonly properties: Node
    readonly required?: readonly string[]
  }
  const unknown = names.find((field) => !properties[field])
  if (unknown !== undefined) throw new Error(`${name} has no property ${unknown}`)
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((field) => [field, shortenDescription(inlineReferences(properties[field]))]),
    ),
    required: required.filter((field) => names.includes(field)),
    additionalProperties: true,
  }
}

/** A schema of the contract for a result, without its texts. */
export function resultSchema(name: string): JsonSchema {
  return shortenDescription(contractSchema(name)) as JsonSchema
}

/** Without descriptions: the list of tools is read by a model, and what a result means is in its names. */
function shortenDescription(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(shortenDescription)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
      .map(([key, value]) => [key, shortenDescription(value)]),
  )
}

/** One property of an object schema. */
export function propertySchema(name: string, field: string): JsonSchema {
  const { properties } = resolve(openapi.components.schemas![name]) as { readonly properties: Node }
  return inlineReferences(properties[field]) as JsonSchema
}

function inlineReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inlineReferences)
  if (typeof node !== 'object' || node === null) return node
  const { $ref, ...own } = node as Node
  const whole = $ref === undefined ? own : { ...resolve(node), ...own }
  return Object.fromEntries(
    Object.entries(whole)
      .filter(
        ([key, value]) => !key.startsWith('x-') && !OMITTED_KEYWORDS.has(key) && !isNumberFormat(key, value),
      )
      .map(([key, value]) => [key, inlineReferences(value)]),
  )
}

function isNumberFormat(key: string, value: unknown): boolean {
  return key === 'format' && OMITTED_KEYWORDS.has(String(value))
}
