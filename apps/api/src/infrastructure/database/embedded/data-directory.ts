// DATA_DIR: created, checked, and held by one server at a time.

import { existsSync } from 'node:fs'
import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { poll } from '../../platform/retry.ts'
import { type DatabaseLog, errorCode, StartError } from '../queryable.ts'
import { type DirectoryLock, lockHolder, tryLock } from './directory-lock.ts'

// A server that is being replaced needs a moment to finish, but a second one that was started by mistake should fail soon.
const SERVER_LOCK_LIMIT_MS = 5_000

const REASON_BY_ERROR_CODE: Readonly<Record<string, string>> = {
  EEXIST: 'a file is in its place',
  ENOTDIR: 'part of its path is a file',
  ENOENT: 'it cannot be made there',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only file system',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
}

/**
 * Creates the directory and, inside it, the one for the embedded database, whose path it returns. New directories are open to
 * this user only.
 *
 * @throws {StartError} when they cannot be created or written to
 */
export async function makeDataDirectory(dataDir: string): Promise<string> {
  const place = join(dataDir, 'postgres')
  try {
    await makeDirectory(place)
    for (const directory of [dataDir, place]) {
      await access(directory, constants.R_OK | constants.W_OK | constants.X_OK)
    }
    return place
  } catch (error) {
    const code = errorCode(error) ?? ''
    const reason =
      REASON_BY_ERROR_CODE[code] === undefined
        ? (error as Error).message
        : `${REASON_BY_ERROR_CODE[code]} (${code})`
    throw new StartError(
      `DATA_DIR ${dataDir} cannot be used: ${reason}. Name a directory that this user can write to.`,
    )
  }
}

// mkdir with `recursive` never returns in some file systems, such as /proc.
async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path)
  if (!existsSync(parent) && parent !== path) await makeDirectory(parent)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

/**
 * Takes the server's lock on the directory, and waits briefly for a server that is stopping.
 *
 * @throws {StartError} when another server keeps the lock
 */
export async function takeServerLock(dataDir: string, log: DatabaseLog): Promise<DirectoryLock> {
  const path = join(dataDir, 'server.lock')
  const lock = await poll(
    (attempt) => {
      const taken = tryLock(path)
      if (taken === undefined && attempt === 1)
        log.info(`Waiting for another server (${lockHolder(path)}) to stop using ${dataDir}.`)
      return taken
    },
    { timeoutMs: SERVER_LOCK_LIMIT_MS, pauseMs: 100 },
  )
  if (lock !== undefined) return lock
  throw new StartError(
    `Another server (${lockHolder(path)}) uses DATA_DIR ${dataDir}: stop it, or give this one a DATA_DIR of its own. Several servers can share one DATABASE_URL.`,
  )
}
