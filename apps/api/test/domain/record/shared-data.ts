// Real addresses and sales that some machines have beside the repository. A test without them prints a warning and uses its other data.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TestContext } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../../../../../shared/data')

/** Like `findSharedText`, for a test that needs the file. Without it, the test is reported as skipped. */
export function needSharedText({ skip }: Pick<TestContext, 'skip'>, name: string, proof: string): string {
  return findSharedText(name, proof) ?? skip(`../shared/data/${name} is absent`)
}

/** The decompressed text of a file. undefined, with a warning: it is absent. */
export function findSharedText(name: string, proof: string): string | undefined {
  const file = join(FOLDER, name)
  if (!existsSync(file)) {
    console.warn(`SKIPPED: ${proof}: ../shared/data/${name} is absent`)
    return undefined
  }
  const bytes = readFileSync(file)
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
