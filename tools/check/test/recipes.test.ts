// The recipes of CONTRIBUTING.md, followed in a scratch copy: each adds one thing, and the things are found wherever they must appear. One
// copy, one generation, and one run of the compiler serve all recipes.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { PLACES } from './recipes/places.ts'
import { ADDED, RECIPES } from './recipes/recipes.ts'
import { copyRepository, type ScratchTree } from './recipes/scratch-tree.ts'

// It generates, compiles, and starts a database, on a machine that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const CONTRIBUTING = readFileSync(fileURLToPath(new URL('../../../CONTRIBUTING.md', import.meta.url)), 'utf8')
const TSC = 'node_modules/typescript/bin/tsc'

let tree: ScratchTree
/** The compiler's report on the TypeScript SDK before the recipes have been implemented. */
let lackingInSdk: string
/** The same for the service. */
let lackingInService: string

beforeAll(async () => {
  tree = copyRepository()
  for (const { declare } of RECIPES) declare?.(tree)
  // The mock, the clients, and the guides are made of the contract.
  await generate('packages/contract')
  lackingInSdk = await compile('packages/client')
  lackingInService = await compile('apps/api')
  for (const { implement } of RECIPES) implement?.(tree)
  await generate('packages/client-python')
  await generate('apps/api')
})
afterAll(() => tree?.remove())

/** The report of the compiler. */
async function compile(folder: string): Promise<string> {
  return (await tree.run(folder, `../../${TSC}`, '-p', '.', '--noEmit')).output
}

/** The generators of a package, as its `generate` script names them. Those of pictures do not depend on any recipe. */
async function generate(folder: string): Promise<void> {
  const { scripts } = JSON.parse(tree.read(`${folder}/package.json`)) as { scripts: { generate: string } }
  const [, ...args] = scripts.generate.split(' ').filter((arg) => !arg.includes('pictures'))
  const { status, output } = await tree.run(folder, ...args)
  expect(status, output).toBe(0)
}

it('each recipe is a section of CONTRIBUTING.md', () => {
  const headings = CONTRIBUTING.split('\n').filter((line) => line.startsWith('## '))
  for (const { heading } of RECIPES) expect(headings).toContain(`## ${heading}`)
})

it('the compiler requires an SDK method for a new operation', () => {
  expect(lackingInSdk).toMatch(/every-operation\.ts.*catchments/s)
})

it('the compiler requires a table entry and a test entry for a new filter', () => {
  for (const file of [PLACES.searchableFacts, PLACES.searchableFactsTest])
    expect(lackingInService).toMatch(new RegExp(`${file.replace('apps/api/', '')}.*hasView`, 's'))
})

const generated = RECIPES.flatMap(({ heading, appears }) =>
  appears.map(([what, file, text]) => [heading, what, file, text] as const),
)

it.each(generated)('after the recipe %s, the addition appears in %s', (_heading, _what, file, text) => {
  expect(tree.read(file)).toMatch(text)
})

it('a repository with all recipes applied compiles', async () => {
  for (const folder of ['packages/client', 'apps/api']) {
    const { status, output } = await tree.run(folder, `../../${TSC}`, '-p', '.', '--noEmit')
    expect(status, output).toBe(0)
  }
})

it('a repository with all recipes applied passes tidy', async () => {
  const { status, output } = await tree.run('.', 'tools/tidy/src/main.ts')
  expect(status, output).toBe(0)
})

it('the service, the mock, the SDK, the portal, and the database include the additions', async () => {
  const added = Object.fromEntries(
    ADDED.map((kind) => [kind, RECIPES.flatMap((recipe) => recipe.added[kind] ?? [])]),
  )
  tree.write(PLACES.added, JSON.stringify(added))
  tree.write(PLACES.observerTest, tree.read(PLACES.observer))
  const { status, output } = await tree.run(
    '.',
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    PLACES.observerTest,
    PLACES.configTest,
    PLACES.priceTest,
    PLACES.searchableFactsTest,
  )
  expect(status, output).toBe(0)
})
