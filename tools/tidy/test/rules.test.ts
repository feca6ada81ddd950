// Each code rule with a text that breaks it and one that does not. Only the layers below are used here.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBreaches } from '../src/rules.ts'
import { tablesOf } from '../src/table-laws.ts'
import { TABLE_OWNERS } from '../src/table-owners.ts'
import { findUnusedExports } from '../src/unused-exports.ts'

const LAYERS = {
  'app.ts': [],
  accounts: [],
  jobs: [],
  serve: ['jobs'],
  engine: [],
  http: [],
  config: [],
  credits: [],
  database: [],
}
/** Uses the one permission there is. */
const KEEPS = {
  'apps/api/src/serve/keeps.ts': `import { run } from '../jobs/run.ts'`,
  'tools/x/package.json': '{ "name": "@lotline/x" }',
}

function breachesOf(texts: Readonly<Record<string, string>>): string[] {
  return findBreaches(Object.keys(texts), (file) => texts[file]!, LAYERS).map(
    ({ file, line, rule }) => `${file}:${line} ${rule}`,
  )
}

const FORBIDDEN = 'jobs/ does not import serve/'
const LEDGER = 'only the ledger moves credits'

test.each([
  ['an import', 'jobs/a.ts', `import { b } from '../serve/b.ts'`, FORBIDDEN],
  ['an import for its effect', 'jobs/a.ts', `import '../serve/b.ts'`, FORBIDDEN],
  ['an import over several lines', 'jobs/a.ts', `import {\n  b,\n} from '../serve/b.ts'`, FORBIDDEN],
  ['a type of an import', 'jobs/a.ts', `type B = import('../serve/b.ts').B`, FORBIDDEN],
  ['an import when needed', 'jobs/a.ts', `await import(\n  '../serve/b.ts'\n)`, FORBIDDEN],
  ['an import in double quotes', 'jobs/a.ts', `import { b } from "../serve/b.ts"`, FORBIDDEN],
  ['an import behind a comment', 'jobs/a.ts', `import /* b */ '../${'serve'}/keeps.ts'`, FORBIDDEN],
  ['an export from', 'jobs/a.ts', `export * from '../${'serve'}/keeps.ts'`, FORBIDDEN],
  ['an import in a template', 'jobs/a.ts', 'await import(`../serve/b.ts`)', FORBIDDEN],
  ['a require', 'jobs/a.cts', `const b = require("../serve/b.ts")`, FORBIDDEN],
  ['a resolved path', 'jobs/a.ts', `import.meta.resolve('../serve/b.ts')`, FORBIDDEN],
  ['an import in JavaScript', 'jobs/a.js', `import '../serve/b.ts'`, FORBIDDEN],
  [
    'an import of a computed path',
    'jobs/a.ts',
    'await import(`../$' + '{name}.ts`)',
    'an import names its file',
  ],
  ['a require of a variable', 'jobs/a.ts', 'require(name)', 'an import names its file'],
  ['a folder that the layers do not know', 'new-folder/a.ts', '', 'no layer is named new-folder'],
  ['a loose file that the layers do not know', 'loose.ts', '', 'no layer is named loose.ts'],
  ...['js', 'cjs', 'mjs', 'cts', 'mts', 'jsx', 'tsx', 'json', 'sql', 'yaml'].map((ending) => [
    `a loose .${ending} file`,
    `loose.${ending}`,
    '{}',
    `no layer is named loose.${ending}`,
  ]),
  ['a loose file with the name of a folder', 'jobs.ts', '', 'no layer is named jobs.ts'],
  ['a loose file that begins like a folder', 'jobs.extra.ts', '', 'no layer is named jobs.extra.ts'],
  ['a folder with the name of a loose file', 'app/a.ts', '', 'no layer is named app'],
  ['a file in an unknown folder that is no code', 'notes/a.json', '{}', 'no layer is named notes'],
  [
    'a path out of src',
    'jobs/a.ts',
    `import '../../${'guides'}/a.ts'`,
    'jobs/ does not import apps/api/guides/a.ts',
  ],
  [
    'a file of the tests',
    'jobs/a.ts',
    `import '../../${'test'}/a.ts'`,
    'jobs/ does not import apps/api/test/a.ts',
  ],
  ['a file that imports itself', 'jobs/a.ts', `import './a.ts'`, 'imports in a circle with itself'],
  [
    'a path into another package',
    'jobs/a.ts',
    `import '../../../../tools/x/a.ts'`,
    'apps/api imports tools/x by',
  ],
  ['a package above', 'jobs/a.ts', `import '@lotline/x'`, 'apps/api does not import tools/x'],
  ['a name that was dropped', 'jobs/a.ts', 'const a: Traffic = b', '"Traffic" is a dropped word'],
  ['the name of a guard', 'jobs/a.ts', 'guardProvider(a)', '"guardProvider" is a dropped word'],
  ['the environment', 'jobs/a.ts', 'process.env.PORT', 'only config.ts reads the environment'],
  [
    'Fastify, in the engine',
    'engine/a.ts',
    `import { Readable } from 'fastify'`,
    'only http/ and manual/ know Fastify',
  ],
  [
    'a part of Fastify, in double quotes',
    'jobs/a.ts',
    `import "@fastify/static"`,
    'only http/ and manual/ know Fastify',
  ],
  ['Fastify when needed', 'jobs/a.ts', `await import('fastify')`, 'only http/ and manual/ know Fastify'],
  ['Fastify', 'jobs/a.ts', `import fastify from 'fastify'`, 'only http/ and manual/ know Fastify'],
  ['a new posting', 'jobs/a.ts', "q('insert into usage_rows (id)')", LEDGER],
  ['a changed posting', 'jobs/a.ts', "q('UPDATE movements SET amount = 1')", LEDGER],
  ['a removed posting', 'jobs/a.ts', 'q(`delete\nfrom movements`)', LEDGER],
  ['a balance', 'jobs/a.ts', "q('update accounts set balance = 7')", LEDGER],
  ['a hold', 'jobs/a.ts', 'q(`update accounts as a\n  set status = $1,\n  held = 0`)', LEDGER],
  [
    'a posting in another migration',
    'database/migrations/0010_watches.sql',
    'update holds set a = 1',
    LEDGER,
  ],
  [
    'a shared promise',
    'jobs/a.ts',
    'reading ??= read().finally(() => {\n  reading = undefined\n})',
    'work that is done once',
  ],
  [
    'a shared promise by key',
    'jobs/a.ts',
    'const own = read(key).finally(() => reading.delete(key))',
    'work that is done once',
  ],
  ['a long file', 'jobs/a.ts', '\n'.repeat(400), 'a file has at most 400 lines'],
  ['an empty name', 'jobs/utils.ts', '', 'a name says what is inside, not that something is'],
  ['a thing left for later', 'jobs/a.ts', `// ${'TO'}${'DO'}: more`, 'nothing is left for later'],
  ['a name of no file', 'jobs/a.ts', '// As in gone.ts.', 'there is no gone.ts'],
  ['a name in SQL of no file', 'jobs/a.sql', '-- See jobs/gone.ts.', 'there is no jobs/gone.ts'],
])('%s is reported where it must not be', (_what, name, text, rule) => {
  // A write of credits is also one to the table of another folder.
  expect(breachesOf({ ...KEEPS, [`apps/api/src/${name}`]: text })).toContainEqual(
    expect.stringMatching(new RegExp(`^apps/api/src/${name}:\\d+ ${rule}`)),
  )
})

