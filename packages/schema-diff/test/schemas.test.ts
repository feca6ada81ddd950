import { describe, expect, test } from 'vitest'
import { compareDocuments } from '../src/compare-documents.ts'
import { toContract } from '../src/document.ts'
import type { JsonObject, JsonValue } from '../src/json.ts'
import { examplePolicy } from './example-policy.ts'

/** A contract whose only operation takes the schema as its body and answers with it. */
function echoing(schema: JsonValue, schemas: JsonObject = {}) {
  const content = { 'application/json': { schema } }
  const post = {
    operationId: 'echo',
    requestBody: { content },
    responses: { '200': { description: 'Echo.', content } },
  }
  return toContract('echo', { openapi: '3.1.0', paths: { '/v1/echo': { post } }, components: { schemas } })
}

/** The changes between two schemas, as `rule@direction`, the breaking ones marked. */
function changes(base: JsonValue, head: JsonValue, schemas: JsonObject = {}): readonly string[] {
  const { breaking, harmless } = compareDocuments(echoing(base, schemas), echoing(head, schemas))
  return [
    ...breaking.map(({ rule, direction }) => `! ${rule} ${direction}`),
    ...harmless.map(({ rule, direction }) => `${rule} ${direction}`),
  ].sort()
}

const cat = { type: 'object', required: ['meow'], properties: { meow: { type: 'string' } } }
const dog = {
  type: 'object',
  required: ['bark'],
  properties: { bark: { type: 'string' }, breed: { type: 'string' } },
}

describe('comparing types', () => {
  test('treats an integer as a narrower number', () => {
    expect(changes({ type: 'integer' }, { type: 'number' })).toEqual([
      '! type-widened response',
      'type-widened request',
    ])
    expect(changes({ type: ['integer', 'number'] }, { type: 'number' })).toEqual([])
  })

  test('treats null in a type list, a union, and an enum as the same', () => {
    const forms = [
      { type: ['string', 'null'], enum: ['a', 'b', null] },
      { oneOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      { anyOf: [{ const: null }, { enum: ['b', 'a'] }] },
      { enum: [null, 'a', 'b'] },
    ]
    for (const base of forms) for (const head of forms) expect(changes(base, head)).toEqual([])
  })

  test('finds that an enum without null excludes null, whatever the type says', () => {
    expect(changes({ type: ['string', 'null'] }, { type: ['string', 'null'], enum: ['a'] })).toEqual([
      '! enum-introduced request',
      '! nullability-removed request',
      'enum-introduced response',
      'nullability-removed response',
    ])
  })

  test('reports only the type if the type changed', () => {
    const object = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect(changes(object, { type: 'string', minLength: 3 })).toEqual([
      '! type-changed request',
      '! type-changed response',
    ])
  })

  test('ignores a keyword that does not apply to the type', () => {
    expect(changes({ type: 'string' }, { type: 'string', minimum: 5, required: ['a'], maxItems: 1 })).toEqual(
      [],
    )
  })

  test('treats true and {} as the same schema, and false as permitting nothing', () => {
    expect(changes(true, {})).toEqual([])
    expect(changes({ properties: { a: true } }, { properties: { a: false } })).toEqual([
      '! constraint-changed request',
      '! constraint-changed response',
    ])
  })
})

describe('comparing allOf', () => {
  test('combines what several members say about a field', () => {
    const parts = {
      allOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { maxLength: 5 } } }],
    }
    expect(changes(parts, { properties: { a: { type: 'string', maxLength: 5 } } })).toEqual([])
    expect(changes(parts, { properties: { a: { type: 'string' } } })).toEqual([
      '! bound-widened response',
      'bound-widened request',
    ])
  })

  test('applies the tightest of several bounds and the values common to several enums', () => {
    const parts = {
      allOf: [
        { enum: ['a', 'b'], minLength: 1 },
        { enum: ['b', 'c'], minLength: 3 },
      ],
    }
    expect(changes(parts, { enum: ['b'], minLength: 3 })).toEqual([])
  })

  test('lets keywords beside a $ref override the default of its target', () => {
    const schemas = { Size: { type: 'integer', default: 1 } }
    const reference = { $ref: '#/components/schemas/Size', default: 2 }
    expect(changes(reference, { type: 'integer', default: 2 }, schemas)).toEqual([])
    expect(changes(reference, { $ref: '#/components/schemas/Size' }, schemas)).toEqual([
      '! default-changed request',
    ])
  })
})

