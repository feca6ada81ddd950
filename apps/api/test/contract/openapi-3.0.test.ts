// Checks that the OpenAPI 3.0 document for client generators describes the same wire format as the contract: the same operations,
// parameters, and responses, and the same verdict on every example and on thousands of mutated copies.

import { openapi } from '@lotline/contract'
import { addContractKeywords } from '@lotline/contract/checks'
import generated from '@lotline/contract/openapi-3.0.json' with { type: 'json' }
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { spoiledCopies } from './spoiled-copies.ts'

type Node = Readonly<Record<string, unknown>>
type Place = { readonly pointer: string; readonly schema: unknown; readonly examples: readonly unknown[] }

const METHODS = ['get', 'put', 'post', 'patch', 'delete']
const DOCUMENTS = { '3.1': openapi as unknown as Node, '3.0': generated as unknown as Node }

/** Follows references inside of a document. */
function follow(document: Node, node: unknown): Node {
  const { $ref } = node as { $ref?: string }
  if ($ref === undefined) return node as Node
  const steps = $ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return follow(
    document,
    steps.reduce<unknown>((at, step) => (at as Node)[step], document),
  )
}

function operationsOf(document: Node): [string, Node][] {
  return Object.entries(document.paths as Readonly<Record<string, Node>>).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method): [string, Node] => [
      `${method} ${path}`,
      { shared: item.parameters ?? [], ...(item[method] as Node) },
    ]),
  )
}

/** A call and its responses, without schemas. */
function outline(document: Node, operation: Node): unknown {
  const parameters = [...(operation.shared as Node[]), ...((operation.parameters as Node[]) ?? [])]
  const body = operation.requestBody === undefined ? undefined : follow(document, operation.requestBody)
  return {
    id: operation.operationId,
    security: operation.security,
    parameters: parameters
      .map((node) => follow(document, node))
      .map(({ name, in: place, required, style, explode }) => ({ name, place, required, style, explode })),
    body: body && { required: body.required, types: Object.keys(body.content as Node) },
    answers: Object.entries(operation.responses as Node).map(([status, node]) => {
      const { headers = {}, content = {}, 'x-error-codes': codes } = follow(document, node)
      const needed = Object.entries(headers as Node).map(([name, header]) => [
        name,
        follow(document, header).required ?? false,
      ])
      return { status, codes, headers: needed, types: Object.keys(content as Node) }
    }),
  }
}