test.each([
  ['an import of the same layer', 'jobs/a.ts', `import { b } from './b.ts'`],
  ['a package', 'jobs/a.ts', `import '${'@lotline'}/contract'`],
  ['a set of running work', 'jobs/a.ts', 'const run = perform(work).finally(() => runs.delete(run))'],
  ['the environment, in config.ts', 'config/config.ts', 'process.env'],
  ['Fastify, in the transport', 'http/a.ts', `import fastify from 'fastify'`],
  ['a posting, in the ledger', 'credits/a.ts', "q('insert into usage_rows (id)')"],
  [
    'a posting, in a function of the ledger',
    'database/migrations/0002_a.sql',
    'create function a() returns void language sql as $$ insert into holds (id) values (1) $$;',
  ],
  [
    'accounts, but not their credits',
    'accounts/a.ts',
    "q('update accounts set status = $1 where balance = 0')",
  ],
  ['the name of a file', 'jobs/a.ts', '// As in keeps.ts, serve/keeps.ts and ../serve/keeps.ts.'],
  ['what only looks like a file', 'jobs/a.ts', '// https://example.com/gone.ts and <name>.ts and *.ts'],
])('%s is no breach', (_what, name, text) => {
  expect(breachesOf({ ...KEEPS, [`apps/api/src/${name}`]: text })).toEqual([])
})

test('a breach is reported with its line', () => {
  expect(breachesOf({ ...KEEPS, 'apps/api/src/jobs/a.ts': `\n\nimport '../serve/b.ts'` })).toEqual([
    `apps/api/src/jobs/a.ts:3 ${FORBIDDEN}`,
  ])
})

