import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { run } from '../src/cli.ts'
import type { JsonValue } from '../src/json.ts'
import { exampleContract } from './example-contract.ts'
import { all, drop, type Mutation, mutated, put } from './mutate.ts'
import { field, home } from './paths-in-example.ts'

const unchanged: Mutation = () => {}
const withoutPrice = drop(...field('price'))
const withNewField = put({ type: 'string' }, ...field('style'))

let root: string
let output: string
let complaints: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'schema-diff-test-'))
  await mkdir(join(root, 'spec', 'releases'), { recursive: true })
  await write('base.json', unchanged)
})

afterEach(() => rm(root, { recursive: true, force: true }))

async function write(name: string, mutate: Mutation): Promise<string> {
  const contract = mutated(exampleContract, mutate)
  return writeText(name, name.endsWith('.json') ? JSON.stringify(contract) : stringify(contract))
}

async function writeText(name: string, text: string): Promise<string> {
  await writeFile(join(root, name), text)
  return join(root, name)
}

async function schemaDiff(...args: readonly string[]): Promise<number> {
  output = ''
  complaints = ''
  return run(args, {
    write: (text) => {
      output += text
    },
    complain: (text) => {
      complaints += text
    },
  })
}

const compareFiles = (head: string, ...more: readonly string[]) =>
  schemaDiff('--base', join(root, 'base.json'), '--head', head, ...more)

describe('comparing two files', () => {
  test('exits with 0 and says so if nothing changed, also for JSON against YAML', async () => {
    expect(await compareFiles(await write('head.yaml', unchanged))).toBe(0)
    expect(output).toContain('The two say the same to a caller.')
  })

  test('exits with 0 if the changes are harmless', async () => {
    expect(await compareFiles(await write('head.json', withNewField))).toBe(0)
    expect(output).toContain('HARMLESS')
    expect(output).toContain('Nothing breaks a caller.')
  })

  test('exits with 1 and reports rule, direction, place, before, and after of a breaking change', async () => {
    expect(await compareFiles(await write('head.json', withoutPrice))).toBe(1)
    expect(output).toContain('field-removed (response): The field is gone.')
    expect(output).toContain('GET /v1/homes/{id} → 200 → application/json → data.price')
    expect(output).toContain('before  integer | null')
  })

  test('lists a change to a shared type once, with all its places', async () => {
    await compareFiles(await write('head.json', withoutPrice))
    expect(output.match(/field-removed/g)).toHaveLength(1)
    expect(output).toContain('POST /v1/search → 200 → application/json → data[].price')
  })

  test('lists every change with all its fields in the JSON report', async () => {
    const head = await write('head.json', all(withNewField, put('fetchHome', ...home, 'operationId')))
    expect(await compareFiles(head, '--json')).toBe(1)
    const report = JSON.parse(output)
    expect(Object.keys(report)).toEqual(['breaking', 'harmless'])
    expect(report.breaking).toEqual([
      {
        rule: 'operation-id-changed',
        direction: 'none',
        location: 'GET /v1/homes/{id}',
        before: 'getHome',
        after: 'fetchHome',
        message: expect.any(String),
      },
    ])
    expect(report.harmless).toContainEqual({
      rule: 'field-added',
      direction: 'response',
      location: 'GET /v1/homes/{id} → 200 → application/json → data.style',
      before: null,
      after: 'string',
      message: expect.any(String),
    })
  })
})

