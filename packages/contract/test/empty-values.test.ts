// Null, an empty list, and an empty string in bodies, and empty values in queries: the service and a plain JSON Schema validator
// over the contract accept the same. So a gateway or a client that checks calls by the contract refuses none that the service takes.

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { inputReader, namePlacesIn, readAreas } from '../src/checks/index.ts'
import { type OperationId, openapi, operationIds, operations } from '../src/index.ts'
import { createInputCheck } from '../src/input.ts'
import { bodyExamples, listParameters, type Node, operationNode, resolve } from '../src/nodes.ts'
import { BOX, SEARCH_URL } from '../test-cases/valid-input.ts'

type JsonObject = Record<string, unknown>

const check = createInputCheck({ useDefaults: true })
const ajv = new Ajv2020({ strict: false, validateSchema: false })
;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
ajv.addSchema(openapi, 'contract')

const RING = [
  [-122.375, 47.622],
  [-122.34, 47.622],
  [-122.34, 47.65],
  [-122.375, 47.622],
]
const GEOMETRY = { type: 'Polygon', coordinates: [RING] }
const AREAS = [
  GEOMETRY,
  { type: 'circle', center: [-122.357, 47.637], radius_m: 500 },
  { type: 'bbox', ...BOX },
  { type: 'place', kind: 'county', name: 'King County, WA' },
  { type: 'place', kind: 'county', id: '53033' },
  { type: 'Feature', geometry: GEOMETRY },
  { type: 'FeatureCollection', features: [{ type: 'Feature', geometry: GEOMETRY }] },
]
const FILTERS = [
  { bbox: BOX, price: { min: 1 }, beds: {}, baths: {}, sqft: {}, yearBuilt: {}, lotSize: {}, hoa: {} },
  { zips: ['98109'] },
  ...AREAS.map((area) => ({ area })),
]
const WEBHOOK_ID = '0192f0c1-2b3c-7d4e-8f50-112233445566'
const ESTIMATED = { operation: 'getProperty', input: { path: { zpid: '48749425' } } }

/** Bodies beside the examples of the contract, which do not have every object in which a field can be. */
const OTHER_BODIES: Partial<Record<OperationId, readonly unknown[]>> = {
  ...Object.fromEntries(
    (['searchListings', 'searchForSale', 'searchForRent', 'searchSold'] as const).map((id) => [
      id,
      [...FILTERS.map((filters) => ({ filters })), { searchUrls: [{ url: SEARCH_URL }] }],
    ]),
  ),
  searchWithDetails: FILTERS.map((filters) => ({ filters })),
  createWatch: [
    ...FILTERS.map((filters) => ({ name: 'Homes', filters })),
    { name: 'Homes', zpids: ['48749425'], min_change: { percent: 1 } },
    { name: 'Homes', zpids: ['48749425'], subscriber: { webhook_id: WEBHOOK_ID } },
  ],
  updateWatch: [
    ...FILTERS.map((filters) => ({ filters })),
    { min_change: { percent: 1 } },
    { subscriber: { webhook_id: WEBHOOK_ID } },
  ],
  createPropertyBatch: [{ addresses: ['1917 8th Ave W, Seattle, WA 98119'] }],
  estimateCall: [{ operation: 'getAccount' }, ESTIMATED],
}

const EMPTY = [null, [], '']

describe.each(operationIds.filter((id) => operations[id].hasBody))('a body of %s', (id) => {
  const schema = bodySchema(id)
  const validate = ajv.compile(atContract(schema))
  const bodies = [...Object.values(bodyExamples(id)), ...(OTHER_BODIES[id] ?? [])] as JsonObject[]
  /** Those that have the object of the field, and are valid without the field. */
  const bodiesWithout = (path: readonly string[]) =>
    bodies
      .map((body) => withoutField(body, path))
      .filter((body) => body !== undefined)
      .filter((body) => isTaken(id, body))

  it.each(optionalFields(schema).map((path) => ({ place: path.join('.'), path })))(
    'takes null, an empty list, and an empty string in $place exactly where its schema does',
    ({ path }) => {
      const without = bodiesWithout(path)
      expect(without.length, 'bodies that are valid without the field').toBeGreaterThan(0)
      for (const body of without) {
        expect(validate(body)).toBe(true)
        for (const value of EMPTY) {
          const sent = withField(body, path, value)
          expect(isTaken(id, sent), JSON.stringify(sent)).toBe(validate(sent))
        }
      }
    },
  )

  it.each(optionalFields(schema).map((path) => ({ place: path.join('.'), path })))(
    'takes null in $place',
    ({ path }) => {
      expect(validate(withField(bodiesWithout(path)[0]!, path, null))).toBe(true)
    },
  )
})

