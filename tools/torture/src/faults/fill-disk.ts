// The disk on which the database lies is full for a while.
//
// With a file system of the run's own (root on Linux) it is filled to the last page. Elsewhere PostgreSQL is forbidden to
// write beyond the first pages of any file (RLIMIT_FSIZE): its writes fail in the same places, with another error code.

import { spawnSync } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './fault.ts'

export const fillDisk: Fault = async ({ set }, random) => {
  const ms = random.int(1_500, 4_000)
  if (set.disk === undefined) {
    for (const pid of await set.postgres.family()) limitFiles(pid, '16384')
    try {
      await sleep(ms)
    } finally {
      for (const pid of await set.postgres.family()) limitFiles(pid, 'unlimited')
    }
    await set.postgres.revive()
    return `by a limit on the size of files, for ${ms} ms`
  }
  const ballast = join(set.disk, 'ballast')
  try {
    await fill(set.disk, ballast)
    for (const end = performance.now() + ms; performance.now() < end; await sleep(50)) {
      await fill(set.disk, ballast)
    }
  } finally {
    await rm(ballast, { force: true })
  }
  await set.postgres.revive()
  return `for ${ms} ms`
}

/** Whatever became free since is taken, too. */
async function fill(disk: string, ballast: string): Promise<void> {
  const file = await open(ballast, 'a')
  try {
    const piece = Buffer.alloc(1024 * 1024)
    for (;;) {
      const { bavail, bsize } = await statfs(disk)
      const left = Math.min(bavail * bsize, piece.length)
      if (left === 0) return
      await file.write(piece, 0, left)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}

function limitFiles(pid: number, bytes: string): void {
  spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`], { stdio: 'ignore' })
}