test('a permission that no import uses is reported', () => {
  expect(breachesOf({})).toEqual([
    'tools/tidy/src/layers.ts:1 serve/ imports nothing of jobs/: remove the permission',
  ])
})

test('an import of the composition root, a loose file, is judged by its own layer', () => {
  expect(breachesOf({ ...KEEPS, 'apps/api/src/jobs/a.ts': `import { app } from '../app.ts'` })).toEqual([
    'apps/api/src/jobs/a.ts:1 jobs/ does not import app.ts',
  ])
})

const manifest = (name: string, fields: object = {}) =>
  JSON.stringify({ name: `@lotline/${name}`, ...fields })
const on = (name: string) => ({ [`@lotline/${name}`]: 'workspace:*' })

test.each([
  [
    'depend on each other',
    {
      'packages/a/package.json': { dependencies: on('b') },
      'packages/b/package.json': { dependencies: on('a') },
    },
    ['packages/a/package.json:1 depends in a circle on packages/b'],
  ],
  [
    'depend on each other through what only tests need',
    {
      'packages/a/package.json': { dependencies: on('b') },
      'packages/b/package.json': { devDependencies: on('c') },
      'tools/c/package.json': { dependencies: on('a') },
    },
    ['packages/a/package.json:1 depends in a circle on packages/b, tools/c'],
  ],
  [
    'depend on a tool when they run',
    { 'packages/a/package.json': { dependencies: on('c') }, 'tools/c/package.json': {} },
    ['packages/a/package.json:1 packages/a does not depend on tools/c, which is above it'],
  ],
  [
    'depend on the service when they run',
    { 'packages/a/package.json': { peerDependencies: on('api') }, 'apps/api/package.json': {} },
    ['packages/a/package.json:1 packages/a does not depend on apps/api, which is above it'],
  ],
  [
    'need a tool for their tests',
    { 'packages/a/package.json': { devDependencies: on('c') }, 'tools/c/package.json': {} },
    [],
  ],
])('packages that %s are judged by their manifests', (_what, manifests, expected) => {
  const files = Object.entries(manifests).map(([file, fields]) => [
    file,
    manifest(file.split('/')[1]!, fields),
  ])
  expect(breachesOf({ ...KEEPS, ...Object.fromEntries(files) })).toEqual(expected)
})

test('a package that the manifest does not name is reported, in tests too', () => {
  const files = {
    'packages/a/package.json': manifest('a', { devDependencies: on('b') }),
    'packages/b/package.json': manifest('b'),
    'packages/c/package.json': manifest('c'),
    'packages/a/test/a.test.ts': `import '@lotline/b'\nimport '@lotline/a'\nimport '@lotline/c/deep.ts'`,
  }
  expect(breachesOf({ ...KEEPS, ...files })).toEqual([
    'packages/a/test/a.test.ts:3 packages/a imports @lotline/c, which its package.json does not name',
  ])
})

test('a test of the engine that starts a server is reported', () => {
  const texts = {
    ...KEEPS,
    'apps/api/test/engine/a.test.ts': `import { start } from '../setup/test-server.ts'`,
  }
  expect(breachesOf(texts)).toEqual([expect.stringContaining('tests of the engine need no HTTP')])
})

test('a test that is left out is reported', () => {
  const dot = '.'
  const texts = { ...KEEPS, 'apps/api/test/a.test.ts': `it${dot}skip('works', run)` }
  expect(breachesOf(texts)).toEqual(['apps/api/test/a.test.ts:1 no test is left out in silence'])
})

test('what is generated is not judged', () => {
  expect(breachesOf({ ...KEEPS, 'packages/a/src/generated/a.ts': '\n'.repeat(1000) })).toEqual([])
})

test('files that import each other are reported once, also where only a type is imported', () => {
  expect(
    breachesOf({
      ...KEEPS,
      'apps/api/src/jobs/a.ts': `import { b } from './b.ts'`,
      'apps/api/src/jobs/b.ts': `import type { C } from './c.ts'`,
      'apps/api/src/jobs/c.ts': `type A = import('./a.ts').A`,
      'apps/api/src/jobs/d.ts': `import { a } from './a.ts'`,
    }),
  ).toEqual([
    'apps/api/src/jobs/a.ts:1 imports in a circle with apps/api/src/jobs/b.ts, apps/api/src/jobs/c.ts',
  ])
})

