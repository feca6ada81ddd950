import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { publishSpec, releaseSpec } from '../src/spec/release-spec.ts'
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
    'spec/compatibility.yaml': '{}\n',
    'spec/releases/.keep': '',
    'spec/CHANGELOG.md': UNRELEASED,
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

/** A tree in which 1.0.0 with the field `a` is the baseline, published or not, and the contract has changed since. */
async function afterFirst(change: Tree, published: 'published' | 'not published'): Promise<string> {
  const root = await tree({})
  await releaseSpec(root)
  if (published === 'published') await publishSpec(root, DAY)
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

describe('the first baseline', () => {
  it('equals the current contract and gives its changes their version', async () => {
    const root = await tree({})
    await expect(getReleasedContract(root)).rejects.toThrow(/pnpm release:spec/)
    await expect(publishSpec(root, DAY)).rejects.toThrow(/pnpm release:spec/)
    expect(await releaseSpec(root)).toMatch(/1\.0\.0\.json is the baseline/)
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
    expect(await changelogOf(root)).toBe(UNRELEASED.replace('Unreleased', '1.0.0 (not published)'))
    expect((await getReleasedContract(root)).version).toBe('1.0.0')
  })

  it('is refused if the change log does not describe it', async () => {
    const root = await tree({ files: { 'spec/CHANGELOG.md': '# Changes\n\n## Unreleased\n' } })
    await expect(releaseSpec(root)).rejects.toThrow(/has no text below/)
    await expect(bundle(root, '1.0.0')).rejects.toThrow()
  })
})

describe('an unpublished baseline', () => {
  it('can be replaced by a superset under the same version', async () => {
    const root = await afterFirst({ fields: ['a', 'b'] }, 'not published')
    const before = await changelogOf(root)
    expect(await releaseSpec(root)).toMatch(/1\.0\.0\.json is the baseline/)
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a', 'b']))
    expect(await changelogOf(root)).toBe(before)
  })

  it('cannot be replaced by a contract that breaks its clients, even with a list of exceptions', async () => {
    const files = {
      'spec/releases/unreleased.yaml': '- { rule: field-removed, location: "*", reason: Meant. }\n',
    }
    const root = await afterFirst({ fields: ['b'], files }, 'not published')
    await expect(releaseSpec(root)).rejects.toThrow(
      /breaks clients of the baseline 1\.0\.0.*field-removed {2}GET \/v1\/it → 200/s,
    )
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
  })

  it('cannot be left behind by a new version that breaks its clients', async () => {
    const root = await afterFirst({ version: '1.1.0', fields: ['b'] }, 'not published')
    await expect(releaseSpec(root)).rejects.toThrow(/breaks clients of the baseline 1\.0\.0/)
    await expect(bundle(root, '1.1.0')).rejects.toThrow()
  })

  it('requires its changes in one place of the change log', async () => {
    const root = await afterFirst({ fields: ['a', 'b'] }, 'not published')
    await writeFile(join(root, 'spec/CHANGELOG.md'), `${UNRELEASED}\n${(await changelogOf(root)).slice(11)}`)
    await expect(releaseSpec(root)).rejects.toThrow(/has both "## Unreleased" and "## 1\.0\.0/)
  })

  it('can be published once and only unchanged', async () => {
    const root = await afterFirst({}, 'not published')
    expect(await publishSpec(root, DAY)).toMatch(/1\.0\.0 is published/)
    expect(await changelogOf(root)).toBe(UNRELEASED.replace('Unreleased', '1.0.0 (2026-12-01)'))
    await expect(publishSpec(root, DAY)).rejects.toThrow(/published already/)
    const changed = await afterFirst({ fields: ['a', 'b'] }, 'not published')
    await expect(publishSpec(changed, DAY)).rejects.toThrow(/is not the baseline/)
  })
})

describe('after a publication, a new baseline', () => {
  it('is refused if the contract has not changed', async () => {
    const root = await afterFirst({}, 'published')
    const before = await changelogOf(root)
    expect(await releaseSpec(root)).toMatch(/nothing to do/)
    expect(await changelogOf(root)).toBe(before)
  })

  it('needs a higher version for any change, and the message names that version', async () => {
    const root = await afterFirst({ fields: ['a', 'b'] }, 'published')
    await expect(releaseSpec(root)).rejects.toThrow(/info\.version in spec\/openapi\.yaml to 1\.1\.0/)
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
  })

  it('needs a version above the published one', async () => {
    const root = await afterFirst({ version: '0.9.0' }, 'published')
    await expect(releaseSpec(root)).rejects.toThrow(/the baseline is 1\.0\.0 already/)
  })

  it('must not break clients', async () => {
    const root = await afterFirst({ version: '1.1.0', fields: ['b'] }, 'published')
    await expect(releaseSpec(root)).rejects.toThrow(/breaks clients of the baseline 1\.0\.0/)
    await expect(bundle(root, '1.1.0')).rejects.toThrow()
  })

  it('is stored in a file of its own beside the earlier one', async () => {
    const root = await afterFirst({ version: '1.1.0', fields: ['a', 'b'] }, 'published')
    const history = `${UNRELEASED}\n## 1.0.0 (2026-12-01)\n\n- The first.\n`
    await writeFile(join(root, 'spec/CHANGELOG.md'), history)
    await releaseSpec(root)
    expect(await bundle(root, '1.0.0')).toBe(bundleOf('1.0.0', ['a']))
    expect(await bundle(root, '1.1.0')).toBe(bundleOf('1.1.0', ['a', 'b']))
    expect(await changelogOf(root)).toBe(history.replace('Unreleased', '1.1.0 (not published)'))
  })
})
