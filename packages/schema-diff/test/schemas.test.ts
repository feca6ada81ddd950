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

describe('types', () => {
  test('an integer is a number, so that one is narrower than the other', () => {
    expect(changes({ type: 'integer' }, { type: 'number' })).toEqual([
      '! type-widened response',
      'type-widened request',
    ])
    expect(changes({ type: ['integer', 'number'] }, { type: 'number' })).toEqual([])
  })

  test('null in a list of types, in a union and in an enum is the same null', () => {
    const forms = [
      { type: ['string', 'null'], enum: ['a', 'b', null] },
      { oneOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      { anyOf: [{ const: null }, { enum: ['b', 'a'] }] },
      { enum: [null, 'a', 'b'] },
    ]
    for (const base of forms) for (const head of forms) expect(changes(base, head)).toEqual([])
  })

  test('an enum without null takes null away, whatever the type says', () => {
    expect(changes({ type: ['string', 'null'] }, { type: ['string', 'null'], enum: ['a'] })).toEqual([
      '! enum-introduced request',
      '! nullability-removed request',
      'enum-introduced response',
      'nullability-removed response',
    ])
  })

  test('nothing more is said of a value whose type is another one', () => {
    const object = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    expect(changes(object, { type: 'string', minLength: 3 })).toEqual([
      '! type-changed request',
      '! type-changed response',
    ])
  })

  test('a keyword that cannot concern the type says nothing', () => {
    expect(changes({ type: 'string' }, { type: 'string', minimum: 5, required: ['a'], maxItems: 1 })).toEqual(
      [],
    )
  })

  test('the schemas true and {} are the same, and false permits nothing', () => {
    expect(changes(true, {})).toEqual([])
    expect(changes({ properties: { a: true } }, { properties: { a: false } })).toEqual([
      '! constraint-changed request',
      '! constraint-changed response',
    ])
  })
})

describe('allOf', () => {
  test('what several members say of a field holds together', () => {
    const parts = {
      allOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { maxLength: 5 } } }],
    }
    expect(changes(parts, { properties: { a: { type: 'string', maxLength: 5 } } })).toEqual([])
    expect(changes(parts, { properties: { a: { type: 'string' } } })).toEqual([
      '! bound-widened response',
      'bound-widened request',
    ])
  })

  test('the tightest of several bounds and the values common to several enums count', () => {
    const parts = {
      allOf: [
        { enum: ['a', 'b'], minLength: 1 },
        { enum: ['b', 'c'], minLength: 3 },
      ],
    }
    expect(changes(parts, { enum: ['b'], minLength: 3 })).toEqual([])
  })

  test('what stands beside a $ref overrides the default behind it', () => {
    const schemas = { Size: { type: 'integer', default: 1 } }
    const reference = { $ref: '#/components/schemas/Size', default: 2 }
    expect(changes(reference, { type: 'integer', default: 2 }, schemas)).toEqual([])
    expect(changes(reference, { $ref: '#/components/schemas/Size' }, schemas)).toEqual([
      '! default-changed request',
    ])
  })
})

describe('unions', () => {
  test('alternatives are paired by likeness, not by order', () => {
    const { breed: _, ...properties } = dog.properties
    expect(changes({ oneOf: [cat, dog] }, { oneOf: [{ ...dog, properties }, cat] })).toEqual([
      '! field-removed request',
      '! field-removed response',
    ])
  })

  test('oneOf and anyOf are compared alike where no value fits two alternatives', () => {
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

  test('an anyOf that becomes a oneOf refuses what fits two alternatives', () => {
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

  test('a closed member of an allOf refuses what only the others describe', () => {
    const one = { properties: { a: {} }, additionalProperties: false }
    const other = { properties: { b: {} } }
    expect(changes({ allOf: [one, other] }, one)).toEqual([])
    expect(
      changes({ properties: { a: {}, b: {} }, additionalProperties: false }, { allOf: [one, other] }),
    ).toEqual(['! field-removed request', '! field-removed response'])
  })

  test('a union of one alternative is that alternative', () => {
    expect(changes({ oneOf: [cat] }, cat)).toEqual([])
  })

  test('a schema that becomes one of several is widened, and the way back narrows', () => {
    expect(changes(cat, { oneOf: [dog, cat] })).toEqual([
      '! alternative-added response',
      'alternative-added request',
    ])
    expect(changes({ oneOf: [dog, cat] }, cat)).toEqual([
      '! alternative-removed request',
      'alternative-removed response',
    ])
  })

  test('what stands beside a union holds for each alternative', () => {
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

  test('a nullable union stays nullable when an alternative is added', () => {
    const nullable = { oneOf: [cat, { type: 'string' }, { type: 'null' }] }
    expect(changes(nullable, { oneOf: [...nullable.oneOf, { type: 'boolean' }] })).toEqual([
      '! alternative-added response',
      'alternative-added request',
    ])
  })
})

describe('the same in other words', () => {
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
  ])('%s', (_name, one, other) => {
    expect(changes(one, other)).toEqual([])
    expect(changes(other, one)).toEqual([])
  })

  test('an open enum as a keyword with its values: a further one is harmless, a lost one is not', () => {
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

  test('a demand for one of two fields that is dropped breaks no sender', () => {
    const properties = { a: { type: 'string' }, b: { type: 'string' } }
    const either = { type: 'object', properties, anyOf: [{ required: ['a'] }, { required: ['b'] }] }
    expect(
      changes(either, { type: 'object', properties }).filter((change) => change.endsWith('request')),
    ).toEqual(['field-became-optional request', 'field-became-optional request'])
  })

  test('an alternative that another one covers is no new one to a receiver', () => {
    const louder = { ...cat, properties: { ...cat.properties, volume: { type: 'integer' } } }
    expect(changes({ oneOf: [cat, dog] }, { oneOf: [cat, dog, louder] })).toEqual([
      'alternative-added request',
      'field-added response',
    ])
  })

  test('an open enum is no enum with a pattern for the rest', () => {
    const base = { anyOf: [{ enum: ['a'] }, { type: 'string' }] }
    const head = { anyOf: [{ enum: ['a'] }, { type: 'string', pattern: '^x' }] }
    expect(changes(base, head).filter((change) => change.startsWith('!')).length).toBeGreaterThan(0)
  })
})

describe('references', () => {
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

  test('a shared type is listed for each place that it reaches', () => {
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
    ['leads nowhere', '#/components/schemas/Absent', 'leads nowhere'],
    ['leads to another file', './Home.yaml', 'is not bundled'],
    ['leads to a member that every object inherits', '#/components/schemas/constructor', 'leads nowhere'],
  ])('a $ref that %s is refused by name', (_name, $ref, complaint) => {
    expect(() => compareDocuments(echoing({ $ref }), echoing({}))).toThrow(complaint)
  })
})

test('fields that are named like members of every object are fields like others', () => {
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

test('an error code that is no part of the whole list of codes widens an ordinary enum', () => {
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
