// Which tests a change selects, over a small tree made for these tests.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, test } from 'vitest'
import { exportsOf, selectTests } from '../src/touched.ts'

const src = 'apps/api/src'
const tests = 'apps/api/test'
const TREE: Readonly<Record<string, string>> = {
  'apps/api/package.json': '{}',
  'packages/contract/package.json': '{}',
  'packages/contract/src/a.ts': 'export const a = 1',
  'packages/contract/test/a.test.ts': `import { a } from '../${'src'}/a.ts'`,
  [`${src}/domain/search/area.ts`]: 'export function area(a: number): number {\n  return a\n}\n',
  [`${src}/domain/search/point.ts`]: 'export const point = 1\n',
  // The root file of the module passes on the names of two files.
  [`${src}/domain/search.ts`]: `// Searches.\n\nexport { area } from './search/area.ts'\nexport { point as spot } from './search/point.ts'\n`,
  [`${src}/work/watches/watch.ts`]: `import { spot } from '../../${'domain'}/search.ts'\nexport const watch = spot\n`,
  [`${tests}/work/watches/watch.test.ts`]: '',
  [`${src}/work/jobs/run.ts`]: `import { area } from '../../${'domain'}/search.ts'\nexport function run() {\n  return area(1)\n}\n`,
  [`${src}/infrastructure/database/migrations/0001_a.sql`]: 'select 1',
  [`${tests}/domain/search/area.test.ts`]: `import { area } from '../../../${'src'}/domain/search/area.ts'`,
  [`${tests}/domain/search/near.test.ts`]: '',
  [`${tests}/work/jobs/run.test.ts`]: `import { run } from '../../../${'src'}/work/jobs/run.ts'`,
  [`${tests}/work/jobs/other.test.ts`]: '',
  [`${tests}/infrastructure/database/migrate.test.ts`]: '',
  [`${tests}/contract/answers.test.ts`]: '',
  [`${tests}/interfaces/manual/guides.test.ts`]: "read('guides/webhooks.md')",
  [`${tests}/setup/clock.ts`]: 'export const clock = 1',
  [`${tests}/work/loop/loop.test.ts`]: `import { clock } from '../../${'setup'}/clock.ts'`,
}

/** @param after what differs from the tree as it was */
function select(after: Readonly<Record<string, string>>): readonly string[] {
  const now = { ...TREE, ...after }
  const { tests: selected } = selectTests({
    files: Object.keys(now),
    changed: Object.keys(after),
    read: (file) => now[file]!,
    readBefore: (file) => TREE[file],
  })
  return selected.map((file) => file.replace(`${tests}/`, ''))
}

test.each([
  [
    'a comment',
    `${src}/domain/search/area.ts`,
    `// Why.\n${TREE[`${src}/domain/search/area.ts`]}`,
    ['domain/search/area.test.ts', 'domain/search/near.test.ts'],
  ],
  [
    'a body',
    `${src}/domain/search/area.ts`,
    'export function area(a: number): number {\n  return a + 1\n}\n',
    ['domain/search/area.test.ts', 'domain/search/near.test.ts'],
  ],
  [
    'what a file exports',
    `${src}/domain/search/area.ts`,
    'export function area(a: number, b: number): number {\n  return a\n}\n',
    ['domain/search/area.test.ts', 'domain/search/near.test.ts', 'work/jobs/run.test.ts'],
  ],
  [
    'what another file exports under the other name of its root file',
    `${src}/domain/search/point.ts`,
    'export const point: string = 1\n',
    ['domain/search/area.test.ts', 'domain/search/near.test.ts', 'work/watches/watch.test.ts'],
  ],
  [
    'one of two exports',
    `${src}/domain/search/point.ts`,
    'export const point = 1\nexport const line = 2\n',
    ['domain/search/area.test.ts', 'domain/search/near.test.ts'],
  ],
  [
    'a root file, which only passes names on',
    `${src}/domain/search.ts`,
    `export { area } from './search/area.ts'\n`,
    [],
  ],
  ['a test', `${tests}/work/jobs/other.test.ts`, '// More.', ['work/jobs/other.test.ts']],
  ['a helper of tests', `${tests}/setup/clock.ts`, 'export const clock = 2', ['work/loop/loop.test.ts']],
  [
    'a migration',
    `${src}/infrastructure/database/migrations/0002_b.sql`,
    'select 2',
    ['infrastructure/database/migrate.test.ts'],
  ],
  ['the contract', 'spec/openapi.yaml', '', ['contract/answers.test.ts', 'packages/contract/test/a.test.ts']],
  ['a guide', 'apps/api/guides/webhooks.md', '# Webhooks', ['interfaces/manual/guides.test.ts']],
  ['a package', 'packages/contract/src/a.ts', 'export const a = 2', ['packages/contract/test/a.test.ts']],
])('a change of %s selects its tests', (_what, file, text, expected) => {
  expect(select({ [file]: text })).toEqual(expected)
})

it('a file in a folder with many tests selects tests by name and import', () => {
  const many = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [`${tests}/domain/search/more-${at}.test.ts`, '']),
  )
  const now = { ...TREE, ...many }
  const { tests: selected } = selectTests({
    files: Object.keys(now),
    changed: [`${src}/domain/search/area.ts`],
    read: (file) => now[file]!,
    readBefore: (file) => now[file],
  })
  expect(selected).toEqual([`${tests}/domain/search/area.test.ts`])
})

it('a change that may affect every test is reported', () => {
  const files = Object.keys(TREE)
  const read = (file: string) => TREE[file]!
  const { unbounded } = selectTests({
    files,
    changed: ['pnpm-lock.yaml', `${src}/work/jobs/run.ts`],
    read,
    readBefore: read,
  })
  expect(unbounded).toEqual(['pnpm-lock.yaml'])
})

it('the comparison of exports ignores comments and function bodies', () => {
  const text = 'export function a(b: string): void {\n  run(b)\n}\nexport interface C {\n  d: string\n}\n'
  expect(exportsOf(text.replace('run(b)', 'run(b, 1)'))).toBe(exportsOf(`// Why.\n${text}`))
  expect(exportsOf(text.replace('d: string', 'd: number'))).not.toBe(exportsOf(text))
  expect(exportsOf(text.replace('b: string', 'b: number'))).not.toBe(exportsOf(text))
})

it('the program that keeps cores busy ends with its parent', async () => {
  const child = fork(fileURLToPath(new URL('../src/busy.ts', import.meta.url)), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const [first] = await once(child.stdout!, 'data')
  expect(String(first)).toMatch(/^\d+ cores are kept busy/)
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})
