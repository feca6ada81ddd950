// Which rules an import follows: a digest of the code that reads and judges rows. The service runs from its sources, so no number
// has to be raised by hand when a rule changes.

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** The folders of the rules: this one, and the one that says what a record without its address is. */
const FOLDERS = [import.meta.dirname, join(import.meta.dirname, '../record')]

let digest: Promise<string> | undefined

/**
 * The same as long as the code of this Lotline is the same, in hexadecimal digits. A file that was read by other rules is read again,
 * also if it has not changed: it may permit less than was stored of it.
 */
export function digestOfRules(): Promise<string> {
  digest ??= readDigest()
  return digest
}

async function readDigest(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of FOLDERS) {
    const names = await readdir(folder, { recursive: true })
    const code = names.filter((name) => name.endsWith('.ts')).sort()
    for (const name of code) {
      hash.update(`${name.split(sep).join('/')}\n`)
      hash.update(await readFile(join(folder, name)))
    }
  }
  return hash.digest('hex')
}
