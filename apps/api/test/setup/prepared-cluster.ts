// A stopped PostgreSQL cluster whose database is migrated already. Making one (initdb and all migrations) costs about
// 2.5 CPU seconds, more than most test files, so it is made once per schema and kept under node_modules/.cache. The cluster of
// a run is a copy, and so is the embedded database of a test that is not about making one. The kept one is never started, so
// that no test can change what the next run begins with.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connectDatabase } from '../../src/infrastructure/database/database.ts'
import { EMBEDDED_NAME } from '../../src/infrastructure/database/embedded/cluster.ts'
import { startEmbeddedPostgres } from '../../src/infrastructure/database/embedded/embedded-postgres.ts'
import { findPostgresBinaries } from '../../src/infrastructure/database/embedded/postgres-binaries.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../src/infrastructure/database/migrate.ts'
import type { DatabaseLog } from '../../src/infrastructure/database/queryable.ts'
import { errorCode } from '../../src/infrastructure/database/queryable.ts'
import { makeTemporaryDirectory } from './temporary-directory.ts'

/** The migrated database in the cluster: the one that a service with this DATA_DIR uses. */
export const TEMPLATE = EMBEDDED_NAME
/** A database in the cluster for connections, so that `TEMPLATE` has none and can be copied. */
export const ADMIN_DATABASE = 'postgres'

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/test-clusters')
const EMBEDDED = join(import.meta.dirname, '../../src/infrastructure/database/embedded')
/** Clusters of other schemas that no run has used in this time are removed: each takes about 40 MB. */
const MAX_AGE_MS = 60 * 60_000

const run = promisify(execFile)

/**
 * A DATA_DIR, gone when the test is, with the files of an embedded database that is migrated, empty, and stopped.
 *
 * @param below a path in the temporary directory. Default: the directory itself
 */
export async function makePreparedDataDirectory(below = ''): Promise<string> {
  const dataDir = join(await makeTemporaryDirectory(), below)
  await mkdir(dataDir, { recursive: true })
  await copyPreparedCluster(dataDir, { debug() {}, info() {}, warn() {} })
  return dataDir
}

/** Puts a cluster into `dataDir`, an empty directory, as if a server had made it there and stopped. */
export async function copyPreparedCluster(dataDir: string, log: DatabaseLog): Promise<void> {
  const prepared = join(CACHE, await schemaHash())
  if (!(await exists(prepared))) await prepare(prepared, log)
  // `cp` keeps the owner, which is not the current user when that one is root, and copies by reference where it can.
  await run('cp', ['-a', join(prepared, 'postgres'), dataDir])
}

/** Of everything that decides what a new cluster holds. */
async function schemaHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const directory of [MIGRATIONS_DIRECTORY, EMBEDDED]) {
    for (const name of (await readdir(directory)).sort()) {
      hash.update(`${name}\0`).update(await readFile(join(directory, name)))
    }
  }
  hash.update(await readFile(import.meta.filename))
  // The path has the version of the package. The files belong to another user when root makes them.
  hash.update(`${(await findPostgresBinaries()).postgres}\0${process.getuid?.()}`)
  return hash.digest('hex').slice(0, 16)
}

/** Made beside its place and renamed into it, so that it is there whole or not at all. */
async function prepare(prepared: string, log: DatabaseLog): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  await removeOldClusters()
  const fresh = await mkdtemp(join(CACHE, 'new-'))
  try {
    // With fsync, since this one is kept.
    const postgres = await startEmbeddedPostgres({ dataDir: fresh, as: 'command', log })
    try {
      const database = connectDatabase({ target: postgres.connection, poolSize: 1, log })
      await migrate(database).finally(database.close)
    } finally {
      await postgres.stop()
    }
    await rename(fresh, prepared)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another run was faster: its cluster is the same.
    const isMade = ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '') && (await exists(prepared))
    if (!isMade) throw error
  }
}

async function removeOldClusters(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > MAX_AGE_MS) await rm(path, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
