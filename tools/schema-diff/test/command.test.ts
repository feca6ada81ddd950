import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { JsonValue } from '../src/json.ts'
import { run } from '../src/run.ts'
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
    root,
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

describe('two files', () => {
  test('exit code 0 and a clear line when nothing changed, JSON against YAML', async () => {
    expect(await compareFiles(await write('head.yaml', unchanged))).toBe(0)
    expect(output).toContain('The two say the same to a caller.')
  })

  test('exit code 0 when the changes are harmless', async () => {
    expect(await compareFiles(await write('head.json', withNewField))).toBe(0)
    expect(output).toContain('HARMLESS')
    expect(output).toContain('Nothing breaks a caller.')
  })

  test('exit code 1 and a report that names rule, direction, place, before and after when one breaks', async () => {
    expect(await compareFiles(await write('head.json', withoutPrice))).toBe(1)
    expect(output).toContain('field-removed (response): The field is gone.')
    expect(output).toContain('GET /v1/homes/{id} → 200 → application/json → data.price')
    expect(output).toContain('before  integer | null')
  })

  test('a change to a shared type is told once, with all its places', async () => {
    await compareFiles(await write('head.json', withoutPrice))
    expect(output.match(/field-removed/g)).toHaveLength(1)
    expect(output).toContain('POST /v1/search → 200 → application/json → data[].price')
  })

  test('the JSON report lists every change with all its parts', async () => {
    const head = await write('head.json', all(withNewField, put(9, ...home, 'x-credits', 'price')))
    expect(await compareFiles(head, '--json')).toBe(1)
    const report = JSON.parse(output)
    expect(Object.keys(report)).toEqual(['breaking', 'harmless', 'allowed', 'unmatched'])
    expect(report.breaking).toEqual([
      {
        rule: 'price-changed',
        direction: 'none',
        location: 'GET /v1/homes/{id}',
        before: { price: 1, per: 'call' },
        after: { price: 9, per: 'call' },
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

describe('the allow-list', () => {
  const entries = [{ rule: 'field-removed', location: '* → data*.price', reason: 'Nobody uses it yet.' }]
  const allow = (list: JsonValue) => writeText('allow.yaml', stringify(list))

  test('a change with an entry is told apart and does not fail', async () => {
    const head = await write('head.json', withoutPrice)
    expect(await compareFiles(head, '--allow', await allow(entries))).toBe(0)
    expect(output).toContain('ALLOWED (2)')
    expect(output).toContain('Because: Nobody uses it yet.')
    await compareFiles(head, '--allow', join(root, 'allow.yaml'), '--json')
    expect(JSON.parse(output)).toMatchObject({
      breaking: [],
      allowed: [{ rule: 'field-removed', reason: 'Nobody uses it yet.' }, { rule: 'field-removed' }],
      unmatched: [],
    })
  })

  test('an entry speaks of its rule and place only', async () => {
    const head = await write('head.json', all(withoutPrice, drop(...field('area'))))
    expect(await compareFiles(head, '--allow', await allow(entries))).toBe(1)
    expect(output).toContain('BREAKING (2)')
    expect(output).toContain('data.area')
  })

  test('a location is no regular expression', async () => {
    const dotted = [{ rule: 'field-removed', location: '* → data?price', reason: 'A dot is a dot.' }]
    expect(await compareFiles(await write('head.json', withoutPrice), '--allow', await allow(dotted))).toBe(1)
    expect(output).toContain('BREAKING (2)')
  })

  test('an entry that matches nothing fails, so that the list cannot rot', async () => {
    expect(await compareFiles(await write('head.json', unchanged), '--allow', await allow(entries))).toBe(1)
    expect(output).toContain('UNMATCHED (1)')
    expect(output).toContain('field-removed at * → data*.price')
  })

  test('an entry never covers a harmless change', async () => {
    const idle = [{ rule: 'field-added', location: '*', reason: 'Never needed.' }]
    expect(await compareFiles(await write('head.json', withNewField), '--allow', await allow(idle))).toBe(1)
    expect(output).toContain('UNMATCHED (1)')
  })

  test.each([
    ['is no list', { rule: 'field-removed' }, 'must be a list'],
    [
      'lacks a reason',
      [{ rule: 'field-removed', location: '*' }],
      'entry 1 must have a rule, a location and a reason',
    ],
    [
      'names an unknown rule',
      [{ rule: 'fields-removed', location: '*', reason: 'x' }],
      'which does not exist',
    ],
    ['says more than it may', [{ ...entries[0], until: 'part' }] as JsonValue, 'and nothing else'],
  ])('a list that %s is refused with exit code 2', async (_name, list, complaint) => {
    expect(await compareFiles(join(root, 'base.json'), '--allow', await allow(list as JsonValue))).toBe(2)
    expect(complaints).toContain(complaint)
  })
})

describe('without files', () => {
  const working = (mutate: Mutation) => write(join('spec', 'openapi.yaml'), mutate)
  const release = (version: string, mutate: Mutation) =>
    write(join('spec', 'releases', `${version}.json`), mutate)
  const unreleased = (text: string) => writeText(join('spec', 'releases', 'unreleased.yaml'), text)

  test('the working spec is bundled and compared with the highest release', async () => {
    await release('1.9.0', withoutPrice)
    await release('1.10.0', unchanged)
    await working(withoutPrice)
    expect(await schemaDiff()).toBe(1)
    expect(output).toContain('1.10.0.json')
    expect(output).toContain('data.price')
  })

  test('a spec of several files is bundled, and nothing is left behind', async () => {
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
    expect(await schemaDiff()).toBe(0)
    expect(await leftBehind()).toEqual(before)
  })

  test('spec/releases/unreleased.yaml allows what is meant, and may be empty or absent', async () => {
    await release('1.0.0', unchanged)
    await working(withoutPrice)
    await unreleased('# Nothing yet.\n')
    expect(await schemaDiff()).toBe(1)
    await unreleased('- { rule: field-removed, location: "*.price", reason: Meant. }\n')
    expect(await schemaDiff()).toBe(0)
    await working(unchanged)
    expect(await schemaDiff()).toBe(1)
    expect(output).toContain('UNMATCHED (1)')
  })

  test('the list of the release is not asked about other bases, nor held against other heads', async () => {
    await release('1.0.0', unchanged)
    await unreleased('- { rule: field-removed, location: "*.price", reason: Meant. }\n')
    const head = await write('head.json', withNewField)
    expect(await compareFiles(head)).toBe(0)
    expect(output).not.toContain('UNMATCHED')
    expect(await schemaDiff('--head', head)).toBe(0)
    expect(await schemaDiff('--base', join(root, 'spec', 'releases', '1.0.0.json'), '--head', head)).toBe(0)
    expect(await schemaDiff('--head', await write('head.json', withoutPrice))).toBe(0)
  })

  test('exit code 2 and a clear line when there is no release yet', async () => {
    expect(await schemaDiff('--head', join(root, 'base.json'))).toBe(2)
    expect(complaints).toContain('There is no release to compare with')
  })

  test('exit code 2 when there is no working spec, or it cannot be bundled', async () => {
    await release('1.0.0', unchanged)
    expect(await schemaDiff()).toBe(2)
    expect(complaints).toContain('There is no working spec')
    await working(put({ $ref: 'absent.yaml' }, 'paths', '/v1/search'))
    expect(await schemaDiff()).toBe(2)
    expect(complaints).toContain('cannot be bundled')
  })
})

describe('what cannot be done', () => {
  test.each([
    ['an unknown option', ['--bass', 'x'], '--bass'],
    ['an option without its file', ['--base'], '--base'],
    ['a stray word', ['1.0.0.json'], '1.0.0.json'],
  ])('%s is refused with exit code 2 and the usage', async (_name, args, complaint) => {
    expect(await schemaDiff(...args)).toBe(2)
    expect(complaints).toContain(complaint)
    expect(complaints).toContain('Usage: pnpm schema-diff')
  })

  test.each([
    ['is absent', undefined, 'cannot be read'],
    ['is no JSON', '{"openapi": ', 'neither valid JSON nor valid YAML'],
    ['holds no object', '[]', 'is not an OpenAPI document'],
    ['is OpenAPI 3.0', '{"openapi": "3.0.3", "paths": {}}', 'only OpenAPI 3.1'],
    ['has no paths', '{"openapi": "3.1.0"}', 'neither paths nor webhooks'],
  ])('a file that %s is refused with exit code 2 and its name', async (_name, text, complaint) => {
    if (text !== undefined) await writeText('bad.json', text)
    expect(await compareFiles(join(root, 'bad.json'))).toBe(2)
    expect(complaints).toContain('bad.json')
    expect(complaints).toContain(complaint)
  })

  test('--help tells how to use it', async () => {
    expect(await schemaDiff('--help')).toBe(0)
    expect(output).toContain('Exit code')
  })
})

test('the command itself exits with 0, 1 and 2', async () => {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
  const base = join(root, 'base.json')
  const codeFor = (head: string) => spawnSync(process.execPath, [main, '--base', base, '--head', head]).status
  await cp(base, join(root, 'same.json'))
  expect(codeFor(join(root, 'same.json'))).toBe(0)
  expect(codeFor(await write('less.json', withoutPrice))).toBe(1)
  expect(codeFor(join(root, 'absent.json'))).toBe(2)
})