describe('the policy file', () => {
  const policy = (value: JsonValue) => writeText('policy.yaml', stringify(value))
  const known = { unknownExtensions: 'ignored' }

  test('overrides which side a kind of change breaks', async () => {
    const head = await write('head.json', withoutPrice)
    expect(await compareFiles(head)).toBe(1)
    const lenient = await policy({ ...known, rules: { 'field-removed': 'request' } })
    expect(await compareFiles(head, '--policy', lenient)).toBe(0)
    const strict = await policy({ ...known, rules: { 'field-added': 'always' } })
    expect(await compareFiles(await write('more.json', withNewField), '--policy', strict)).toBe(1)
  })

  test('defines the meaning of an extension, which has none without it', async () => {
    const dearer = await write('head.json', put(9, ...home, 'x-credits', 'price'))
    expect(await compareFiles(dearer)).toBe(0)
    expect(output).toContain('The two say the same to a caller.')
    const breaks = { raised: 'always', lowered: 'never', changed: 'always' }
    const extension = { keyword: 'x-credits', on: 'operation', compare: 'amount', rule: 'price', breaks }
    const file = await policy({ ...known, extensions: [extension] })
    expect(await compareFiles(dearer, '--policy', file)).toBe(1)
    expect(output).toContain('price-raised: x-credits (x-credits) is raised.')
    const lenient = await policy({ ...known, extensions: [extension], rules: { 'price-raised': 'never' } })
    expect(await compareFiles(dearer, '--policy', lenient)).toBe(0)
  })

  test('names the keyword that declares an open enum', async () => {
    const withOpen = (values: readonly string[]) =>
      put({ type: 'string', enum: values, 'x-growing': true }, ...field('status'))
    await write('base.json', withOpen(['sold']))
    const head = await write('head.json', withOpen(['sold', 'for_rent']))
    expect(await compareFiles(head)).toBe(1)
    expect(await compareFiles(head, '--policy', await policy({ ...known, openEnums: ['x-growing'] }))).toBe(0)
    expect(output).toContain('open-enum-value-added')
  })

  const extension = {
    keyword: 'x-tag',
    on: 'operation',
    compare: 'value',
    rule: 'tag',
    breaks: { changed: 'never' },
  }
  const ignoring = (...keywords: string[]) => ({
    extensions: keywords.map((keyword) => ({ keyword, compare: 'ignored', reason: 'A test.' })),
  })
  const everyKeyword = [
    'x-credits',
    'x-error-codes',
    'x-error-code',
    'x-only-with',
    'x-needs',
    'x-fields-of',
    'x-ignored',
    'x-ignored-input',
    'x-filled-for',
  ]

  test('that omits an extension of a document causes exit code 2', async () => {
    const file = await policy(ignoring(...everyKeyword))
    expect(await compareFiles(await write('head.json', unchanged), '--policy', file)).toBe(0)
    const head = await write('head.json', put(true, ...field('title'), 'x-tag'))
    expect(await compareFiles(head, '--policy', file)).toBe(2)
    expect(complaints).toContain(
      'head.json has x-tag at components → schemas → Home → properties → title, and the policy does not name it.',
    )
    expect(await compareFiles(head, '--policy', await policy(ignoring(...everyKeyword, 'x-tag')))).toBe(0)
    expect(await compareFiles(head, '--policy', await policy(known))).toBe(0)
  })

  test.each([
    ['the base', 'base.json'],
    ['the head', 'head.json'],
  ])('must name an extension that is only in %s', async (_, name) => {
    await write('head.json', unchanged)
    await write(name, put(true, ...home, 'responses', '200', 'x-tag'))
    const file = await policy(ignoring(...everyKeyword))
    expect(await compareFiles(join(root, 'head.json'), '--policy', file)).toBe(2)
    expect(complaints).toContain(`${name} has x-tag at paths → /v1/homes/{id} → get → responses → 200`)
  })

  test('causes exit code 2 if an extension is used where it is not compared', async () => {
    const { extensions } = ignoring(...everyKeyword)
    const file = await policy({ extensions: [...extensions, extension] })
    const head = await write('head.json', put(true, ...field('title'), 'x-tag'))
    expect(await compareFiles(head, '--policy', file)).toBe(2)
    expect(complaints).toContain('where it is not compared. The policy lists it only for each operation')
  })

  test('need not list fields, headers, and examples whose names begin with x-', async () => {
    const ok = [...home, 'responses', '200'] as const
    const head = await write(
      'head.json',
      all(
        put({ type: 'string', default: { 'x-tag': 1 } }, ...field('x-tag')),
        put({ schema: { type: 'string' } }, ...ok, 'headers', 'x-tag'),
        put({ value: { 'x-tag': 1 } }, ...ok, 'content', 'application/json', 'examples', 'x-tag'),
      ),
    )
    expect(await compareFiles(head, '--policy', await policy(ignoring(...everyKeyword)))).toBe(0)
  })

  test('is included when --rules prints each rule and the side that it breaks', async () => {
    const file = await policy({ rules: { 'field-removed': 'response' } })
    expect(await schemaDiff('--rules', '--policy', file)).toBe(0)
    expect(output).toMatch(/^field-removed +response$/m)
    expect(output).toMatch(/^enum-value-added +response$/m)
  })

  test.each<[string, JsonValue, string]>([
    ['is a list', [], 'must be an object'],
    ['has an unknown key', { rule: {} }, 'unknown key rule'],
    [
      'overrides a rule that does not exist',
      { rules: { 'fields-removed': 'never' } },
      'unknown rule fields-removed',
    ],
    ['has an unknown verdict', { rules: { 'field-removed': 'sometimes' } }, 'must be one of always'],
    ['has an extension with no x-', { extensions: [{ ...extension, keyword: 'tag' }] }, 'must begin with x-'],
    [
      'has an extension in an unknown place',
      { extensions: [{ ...extension, on: 'server' }] },
      'on must be one of',
    ],
    [
      'does not say whom an outcome breaks',
      { extensions: [{ ...extension, breaks: {} }] },
      'breaks.changed must be',
    ],
    [
      'names an outcome that cannot be',
      { extensions: [{ ...extension, breaks: { changed: 'never', raised: 'never' } }] },
      'unknown key raised',
    ],
    [
      'ignores an extension without a reason',
      { extensions: [{ keyword: 'x-tag', compare: 'ignored' }] },
      'reason must be',
    ],
    [
      'compares a demand for fields on an operation',
      { extensions: [{ ...extension, compare: 'choice' }] },
      'on must be one of input',
    ],
    [
      'has an option of another way to compare',
      { extensions: [{ ...extension, openEnum: true }] },
      'unknown key openEnum',
    ],
    [
      'says nothing known of unknown extensions',
      { unknownExtensions: 'maybe' },
      'unknownExtensions must be one of refused, ignored',
    ],
    ['names a rule twice', { extensions: [extension, extension] }, 'the rule tag-changed already exists'],
  ])('that %s causes exit code 2', async (_name, value, complaint) => {
    expect(await compareFiles(join(root, 'base.json'), '--policy', await policy(value))).toBe(2)
    expect(complaints).toContain(complaint)
  })
})

