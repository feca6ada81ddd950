// schema-diff is for any project: packed and installed elsewhere, its command and its library work by themselves.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packPackage } from '../src/pack/pack-package.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const YAML = join(ROOT, 'packages/schema-diff/node_modules/yaml')

let project: string
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'lotline-other-project-'))
  const packed = await packPackage(ROOT, 'packages/schema-diff', project)
  // Its one dependency comes from the workspace, so that no registry is needed.
  const { stdout: yaml } = await run('npm', ['pack', YAML, '--silent', '--ignore-scripts'], { cwd: project })
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'other', type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', packed, `./${yaml.trim()}`], {
    cwd: project,
  })
  await writeFile(join(project, 'old.json'), JSON.stringify(documentWith(['name', 'age'])))
  await writeFile(join(project, 'new.json'), JSON.stringify(documentWith(['name'])))
}, 120_000)
afterAll(() => rm(project, { recursive: true, force: true }))

/** An operation that answers with an object of these fields. */
function documentWith(fields: readonly string[]): object {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  const schema = { type: 'object', required: fields, properties }
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0' },
    paths: {
      '/pets': {
        get: {
          operationId: 'getPet',
          responses: { 200: { description: 'A pet', content: { 'application/json': { schema } } } },
        },
      },
    },
  }
}

it('the installed command lists the breaking change and exits with 1', async () => {
  const command = join(project, 'node_modules/.bin/schema-diff')
  const failure = await run(command, ['--base', 'old.json', '--head', 'new.json', '--json'], {
    cwd: project,
  }).then(
    () => undefined,
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  expect(failure, 'it found nothing').toBeDefined()
  expect([failure!.code, failure!.stderr]).toEqual([1, ''])
  const { breaking } = JSON.parse(failure!.stdout)
  expect(breaking).toHaveLength(1)
  expect(breaking[0].direction).toBe('response')
  expect(breaking[0].location).toContain('age')

  const { stdout } = await run(command, ['--base', 'old.json', '--head', 'old.json', '--json'], {
    cwd: project,
  })
  expect(JSON.parse(stdout)).toEqual({ breaking: [], harmless: [] })
})

it('the installed library can be imported by name and has types', async () => {
  const program = `import { compareDocuments, defaultPolicy } from '@lotline/schema-diff'
    console.log(typeof compareDocuments, typeof defaultPolicy)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: project })
  expect(stdout).toContain('function')
  const types = await run('cat', ['node_modules/@lotline/schema-diff/dist/index.d.ts'], { cwd: project })
  expect(types.stdout).toContain('compareDocuments')
})
