// Where the tests of the service make their temporary directories: in memory where the machine has plenty of it. A cluster of
// PostgreSQL is a thousand small files, and a file system on a disk takes 40 times the processor time to make and to remove
// them, which was a tenth of the run. Nothing here outlives the run, so that a disk adds nothing.

import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps these files in memory. */
const IN_MEMORY = '/dev/shm'
const NAME = 'lotline-tests-'
/** The usual run has been seen to use 1 GB. */
const NEEDED_BYTES = 6 * 2 ** 30
/** What a run that was killed has left behind is removed. A run makes directories in its own all the time. */
const MAX_AGE_MS = 2 * 60 * 60_000

/**
 * The directory for temporary files of this run, gone when this process exits; or that of the system, where memory is short.
 * The full run has databases of any size, and takes the disk, too.
 */
export function makeTemporaryRoot(): string {
  if (process.env.LOTLINE_FULL === '1' || !hasRoomInMemory()) return tmpdir()
  removeOldRoots()
  const root = mkdtempSync(join(IN_MEMORY, NAME))
  // As the system's own: some tests start programs as another user.
  chmodSync(root, 0o1777)
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 10 }))
  return root
}

/** Whether files in `directory` are in memory, so that copying them is cheaper than copying pages through the log. */
export function isInMemory(directory: string): boolean {
  return directory.startsWith(`${IN_MEMORY}/`)
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // The bound of a container counts these files, too.
    return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES
  } catch {
    return false
  }
}

function removeOldRoots(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    if (!name.startsWith(NAME)) continue
    const path = join(IN_MEMORY, name)
    try {
      if (Date.now() - statSync(path).mtimeMs > MAX_AGE_MS) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another user's, or gone by now.
    }
  }
}
