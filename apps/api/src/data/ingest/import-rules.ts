// A digest of the code that reads and judges rows. The service runs from its sources, so no version must be raised by hand when a rule
// changes.
// Why: decisions/data/when-a-file-is-read-again.md

import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/**
 * The folders and files with rules: this folder, the check of a record and its rights, the removal of addresses, the names and values of
 * the RESO Data Dictionary, the comparison of addresses, and the columns of a listing.
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
 * The digest in hexadecimal digits. A file that was read by other rules is read again even if it has not changed: the new rules may forbid
 * something that was stored.
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
