// The virtual environment that the Python generators share.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installOnce } from './cache.ts'
import { runProgram } from './run-program.ts'

const PROGRAMS = fileURLToPath(new URL('../programs/', import.meta.url))
const REQUIREMENTS = join(PROGRAMS, 'python/requirements.txt')

export interface Python {
  readonly python: string
  /** The path of a command of the environment. */
  command(name: string): string
}

/** Installs the generators, their libraries and mypy, each at its pinned version. */
export async function installPython(): Promise<Python> {
  const version = await runProgram('python3', ['--version'])
  const lock = version + (await readFile(REQUIREMENTS, 'utf8'))
  const folder = await installOnce('python', lock, async (empty) => {
    await runProgram('python3', ['-m', 'venv', empty])
    await runProgram(join(empty, 'bin/python'), [
      ...['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'],
      ...['--requirement', REQUIREMENTS],
    ])
  })
  return { python: join(folder, 'bin/python'), command: (name) => join(folder, 'bin', name) }
}

/** Type checks programs in `folder` together with the client that they import. */
export async function typeCheck(
  { command }: Python,
  folder: string,
  files: readonly string[],
): Promise<void> {
  await runProgram(
    command('mypy'),
    [
      // The generated files are followed, not judged: a local variable may clash with a field of the same name.
      ...['--no-error-summary', '--check-untyped-defs', '--follow-imports=silent'],
      ...files,
    ],
    { cwd: folder },
  )
}
