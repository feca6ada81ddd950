// Reads postmaster.pid, in which PostgreSQL records the process of a cluster and its progress.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../queryable.ts'

export interface PostmasterFile {
  readonly pid: number
  readonly dataDirectory: string
  readonly status: 'starting' | 'ready' | 'stopping' | string
}

/** Returns undefined if the file does not exist. The process in it may be dead. */
export async function findPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  try {
    const lines = (await readFile(pathIn(cluster), 'utf8')).split('\n')
    const pid = Number.parseInt(lines[0] ?? '', 10)
    // The file is written in steps. The status in the eighth line comes last.
    return pid > 0 ? { pid, dataDirectory: lines[1] ?? '', status: (lines[7] ?? '').trim() } : undefined
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export async function removePostmasterFile(cluster: string): Promise<void> {
  await rm(pathIn(cluster), { force: true })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  return !isZombie(pid)
}

// A zombie is dead, but not yet reaped by its parent. In a container whose first process reaps no children, it stays.
function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.startsWith('Z') === true
  } catch {
    return false
  }
}

/** The arguments that a process was started with; empty if it is gone or they cannot be read. */
export async function readCommandLine(pid: number): Promise<string[]> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
  } catch {
    // No /proc: macOS. Its ps separates arguments by blanks, which directories may hold too: compare the whole line.
    const line = await promisify(execFile)('/bin/ps', ['-o', 'command=', '-p', String(pid)]).catch(
      () => undefined,
    )
    return (line?.stdout ?? '').split(/ -[Dc] /).map((part) => part.trim())
  }
}

function pathIn(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}
