// Real addresses and sales that lie beside the repository on some machines. A test that cannot see them says so
// loudly and proves its guarantee over the rest.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { TestContext } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../../../../../shared/data')

/** The same for a test that cannot do without: where the file is absent, the test is reported as skipped. */
export function needSharedText({ skip }: Pick<TestContext, 'skip'>, name: string, proof: string): string {
  return findSharedText(name, proof) ?? skip(`../shared/data/${name} is absent`)
}

/** The text of a file, unpacked; undefined, with a warning, where it is absent. */
export function findSharedText(name: string, proof: string): string | undefined {
  const file = join(FOLDER, name)
  if (!existsSync(file)) {
    console.warn(`SKIPPED: ${proof}: ../shared/data/${name} is absent`)
    return undefined
  }
  const bytes = readFileSync(file)
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