describe('comparing unions', () => {
  test('pairs alternatives by similarity, not by order', () => {
    const { breed: _, ...properties } = dog.properties
    expect(changes({ oneOf: [cat, dog] }, { oneOf: [{ ...dog, properties }, cat] })).toEqual([
      '! field-removed request',
      '! field-removed response',
    ])
  })

  test('treats oneOf and anyOf alike if no value matches two alternatives', () => {
    const kind = (value: string) => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: value } },
    })
    const [one, two] = [kind('cat'), kind('dog')]
    expect(changes({ oneOf: [one, two] }, { anyOf: [two, one] })).toEqual([])
    expect(
      changes({ anyOf: [one, two, { type: 'string' }] }, { oneOf: [{ type: 'string' }, two, one] }),
    ).toEqual([])
  })

  test('reports that a oneOf in place of an anyOf refuses values that match two alternatives', () => {
    expect(changes({ anyOf: [cat, dog] }, { oneOf: [dog, cat] })).toEqual([
      '! alternatives-became-exclusive request',
      'alternatives-became-exclusive response',
    ])
    expect(changes({ oneOf: [cat, dog] }, { anyOf: [dog, cat] })).toEqual([
      '! alternatives-became-inclusive response',
      'alternatives-became-inclusive request',
    ])
    expect(
      changes(
        { anyOf: [{ enum: ['a'] }, { type: 'string' }] },
        { oneOf: [{ enum: ['a'] }, { type: 'string' }] },
      ),
    ).toContain('! alternatives-became-exclusive request')
  })

  test('reports that a closed member of an allOf refuses fields of the other members', () => {
    const one = { properties: { a: {} }, additionalProperties: false }
    const other = { properties: { b: {} } }
    expect(changes({ allOf: [one, other] }, one)).toEqual([])
    expect(
      changes({ properties: { a: {}, b: {} }, additionalProperties: false }, { allOf: [one, other] }),
    ).toEqual(['! field-removed request', '! field-removed response'])
  })

  test('treats a union of one alternative as that alternative', () => {
    expect(changes({ oneOf: [cat] }, cat)).toEqual([])
  })

  test('reports a schema that becomes one of several as wider, and the reverse as narrower', () => {
    expect(changes(cat, { oneOf: [dog, cat] })).toEqual([
      '! alternative-added response',
      'alternative-added request',
    ])
    expect(changes({ oneOf: [dog, cat] }, cat)).toEqual([
      '! alternative-removed request',
      'alternative-removed response',
    ])
  })

  test('applies keywords beside a union to each alternative', () => {
    const beside = { properties: { name: { type: 'string' } }, oneOf: [cat, dog] }
    expect(changes(beside, { oneOf: [cat, dog] })).toEqual([
      '! field-removed request',
      '! field-removed response',
    ])
    expect(
      changes({ type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] }, { type: 'object' }),
    ).toEqual([
      '! alternative-removed request',
      '! field-removed request',
      '! field-removed response',
      'alternative-removed response',
    ])
  })

  test('keeps a nullable union nullable when an alternative is added', () => {
    const nullable = { oneOf: [cat, { type: 'string' }, { type: 'null' }] }
    expect(changes(nullable, { oneOf: [...nullable.oneOf, { type: 'boolean' }] })).toEqual([
      '! alternative-added response',
      'alternative-added request',
    ])
  })
})

describe('comparing different spellings of the same schema', () => {
  const text = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } }
  test.each<[string, JsonValue, JsonValue]>([
    [
      'a list of types and a union of them',
      { type: ['string', 'integer'] },
      { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    ],
    [
      'a list of types with keywords of each, and a union of them',
      { type: ['string', 'array', 'null'], maxLength: 5, items: { type: 'integer' } },
      {
        anyOf: [
          { type: 'string', maxLength: 5 },
          { type: 'array', items: { type: 'integer' } },
          { type: 'null' },
        ],
      },
    ],
    [
      'an enum and a union of constants',
      { type: 'string', enum: ['a', 'b'] },
      { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    ],
    [
      'a nullable enum and a union of enums',
      { type: ['string', 'null'], enum: ['a', 'b', null] },
      { anyOf: [{ enum: ['a'] }, { enum: ['b'] }, { type: 'null' }] },
    ],
    ['a union and a union in a union', { anyOf: [cat, dog, text] }, { anyOf: [cat, { oneOf: [dog, text] }] }],
    ['a union and one with a branch twice', { anyOf: [cat, dog] }, { anyOf: [cat, dog, cat] }],
    [
      'an open enum as a union and as an extension',
      { anyOf: [{ type: 'string', enum: ['a'] }, { type: 'string' }] },
      { type: 'string', enum: ['a'], 'x-open-enum': true },
    ],
    [
      'an open enum that is nullable in its branch and beside it',
      { anyOf: [{ enum: ['a'] }, { type: ['string', 'null'] }] },
      { anyOf: [{ enum: ['a'] }, { type: 'string' }, { type: 'null' }] },
    ],
    [
      'closed in a member of allOf and as a whole',
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { properties: { a: {} }, additionalProperties: false },
    ],
  ])('finds no change: %s', (_name, one, other) => {
    expect(changes(one, other)).toEqual([])
    expect(changes(other, one)).toEqual([])
  })

  test('treats a value added to an open enum as harmless and a removed one as breaking', () => {
    const open = (...values: string[]) => ({ type: 'string', 'x-extensible-enum': values })
    expect(changes(open('a', 'b'), { anyOf: [{ enum: ['a', 'b'] }, { type: 'string' }] })).toEqual([])
    expect(changes(open('a'), open('a', 'b'))).toEqual([
      'open-enum-value-added request',
      'open-enum-value-added response',
    ])
    expect(changes(open('a', 'b'), open('a'))).toEqual([
      '! enum-value-removed request',
      '! enum-value-removed response',
    ])
  })

  test('finds that dropping a requirement for one of two fields breaks no sender', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } }
    const either = { type: 'object', properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(
      changes(either, { type: 'object', properties }).filter((change) => change.endsWith('request')),
    ).toEqual(['field-became-optional request', 'field-became-optional request'])
  })

  test('finds no new alternative for a receiver if another one covers it', () => {
    const louder = { ...cat, properties: { ...cat.properties, volume: { type: 'integer' } } }
    expect(changes({ oneOf: [cat, dog] }, { oneOf: [cat, dog, louder] })).toEqual([
      'alternative-added request',
      'field-added response',
    ])
  })

  test('treats an enum plus a pattern for other values as different from an open enum', () => {
    const base = { anyOf: [{ enum: ['a'] }, { type: 'string' }] }
    const head = { anyOf: [{ enum: ['a'] }, { type: 'string', pattern: '^x' }] }
    expect(changes(base, head).filter((change) => change.startsWith('!')).length).toBeGreaterThan(0)
  })
})

