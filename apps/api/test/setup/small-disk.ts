// A disk of a test's own, in memory, that can be filled without harm to anything else. It needs root on Linux.

import { spawnSync } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { makeTemporaryDirectory } from './temporary-directory.ts'

export interface SmallDisk {
  readonly directory: string
  /** Leaves this many bytes free. */
  fill(freeBytes: number): Promise<void>
  /** Removes what `fill` has written. */
  empty(): Promise<void>
}

/** A disk that is gone when the test is. Skips the test, with the reason, where none can be mounted. */
export async function mountSmallDisk(
  { skip }: Pick<TestContext, 'skip'>,
  mebibytes: number,
): Promise<SmallDisk> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    skip('a disk can be mounted by root on Linux only')
  const directory = await makeTemporaryDirectory()
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'lotline-test', directory]
  const { status, stderr } = spawnSync('mount', options, { encoding: 'utf8' })
  if (status !== 0) skip(`a disk cannot be mounted here: ${stderr}`)
  onTestFinished(() => void spawnSync('umount', ['-l', directory]))
  const ballast = join(directory, 'ballast')
  return {
    directory,
    async fill(freeBytes) {
      const file = await open(ballast, 'a')
      try {
        const piece = Buffer.alloc(1024 * 1024)
        for (;;) {
          const { bavail, bsize } = await statfs(directory)
          const left = Math.min(bavail * bsize - freeBytes, piece.length)
          if (left <= 0) return
          await file.write(piece, 0, left)
        }
      } finally {
        await file.close()
      }
    },
    empty: () => rm(ballast, { force: true }),
  }
}
