// Recognizes a full disk before and after a statement fails by it.

import { statfs } from 'node:fs/promises'
import type { Config } from '../config/config.ts'
import type { Database } from './queryable.ts'

/** PostgreSQL extends a table by up to 1 MiB at a time, and a new WAL segment takes 16 MiB. */
const MIN_FREE_BYTES = 16 * 1024 * 1024
/** A disk counts as full for this long after a statement failed by it. */
const REMEMBERED_MS = 10_000

/** Bytes that this user can write on the disk of DATA_DIR. undefined: it cannot be found out. */
async function findFreeBytes(dataDir: string): Promise<number | undefined> {
  const found = await statfs(dataDir).catch(() => undefined)
  // Some file systems do not know their size.
  return found === undefined || found.blocks === 0 ? undefined : found.bavail * found.bsize
}

/**
 * Whether the disk of the database is full: a statement failed by it in the last 10 seconds, or the disk of the embedded database has less
 * than 16 MiB left, so that the next statements would fail.
 */
export async function isDatabaseDiskFull(
  database: Pick<Database, 'pool'>,
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
): Promise<boolean> {
  const { diskFullMsAgo } = database.pool
  if (diskFullMsAgo !== undefined && diskFullMsAgo < REMEMBERED_MS) return true
  return databaseUrl === undefined && ((await findFreeBytes(dataDir)) ?? MIN_FREE_BYTES) < MIN_FREE_BYTES
}
