// What is published: the tarball holds what it should, and its command runs on its own.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { faultsOfTarball, packPackage, published } from '@lotline/release'
import { expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

it('the package passes the release checks, and its command prints the settings that it needs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-mcp-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const tarball = new Uint8Array(await readFile(await packPackage(ROOT, 'packages/mcp', folder)))
  const wanted = published.find(({ name }) => name === '@lotline/mcp')!
  expect(await faultsOfTarball(ROOT, tarball, wanted)).toEqual([])
  // Packing has built it.
  const command = join(ROOT, 'packages/mcp/dist/main.js')
  const { stdout } = await promisify(execFile)(process.execPath, [command, '--help'])
  expect(stdout).toContain('LOTLINE_API_KEY')
})
