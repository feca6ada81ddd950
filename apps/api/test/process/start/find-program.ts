// Programs of the machine that some tests need. If one is missing, the test warns about what it did not check; if skipping is forbidden, it
// fails.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'vitest'

/** The path of the first available program; undefined, with a warning, if there is none. */
export function findProgram(
  names: readonly string[],
  proof: string,
  moreFolders: readonly string[] = [],
): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...moreFolders]
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    if (isExecutable(path)) return path
  }
  const notice = `SKIPPED: ${proof}: ${names.join(' or ')} is not installed`
  if (process.env.LOTLINE_NO_SKIP === '1') throw new Error(notice)
  console.warn(notice)
  return undefined
}

/** For a test that needs the program: if it is missing, the test is reported as skipped. */
export function needProgram(
  { skip }: Pick<TestContext, 'skip'>,
  names: readonly string[],
  proof: string,
): string {
  return findProgram(names, proof) ?? skip(`${names.join(' or ')} is not installed`)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
