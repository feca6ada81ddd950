// Laws that the linter judges, each with a plant: what biome.json asks for is worth something only as long as biome finds it.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
let tree: string

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'lotline-lint-'))
  const { vcs: _, ...config } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'))
  await writeFile(join(tree, 'biome.json'), JSON.stringify({ ...config, root: true }))
})
afterAll(() => rm(tree, { recursive: true, force: true }))

/** What the linter reports of a text, and whether it fails for it. */
function lint(text: string): Promise<{ failed: boolean; report: string }> {
  return new Promise((resolve, reject) => {
    const file = join(tree, 'plant.ts')
    writeFile(file, text).then(
      () =>
        execFile(join(root, 'node_modules/.bin/biome'), ['lint', file], { cwd: tree }, (error, out, err) =>
          resolve({ failed: error !== null, report: out + err }),
        ),
      reject,
    )
  })
}

const WORK = 'async function work(): Promise<void> {}\n'

test.each([
  [
    'a promise that nobody waits for',
    `${WORK}export function begin() {\n  work()\n}\n`,
    'noFloatingPromises',
  ],
  [
    'one with a continuation',
    `${WORK}export function begin() {\n  work().then(() => {})\n}\n`,
    'noFloatingPromises',
  ],
  [
    'a promise that is asked whether it is true',
    `${WORK}export function begin() {\n  const done = work()\n  if (done) return 1\n  return 2\n}\n`,
    'noMisusedPromises',
  ],
  [
    'a promise between a question mark and a colon',
    `${WORK}export function begin() {\n  const done = work()\n  return done ? 1 : 2\n}\n`,
    'noMisusedPromises',
  ],
  [
    'a callback that answers a promise where nothing is expected',
    'export function begin() {\n  ;[1].forEach(async (one) => {\n    await one\n  })\n}\n',
    'noMisusedPromises',
  ],
  [
    'a promise that is spread',
    `${WORK}export function begin() {\n  return { one: 1, ...work() }\n}\n`,
    'noMisusedPromises',
  ],
  ['any', 'export const found: any = 1\n', 'noExplicitAny'],
  [
    'an import that nothing uses',
    "import { join } from 'node:path'\nexport const one = 1\n",
    'noUnusedImports',
  ],
  ['a variable that nothing uses', 'export function one() {\n  const two = 2\n}\n', 'noUnusedVariables'],
])('the linter refuses %s', async (_what, text, rule) => {
  const { failed, report } = await lint(text)
  expect(report).toContain(rule)
  expect(failed).toBe(true)
})

test('the linter accepts a promise that is awaited or explicitly ignored', async () => {
  const { failed, report } = await lint(
    `${WORK}export async function run() {\n  await work()\n  void work()\n}\n`,
  )
  expect(report).not.toContain('lint/')
  expect(failed).toBe(false)
})
