import { expect, it } from 'vitest'
import { collectExamples } from '../src/examples.ts'
import { addUnknownValues } from '../src/unknown-values.ts'

const media = (schema: object, value: unknown) => ({
  'application/json': { schema, examples: { one: { value } } },
})

const DOCUMENT = {
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: { content: media({ $ref: '#/components/schemas/Input' }, { kind: 'x' }) },
        responses: {
          200: { $ref: '#/components/responses/Done' },
        },
      },
    },
  },
  webhooks: {},
  components: {
    responses: {
      Done: { content: media({ $ref: '#/components/schemas/Answer' }, { rows: [{ kind: 'x', text: 'y' }] }) },
    },
    schemas: {
      Input: { properties: { kind: { $ref: '#/components/schemas/Kind' } } },
      Answer: { properties: { rows: { items: { anyOf: [{ $ref: '#/components/schemas/Row' }] } } } },
      Row: { properties: { kind: { $ref: '#/components/schemas/Kind' }, text: { type: 'string' } } },
      Kind: { type: 'string', 'x-extensible-enum': ['x'] },
    },
  },
}

it('every JSON example of a request and a response is collected with its component schema', () => {
  expect(collectExamples(DOCUMENT)).toEqual([
    { kind: 'request', operationId: 'a', name: 'one', schema: 'Input', value: { kind: 'x' } },
    {
      kind: 'response',
      operationId: 'a',
      status: '200',
      name: 'one',
      schema: 'Answer',
      value: { rows: [{ kind: 'x', text: 'y' }] },
    },
  ])
})

it('the copy of a response has an unknown value in each open enum and no other change', () => {
  const examples = addUnknownValues(DOCUMENT, collectExamples(DOCUMENT))
  expect(examples).toHaveLength(3)
  expect(examples[2]).toMatchObject({
    name: 'one with unknown values',
    value: { rows: [{ kind: 'added_by_a_later_version', text: 'y' }] },
  })
})
