// A file system of the run's own, in memory, so that it can be filled without harm to anybody else. It takes root on
// Linux; where it cannot be made, the disk is "full" in another way (faults/fill-disk.ts).

import { spawnSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'

/** Whether a file system of so many MiB is mounted on the directory, which is made. */
export async function mountDisk(directory: string, mebibytes: number): Promise<boolean> {
  await mkdir(directory, { recursive: true })
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const options = ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'lotline-torture', directory]
  return spawnSync('mount', options, { stdio: 'ignore' }).status === 0
}

export function unmountDisk(directory: string): void {
  spawnSync('umount', ['-l', directory], { stdio: 'ignore' })
}
