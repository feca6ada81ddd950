// Virtual environments of Python: that of the generators, and those of other tests.

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
export function installPython(): Promise<Python> {
  // Everything is pinned in the file, so that nothing else is fetched.
  return installVenv('python3', REQUIREMENTS, ['--no-deps'])
}

/** A virtual environment of an interpreter with the requirements of a file. It is made once for each content of the file. */
export async function installVenv(
  interpreter: string,
  requirements: string,
  pipOptions: readonly string[] = [],
): Promise<Python> {
  const version = await runProgram(interpreter, ['--version'])
  const lock = version + (await readFile(requirements, 'utf8'))
  const folder = await installOnce('python', lock, async (empty) => {
    await runProgram(interpreter, ['-m', 'venv', empty])
    await runProgram(join(empty, 'bin/python'), [
      // Python compiles a module when it is first imported. Most modules never are.
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-compile',
      ...pipOptions,
      '--requirement',
      requirements,
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
      '--no-error-summary',
      '--check-untyped-defs',
      '--follow-imports=silent',
      ...files,
    ],
    { cwd: folder },
  )
}
