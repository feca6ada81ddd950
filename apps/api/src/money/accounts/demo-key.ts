// The demo key of the first start, for the reference on this machine. It is stored under DATA_DIR in a file that only this user
// can read, so that the reference has it after a restart too. The file reveals nothing more than the embedded database beside it.
// A key that is revoked, or belongs to another database, is not offered.

// Why: decisions/process/demo-key-file.md
// Why: decisions/process/demo-key-only-with-sample.md

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isApiKey } from '@lotline/contract/checks'
import { errorCode } from '../../infrastructure/database.ts'
import { Secret } from '../../infrastructure/platform.ts'
import { hashKey, type Principals } from './principals.ts'

/** The name of the demo key file in DATA_DIR. */
export const DEMO_KEY_FILE = 'demo.key'

/**
 * Stores the key in place of that of an earlier database. Returns false if the directory is not writable, as in a container that
 * keeps its data on a database server. The key is then offered until the service stops.
 */
export function keepDemoKey(dataDir: string, key: string): boolean {
  const path = join(dataDir, DEMO_KEY_FILE)
  try {
    mkdirSync(dataDir, { recursive: true })
    // An existing file would keep its mode.
    rmSync(path, { force: true })
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if (NOT_WRITABLE.has(errorCode(error) ?? '')) return false
    throw error
  }
}

const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EEXIST', 'ENOTDIR'])

/** Returns undefined if no key is stored here, or if it is not valid in this database. */
export async function findDemoKey(dataDir: string, principals: Principals): Promise<Secret | undefined> {
  const key = readKey(join(dataDir, DEMO_KEY_FILE))
  if (key === undefined || !isApiKey(key)) return undefined
  const principal = await principals.find(hashKey(key))
  return principal && !principal.revoked ? new Secret(key) : undefined
}

function readKey(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    // Without the file, or without the right to read it, there is no demo key. The start does not depend on it.
    if (['ENOENT', 'EACCES', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}
