import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { READMES, setReadmes } from '../src/pack/readmes.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ASKS_REGISTRY = /np(?:x|m install)(?: -\S+)* @lotline\/(?:client|mcp|mock)|pip install "lotline/
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** A folder with the READMEs as they are. */
async function copyReadmes(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-readmes-'))
  folders.push(folder)
  for (const file of READMES) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), await readFile(join(ROOT, file)))
  }
  return folder
}

const textsOf = (folder: string) => Promise.all(READMES.map((file) => readFile(join(folder, file), 'utf8')))

describe('the READMEs', () => {
  it('match the publication switch, so release:pack changes nothing', async () => {
    expect(await setReadmes(await copyReadmes())).toEqual([])
  })

  it('do not refer to the registry before the publication', async () => {
    const folder = await copyReadmes()
    await setReadmes(folder, false)
    for (const text of await textsOf(folder)) {
      expect(text).not.toMatch(ASKS_REGISTRY)
      expect(text).toMatch(/pnpm@\S+ (?:release:pack|(?:--silent )?(?:mcp|mock))/)
    }
  })

  it('name the registry packages after the publication and can be switched back', async () => {
    const folder = await copyReadmes()
    await setReadmes(folder, false)
    const before = await textsOf(folder)
    expect(await setReadmes(folder, true)).toEqual(READMES)
    for (const text of await textsOf(folder)) expect(text).toMatch(ASKS_REGISTRY)
    await setReadmes(folder, false)
    expect(await textsOf(folder)).toEqual(before)
  })
})
