// Each code rule with a text that breaks it and one that does not.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fileOf } from '../src/folders.ts'
import { MODULE_LAWS } from '../src/module-breaches.ts'
import type { Modules } from '../src/modules.ts'
import { findBreaches } from '../src/rules.ts'
import { tablesOf } from '../src/table-laws.ts'
import { TABLE_OWNERS } from '../src/table-owners.ts'
import { findUnusedExports } from '../src/unused-exports.ts'

/** Two modules with three folders, for the laws of modules. */
const MODULES: Modules = { below: ['record'], above: ['jobs', 'serve'] }
const DOWNWARD = 'a module imports only modules below it: below/ does not import above/'
const ROOT = 'a module imports only the root files of another one: name it in below/record.ts'
const OWN_ROOT = 'a folder imports no root file of its own module: above/jobs/ does not import one'
const ORDER = 'a folder imports only those before it in tools/tidy/src/modules.ts: '
const LATER = `${ORDER}above/jobs/ does not import above/serve/`
const PLACE =
  'each file of the service is in a module, and in a folder that tools/tidy/src/modules.ts lists: it lists no '
const OUTSIDE = 'the service is published as src/ and imports nothing beside it: above/jobs/ does not import '
const OFFER = 'a root file offers only what other modules import: no other module imports '
const LEDGER = 'only the ledger moves credits'
const FASTIFY = 'only interfaces/ knows Fastify'
/** Files that texts below name. */
const OTHERS = {
  'tools/x/package.json': '{ "name": "@lotline/x" }',
  [fileOf('jobs/run/keeps.ts')]: '',
}

