/*
 * Holds the house style of the contract to its word with the real linter: a small sound contract passes,
 * and beside it each fault, alone in a file of its own, is reported by the rule that is there for it.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resourceFaults, soundResource } from './resource-faults.ts'
import {
  content,
  errorResponse,
  inline,
  LIMIT,
  type Operation,
  type PathItem,
  soundOperation,
} from './sound-operation.ts'

const redocly = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url))
const plugin = fileURLToPath(new URL('../src/spec-house-style.mjs', import.meta.url))

/** A home with a field `value` of this schema. */
const withSchema = (value: object) => (operation: Operation) => {
  content(operation, '200').schema = { type: 'object', properties: { value } }
}

/** With a body whose `value` has this schema, and the limit of the charge. */
const withInput = (value: object) => (operation: Operation) => {
  const schema = { type: 'object', properties: { maxCredits: LIMIT, value } }
  operation.requestBody = { content: { 'application/json': { schema } } }
}
const withParameter = (more: object) => (operation: Operation) =>
  operation.parameters?.push({ name: 'value', in: 'query', schema: { type: 'string' }, ...more })
const withoutParameter = (name: string) => (operation: Operation) => {
  operation.parameters = (operation.parameters ?? []).filter((parameter) => parameter.name !== name)
}

interface ListSchema {
  required: string[]
  properties: { meta: { required: string[]; properties: Record<string, object> } }
}

/** A sound list, spoiled. */
const list = (spoil: (operation: Operation, schema: ListSchema) => void) => (operation: Operation) => {
  const integer = { type: 'integer', format: 'int64' }
  const limit = { type: 'integer', minimum: 1, maximum: 500, default: 100 }
  operation['x-credits'] = { price: 0, per: 'call' }
  operation.parameters = [
    { name: 'limit', in: 'query', allowEmptyValue: true, schema: limit },
    { name: 'cursor', in: 'query', allowEmptyValue: true, schema: { type: 'string' } },
  ]
  inline(operation, '200').description = 'The homes, the latest first.'
  const schema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: { type: 'array', items: { type: 'string' } },
      meta: {
        type: 'object',
        required: ['count', 'limit', 'has_more'],
        properties: {
          count: integer,
          limit: integer,
          has_more: { type: 'boolean' },
          next_cursor: { type: 'string' },
        },
      },
    },
  }
  content(operation, '200').schema = schema
  spoil(operation, schema)
}

