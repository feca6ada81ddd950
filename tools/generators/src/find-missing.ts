import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Those of the programs that are not on PATH. */
export function findMissing(programs: readonly string[]): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.filter((program) => !folders.some((folder) => isExecutable(join(folder, program))))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
