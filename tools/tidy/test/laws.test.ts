// Each law with its plants: files that break it, written into a copy of the tree, in which the command then has to report each of them.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLongSubjects } from '../src/commit-subjects.ts'
import { isIn } from '../src/folders.ts'
import { LAWS } from '../src/laws.ts'
import { trackedFiles } from '../src/tracked-files.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
let tree: string
let report: string[]
/** Its report of the tree as it is. */
let clean: string

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'lotline-laws-'))
  const isRead = /\.(?:[cm]?[jt]sx?|sql|md|ya?ml|json)$|Dockerfile$|^apps\/api\/deploy\/|^\.gitattributes$/
  const all = trackedFiles(root)
  await Promise.all(
    all.filter((file) => isRead.test(file)).map((file) => cp(join(root, file), join(tree, file))),
  )
  // Of other files, the laws know the names only.
  for (const file of all.filter((one) => !isRead.test(one))) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), '')
  }
  await run('git', ['init', '-q'], { cwd: tree })
  await writeFile(join(tree, '.gitignore'), 'node_modules\n')
  clean = (await tidy()).join('\n')
  for (const { file, text, with: others = {} } of LAWS.flatMap(({ plants }) => plants)) {
    for (const [path, content] of [[file, text], ...Object.entries(others)] as const) {
      // A plant for a missing file needs none.
      if (content === '' && path === file) continue
      await mkdir(dirname(join(tree, path)), { recursive: true })
      await writeFile(join(tree, path), content)
    }
  }
  report = await tidy()
}, 120_000)
afterAll(() => rm(tree, { recursive: true, force: true }))

async function tidy(): Promise<string[]> {
  const { stdout, stderr } = await run(process.execPath, ['tools/tidy/src/main.ts'], {
    cwd: tree,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string; stderr: string }) => error)
  return `${stderr}${stdout}`.split('\n')
}

it('the tree without plants breaks no law', () => {
  expect(clean).toMatch(/^\d+ files, 0 breaches of the code rules/)
})

it('each plant has a file of its own', () => {
  const files = LAWS.flatMap(({ plants }) => plants.map(({ file }) => file))
  expect(files.filter((file, at) => files.indexOf(file) !== at)).toEqual([])
})

it.each(LAWS.flatMap(({ rule, except = [] }) => except.map((place) => [place, rule])))(
  '%s, an exception of the law "%s", is in the tree',
  (place) => {
    expect(trackedFiles(root).some((file) => file === place || isIn(file, [place]))).toBe(true)
  },
)

describe.each(LAWS.map((law) => [law.rule, law.plants] as const))('the law "%s"', (rule, plants) => {
  it('has a plant that breaks it', () => expect(plants.length).toBeGreaterThan(0))

  it.each(plants.map(({ what, file }) => [what, file]))('reports its plant %s', (_what, file) => {
    expect(report.some((line) => line.startsWith(`${file}:`) && line.includes(`  ${rule}`))).toBe(true)
  })
})

it('a commit subject longer than 72 characters is reported', async () => {
  const commit = (subject: string) =>
    run(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '--allow-empty', '-m', subject],
      {
        cwd: tree,
      },
    )
  await commit('a'.repeat(72))
  await commit('b'.repeat(73))
  expect(findLongSubjects(tree).map((line) => line.replace(/^\w+ /, ''))).toEqual(['b'.repeat(73)])
})
