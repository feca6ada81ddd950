// A lock between processes that the operating system releases when its holder dies. Node has no flock, but it includes SQLite,
// whose file locks work on every system (fcntl, LockFileEx): an open exclusive transaction on an empty database file is the lock.
// The file stays empty.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DISK_FULL_ADVICE, isDiskFull } from '../pool/unavailable.ts'
import { StartError } from '../queryable.ts'

export interface DirectoryLock {
  release(): void
}

const SQLITE_BUSY = 5

// A garbage-collected handle would release its lock.
const heldLocks = new Set<DatabaseSync>()

/**
 * Takes the lock named by the file at `path`, which is created if absent, or returns undefined if this process
 * or another one has it. Never waits. `lockHolder` returns the process that holds it.
 *
 * @throws {StartError} when the file cannot be used for locking.
 */
export function tryLock(path: string): DirectoryLock | undefined {
  const file = tryBegin(path, 'begin exclusive')
  if (file === undefined) return undefined
  noteHolder(path)
  return {
    release() {
      if (!heldLocks.has(file)) return
      rmSync(`${path}.pid`, { force: true })
      releaseLock(file)
    },
  }
}

/** Like `tryLock`, but shared: it excludes only `tryLock`. */
export function tryShare(path: string): DirectoryLock | undefined {
  const file = tryBegin(path, 'begin; select count(*) from sqlite_schema')
  return file && { release: () => releaseLock(file) }
}

function tryBegin(path: string, statement: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    // Without a journal file, so that the lock can also be taken on a full disk. Nothing is ever written to the database.
    file.exec('pragma journal_mode = memory')
    file.exec(statement)
    heldLocks.add(file)
    return file
  } catch (error) {
    file?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    if (isDiskFull(error)) throw new StartError(`The lock file ${path} cannot be used: ${DISK_FULL_ADVICE}`)
    throw new StartError(`The lock file ${path} cannot be used (${(error as Error).message}).`)
  }
}

function releaseLock(file: DatabaseSync): void {
  if (heldLocks.delete(file)) file.close()
}

function noteHolder(path: string): void {
  try {
    writeFileSync(`${path}.pid`, `${process.pid}\n`)
  } catch {
    // A full disk must not prevent a lock.
  }
}

/** "process 4242" if known. For messages only; the lock itself decides. */
export function lockHolder(path: string): string {
  try {
    const pid = Number.parseInt(readFileSync(`${path}.pid`, 'utf8'), 10)
    return Number.isNaN(pid) ? 'another process' : `process ${pid}`
  } catch {
    return 'another process'
  }
}
