// A lock between processes that the system itself takes back when its holder dies, however it dies. Node offers no
// flock, but SQLite comes with Node and locks its files by the system's own means (fcntl, LockFileEx) everywhere: an
// open exclusive transaction on an empty database file is the lock. Nothing is ever written to that file.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../queryable.ts'

export interface DirectoryLock {
  release(): void
}

const SQLITE_BUSY = 5

// A garbage-collected handle would release its lock.
const held = new Set<DatabaseSync>()

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
      if (!held.has(file)) return
      rmSync(`${path}.pid`, { force: true })
      releaseLock(file)
    },
  }
}

/** The same, but any number may share it; only `tryLock` is refused while anyone does. */
export function tryShare(path: string): DirectoryLock | undefined {
  const file = tryBegin(path, 'begin; select count(*) from sqlite_schema')
  return file && { release: () => releaseLock(file) }
}

function tryBegin(path: string, statement: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path, { timeout: 0 })
    file.exec(statement)
    held.add(file)
    return file
  } catch (error) {
    file?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw new StartError(`The lock file ${path} cannot be used (${(error as Error).message}).`)
  }
}

function releaseLock(file: DatabaseSync): void {
  if (held.delete(file)) file.close()
}

function noteHolder(path: string): void {
  try {
    writeFileSync(`${path}.pid`, `${process.pid}\n`)
  } catch {
    // A full disk must not prevent a lock.
  }
}

/** "process 4242", as far as it is known: for messages only, the lock itself decides. */
export function lockHolder(path: string): string {
  try {
    const pid = Number.parseInt(readFileSync(`${path}.pid`, 'utf8'), 10)
    return Number.isNaN(pid) ? 'another process' : `process ${pid}`
  } catch {
    return 'another process'
  }
}
