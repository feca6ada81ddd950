import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type GeneratedFiles, generate } from '../src/index.ts'
import { copyContract, FIXTURE } from './contract-copy.ts'

// Each test starts the bundler, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let files: GeneratedFiles

beforeAll(async () => {
  files = await generate(join(FIXTURE, 'openapi.yaml'))
})

/** The lines of a generated file from the first that begins with `start` to its closing brace. */
function block(file: string, start: string): string {
  const lines = files.get(file)?.split('\n') ?? []
  const from = lines.findIndex((line) => line.startsWith(start))
  const indent = start.match(/^ */)?.[0] ?? ''
  const length = lines.slice(from).findIndex((line) => line.startsWith(`${indent}}`))
  return lines.slice(from, from + length + 1).join('\n')
}

/** Makes a module of a generated file, without what needs the rest of the package. */
async function load(file: string): Promise<Record<string, unknown>> {
  await using copy = await copyContract()
  await mkdir(join(copy.directory, 'module'))
  const path = join(copy.directory, 'module', file)
  await writeFile(path, files.get(file) ?? '')
  return await import(/* @vite-ignore */ path)
}

const bundle = () => JSON.parse(files.get('openapi.json') ?? '')

describe('the bundled document', () => {
  it('keeps the order of paths and operations and sorts its top-level keys', () => {
    expect(Object.keys(bundle())).toEqual([
      'openapi',
      'info',
      'servers',
      'security',
      'tags',
      'paths',
      'webhooks',
      'components',
    ])
    expect(Object.keys(bundle().paths)).toEqual(['/v1/homes/{id}', '/v1/homes', '/v1/homes/search'])
    expect(Object.keys(bundle().paths['/v1/homes/{id}'])).toEqual(['parameters', 'get', 'delete'])
  })

  it('names components after their files, in alphabetical order', () => {
    const { components } = bundle()
    expect(Object.keys(components)).toEqual([
      'examples',
      'headers',
      'parameters',
      'responses',
      'schemas',
      'securitySchemes',
    ])
    expect(Object.keys(components.schemas)).toEqual(['Error', 'ErrorCode', 'Format', 'Home', 'HomeSearch'])
    expect(Object.keys(components.responses)).toEqual(['NotFound', 'Unauthorized'])
  })

  it('keeps keywords beside a reference and the name of the schema', () => {
    const { schemas } = bundle().components
    expect(schemas.HomeSearch.allOf[1].properties.format).toEqual({
      allOf: [{ $ref: '#/components/schemas/Format' }],
      default: 'csv',
      description: 'How the homes are written.',
      'x-unit': 'none',
    })
    expect(schemas.Format.default).toBe('json')
  })

  it('keeps extension fields everywhere', () => {
    const { components, paths } = bundle()
    expect(components.parameters.HomeId['x-shown-as']).toBe('Home id')
    expect(components.parameters.HomeId.schema['x-error-code']).toBe('not_found')
    expect(components.headers['X-Request-Id']['x-shown-as']).toBe('Request id')
    expect(components.schemas.Home.properties.price['x-unit']).toBe('dollars')
    expect(components.responses.NotFound['x-error-codes']).toEqual(['not_found'])
    expect(paths['/v1/homes/{id}'].get['x-credits']).toEqual({ price: 3, per: 'call' })
  })
})

describe('the generated operation table', () => {
  it('lists every operation in the order of the contract, and no webhook', async () => {
    const { operationIds } = await load('operations.ts')
    expect(operationIds).toEqual(['getHome', 'deleteHome', 'listHomes', 'searchHomes'])
  })

  it('has the method, path, tag, actor, price, statuses, codes, formats, and input of an operation', async () => {
    const { operations } = await load('operations.ts')
    expect(operations).toMatchObject({
      listHomes: {
        method: 'GET',
        path: '/v1/homes',
        tag: 'Homes',
        actor: 'search',
        price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
        statuses: {
          200: { errors: [], formats: ['application/json', 'text/csv'] },
          400: { errors: ['missing_input', 'invalid_limit'], formats: ['application/json'] },
          401: { errors: ['missing_api_key'], formats: ['application/json'] },
        },
        acceptsFormats: ['application/json', 'text/csv'],
        hasBody: false,
        queryParameters: ['status', 'limit', 'format', 'city'],
      },
      deleteHome: { method: 'DELETE', acceptsFormats: [], statuses: { 204: { errors: [], formats: [] } } },
      searchHomes: { method: 'POST', hasBody: true, queryParameters: [] },
    })
  })

  it('uses a price per call as its own minimum, and 0 if no minimum is stated', async () => {
    const { operations } = await load('operations.ts')
    expect(operations).toMatchObject({
      getHome: { price: { stages: [{ stage: null, price: 3, per: 'call', minimum: 3 }] } },
      deleteHome: { price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] } },
      searchHomes: {
        price: {
          stages: [
            { stage: 'search', price: 1, per: 'row', minimum: 1 },
            { stage: 'detail', price: 2, per: 'row', minimum: 0 },
          ],
        },
      },
    })
  })
})

describe('the generated types of an operation', () => {
  it('mark a parameter with a default as present, also behind a reference', () => {
    expect(files.get('operations.ts')).toContain("query: QueryOf<'listHomes', 'limit' | 'format'>")
    expect(files.get('operations.ts')).toContain("query: QueryOf<'getHome'>")
  })

  it('mark a body field with a default as present, except below oneOf, where defaults are not filled in', () => {
    expect(files.get('operations.ts')).toContain(
      "body: BodyOf<'searchHomes', 'method' | 'format' | 'filters.sold'>",
    )
  })

  it('list the codes of each refusal', () => {
    expect(files.get('operations.ts')).toContain(
      "400: RefusalOf<'listHomes', 400, 'missing_input' | 'invalid_limit'>",
    )
  })

  it('keep fields with a default optional in requests, and allow unknown fields beside documented ones', () => {
    const types = files.get('types.ts')
    expect(types).toContain('limit?: number;')
    expect(types).toContain('method?: "fast" | "exact";')
    expect(block('types.ts', '        Home: {')).toContain('price?: number | null;')
    expect(types).toMatch(/\} & \{\s+\[key: string\]: unknown;/)
  })
})

describe('the generated error catalogue', () => {
  it('has the status, meaning, and remedy of every code, even if no operation returns it', async () => {
    const { errorStatuses, errorMeanings, errorDetails } = await load('errors.ts')
    expect(errorStatuses).toEqual({
      missing_api_key: [401],
      missing_input: [400],
      invalid_limit: [400],
      not_found: [404],
      method_not_allowed: [405],
    })
    expect(errorMeanings).toMatchObject({
      invalid_limit: { meaning: 'The limit is out of bounds.', remedy: 'Use 1 to 50.' },
    })
    expect(errorDetails).toEqual({
      missing_api_key: [],
      missing_input: ['parameter'],
      invalid_limit: ['parameter', 'maximum'],
      not_found: [],
      method_not_allowed: [],
    })
  })
})

describe('the generator', () => {
  it('writes the same bytes in two clones at different paths', async () => {
    await using copy = await copyContract()
    expect(await generate(copy.specFile)).toEqual(files)
  })

  it('writes neither the path nor the date of its run', () => {
    for (const text of files.values()) {
      expect(text).not.toContain(FIXTURE)
      expect(text).not.toContain(`${new Date().getFullYear()}-`)
    }
  })
})