test('a layer that is listed above one that it imports is reported', () => {
  const files = { 'apps/api/src/serve/a.ts': `import '../jobs/b.ts'` }
  expect(
    findBreaches(Object.keys(files), () => files['apps/api/src/serve/a.ts'], { serve: ['jobs'], jobs: [] }),
  ).toEqual([expect.objectContaining({ rule: 'serve/ is above jobs/: list it below' })])
})

test.each([
  ['a comment', 'apps/api/src/jobs/a.ts', '// Nobody reads it.'],
  ['a comment on what was told', 'tools/x/src/a.ts', '// What the client was told.'],
  ['a comment with the word given up', 'tools/x/src/a.ts', '// The call is given up.'],
  ['a comment behind code', 'tools/x/src/a.ts', 'run() // for whoever waits'],
  ['a docstring', 'packages/a/src/a.ts', '/** For whoever\n * waits. */'],
  ['a comment in SQL', 'apps/api/src/jobs/a.sql', '-- null: nobody works on it.'],
  ['the name of a test', 'apps/api/test/a.test.ts', `it('delays nobody', run)`],
  ['the name of a group of tests', 'apps/api/test/a.test.ts', 'describe(`whoever waits`, run)'],
  ['the name behind a table', 'apps/api/test/a.test.ts', `it.each([\n  [1],\n])('%i delays nobody', run)`],
  ['a text of the command line', 'apps/api/src/cli/a.ts', `print('Nobody has this key.')`],
  ['a metric', 'apps/api/src/telemetry/a.ts', `gauge('lotline_traffic_available')`],
  ['a label of a metric', 'apps/api/src/telemetry/a.ts', `['question']`],
])('a word that was dropped is reported in %s', (_what, file, text) => {
  const layers = { jobs: [], cli: [], telemetry: [] }
  // The laws of words may find more in it.
  expect(findBreaches([file], () => text, layers)).toContainEqual(
    expect.objectContaining({ file, rule: expect.stringContaining('is a dropped word') }),
  )
})

test('a word that was dropped may be data', () => {
  const texts = {
    'apps/api/test/a.test.ts': `open('nobody')`,
    'tools/x/src/a.ts': '// Told to stop, it ends. Rows are told apart by id.',
    'packages/a/src/a.ts': `const user = 'nobody' // "nobody"`,
  }
  expect(breachesOf({ ...KEEPS, ...texts })).toEqual([])
})

test('a phrase that was dropped is reported in documents, and not in code', () => {
  const text = 'The table stands below.'
  const files = { 'README.md': text, 'apps/api/guides/jobs.md': text, 'apps/api/src/jobs/a.ts': `// ${text}` }
  expect(breachesOf({ ...KEEPS, ...files })).toEqual([
    'README.md:1 "stands below" is a dropped word: use "is listed in", "is in"',
    'apps/api/guides/jobs.md:1 "stands below" is a dropped word: use "is listed in", "is in"',
  ])
})

test.each([
  ['of the owner', 'watches/a.ts', "q('update watches set paused = true')"],
  ['to a temporary table', 'ingest/a.ts', "q('insert into staged (zpid)')"],
  ['that removes what has expired', 'retention/a.ts', "q('delete from webhook_events')"],
  ['in a comment', 'jobs/a.ts', '// Statements that delete from watches.'],
  ['that locks rows', 'jobs/a.ts', "q('select 1 from x for update of watches')"],
  ['of a conflict', 'jobs/a.ts', "q('insert into jobs (id) values (1) on conflict do update set id = 1')"],
])('a write is no breach: %s', (_what, name, text) => {
  const layers = { watches: [], ingest: [], retention: [], jobs: [] }
  expect(findBreaches([`apps/api/src/${name}`], () => text, layers)).toEqual([])
})

test('each table that has an owner is one that the migrations leave', () => {
  const folder = new URL('../../../apps/api/src/infrastructure/database/migrations/', import.meta.url)
  const migrations = readdirSync(folder)
    .sort()
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }))
  // lotline_migrations is made before the first migration.
  const tables = [...tablesOf(migrations).keys(), 'lotline_migrations']
  expect(Object.values(TABLE_OWNERS).flat().sort()).toEqual(tables.sort())
})

test('an export that no other file uses is reported, and one that a test uses is not', () => {
  const file = 'packages/a/src/a.ts'
  const text = 'export const used = 1\nexport async function alone() {}\nexport interface Described {}\n'
  const user = { file: 'packages/a/test/a.test.ts', text: "import { used } from '../src/a.ts'" }
  expect(findUnusedExports([{ file, text }, user])).toEqual([
    { file, line: 2, rule: 'an export has a use: alone is used in its file alone' },
  ])
})
