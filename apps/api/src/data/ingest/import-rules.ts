// Which rules an import follows: a digest of the code that reads and judges rows. The service runs from its sources, so no number
// has to be raised by hand when a rule changes.
// Why: decisions/data/when-a-file-is-read-again.md

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/**
 * The folders and files of the rules: this folder, the check and the rights of a record, what a record without its address is, the names and values of the RESO Data
 * Dictionary, how addresses are compared, and the columns of a listing.
 */
const RULES = [
  '.',
  '../listings',
  '../rights',
  '../../domain/record',
  '../../domain/reso',
  '../../domain/address',
  '../sources/dataset/listing-columns.ts',
].map((path) => join(import.meta.dirname, path))

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
  for (const path of RULES) {
    const names = path.endsWith('.ts') ? [''] : await readdir(path, { recursive: true })
    const code = names.filter((name) => name === '' || /\.(?:ts|yaml)$/.test(name)).sort()
    for (const name of code) {
      hash.update(`${name.split(sep).join('/')}\n`)
      hash.update(await readFile(join(path, name)))
    }
  }
  return hash.digest('hex')
}
