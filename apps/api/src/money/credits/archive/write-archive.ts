// Archives the books: the movements and usage rows before a month leave for a file, and one movement of the kind `carried`
// for each account takes their place, so that the balance remains the sum of the postings. It is one transaction, and the
// file is complete, on disk, and read again before the transaction removes anything. A crash leaves either all rows in the
// database (and perhaps a file that the next run replaces), or none of them and the file.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import {
  BackupError,
  type BackupTable,
  type BackupTrailer,
  backupLine,
  type Database,
  errorCode,
  type FileKind,
  findTables,
  type Queryable,
  quoteName,
  readBackup,
  readMigrations,
  syncDirectory,
  type TableEnd,
  tableLines,
  toTrailer,
} from '../../../infrastructure/database.ts'
import { poll } from '../../../infrastructure/platform.ts'

/** The tables that are archived. */
export const ARCHIVED_TABLES = ['movements', 'usage_rows'] as const
export const ARCHIVE_FILE_KIND: FileKind = {
  format: 'lotline-ledger-archive',
  version: 1,
  noun: 'archive of the ledger',
}

/**
 * Dropping a partition needs locks. Every charge waits behind a statement that waits for a lock, so each wait is limited to this
 * time.
 */
const LOCK_TIMEOUT_MS = 300
const LOCK_PAUSE_MS = 2_000
const LOCK_TRIES = 60

/** The reason why an archive was not made. Nothing was removed. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

export interface ArchiveResult {
  /** `nothing to archive`: no row is older, and no file was written. */
  readonly result: 'archived' | 'archived before' | 'nothing to archive'
  readonly movements: number
  readonly usageRows: number
  /** The SHA-256 of the file in hexadecimal digits. */
  readonly sha256: string | null
}

export interface ArchiveOptions {
  /** The first moment that is kept: the start of a month in UTC. */
  readonly before: Date
  readonly file: string
  /** Whole months before the present one that are never archived. */
  readonly retentionMonths: number
  /** Writes more in the transaction of the archive. Not called if there is nothing to archive. If it fails, nothing is removed. */
  readonly beforeCommit?: (tx: Queryable, archived: ArchiveResult) => Promise<void>
}

/**
 * Archives all rows before a month. Repeating it changes nothing. Needs the rights of the tables' owner.
 *
 * @throws {ArchiveError} when the rows must be kept longer, jobs of that time are open, the file belongs to something else, or
 *   the tables stay locked
 */
export async function archiveBooks(database: Database, options: ArchiveOptions): Promise<ArchiveResult> {
  const { before, file } = options
  await refuseTooYoung(database, options)
  const made = await findArchive(database, before)
  if (made) return made
  await refuseTakenFile(database, file)
  await sortLateRows(database, before)
  const partitions = await findPartitions(database, before)
  if (partitions.length === 0) return NOTHING_TO_ARCHIVE
  try {
    return await database.transaction((tx) => archiveIn(tx, partitions, options), {
      isolation: 'repeatable read',
      statementTimeoutMs: 0,
    })
  } catch (error) {
    if (errorCode(error) !== UNDEFINED_TABLE) throw error
    throw new ArchiveError('Another archive was made at the same time. Run the command again.')
  }
}

const UNDEFINED_TABLE = '42P01'
const LOCK_NOT_AVAILABLE = '55P03'
const NOTHING_TO_ARCHIVE: ArchiveResult = {
  result: 'nothing to archive',
  movements: 0,
  usageRows: 0,
  sha256: null,
}

