import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { releaseSpec } from '../src/spec/release-spec.ts'
import { getReleasedContract } from '../src/spec/released-contract.ts'

const DAY = '2026-12-01'
const UNRELEASED = '# Changes\n\n## Unreleased\n\n- Photos have a width.\n'
const roots: string[] = []

afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true, force: true })
})

interface Tree {
  readonly version?: string
  readonly fields?: readonly string[]
  /** Texts by path. */
  readonly files?: Readonly<Record<string, string>>
}

/** A contract with one operation, whose answer has the given fields. */
function bundleOf(version: string, fields: readonly string[]): string {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const responses = { 200: { description: 'It.', content } }
  const paths = { '/v1/it': { get: { operationId: 'getIt', responses } } }
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'It', version }, paths }, null, 2)
}

async function tree({ version = '1.0.0', fields = ['a'], files = {} }: Tree): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'lotline-release-'))
  roots.push(root)
  const all = {
    'packages/contract/src/generated/openapi.json': bundleOf(version, fields),
    'spec/releases/unreleased.yaml': '[]\n',
    'spec/CHANGELOG.md': UNRELEASED,
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

/** A tree in which 1.0.0 with the field `a` is out, and then changed. */
async function afterFirst(change: Tree): Promise<string> {
  const root = await tree({})
  await releaseSpec(root, DAY)
  const next = await tree({
    ...change,
    files: { 'spec/CHANGELOG.md': await changelogOf(root), ...change.files },
  })
  await cp(join(root, 'spec/releases/1.0.0.json'), join(next, 'spec/releases/1.0.0.json'))
  return next
}

const changelogOf = (root: string) => readFile(join(root, 'spec/CHANGELOG.md'), 'utf8')
const bundle = (root: string, version: string) =>
  readFile(join(root, `spec/releases/${version}.json`), 'utf8')

describe('the first release', () => {
  it('replaces the draft, even by what would break its callers, and dates its changes', async () => {
    const root = await tree({ files: { 'spec/releases/1.0.0.json': bundleOf('1.0.0', ['a', 'gone']) } })
    await expect(getReleasedContract(root)).rejects.toThrow(/pnpm release:spec/)
    expect(await releaseSpec(root, DAY)).toMatch(/1\.0\.0 is released/)
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
    expect(await changelogOf(root)).toBe(UNRELEASED.replace('Unreleased', '1.0.0 (2026-12-01)'))
    expect((await getReleasedContract(root)).version).toBe('1.0.0')
  })

  it('is refused, and changes nothing, while breaking changes are on the list', async () => {
    const entry = '- { rule: path-removed, location: x, reason: y }\n'
    const root = await tree({ files: { 'spec/releases/unreleased.yaml': entry } })
    const refusal = /unreleased\.yaml must be empty.*path-removed {2}x/s
    await expect(releaseSpec(root, DAY)).rejects.toThrow(refusal)
    await expect(getReleasedContract(root)).rejects.toThrow(refusal)
    expect(await changelogOf(root)).toBe(UNRELEASED)
    await expect(bundle(root, '1.0.0')).rejects.toThrow()
  })

  it('is refused while nobody has said what it is', async () => {
    const root = await tree({ files: { 'spec/CHANGELOG.md': '# Changes\n\n## Unreleased\n' } })
    await expect(releaseSpec(root, DAY)).rejects.toThrow(/says nothing below/)
    await expect(bundle(root, '1.0.0')).rejects.toThrow()
  })
})

describe('a later release', () => {
  it('that changes nothing is none', async () => {
    const root = await afterFirst({})
    const before = await changelogOf(root)
    expect(await releaseSpec(root, '2027-01-01')).toMatch(/nothing to do/)
    expect(await changelogOf(root)).toBe(before)
  })

  it('of changed contents needs a higher version, and is told which', async () => {
    const root = await afterFirst({ fields: ['a', 'b'] })
    await expect(releaseSpec(root, DAY)).rejects.toThrow(/info\.version in spec\/openapi\.yaml to 1\.1\.0/)
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
  })

  it('goes up', async () => {
    await expect(releaseSpec(await afterFirst({ version: '0.9.0' }), DAY)).rejects.toThrow(
      /1\.0\.0 is out already/,
    )
  })

  it('breaks nobody', async () => {
    const root = await afterFirst({ version: '1.1.0', fields: ['b'] })
    await expect(releaseSpec(root, DAY)).rejects.toThrow(/breaks who calls 1\.0\.0/)
    await expect(bundle(root, '1.1.0')).rejects.toThrow()
  })

  it('stands beside the one before', async () => {
    const root = await afterFirst({ version: '1.1.0', fields: ['a', 'b'] })
    const history = `${UNRELEASED}\n## 1.0.0 (2026-12-01)\n\n- The first.\n`
    await writeFile(join(root, 'spec/CHANGELOG.md'), history)
    await releaseSpec(root, '2027-01-01')
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
    expect(await bundle(root, '1.1.0')).toBe(bundleOf('1.1.0', ['a', 'b']))
    expect(await changelogOf(root)).toBe(history.replace('Unreleased', '1.1.0 (2027-01-01)'))
  })
})