/** fault → the rule that must report it, and how a sound operation gets it */
const faults: Record<string, [rule: string, spoil: (operation: Operation) => void]> = {
  'list without cursor': ['list-grammar', list((op) => op.parameters?.pop())],
  'list with a default of 50': [
    'list-grammar',
    list((op) => Object.assign(op.parameters![0]!.schema, { default: 50 })),
  ],
  'list without meta': ['list-grammar', list((_, schema) => schema.required.pop())],
  'list whose has_more is optional': [
    'list-grammar',
    list((_, schema) => schema.properties.meta.required.pop()),
  ],
  'list without next_cursor': [
    'list-grammar',
    list((_, schema) => delete schema.properties.meta.properties.next_cursor),
  ],
  'list without an order': [
    'list-grammar',
    list((op) => Object.assign(inline(op, '200'), { description: 'The homes.' })),
  ],
  'no operationId': ['operation', (op) => delete op.operationId],
  'operationId in snake_case': ['operation', (op) => Object.assign(op, { operationId: 'get_home' })],
  'no summary': ['operation', (op) => delete op.summary],
  'long summary': ['operation', (op) => Object.assign(op, { summary: 'x'.repeat(61) })],
  'no description': ['operation', (op) => delete op.description],
  'no tag': ['operation', (op) => Object.assign(op, { tags: [] })],
  'two tags': ['operation', (op) => Object.assign(op, { tags: ['Homes', 'Others'] })],
  'no actor': ['operation', (op) => delete op['x-actor']],
  'unknown actor': ['operation', (op) => Object.assign(op, { 'x-actor': 'guest' })],
  'no price': ['price', (op) => delete op['x-credits']],
  'price of a row without minimum': [
    'price',
    (op) => Object.assign(op, { 'x-credits': { price: 1, per: 'row' } }),
  ],
  'price of a call with minimum': [
    'price',
    (op) => Object.assign(op, { 'x-credits': { price: 1, per: 'call', minimum: 1 } }),
  ],
  'negative price': ['price', (op) => Object.assign(op, { 'x-credits': { price: -1, per: 'call' } })],
  'price of no stage': ['price', (op) => Object.assign(op, { 'x-credits': { stages: {} } })],
  'no 429': ['error-statuses', (op) => delete op.responses['429']],
  'no 504': ['error-statuses', (op) => delete op.responses['504']],
  'body without 406': ['error-statuses', (op) => delete op.responses['406']],
  'no error codes': ['error-codes', (op) => delete inline(op, '500')['x-error-codes']],
  'code without example': ['error-codes', (op) => inline(op, '500')['x-error-codes']?.push('other')],
  'example without code': [
    'error-codes',
    (op) =>
      Object.assign(content(op, '500').examples ?? {}, { other: { value: { error: { code: 'other' } } } }),
  ],
  'example of another code': [
    'error-codes',
    (op) =>
      Object.assign(content(op, '500').examples ?? {}, { failed: { value: { error: { code: 'other' } } } }),
  ],
  'body without example': ['examples', (op) => delete content(op, '200').example],
  'created without an address': [
    'created-resources',
    (op) => {
      const { content } = inline(op, '200')
      const links = { getHome: { operationId: 'getHome' } }
      op.responses['201'] = { description: 'Created.', links, ...(content && { content }) }
    },
  ],
  'created without a link': [
    'created-resources',
    (op) => {
      const { content } = inline(op, '200')
      const headers = { Location: { schema: { type: 'string' } } }
      op.responses['202'] = { description: 'Accepted.', headers, ...(content && { content }) }
    },
  ],
  'header of a key in a 429': [
    'keyless-refusals',
    (op) => {
      inline(op, '429').headers = { RateLimit: { required: true, schema: { type: 'string' } } }
    },
  ],
  'default response': [
    'no-default-response',
    (op) => Object.assign(op.responses, { default: { description: 'Anything.' } }),
  ],
  'value of two types': ['one-type', withSchema({ type: ['number', 'string'], format: 'double' })],
  'list of anything': ['one-type', withSchema({ type: ['array', 'null'] })],
  'object of anything': ['one-type', withSchema({ type: ['object', 'null'] })],
  'integer without width': ['number-width', withSchema({ type: 'integer' })],
  'integer beyond its width': ['number-width', withSchema({ type: 'integer', maximum: 2 ** 31 })],
  'number without width': ['number-width', withSchema({ type: ['number', 'null'] })],
  'two spellings of a field': [
    'distinct-fields',
    withSchema({ type: 'object', properties: { subType: {}, sub_type: {} } }),
  ],
  'values listed in prose only': [
    'listed-values',
    withSchema({
      type: 'object',
      properties: {
        paused_reason: { type: ['string', 'null'], description: 'It is `by_owner` or `failed`.' },
      },
    }),
  ],
  'closed list in an answer': ['open-values', withSchema({ type: 'string', enum: ['a', 'b'] })],
  'query silent about empty values': ['empty-values', withParameter({})],
  'parameter without a bound': [
    'exact-integers',
    withParameter({ allowEmptyValue: true, schema: { type: 'integer', format: 'int64' } }),
  ],
  'field beyond exact integers': [
    'exact-integers',
    withInput({ type: ['integer', 'null'], format: 'int64', maximum: 2 ** 53 }),
  ],
  'no header to limit the charge': ['charge-limit', withoutParameter('X-Max-Credits')],
  'no query to limit the charge': ['charge-limit', withoutParameter('max_credits')],
  'no field to limit the charge': [
    'charge-limit',
    (op) => {
      const schema = { type: 'object', properties: { name: { type: 'string' } } }
      op.requestBody = { content: { 'application/json': { schema } } }
    },
  ],
  'choice of required fields': [
    'no-required-compositions',
    withSchema({ type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],
}

/** Writes the contract into a new folder: the root file, one file for each path, a shared response. */
async function writeContract(
  folder: string,
  items: Record<string, PathItem>,
  inlinePath?: Operation,
  eventTag?: string,
) {
  const paths: Record<string, unknown> = {}
  await mkdir(join(folder, 'paths'))
  await mkdir(join(folder, 'responses'))
  for (const [name, item] of Object.entries(items)) {
    const file = `paths/${name.replaceAll(' ', '-')}.json`
    paths[`/${name.replaceAll(' ', '-')}`] = { $ref: file }
    await writeFile(join(folder, file), JSON.stringify(item))
  }
  if (inlinePath) paths['/inline'] = { get: inlinePath }
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Homes', version: '1.0.0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [{ name: 'Homes' }, { name: 'Others' }],
    paths,
    ...(eventTag && {
      webhooks: { sold: { post: { tags: [eventTag], responses: { '200': { description: 'Received.' } } } } },
    }),
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(contract))
  await writeFile(
    join(folder, 'responses/Unauthorized.json'),
    JSON.stringify(errorResponse('missing_api_key', 'invalid_api_key')),
  )
  const others = ['only-refs-below-paths', 'event-tags']
  const all = [...Object.values(faults), ...Object.values(resourceFaults)]
  const rules = [...new Set(all.map(([rule]) => rule)), ...others]
  await writeFile(
    join(folder, 'redocly.yaml'),
    JSON.stringify({
      plugins: [plugin],
      rules: Object.fromEntries(rules.map((rule) => [`house/${rule}`, 'error'])),
    }),
  )
}

/** The problems that the linter reports, as "rule in file". */
async function lint(folder: string): Promise<string[]> {
  const output = await new Promise<string>((resolve) => {
    execFile(redocly, ['lint', 'openapi.json', '--format', 'json'], { cwd: folder }, (_error, stdout) =>
      resolve(stdout),
    )
  })
  const report = JSON.parse(output) as {
    problems: { ruleId: string; location: { source: { ref: string }; pointer: string }[] }[]
  }
  return report.problems.map(({ ruleId, location }) => {
    const file = (location[0]?.source.ref ?? '').split('/').at(-1) ?? ''
    return `${ruleId} in ${file.replace('.json', '').replaceAll('-', ' ')}`
  })
}

describe('the lint rules for the contract', () => {
  let folder: string
  let problems: string[]

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'house-style-'))
    await mkdir(join(folder, 'sound'))
    await mkdir(join(folder, 'broken'))
    const broken: Record<string, PathItem> = {}
    for (const [name, [, spoil]] of Object.entries(faults)) {
      const get = soundOperation()
      spoil(get)
      broken[name] = { get }
    }
    for (const [name, [, item]] of Object.entries(resourceFaults)) broken[name] = item()
    await writeContract(join(folder, 'broken'), broken, soundOperation(), 'Homes')
    problems = await lint(join(folder, 'broken'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  test('report nothing for a valid contract', async () => {
    const prices = {
      call: { price: 1, per: 'call' },
      row: { price: 1, per: 'row', minimum: 0 },
      stages: { stages: { search: { price: 1, per: 'row', minimum: 0 } } },
    }
    const items = Object.entries(prices).map(([name, price]): [string, PathItem] => [
      name,
      { get: { ...soundOperation(), 'x-credits': price } },
    ])
    const sound = { ...Object.fromEntries(items), resource: soundResource() }
    await writeContract(join(folder, 'sound'), sound, undefined, 'Others')
    expect(await lint(join(folder, 'sound'))).toEqual([])
  })

  test.each([...Object.entries(faults), ...Object.entries(resourceFaults)])(
    '%s is reported',
    (name, [rule]) => {
      expect(problems.filter((problem) => problem.endsWith(` in ${name}`))).toEqual([
        `house/${rule} in ${name}`,
      ])
    },
  )

  test('report an operation in the root file and an event with the tag of operations', () => {
    expect(problems.filter((problem) => problem.endsWith(' in openapi')).sort()).toEqual([
      'house/event-tags in openapi',
      'house/only-refs-below-paths in openapi',
    ])
  })
})