async function archiveIn(
  tx: Queryable,
  partitions: readonly string[],
  { before, file, beforeCommit }: ArchiveOptions,
): Promise<ArchiveResult> {
  const names = partitions.map(quoteName).join(', ')
  // The transaction is idle while the file is written, read back, and checked. A large file takes minutes.
  await tx.query('set local idle_in_transaction_session_timeout = 0')
  // The lock comes first, so that the snapshot is complete: from here on, nothing is written to these months, and no other
  // process archives them. Charges and ending jobs write to other partitions and do not wait.
  await tx.query(`lock table ${names} in share row exclusive mode`)
  await refuseOtherPartitions(tx, partitions, before)
  const condition = `created_at < '${before.toISOString()}'`
  await refuseOpenJobs(tx, before)
  const { movements, usageRows, lastId } = await countRows(tx, condition)
  if (movements + usageRows === 0) {
    await dropPartitions(tx, names)
    return NOTHING_TO_ARCHIVE
  }
  const sha256 = await writeFile(tx, file, condition, before)
  // The carried movement replaces all rows of the account and has the number of the first one, so that it precedes every row that
  // is kept.
  await tx.query(
    `insert into movements (account_id, id, kind, amount, held_change, created_at)
     select account_id, min(id), 'carried', sum(amount), sum(held_change), $1 from postings where ${condition}
     group by account_id having sum(amount) <> 0 or sum(held_change) <> 0`,
    [before],
  )
  await tx.query(
    'insert into book_archives (before_month, last_id, movements, usage_rows, sha256) values ($1, $2, $3, $4, $5)',
    [before, lastId, movements, usageRows, sha256],
  )
  const archived: ArchiveResult = { result: 'archived', movements, usageRows, sha256 }
  // Runs before the drop, whose lock blocks readers until the commit.
  await beforeCommit?.(tx, archived)
  await dropPartitions(tx, names)
  return archived
}

async function refuseTooYoung(
  database: Database,
  { before, retentionMonths }: ArchiveOptions,
): Promise<void> {
  const { rows } = await database.query<{ latest: Date }>(
    `select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' as now,
       (date_trunc('month', now() at time zone 'UTC') - make_interval(months => $1)) at time zone 'UTC' as latest`,
    [retentionMonths],
  )
  const { latest } = rows[0]!
  if (before > latest) {
    throw new ArchiveError(
      `Rows are kept for ${retentionMonths} months before the current one. Choose ${monthText(latest)} or an earlier month.`,
    )
  }
}

/** `2026-11`. */
function monthText(at: Date): string {
  return at.toISOString().slice(0, 7)
}

async function findArchive(database: Queryable, before: Date): Promise<ArchiveResult | undefined> {
  const { rows } = await database.query<{ movements: number; usageRows: number; sha256: string }>(
    `select movements, usage_rows as "usageRows", sha256 from book_archives where before_month >= $1
     order by before_month limit 1`,
    [before],
  )
  return rows[0] && { result: 'archived before', ...rows[0] }
}

/**
 * Recorded archives and other files are never overwritten. The file of an interrupted run is overwritten if it has the same rows
 * (`refuseOtherRows`).
 */
async function refuseTakenFile(database: Queryable, file: string): Promise<void> {
  const sha256 = await hashFile(file).catch((error) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (sha256 === undefined) return
  const { rows } = await database.query('select from book_archives where sha256 = $1', [sha256])
  if (rows.length > 0) {
    throw new ArchiveError(`${file} is an earlier archive of this ledger. Choose another file name.`)
  }
  await readTaken(file)
}

/** @throws {ArchiveError} when it is not an archive of the ledger. */
async function readTaken(file: string): Promise<BackupTrailer> {
  try {
    return await readWhole(file)
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    throw new ArchiveError(
      `${file} already exists and is not an archive of the ledger. Choose another file name.`,
    )
  }
}

/** The file may be the only copy of another database's rows. */
async function refuseOtherRows(file: string, made: BackupTrailer): Promise<void> {
  const taken = await readTaken(file).catch((error) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (taken !== undefined && taken.sha256 !== made.sha256) {
    throw new ArchiveError(
      `${file} already exists and archives other rows, perhaps of another database. Choose another file name.`,
    )
  }
}

/** Moves rows of these months out of the default partition, where a wrong clock put them, into partitions of their own. */
async function sortLateRows(database: Queryable, before: Date): Promise<void> {
  for (const table of ARCHIVED_TABLES) {
    await database.query(
      `select make_book_partition($1, month) from (
         select distinct date_trunc('month', created_at, 'UTC') as month from ${table}_default where created_at < $2
       ) late`,
      [table, before],
    )
  }
}

/** The partitions of the months before. */
async function findPartitions(database: Queryable, before: Date): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent in ('movements'::regclass, 'usage_rows'::regclass)
       and c.relname ~ '_[0-9]{4,}_[0-9]{2}$' and substring(c.relname from '[0-9]{4,}_[0-9]{2}$') < $1
     order by 1`,
    [monthText(before).replace('-', '_')],
  )
  return rows.map(({ name }) => name)
}

/** The written rows must equal the dropped rows: all of these months must be in the locked partitions. */
async function refuseOtherPartitions(tx: Queryable, locked: readonly string[], before: Date): Promise<void> {
  const { rows } = await tx.query<{ late: boolean }>(
    `select exists (select from movements_default where created_at < $1)
       or exists (select from usage_rows_default where created_at < $1) as late`,
    [before],
  )
  const now = await findPartitions(tx, before)
  if (rows[0]!.late || now.join() !== locked.join()) {
    throw new ArchiveError(
      'Rows of these months arrived after the command began. Nothing was removed. Run the command again.',
    )
  }
}

/** The usage row of an open job is not final. Its call was admitted before its hold was placed. */
async function refuseOpenJobs(tx: Queryable, before: Date): Promise<void> {
  const { rows } = await tx.query<{ open: number }>(
    `select count(*) as open from holds h where state = 'open' and (created_at < $1 or exists (
       select from usage_rows u where u.account_id = h.account_id and u.job_id = h.job_id and u.created_at < $1))`,
    [before],
  )
  if (rows[0]!.open > 0) {
    throw new ArchiveError(
      `${rows[0]!.open} jobs of that time are still open. Wait until they end, or abort them with \`lotline jobs abort\`.`,
    )
  }
}

