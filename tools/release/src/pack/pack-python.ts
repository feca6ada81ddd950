// The Python client as it would be published: wheel and source distribution, built without isolation by pinned tools.

import { spawnSync } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { installVenv, runProgram } from '@lotline/generators'
import { ReleaseRefusal } from '../refused.ts'

const DIRECTORY = 'packages/client-python'
/** The maximum size of the wheel in bytes, a requirement of users with small machines. */
const MAX_WHEEL = 300_000
/** 2026-01-01: archives have a time for each file, and the same sources make the same bytes. */
const SOURCE_DATE_EPOCH = '1767225600'

/** A machine that only packs the npm packages needs no Python. */
export function isPythonHere(): boolean {
  return spawnSync('python3', ['-c', 'import ensurepip']).status === 0
}

/**
 * Builds both into `folder`/python and returns their paths.
 *
 * @throws ReleaseRefusal where Python's own checks find a fault
 */
export async function packPython(root: string, folder: string): Promise<string[]> {
  const directory = join(root, DIRECTORY)
  const tools = await installVenv('python3', join(directory, 'build/requirements.txt'))
  const target = join(folder, 'python')
  await runProgram(tools.python, ['-m', 'build', '--no-isolation', '--outdir', target, directory], {
    env: { SOURCE_DATE_EPOCH },
  })
  const files = (await readdir(target)).sort().map((name) => join(target, name))
  const wheel = files.find((file) => file.endsWith('.whl'))
  const source = files.find((file) => file.endsWith('.tar.gz'))
  if (!wheel || !source)
    throw new ReleaseRefusal(`lotline (Python): the build made ${files.join(', ') || 'nothing'}`)
  await runProgram(tools.command('twine'), ['check', '--strict', wheel, source])
  await runProgram(tools.command('check-wheel-contents'), [wheel])
  const { size } = await stat(wheel)
  if (size > MAX_WHEEL)
    throw new ReleaseRefusal(`lotline (Python): the wheel has ${size} bytes, more than ${MAX_WHEEL}`)
  const { version } = JSON.parse(await readFile(join(root, 'packages/client/package.json'), 'utf8'))
  if (!wheel.includes(`-${version}-`))
    throw new ReleaseRefusal(`lotline (Python): the version is not ${version}, that of @lotline/client`)
  return [wheel, source]
}