function breachesOf(texts: Readonly<Record<string, string>>): string[] {
  // Laws that demand a file, such as a README, report files that these trees do not have.
  return findBreaches(Object.keys(texts), (file) => texts[file]!)
    .filter(({ file }) => Object.hasOwn(texts, file))
    .map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

/** Only those of the laws of modules, over the two modules. */
function moduleBreachesOf(texts: Readonly<Record<string, string>>): string[] {
  return findBreaches(Object.keys(texts), (file) => texts[file]!, MODULES)
    .filter(({ rule }) => MODULE_LAWS.some((law) => rule.startsWith(law.rule)))
    .map(({ file, line, rule }) => `${file}:${line} ${rule}`)
}

test.each([
  ['an import', 'above/jobs/a.ts', `import { b } from '../serve/b.ts'`, LATER],
  ['an import for its effect', 'above/jobs/a.ts', `import '../serve/b.ts'`, LATER],
  ['an import over several lines', 'above/jobs/a.ts', `import {\n  b,\n} from '../serve/b.ts'`, LATER],
  ['a type of an import', 'above/jobs/a.ts', `type B = import('../serve/b.ts').B`, LATER],
  ['an import when needed', 'above/jobs/a.ts', `await import(\n  '../serve/b.ts'\n)`, LATER],
  ['an import in double quotes', 'above/jobs/a.ts', `import { b } from "../serve/b.ts"`, LATER],
  ['an import behind a comment', 'above/jobs/a.ts', `import /* b */ '../${'serve'}/keeps.ts'`, LATER],
  ['an export from', 'above/jobs/a.ts', `export * from '../${'serve'}/keeps.ts'`, LATER],
  ['an import in a template', 'above/jobs/a.ts', 'await import(`../serve/b.ts`)', LATER],
  ['a require', 'above/jobs/a.cts', `const b = require("../serve/b.ts")`, LATER],
  ['a resolved path', 'above/jobs/a.ts', `import.meta.resolve('../serve/b.ts')`, LATER],
  ['an import in JavaScript', 'above/jobs/a.js', `import '../serve/b.ts'`, LATER],
  ['an import upward', 'below/record/a.ts', `import { b } from '../../${'above'}/jobs/b.ts'`, DOWNWARD],
  [
    'an import upward of a root file',
    'below/record/a.ts',
    `import { b } from '../../${'above'}/jobs.ts'`,
    DOWNWARD,
  ],
  ['an import upward at the root', 'below/a.ts', `import { b } from '../above/jobs.ts'`, DOWNWARD],
  [
    'an import past the root file',
    'above/jobs/a.ts',
    `import { b } from '../../${'below'}/record/b.ts'`,
    ROOT,
  ],
  ['an import past it at the root', 'above/a.ts', `import type { B } from '../below/record/b.ts'`, ROOT],
  ['a root file of the own module', 'above/jobs/a.ts', `import { b } from '../serve.ts'`, OWN_ROOT],
  ['the root file of the own folder', 'above/jobs/a.ts', `import { b } from '../jobs.ts'`, OWN_ROOT],
  ['a folder that is not listed', 'above/new-folder/a.ts', '', `${PLACE}above/new-folder/`],
  ['a folder of another module', 'below/jobs/a.ts', '', `${PLACE}below/jobs/`],
  ['a folder that begins like one', 'above/jobs.extra/a.ts', '', `${PLACE}above/jobs.extra/`],
  ['a module that is not listed', 'beside/a.ts', '', `${PLACE}beside/`],
  ['a folder outside of a module', 'jobs/a.ts', '', `${PLACE}jobs/`],
  ['a loose file', 'loose.ts', '', `${PLACE}loose.ts/`],
  ...['js', 'cjs', 'mjs', 'cts', 'mts', 'jsx', 'tsx', 'json', 'sql', 'yaml'].map((ending) => [
    `a loose .${ending} file`,
    `loose.${ending}`,
    '{}',
    `${PLACE}loose.${ending}/`,
  ]),
  ['a file in an unknown folder that is no code', 'above/notes/a.json', '{}', `${PLACE}above/notes/`],
  [
    'a path out of src',
    'above/jobs/a.ts',
    `import '../../../${'guides'}/a.ts'`,
    `${OUTSIDE}apps/api/guides/a.ts`,
  ],
  [
    'a file of the tests',
    'above/jobs/a.ts',
    `import '../../../${'test'}/a.ts'`,
    `${OUTSIDE}apps/api/test/a.ts`,
  ],
  ['a name that nobody takes', 'above/jobs.ts', `export { b } from './jobs/b.ts'`, `${OFFER}b`],
  ['a type that nobody takes', 'above/jobs.ts', `export type { B } from './jobs/b.ts'`, `${OFFER}B`],
  [
    'a name that nobody takes under its other name',
    'above/jobs.ts',
    `export { b as c } from './jobs/b.ts'`,
    `${OFFER}c`,
  ],
  [
    'all of a file',
    'above/jobs.ts',
    `export * from './${'jobs'}/b.ts'`,
    'a root file lists what it offers by name',
  ],
])('an import that breaks a law of modules is reported: %s', (_what, name, text, rule) => {
  const reported = moduleBreachesOf({ [`apps/api/src/${name}`]: text })
  expect(reported.map((line) => line.replace(/:\d+ /, ' '))).toEqual([`apps/api/src/${name} ${rule}`])
})

test.each([
  ['an import of the same folder', 'above/jobs/a.ts', `import { b } from './b.ts'`],
  ['an import of a folder before it', 'above/serve/a.ts', `import { b } from '../jobs/b.ts'`],
  ['a root file of a module below', 'above/jobs/a.ts', `import { b } from '../../${'below'}/record.ts'`],
  ['a folder that its root file connects', 'above/a.ts', `import { b } from './serve/b.ts'`],
  ['a root file that another one uses', 'above/a.ts', `import { b } from './serve.ts'`],
  ['the manifest', 'above/jobs/a.ts', `import it from '../../../package.json' with { type: 'json' }`],
])('an import that follows the laws of modules is accepted: %s', (_what, name, text) => {
  expect(moduleBreachesOf({ [`apps/api/src/${name}`]: text })).toEqual([])
})

test('an offered name counts as used only if another module imports it, not its own module or a test', () => {
  const root = { 'apps/api/src/below/record.ts': `export { a, b as c, type D } from './record/a.ts'` }
  const users = {
    'apps/api/src/above/jobs/a.ts': `import { c, type D as E } from '../../${'below'}/record.ts'`,
    'apps/api/src/below/user.ts': `import { a } from './record.ts'`,
    'apps/api/test/above/jobs/a.test.ts': `import { a } from '../../../${'src'}/below/record.ts'`,
  }
  expect(moduleBreachesOf({ ...root, ...users })).toEqual([`apps/api/src/below/record.ts:1 ${OFFER}a`])
  const all = { 'apps/api/src/above/jobs/b.ts': `await import('../../${'below'}/record.ts')` }
  expect(moduleBreachesOf({ ...root, ...all })).toEqual([])
})

test('a breach is reported with its line number', () => {
  expect(moduleBreachesOf({ 'apps/api/src/above/jobs/a.ts': `\n\nimport '../serve/b.ts'` })).toEqual([
    `apps/api/src/above/jobs/a.ts:3 ${LATER}`,
  ])
})

test.each([
  [
    'an import of a computed path',
    'jobs/a.ts',
    'await import(`../$' + '{name}.ts`)',
    'an import names its file',
  ],
  ['a require of a variable', 'jobs/a.ts', 'require(name)', 'an import names its file'],
  ['a file that imports itself', 'jobs/a.ts', `import './a.ts'`, 'imports in a circle with itself'],
  [
    'a path into another package',
    'jobs/a.ts',
    `import '../../../../../tools/x/a.ts'`,
    'apps/api imports tools/x by',
  ],
  ['a package above', 'jobs/a.ts', `import '@lotline/x'`, 'apps/api does not import tools/x'],
  ['a name that was dropped', 'jobs/a.ts', 'const a: Traffic = b', '"Traffic" is a dropped word'],
  ['the name of a guard', 'jobs/a.ts', 'guardProvider(a)', '"guardProvider" is a dropped word'],
  ['the environment', 'jobs/a.ts', 'process.env.PORT', 'only config.ts reads the environment'],
  ['Fastify, in the engine', 'engine/a.ts', `import { Readable } from 'fastify'`, FASTIFY],
  ['a part of Fastify, in double quotes', 'jobs/a.ts', `import "@fastify/static"`, FASTIFY],
  ['Fastify when needed', 'jobs/a.ts', `await import('fastify')`, FASTIFY],
  ['Fastify', 'jobs/a.ts', `import fastify from 'fastify'`, FASTIFY],
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
])('%s is reported in a forbidden place', (_what, name, text, rule) => {
  // A write of credits is also one to the table of another folder.
  expect(breachesOf({ ...OTHERS, [fileOf(name)]: text })).toContainEqual(
    expect.stringMatching(new RegExp(`^${fileOf(name)}:\\d+ ${rule}`)),
  )
})

test.each([
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
  ['the name of a file', 'jobs/a.ts', '// As in keeps.ts, run/keeps.ts and ./run/keeps.ts.'],
  ['what only looks like a file', 'jobs/a.ts', '// https://example.com/gone.ts and <name>.ts and *.ts'],
])('%s is accepted', (_what, name, text) => {
  expect(breachesOf({ ...OTHERS, [fileOf(name)]: text })).toEqual([])
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
  expect(breachesOf(Object.fromEntries(files))).toEqual(expected)
})

test('an import of a package that the manifest does not list is reported, in tests too', () => {
  const files = {
    'packages/a/package.json': manifest('a', { devDependencies: on('b') }),
    'packages/b/package.json': manifest('b'),
    'packages/c/package.json': manifest('c'),
    'packages/a/test/a.test.ts': `import '@lotline/b'\nimport '@lotline/a'\nimport '@lotline/c/deep.ts'`,
  }
  expect(breachesOf(files)).toEqual([
    'packages/a/test/a.test.ts:3 packages/a imports @lotline/c, which its package.json does not name',
  ])
})

test('an engine test that starts a server is reported', () => {
  const texts = {
    'apps/api/test/requests/engine/a.test.ts': `import { start } from '../../${'setup'}/test-server.ts'`,
  }
  expect(breachesOf(texts)).toEqual([expect.stringContaining('tests of the engine need no HTTP')])
})

test('a skipped test is reported', () => {
  const dot = '.'
  const texts = { 'apps/api/test/a.test.ts': `it${dot}skip('works', run)` }
  expect(breachesOf(texts)).toEqual(['apps/api/test/a.test.ts:1 no test is left out in silence'])
})

test('generated files are not judged', () => {
  expect(breachesOf({ 'packages/a/src/generated/a.ts': '\n'.repeat(1000) })).toEqual([])
})

test('an import cycle is reported once, also one of type imports', () => {
  expect(
    breachesOf({
      'apps/api/src/work/jobs/a.ts': `import { b } from './b.ts'`,
      'apps/api/src/work/jobs/b.ts': `import type { C } from './c.ts'`,
      'apps/api/src/work/jobs/c.ts': `type A = import('./a.ts').A`,
      'apps/api/src/work/jobs/d.ts': `import { a } from './a.ts'`,
    }),
  ).toEqual([
    'apps/api/src/work/jobs/a.ts:1 imports in a circle with apps/api/src/work/jobs/b.ts, apps/api/src/work/jobs/c.ts',
  ])
})

test.each([
  ['a comment', 'apps/api/src/work/jobs/a.ts', '// Nobody reads it.'],
  ['a comment on what was told', 'tools/x/src/a.ts', '// What the client was told.'],
  ['a comment with the word given up', 'tools/x/src/a.ts', '// The call is given up.'],
  ['a comment behind code', 'tools/x/src/a.ts', 'run() // for whoever waits'],
  ['a docstring', 'packages/a/src/a.ts', '/** For whoever\n * waits. */'],
  ['a comment in SQL', 'apps/api/src/work/jobs/a.sql', '-- null: nobody works on it.'],
  ['the name of a test', 'apps/api/test/a.test.ts', `it('delays nobody', run)`],
  ['the name of a group of tests', 'apps/api/test/a.test.ts', 'describe(`whoever waits`, run)'],
  ['the name behind a table', 'apps/api/test/a.test.ts', `it.each([\n  [1],\n])('%i delays nobody', run)`],
  ['a text of the command line', 'apps/api/src/interfaces/cli/a.ts', `print('Nobody has this key.')`],
  ['a metric', 'apps/api/src/process/telemetry/a.ts', `gauge('lotline_traffic_available')`],
  ['a label of a metric', 'apps/api/src/process/telemetry/a.ts', `['question']`],
])('a dropped word is reported in %s', (_what, file, text) => {
  // The laws of words may find more in it.
  expect(findBreaches([file], () => text)).toContainEqual(
    expect.objectContaining({ file, rule: expect.stringContaining('is a dropped word') }),
  )
})

test('a dropped word is accepted as data', () => {
  const texts = {
    'apps/api/test/a.test.ts': `open('nobody')`,
    'tools/x/src/a.ts': '// Told to stop, it ends. Rows are told apart by id.',
    'packages/a/src/a.ts': `const user = 'nobody' // "nobody"`,
  }
  expect(breachesOf(texts)).toEqual([])
})

test('a dropped phrase is reported in documents and not in code', () => {
  const text = 'The table stands below.'
  const files = {
    'README.md': text,
    'apps/api/guides/jobs.md': text,
    'apps/api/src/work/jobs/a.ts': `// ${text}`,
  }
  expect(breachesOf(files)).toEqual([
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
])('a statement is not reported as a foreign write: %s', (_what, name, text) => {
  expect(breachesOf({ [fileOf(name)]: text })).toEqual([])
})

test('each table with an owner exists after the migrations', () => {
  const folder = new URL('../../../apps/api/src/infrastructure/database/migrations/', import.meta.url)
  const migrations = readdirSync(folder)
    .sort()
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }))
  // lotline_migrations is made before the first migration.
  const tables = [...tablesOf(migrations).keys(), 'lotline_migrations']
  expect(Object.values(TABLE_OWNERS).flat().sort()).toEqual(tables.sort())
})

test('an unused export is reported, and one that a test uses is not', () => {
  const file = 'packages/a/src/a.ts'
  const text = 'export const used = 1\nexport async function alone() {}\nexport interface Described {}\n'
  const user = { file: 'packages/a/test/a.test.ts', text: "import { used } from '../src/a.ts'" }
  expect(findUnusedExports([{ file, text }, user])).toEqual([
    { file, line: 2, rule: 'an export has a use: alone is used in its file alone' },
  ])
})