describe('an unknown field that is null or an empty list', () => {
  const validate = ajv.compile(atContract(bodySchema('searchListings')))

  it.each([
    ['of the body', { filters: { bbox: BOX }, note: null, tags: [] }, true],
    ['of the filters', { filters: { bbox: BOX, note: null, tags: [] } }, true],
    ['of a range', { filters: { bbox: BOX, price: { note: null } } }, false],
    ['of a box', { filters: { bbox: { ...BOX, tags: [] } } }, false],
  ])('is ignored only where the schema permits it: %s', (_, body, isAccepted) => {
    expect(validate(body)).toBe(isAccepted)
    expect(isTaken('searchListings', body)).toBe(isAccepted)
  })
})

it('an empty list is refused where entries are required and is not read as absent', () => {
  expect(isTaken('createKey', { name: 'Production', allowed_operations: [] })).toBe(false)
  expect(isTaken('updateKey', { allowed_operations: [] })).toBe(false)
})

const optionalParameters = operationIds.flatMap((id) =>
  listParameters(id)
    .filter((parameter) => parameter.in === 'query' && !parameter.required)
    .map(({ name, allowEmptyValue }) => ({ id, name, allowEmptyValue })),
)

it.each(optionalParameters)(
  'the query of $id takes $name without a value if and only if `allowEmptyValue` says so',
  ({ id, name, allowEmptyValue }) => {
    const query: JsonObject = { [name]: '' }
    inputReader(id)({ query })
    expect(query).toEqual(allowEmptyValue ? {} : { [name]: '' })
  },
)

/** Whether the service takes the body, as far as the contract decides. */
function isTaken(id: OperationId, sent: unknown): boolean {
  const body = structuredClone(sent) as JsonObject
  const required = listParameters(id).filter((parameter) => parameter.in === 'path')
  const ids = required.map(({ name }) => [name, '5e0d8c1a-7f43-4d0b-9a52-3c1f6b7e2d90'])
  const input = { params: Object.fromEntries(ids), query: {}, headers: {}, body }
  inputReader(id)(input)
  if (check(id, input) !== undefined) return false
  const { area } = (body.filters ?? {}) as JsonObject
  return area === undefined || 'areas' in readAreas(area, namePlacesIn('filters.area'))
}

function bodySchema(id: OperationId): Node {
  const { content } = resolve(operationNode(id).requestBody) as {
    content: Readonly<Record<string, { readonly schema: Node }>>
  }
  return content['application/json']!.schema
}

/** References of the document, as those of a schema beside it. */
function atContract(node: unknown): object {
  return JSON.parse(JSON.stringify(node).replaceAll('"#/', '"contract#/')) as object
}

/** The paths of the optional fields of a schema, down to the fields of its objects, but not into lists. */
function optionalFields(node: unknown): string[][] {
  return findObjects(node).flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties as Readonly<Record<string, Node>>).flatMap(([name, field]) => [
      ...((required as readonly string[]).includes(name) ? [] : [[name]]),
      ...optionalFields(field).map((path) => [name, ...path]),
    ]),
  )
}

/** The node, and what it is composed of. */
function findObjects(node: unknown): Node[] {
  const own = resolve(node)
  const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (own[key] ?? []) as Node[])
  return [own, ...inner.flatMap(findObjects)]
}

/** A copy; undefined where the body does not have the object of the field. */
function withoutField(body: JsonObject, path: readonly string[]): JsonObject | undefined {
  return changed(body, path, (at, name) => delete at[name])
}

function withField(body: JsonObject, path: readonly string[], value: unknown): JsonObject {
  return changed(body, path, (at, name) => {
    at[name] = value
  })!
}

function changed(body: JsonObject, path: readonly string[], change: (at: JsonObject, name: string) => void) {
  const copy = structuredClone(body)
  const at = path
    .slice(0, -1)
    .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), copy)
  if (!isObject(at)) return undefined
  change(at, path.at(-1)!)
  return copy
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
