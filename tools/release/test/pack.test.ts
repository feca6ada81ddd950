import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { faultsOfTarball } from '../src/pack/check-tarball.ts'
import { checksums } from '../src/pack/checksums.ts'
import { contractToPack } from '../src/pack/release-pack.ts'

const run = promisify(execFile)
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lotline-pack-'))
  folders.push(folder)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

const MANIFEST = {
  name: '@lotline/thing',
  version: '1.2.0',
  description: 'A thing',
  license: 'Apache-2.0',
  repository: { type: 'git', url: 'git+https://github.com/lotline/lotline.git' },
  engines: { node: '>=20' },
  type: 'module',
  sideEffects: false,
  main: './dist/index.cjs',
  types: './dist/index.d.cts',
  exports: { '.': { types: './dist/index.d.cts', default: './dist/index.cjs' } },
}
const GOOD = {
  LICENSE: 'Terms\n',
  'README.md': '# @lotline/thing\n',
  'CHANGELOG.md': '# @lotline/thing\n\n## 1.2.0\n\n- It is.\n',
  'dist/index.cjs': 'exports.thing = 1\n',
  'dist/index.d.cts': 'export declare const thing: number\n',
}
const THING = {
  name: '@lotline/thing',
  directory: 'packages/thing',
  files: ['package.json', ...Object.keys(GOOD)],
}

async function faultsOf(manifest: object, files: Readonly<Record<string, string>>): Promise<string[]> {
  const all = { 'package.json': JSON.stringify({ ...MANIFEST, ...manifest }), ...files }
  const root = await folderWith({
    LICENSE: 'Terms\n',
    ...Object.fromEntries(Object.entries(all).map(([path, text]) => [`package/${path}`, text])),
  })
  const withRoot = all['README.md' as keyof typeof all]?.replace('ROOT', root)
  if (withRoot !== undefined) await writeFile(join(root, 'package/README.md'), withRoot)
  await run('tar', ['-czf', 'thing.tgz', 'package'], { cwd: root })
  return faultsOfTarball(root, new Uint8Array(await readFile(join(root, 'thing.tgz'))), THING)
}

describe('a package tarball', () => {
  it('passes the checks if it has no fault', async () => {
    expect(await faultsOf({}, GOOD)).toEqual([])
  })

  it('fails the checks if it contains too few or too many files', async () => {
    const { 'CHANGELOG.md': _, ...rest } = GOOD
    expect(await faultsOf({}, { ...rest, 'src/index.ts': '', '.env': '' })).toEqual([
      'CHANGELOG.md is missing.',
      expect.stringMatching(/^\.env does not belong/),
      expect.stringMatching(/^src\/index\.ts does not belong/),
    ])
  })

  it('fails the checks if it depends on the workspace or runs an install script', async () => {
    const faults = await faultsOf(
      {
        private: true,
        license: undefined,
        dependencies: { '@lotline/contract': 'workspace:*' },
        devDependencies: { other: 'file:../other' },
        scripts: { postinstall: 'node report.js' },
      },
      GOOD,
    )
    expect(faults.join('\n')).toMatch(/is private.*no license.*postinstall.*workspace:\*.*file:\.\.\/other/s)
  })

  it('fails the checks if its README or license is missing or outdated', async () => {
    const texts = {
      LICENSE: 'Other terms\n',
      'CHANGELOG.md': '## 1.1.0\n',
      'README.md': '# Thing\n\nROOT/dist\n',
    }
    expect(await faultsOf({}, { ...GOOD, ...texts })).toEqual([
      'LICENSE is not that of the repository.',
      'README.md does not begin with "# @lotline/thing".',
      'CHANGELOG.md says nothing of 1.2.0.',
      'README.md names a path of this machine.',
    ])
  })

  it('fails the checks if publint or are-the-types-wrong reports an error', async () => {
    const wrong = { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.cjs' } } }
    const faults = (await faultsOf(wrong, GOOD)).join('\n')
    expect(faults).toMatch(/^publint: /m)
    expect(faults).toMatch(/^are-the-types-wrong: /m)
  })
})

describe('a release', () => {
  it('has the correct checksum for each file', async () => {
    const files = { 'b.tgz': 'two', 'a.tgz': 'one' }
    const sums = checksums(new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])))
    const folder = await folderWith({ ...files, SHA256SUMS: sums })
    expect((await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder })).stdout).toBe(
      'a.tgz: OK\nb.tgz: OK\n',
    )
  })

  const CONTRACT = {
    '.changeset/README.md': '',
    '.changeset/nice-day.md': '',
    'packages/contract/src/generated/openapi.json': '{ "info": { "version": "1.0.0" } }',
    'spec/releases/1.0.0.json': '{ "info": { "version": "1.0.0", "title": "another" } }',
  }

  it('is refused while changesets are pending, once packages are published', async () => {
    const packing = contractToPack(await folderWith(CONTRACT), () => undefined, true)
    await expect(packing).rejects.toThrow(/\(nice-day\.md\).*release:version/)
  })

  it('is refused if the contract is not the baseline, once packages are published', async () => {
    const { '.changeset/nice-day.md': _, ...files } = CONTRACT
    const packing = contractToPack(await folderWith(files), () => undefined, true)
    await expect(packing).rejects.toThrow(/not the baseline 1\.0\.0/)
  })

  it('is allowed any day before the first publication, because README.md tells users to pack it', async () => {
    const said: string[] = []
    const contract = await contractToPack(await folderWith(CONTRACT), (line) => void said.push(line), false)
    expect(contract.version).toBe('1.0.0')
    expect(said).toEqual([expect.stringContaining('(nice-day.md)')])
  })
})