/** Every place with its own schema, by JSON Pointer, with the contract's examples for it. */
function places(document: Node): Place[] {
  const found: Place[] = []
  const values = (examples: unknown) =>
    Object.values((examples ?? {}) as Node).map((example) => follow(document, example).value)
  const visit = (node: unknown, pointer: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { schema, example, examples } = node as Node
    if (schema !== undefined) {
      const shown = [...(example === undefined ? [] : [example]), ...values(examples)]
      found.push({ pointer: `${pointer}/schema`, schema, examples: shown })
    }
    for (const [name, child] of Object.entries(node)) {
      if (['schema', 'example', 'examples'].includes(name) || name.startsWith('x-')) continue
      visit(child, `${pointer}/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    }
  }
  visit(document.paths, '#/paths')
  const { schemas = {}, examples: _, ...others } = document.components as Readonly<Record<string, Node>>
  for (const [name, schema] of Object.entries(schemas))
    found.push({ pointer: `#/components/schemas/${name}`, schema, examples: [] })
  visit(others, '#/components')
  return found
}

/**
 * OpenAPI 3.0 as generators read it, in the words of JSON Schema: `nullable` adds null to what stands beside it.
 * `x-any-of` says what a value is whose type generators leave open, and `x-always` names more fields that are required.
 */
function inWordsOfJsonSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inWordsOfJsonSchema)
  if (typeof node !== 'object' || node === null) return node
  const read = Object.fromEntries(
    Object.entries(node).map(([name, child]) => [
      { 'x-any-of': 'anyOf', 'x-pattern': 'pattern' }[name] ?? name,
      inWordsOfJsonSchema(child),
    ]),
  )
  if (Array.isArray(read['x-always'])) read.required = [...(read.required as string[]), ...read['x-always']]
  if (read.nullable !== true && read['x-nullable'] !== true) return read
  const { nullable: _, 'x-nullable': __, ...rest } = read
  // The contract's own keywords look at the types of fields.
  const isPlain = typeof rest.type === 'string' && !('allOf' in rest) && !('enum' in rest)
  return isPlain ? { ...rest, type: [rest.type, 'null'] } : { anyOf: [{ type: 'null' }, rest] }
}

/** Compiles each component once: ajv compiles a part of a document again for each schema that refers to it. */
function judge(document: Node): (schema: unknown) => ValidateFunction {
  const ajv = addContractKeywords(new Ajv2020({ strict: false, validateSchema: false }))
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  const named = (schema: unknown): object =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/components/schemas/', '"$ref":"component:'))
  const { schemas } = document.components as { readonly schemas: Node }
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(named(schema), `component:${name}`)
  return (schema) => ajv.compile(named(schema))
}

/** Merges places that have the same schema in both documents, with each example once. */
function distinctPlaces(): { pointer: string; schemas: [unknown, unknown]; examples: unknown[] }[] {
  const in30 = new Map(places(DOCUMENTS['3.0']).map(({ pointer, schema }) => [pointer, schema]))
  const groups = new Map<string, { pointer: string; schemas: [unknown, unknown]; examples: Set<string> }>()
  for (const { pointer, schema, examples } of places(DOCUMENTS['3.1'])) {
    if (pointer.startsWith('#/components/parameters/Webhook')) continue
    expect([...in30.keys()], 'the place stands in both documents').toContain(pointer)
    const schemas: [unknown, unknown] = [schema, in30.get(pointer)]
    const key = JSON.stringify(schemas)
    const group = groups.get(key) ?? { pointer, schemas, examples: new Set() }
    groups.set(key, group)
    for (const example of examples) group.examples.add(JSON.stringify(example))
  }
  return [...groups.values()].map(({ examples, ...group }) => ({
    ...group,
    examples: [...examples].map((text) => JSON.parse(text)),
  }))
}

describe('the OpenAPI 3.0 document', () => {
  const [of31, of30] = [operationsOf(DOCUMENTS['3.1']), operationsOf(DOCUMENTS['3.0'])]

  it('uses only features of OpenAPI 3.0, and has no webhooks', () => {
    expect(generated.openapi).toBe('3.0.3')
    expect(Object.keys(generated)).not.toContain('webhooks')
    const foreign: string[] = []
    const visit = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { type, examples } = node as Node
      if (Array.isArray(type) || type === 'null') foreign.push(`${place}: type ${String(type)}`)
      if (Array.isArray(examples)) foreign.push(`${place}: examples`)
      for (const name of [
        'const',
        'if',
        'prefixItems',
        'patternProperties',
        'unevaluatedProperties',
        '$defs',
      ])
        if (name in node) foreign.push(`${place}: ${name}`)
      for (const [name, child] of Object.entries(node))
        if (name !== 'example' && name !== 'value') visit(child, `${place}/${name}`)
    }
    visit(generated, '#')
    expect(foreign).toEqual([])
  })

  it('gives the type of every nullable value', () => {
    const open: string[] = []
    const visit = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      if ((node as Node).nullable === true && typeof (node as Node).type !== 'string') open.push(place)
      for (const [name, child] of Object.entries(node)) visit(child, `${place}/${name}`)
    }
    visit(generated, '#')
    expect(open).toEqual([])
    expect(JSON.stringify(generated)).toContain('"x-nullable":true')
  })

  it('has the operations of the contract, with their parameters, bodies, statuses, headers, and codes', () => {
    expect(of30.map(([name]) => name)).toEqual(of31.map(([name]) => name))
    expect(of30.map(([, operation]) => outline(DOCUMENTS['3.0'], operation))).toEqual(
      of31.map(([, operation]) => outline(DOCUMENTS['3.1'], operation)),
    )
  })

  it('accepts and refuses the same values as the contract, everywhere', { timeout: 300_000 }, () => {
    const in31 = judge(DOCUMENTS['3.1'])
    const in30 = judge(inWordsOfJsonSchema(DOCUMENTS['3.0']) as Node)
    const counts = { taken: 0, refused: 0 }
    for (const { pointer, schemas, examples } of distinctPlaces()) {
      const [validate31, validate30] = [in31(schemas[0]), in30(inWordsOfJsonSchema(schemas[1]))]
      for (const value of [null, {}, [], '', 0, true, ...examples, ...examples.flatMap(spoiledCopies)]) {
        const verdict = validate31(value)
        counts[verdict ? 'taken' : 'refused']++
        if (validate30(value) !== verdict)
          throw new Error(`${pointer} is not the same in both for ${JSON.stringify(value).slice(0, 500)}`)
      }
    }
    expect(counts.taken).toBeGreaterThan(2000)
    expect(counts.refused).toBeGreaterThan(2000)
  })
  it('omits the type of a value only in responses and areas, and then describes it', () => {
    const open: string[] = []
    const visit = (node: unknown, place: string, seen: readonly unknown[] = []): void => {
      if (typeof node !== 'object' || node === null || seen.includes(node)) return
      const found = follow(DOCUMENTS['3.0'], node)
      if ('x-any-of' in found) open.push(place)
      for (const [name, child] of Object.entries(found)) visit(child, `${place}/${name}`, [...seen, node])
    }
    for (const [name, { shared, parameters, requestBody }] of of30)
      visit({ shared, parameters, requestBody }, name)
    // One area or a list of them; a polygon or several. Clients send plain JSON there.
    expect(open.filter((place) => !/\/area(\/|$)/.test(place))).toEqual([])
    expect(JSON.stringify(generated)).toContain('"x-any-of":[{')
    expect(JSON.stringify(generated)).not.toMatch(/"(anyOf|oneOf)":/)
  })
})
