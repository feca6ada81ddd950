// Checks a backup without a database: that it can be read to its end, that all checksums match, and that this Lotline has its schema.

import type { Readable } from 'node:stream'
import { BEFORE_SCHEMA_1, isBeforeSchema1, MIGRATIONS_DIRECTORY, readMigrations } from '../migrate.ts'
import {
  BackupError,
  type BackupHeader,
  type BackupMigration,
  type BackupSummary,
  summaryOf,
  type TableSummary,
} from './format.ts'
import { readBackup } from './read-backup.ts'

/**
 * Reads the whole backup and writes nothing.
 *
 * @throws {BackupError} when it is damaged or was made by a newer Lotline
 */
export async function checkBackup(
  source: Readable,
  directory: string = MIGRATIONS_DIRECTORY,
): Promise<BackupSummary> {
  const tables: TableSummary[] = []
  let header: BackupHeader | undefined
  for await (const part of readBackup(source)) {
    if ('header' in part) {
      header = part.header
      checkSchema(header.migrations, await readMigrations(directory))
    } else if ('end' in part) {
      const { end, rows, sha256 } = part.end
      tables.push({ table: end, rows, sha256 })
    }
  }
  return summaryOf(header!, tables)
}

/** @throws {BackupError} unless the migrations of the backup are the first of the known ones */
export function checkSchema(
  migrations: readonly BackupMigration[],
  known: readonly Pick<BackupMigration, 'name' | 'checksum'>[],
): void {
  if (isBeforeSchema1(migrations, known)) throw new BackupError(`The backup ${BEFORE_SCHEMA_1}`)
  for (const [index, { name, checksum }] of migrations.entries()) {
    if (known[index]?.checksum === checksum) continue
    throw new BackupError(
      `The backup was made with the schema ${name}, which this Lotline does not have: restore it with the Lotline that made it, or a newer one.`,
    )
  }
}
