import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPythonHere, packPython } from '../src/pack/pack-python.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAY_SKIP = process.env.LOTLINE_NO_SKIP !== '1'
const run = promisify(execFile)

describe.skipIf(!isPythonHere() && MAY_SKIP)('the Python wheel', () => {
  let folder: string
  let wheel: string
  let source: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lotline-pack-python-'))
    // Refused if twine, check-wheel-contents, the size or the version find a fault.
    ;[wheel, source] = (await packPython(ROOT, folder)) as [string, string]
    // A first run installs the tools.
  }, 600_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has the version of the TypeScript client and a name for any Python 3', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'packages/client/package.json'), 'utf8'))
    expect(basename(wheel)).toBe(`lotline-${version}-py3-none-any.whl`)
    expect(basename(source)).toBe(`lotline-${version}.tar.gz`)
  })

  it('is smaller than 300 kB', async () => {
    expect((await stat(wheel)).size).toBeLessThan(300_000)
  })

  it('contains the client, its types, the py.typed marker, and its license, but no test', async () => {
    const { stdout } = await run('python3', ['-m', 'zipfile', '-l', wheel])
    for (const file of ['__init__.py', 'types.py', 'py.typed', '_sync/client.py', 'compat/homeharvest.py'])
      expect(stdout).toContain(`lotline/${file} `)
    expect(stdout).toContain('dist-info/licenses/LICENSE')
    expect(stdout).not.toMatch(/test|__pycache__/)
  })

  it('requires only httpx', async () => {
    const script =
      'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]);' +
      'print(z.read([n for n in z.namelist() if n.endswith("METADATA")][0]).decode())'
    const { stdout } = await run('python3', ['-c', script, wheel])
    const needed = [...stdout.matchAll(/^Requires-Dist: (.+)$/gm)].map(([, name]) => name!)
    expect(needed.filter((name) => !name.includes('extra =='))).toEqual(['httpx<1,>=0.27'])
    expect(stdout).toContain('Requires-Python: >=3.10')
    expect(stdout.match(/^Provides-Extra: .+$/gm)).toHaveLength(3)
  })

  const inFullRun = process.env.LOTLINE_FULL === '1' ? it : () => undefined
  inFullRun('has the same bytes when it is packed again', async () => {
    const again = await mkdtemp(join(tmpdir(), 'lotline-pack-python-'))
    const files = await packPython(ROOT, again)
    for (const [at, file] of files.entries())
      expect(await readFile(file)).toEqual(await readFile([wheel, source][at]!))
    await rm(again, { recursive: true })
  })
})
