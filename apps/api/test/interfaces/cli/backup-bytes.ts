// Backups in memory, whole or line by line.

import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { writeBackup } from '../../../src/infrastructure/database/backup/write-backup.ts'
import type { Database } from '../../../src/infrastructure/database/database.ts'

export async function backupOf(database: Database): Promise<Buffer> {
  const stream = new PassThrough()
  const [bytes] = await Promise.all([buffer(stream), writeBackup(database, stream)])
  return bytes
}

export function linesOf(backup: Buffer): string[] {
  return zstdDecompressSync(backup).toString().split('\n').slice(0, -1)
}

export function backupWith(lines: readonly string[]): Readable {
  return Readable.from([zstdCompressSync(lines.map((line) => `${line}\n`).join(''))])
}
