// Where the tests of the service make their temporary directories: in memory where the machine has plenty of it. A cluster of
// PostgreSQL is a thousand small files, and a file system on a disk takes 40 times the processor time to make and to remove
// them, which was a tenth of the run. Nothing here outlives the run, so that a disk adds nothing.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux keeps these files in memory. */
const IN_MEMORY = '/dev/shm'
const NAME = 'lotline-tests-'
/** Many times of what the usual run uses. */
const NEEDED_BYTES = 6 * 2 ** 30

/**
 * The directory for temporary files of this run, gone when this process exits; or that of the system, where memory is short.
 * The full run has databases of any size, and takes the disk, too.
 */
export function makeTemporaryRoot(): string {
  if (process.env.LOTLINE_FULL === '1' || !hasRoomInMemory()) return tmpdir()
  removeOldRoots()
  const root = mkdtempSync(join(IN_MEMORY, `${NAME}${process.pid}-`))
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
    // Some tests run programs from their directories, and containers may forbid that there.
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === IN_MEMORY)
    if (mount === undefined || mount.split(' ')[3]!.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    // The bound of a container counts these files, too.
    return Math.min(bavail * bsize, process.availableMemory()) >= NEEDED_BYTES
  } catch {
    return false
  }
}

/** What a run that was killed has left behind. */
function removeOldRoots(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      rmSync(join(IN_MEMORY, name), { recursive: true, force: true })
    } catch {
      // Another user's, or gone by now.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
