import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const CHANGE = "---\n'@lotline/client': minor\n'@lotline/mock': minor\n---\n\nSomething is new.\n"

it('a changeset raises the version of published packages only, and the Python client follows the TypeScript client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-changesets-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const manifests = globSync('{apps,packages,tools}/*/package.json', { cwd: ROOT })
  const files = ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json', ...manifests]
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(ROOT, file), join(folder, file))
  }
  await writeFile(join(folder, '.changeset/change.md'), CHANGE)
  await run('git', ['init', '-q'], { cwd: folder })
  await run(process.execPath, [join(ROOT, 'node_modules/@changesets/cli/bin.js'), 'version'], { cwd: folder })

  const versions: Record<string, string> = {}
  for (const file of manifests) {
    const { name, version } = JSON.parse(await readFile(join(folder, file), 'utf8'))
    if (version !== JSON.parse(await readFile(join(ROOT, file), 'utf8')).version) versions[name] = version
  }
  expect(Object.keys(versions).sort()).toEqual(['@lotline/client', '@lotline/client-python', '@lotline/mock'])
  expect(versions['@lotline/client-python']).toBe(versions['@lotline/client'])
})
