import { expect, it } from 'vitest'
import { type OperationId, operationIds } from '../src/index.ts'
import { listParameters, type Node, operationNode, resolve } from '../src/nodes.ts'

/** Formats that state how wide a number is, which change no verdict on a value. */
const WIDTHS = ['int32', 'int64', 'double']

/** The schemas of all that a caller sends, with their parts. */
function inputSchemas(id: OperationId): Map<string, Node> {
  const found = new Map<string, Node>()
  function visit(node: unknown, place: string): void {
    if (typeof node !== 'object' || node === null) return
    const schema = resolve(node)
    if ([...found.values()].includes(schema)) return
    found.set(place, schema)
    for (const [name, part] of Object.entries(schema)) visit(part, `${place}.${name}`)
  }
  const { requestBody } = operationNode(id)
  const content = requestBody === undefined ? {} : (resolve(requestBody).content as Record<string, Node>)
  for (const { schema } of Object.values(content)) visit(schema, `${id} body`)
  for (const parameter of listParameters(id))
    visit((parameter as { schema?: unknown }).schema, `${id} ${parameter.name}`)
  return found
}

it.each(operationIds)('each format and pattern in the input of %s has a description for people', (id) => {
  for (const [place, schema] of inputSchemas(id)) {
    const form = schema.pattern ?? (WIDTHS.includes(String(schema.format)) ? undefined : schema.format)
    if (typeof form === 'string') expect(schema['x-form'], `${place}: ${form}`).toBeTypeOf('string')
  }
})
