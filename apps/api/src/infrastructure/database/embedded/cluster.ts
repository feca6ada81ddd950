// The database cluster on disk. It is created once, completely or not at all, and then changed only by PostgreSQL.

import { spawn } from 'node:child_process'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { errorCode, StartError } from '../queryable.ts'
import { CHILD_ENVIRONMENT, type Launcher } from './launcher.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'

/** Role and database that the embedded cluster is made with. The role is no superuser. */
export const EMBEDDED_NAME = 'lotline'

/** The owner of the cluster; undefined if it does not exist. */
export async function findClusterOwner(cluster: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(join(cluster, 'PG_VERSION'))
    return { uid, gid }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Creates the cluster if it does not exist. The caller must have exclusive use of the directory.
 *
 * The cluster is created beside its place and then renamed, so that a killed start leaves nothing that looks like a database.
 *
 * @throws {StartError} when it cannot be created, or was created by another major version of PostgreSQL
 */
export async function ensureCluster(
  cluster: string,
  binaries: PostgresBinaries,
  launcher: Launcher,
): Promise<void> {
  const major = await findMajorVersion(cluster)
  if (major === undefined) return makeCluster(cluster, binaries, launcher)
  if (major !== launcher.version.split('.')[0]) {
    throw new StartError(
      `${cluster} holds data of PostgreSQL ${major}, and this Lotline runs PostgreSQL ${launcher.version}: back it up with the Lotline that wrote it, and restore it into a new DATA_DIR.`,
    )
  }
}

async function findMajorVersion(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  const there = await readdir(cluster).catch(() => [])
  if (there.length === 0) return undefined
  throw new StartError(
    `${cluster} is not empty and holds no database: move it away or name another DATA_DIR.`,
  )
}

async function makeCluster(cluster: string, binaries: PostgresBinaries, launcher: Launcher): Promise<void> {
  const fresh = `${cluster}.new`
  // Processes of a killed start may still write for a moment.
  await rm(fresh, { recursive: true, force: true, maxRetries: 10 })
  await mkdir(fresh, { mode: 0o700 })
  if (launcher.owner !== undefined) await chown(fresh, launcher.owner.uid, launcher.owner.gid)
  try {
    await run(launcher, binaries.initdb, [
      '-D',
      fresh,
      '--username=postgres',
      '--encoding=UTF8',
      '--no-instructions',
      // Code-point order and Unicode-aware case from PostgreSQL itself: the same on every machine, as fast as C, and
      // no upgrade of the system's C library or ICU can silently break an index.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // Every process that can open the socket is admitted. Only this user can open its directory, and PostgreSQL does not listen
      // on TCP.
      '--auth=trust',
    ])
    await run(
      launcher,
      binaries.postgres,
      ['--single', '-D', fresh, 'postgres'],
      `create role ${EMBEDDED_NAME} login createdb;\ncreate database ${EMBEDDED_NAME} owner ${EMBEDDED_NAME};\n`,
    )
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
  await rm(cluster, { recursive: true, force: true })
  await rename(fresh, cluster)
  await syncDirectory(dirname(cluster))
}

async function run(launcher: Launcher, program: string, args: readonly string[], input = ''): Promise<void> {
  const { file, args: all } = launcher.commandLine(program, args)
  const child = spawn(file, all, {
    env: CHILD_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
  })
  child.stdin.on('error', () => {}).end(input)
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve)
  })
  const [code, errors] = await Promise.all([exited, text(child.stderr)])
  // A single-user server reports a failed statement and still exits with 0.
  const failed = code !== 0 || /\b(ERROR|FATAL|PANIC): /.test(errors)
  if (failed) throw new StartError(`The embedded database cannot be set up: ${summarizeErrors(errors)}`)
}

/** Summarizes the error output of PostgreSQL's programs in one line with a full stop. */
export function summarizeErrors(output: string): string {
  if (/No space left on device|Disk quota exceeded/.test(output)) {
    return 'the disk is full. Free some space, or name a DATA_DIR on another disk.'
  }
  const lines = output.split('\n').map((line) => line.trim())
  const found =
    lines.find((line) => /\b(ERROR|FATAL|PANIC|error): /.test(line)) ?? lines.findLast((line) => line !== '')
  const reason = (found ?? 'it gave no reason').replace(/^.*?\b(ERROR|FATAL|PANIC|error):\s*/, '')
  return `${reason.replace(/\.$/, '')}.`
}

/** Makes a rename or deletion in the directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
