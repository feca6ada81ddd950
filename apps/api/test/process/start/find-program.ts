// Programs of the machine that some tests need. Where one is absent the test says loudly what it has not proven; where
// nothing may be skipped, it fails.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'vitest'

/** Path of the first of the programs that is there; undefined, with a warning, when none is. */
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

/** The same for a test that cannot do without: where none is there, the test is reported as skipped. */
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