describe('comparing a folder of releases with a document of several files', () => {
  const working = (mutate: Mutation) => write(join('spec', 'openapi.yaml'), mutate)
  const release = (version: string, mutate: Mutation) =>
    write(join('spec', 'releases', `${version}.json`), mutate)
  const compareWorking = () =>
    schemaDiff('--base', join(root, 'spec', 'releases'), '--head', join(root, 'spec', 'openapi.yaml'))

  test('uses the highest release', async () => {
    await release('1.9.0', withoutPrice)
    await release('1.10.0', unchanged)
    await working(withoutPrice)
    expect(await compareWorking()).toBe(1)
    expect(output).toContain('1.10.0.json')
    expect(output).toContain('data.price')
  })

  test('bundles the document and leaves no temporary file behind', async () => {
    await release('1.0.0', unchanged)
    const split = put({ $ref: 'search.yaml' }, 'paths', '/v1/search')
    await working(split)
    await writeText(
      join('spec', 'search.yaml'),
      stringify((exampleContract.paths as Record<string, JsonValue>)['/v1/search']).replaceAll(
        '#/components',
        'openapi.yaml#/components',
      ),
    )
    const leftBehind = async () =>
      (await readdir(tmpdir())).filter((name) => /^schema-diff-(?!test)/.test(name))
    const before = await leftBehind()
    expect(await compareWorking()).toBe(0)
    expect(await leftBehind()).toEqual(before)
  })

  test('exits with 2 and says so if the folder has no release', async () => {
    await working(unchanged)
    expect(await compareWorking()).toBe(2)
    expect(complaints).toContain('No release found in')
  })

  test('exits with 2 if the document is absent or cannot be bundled', async () => {
    await release('1.0.0', unchanged)
    expect(await compareWorking()).toBe(2)
    expect(complaints).toContain('openapi.yaml cannot be read')
    await working(put({ $ref: 'absent.yaml' }, 'paths', '/v1/search'))
    expect(await compareWorking()).toBe(2)
    expect(complaints).toContain('cannot be bundled')
  })
})

describe('invalid command-line input', () => {
  test.each([
    ['an unknown option', ['--bass', 'x'], '--bass'],
    ['an option without its file', ['--base'], '--base'],
    ['a stray word', ['1.0.0.json'], '1.0.0.json'],
    ['a missing document', ['--base', '1.0.0.json'], '--base and --head are required'],
  ])('causes exit code 2 and prints the usage: %s', async (_name, args, complaint) => {
    expect(await schemaDiff(...args)).toBe(2)
    expect(complaints).toContain(complaint)
    expect(complaints).toContain('Usage: schema-diff')
  })

  test.each([
    ['is absent', undefined, 'cannot be read'],
    ['is no JSON', '{"openapi": ', 'neither valid JSON nor valid YAML'],
    ['holds no object', '[]', 'is not an OpenAPI document'],
    ['is OpenAPI 3.0', '{"openapi": "3.0.3", "paths": {}}', 'Only OpenAPI 3.1'],
    ['has no paths', '{"openapi": "3.1.0"}', 'neither paths nor webhooks'],
  ])('causes exit code 2 and names the file if it %s', async (_name, text, complaint) => {
    if (text !== undefined) await writeText('bad.json', text)
    expect(await compareFiles(join(root, 'bad.json'))).toBe(2)
    expect(complaints).toContain('bad.json')
    expect(complaints).toContain(complaint)
  })

  test('is not needed for --help, which explains the usage', async () => {
    expect(await schemaDiff('--help')).toBe(0)
    expect(output).toContain('Exit code')
  })
})

test('the executable exits with 0, 1, and 2', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const base = join(root, 'base.json')
  const codeFor = (head: string) => spawnSync(process.execPath, [main, '--base', base, '--head', head]).status
  await cp(base, join(root, 'same.json'))
  expect(codeFor(join(root, 'same.json'))).toBe(0)
  expect(codeFor(await write('less.json', withoutPrice))).toBe(1)
  expect(codeFor(join(root, 'absent.json'))).toBe(2)
})