async function countRows(
  tx: Queryable,
  condition: string,
): Promise<{ movements: number; usageRows: number; lastId: number }> {
  const { rows } = await tx.query<{ movements: number; usageRows: number; lastId: number }>(
    `select m.rows as movements, u.rows as "usageRows", greatest(m.last, u.last, 0) as "lastId" from
       (select count(*) as rows, max(id) as last from movements where ${condition}) m,
       (select count(*) as rows, max(id) as last from usage_rows where ${condition}) u`,
  )
  return rows[0]!
}

/** Writes the file and returns its SHA-256. The file is complete, on disk, and readable, or does not exist. */
async function writeFile(tx: Queryable, file: string, condition: string, before: Date): Promise<string> {
  // The name is always the same, so that a new run overwrites the file of a killed one.
  const part = `${file}.part`
  const hash = createHash('sha256')
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  try {
    const handle = await open(part, 'w', 0o600)
    await pipeline(
      () => archiveLines(tx, condition, before),
      createZstdCompress(),
      hashing,
      handle.createWriteStream({ flush: true }),
    )
    const sha256 = hash.digest('hex')
    const made = await readWhole(part)
    if ((await hashFile(part)) !== sha256)
      throw new ArchiveError(`Another program changed ${part} during the write. Run the command again.`)
    await refuseOtherRows(file, made)
    await rename(part, file)
    await syncDirectory(dirname(file))
    return sha256
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* archiveLines(tx: Queryable, condition: string, before: Date): AsyncGenerator<string> {
  const { format, version } = ARCHIVE_FILE_KIND
  const migrations = await readMigrations(tx)
  yield backupLine({
    format,
    version,
    created_at: new Date().toISOString(),
    before: before.toISOString(),
    migrations,
  })
  const ends: TableEnd[] = []
  for (const table of await bookTables(tx)) ends.push(yield* tableLines(tx, table, condition))
  yield backupLine(toTrailer(ends))
}

/** The tables that archives are made of, as they are in the current schema. */
export async function bookTables(database: Queryable): Promise<BackupTable[]> {
  const tables = await findTables(database)
  return ARCHIVED_TABLES.map((name) => tables.find((table) => table.name === name)!)
}

/** Reads the whole file and checks every checksum. Returns its last line, which sums up its rows. */
async function readWhole(file: string): Promise<BackupTrailer> {
  const ends: TableEnd[] = []
  for await (const part of readBackup(createReadStream(file), ARCHIVE_FILE_KIND))
    if ('end' in part) ends.push(part.end)
  return toTrailer(ends)
}

/** SHA-256 of a file, in hexadecimal digits. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

/** Waits for readers of the ledger, but never delays charges for long. */
async function dropPartitions(tx: Queryable, names: string): Promise<void> {
  const isDropped = await poll(
    async () => {
      await tx.query(`savepoint before_drop; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      try {
        await tx.query(`drop table ${names}`)
        return true
      } catch (error) {
        if (errorCode(error) !== LOCK_NOT_AVAILABLE) throw error
        await tx.query('rollback to before_drop')
        return undefined
      }
    },
    { attempts: LOCK_TRIES, pauseMs: LOCK_PAUSE_MS },
  )
  if (isDropped) return
  throw new ArchiveError(
    'A long-running reader of the ledger, such as an audit or a backup, blocks the archive. Nothing was removed. Run the command again later.',
  )
}