describe('comparing references', () => {
  const tree = (leaf: JsonValue) => ({
    Tree: {
      type: 'object',
      properties: { leaf, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    },
    Wrapped: {
      allOf: [
        { $ref: '#/components/schemas/Tree' },
        { properties: { self: { $ref: '#/components/schemas/Wrapped' } } },
      ],
    },
    Choice: {
      oneOf: [
        { $ref: '#/components/schemas/Choice' },
        { type: 'array', items: { $ref: '#/components/schemas/Choice' } },
        leaf,
      ],
    },
  })

  test.each(['Tree', 'Wrapped', 'Choice'])(
    'a recursive type (%s) is compared once and to the end',
    (name) => {
      const reference = { $ref: `#/components/schemas/${name}` }
      const base = echoing(reference, tree({ type: 'string' }))
      expect(compareDocuments(base, echoing(reference, tree({ type: 'string' })))).toEqual({
        breaking: [],
        harmless: [],
      })
      const { breaking } = compareDocuments(base, echoing(reference, tree({ type: 'string', maxLength: 3 })))
      expect(breaking.map(({ rule }) => rule)).toContain('bound-narrowed')
      expect(breaking.length).toBeLessThan(5)
    },
  )

  test('lists a shared type for each place that uses it', () => {
    const shared = (type: string) => ({ Range: { type: 'object', properties: { min: { type } } } })
    const body = {
      properties: {
        beds: { $ref: '#/components/schemas/Range' },
        baths: { $ref: '#/components/schemas/Range' },
      },
    }
    const { breaking } = compareDocuments(echoing(body, shared('string')), echoing(body, shared('integer')))
    expect(
      breaking.filter(({ direction }) => direction === 'request').map(({ location }) => location),
    ).toEqual([
      'POST /v1/echo → request → application/json → beds.min',
      'POST /v1/echo → request → application/json → baths.min',
    ])
  })

  test.each([
    ['leads nowhere', '#/components/schemas/Absent', 'does not exist'],
    ['leads to another file', './Home.yaml', 'is in another file'],
    ['leads to a member that every object inherits', '#/components/schemas/constructor', 'does not exist'],
  ])('refuses a $ref that %s, and names it', (_name, $ref, complaint) => {
    expect(() => compareDocuments(echoing({ $ref }), echoing({}))).toThrow(complaint)
  })
})

test('fields named like properties of every JavaScript object are compared like others', () => {
  const properties = {
    constructor: { type: 'string' },
    toString: { type: 'string' },
    title: { type: 'string' },
  }
  expect(changes({ properties }, { properties: {} })).toEqual([
    ...Array(3).fill('! field-removed request'),
    ...Array(3).fill('! field-removed response'),
  ])
})

test('an error code outside the common list widens an ordinary enum', () => {
  const contract = (codes: readonly string[]) =>
    toContract('codes', {
      openapi: '3.1.0',
      paths: {
        '/v1/a': {
          get: {
            responses: {
              '400': {
                description: 'Wrong.',
                'x-error-codes': ['a', 'b'],
                content: { 'application/json': { schema: { enum: codes } } },
              },
            },
          },
        },
      },
    })
  const widened = (base: string[], head: string[]) =>
    compareDocuments(contract(base), contract(head), examplePolicy).breaking.length
  expect(widened(['a', 'b'], ['a', 'b', 'c'])).toBe(0)
  expect(widened(['a'], ['a', 'c'])).toBe(1)
})
