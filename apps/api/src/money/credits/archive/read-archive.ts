// Lets the audit read archives and the ledger as one. In its transaction, temporary views replace the tables: they show archived
// rows beside the present ones, without the movements that carry archived sums. So every check sees the whole history, and does
// not depend on archives.

import { createReadStream } from 'node:fs'
import { type BackupTable, type Queryable, quoteName, readBackup } from '../../../infrastructure/database.ts'
import { ARCHIVE_FILE_KIND, ARCHIVED_TABLES, ArchiveError, bookTables, hashFile } from './write-archive.ts'

/**
 * Joins archives and ledger for the rest of the transaction. `separateBooks` undoes it.
 *
 * @throws {ArchiveError} when the files are not exactly the archives of this ledger
 */
export async function joinArchives(tx: Queryable, files: readonly string[]): Promise<void> {
  const months = await refuseOtherFiles(tx, files)
  const tables = await bookTables(tx)
  for (const { name } of tables) {
    await tx.query(
      `create temporary table archived_${name} (like ${name}, before_month timestamptz not null) on commit drop`,
    )
  }
  for (const [file, month] of months) await loadArchive(tx, file, month, tables)
  await prepareForChecks(tx)
  const { rows } = await tx.query<{ postings: string; schema: string }>(
    `select pg_get_viewdef('postings'::regclass) as postings, quote_ident(current_schema()) as schema`,
  )
  const { postings, schema } = rows[0]!
  for (const { name, columns } of tables) {
    const list = columns.map((column) => quoteName(column.name)).join(', ')
    // The archives hold the rows behind carried movements.
    const where = name === 'movements' ? "where kind <> 'carried'" : ''
    await tx.query(
      `create temporary view ${name} as select ${list} from ${schema}.${name} ${where}
       union all select ${list} from archived_${name} ${where}`,
    )
  }
  await tx.query(
    `create temporary view carried as select account_id, created_at, amount, held_change from ${schema}.movements
       where kind = 'carried' union all select account_id, created_at, amount, held_change from archived_movements
       where kind = 'carried'`,
  )
  // The text of the view names the tables, which are views by now.
  await tx.query(`create temporary view postings as ${postings}`)
  await tx.query(
    `create temporary view kept_books as select '-infinity'::timestamptz as since, 0::bigint as last_archived_id`,
  )
}

/**
 * Without statistics, the planner assumes that the new tables are small, and the checks look up rows by account and by job. The
 * indexes are not unique, because the checks must find rows that are in two files.
 */
async function prepareForChecks(tx: Queryable): Promise<void> {
  await tx.query('create index on archived_movements (account_id, id)')
  await tx.query('create index on archived_movements (account_id, job_id) where job_id is not null')
  await tx.query('create index on archived_usage_rows (account_id, created_at)')
  await tx.query('create index on archived_usage_rows (account_id, job_id) where job_id is not null')
  for (const name of ARCHIVED_TABLES) await tx.query(`analyze archived_${name}`)
}

/** Drops the temporary views, so that the connection can be used for other work. */
export async function separateBooks(tx: Queryable): Promise<void> {
  await tx.query(
    `drop view pg_temp.postings, pg_temp.carried, pg_temp.kept_books, ${ARCHIVED_TABLES.map((name) => `pg_temp.${name}`).join(', ')}`,
  )
}

/**
 * A carried movement is the sum of its archive and of those before. It does not cover all rows before its month: a row can be
 * written later with an earlier time. This check runs only with joined archives.
 */
export const CARRIED_TOTALS_CHECK = {
  check: 'carried is what was archived',
  contradictions: `
    with archived as (
      select before_month, account_id, amount, held_change from archived_movements where kind <> 'carried'
      union all
      select before_month, account_id, -credits_charged, 0 from archived_usage_rows where credits_charged > 0 and job_id is null
    ), by_file as (
      select before_month, account_id, sum(amount) as amount, sum(held_change) as held_change from archived group by 1, 2
    )
    select coalesce(c.account_id, p.account_id) as account_id, json_build_object(
      'before', coalesce(c.created_at, p.before_month), 'carried', c.amount, 'carried_held', c.held_change,
      'archived', p.amount, 'archived_held', p.held_change) as facts
    from carried c
      full join (
        select a.before_month, f.account_id, sum(f.amount) as amount, sum(f.held_change) as held_change
        from book_archives a join by_file f on f.before_month <= a.before_month
        group by 1, 2 having sum(f.amount) <> 0 or sum(f.held_change) <> 0
      ) p on p.account_id = c.account_id and p.before_month = c.created_at
    where (c.amount, c.held_change) is distinct from (p.amount, p.held_change)`,
} as const

/** Returns each file with the first time that the ledger keeps after it. */
async function refuseOtherFiles(tx: Queryable, files: readonly string[]): Promise<Map<string, Date>> {
  const { rows } = await tx.query<{ month: string; before: Date; sha256: string }>(
    `select to_char(before_month at time zone 'UTC', 'YYYY-MM') as month, before_month as before, sha256 from book_archives
     order by 1`,
  )
  const missing = new Map(rows.map(({ month, sha256 }) => [sha256, month]))
  const months = new Map<string, Date>()
  for (const file of files) {
    const sha256 = await hashFile(file)
    if (!missing.delete(sha256)) {
      throw new ArchiveError(
        `${file} cannot be read: it is not an archive of this ledger, was modified, or is listed twice.`,
      )
    }
    months.set(file, rows.find((row) => row.sha256 === sha256)!.before)
  }
  const [month] = missing.values()
  if (month !== undefined) {
    throw new ArchiveError(
      `The archive of the rows before ${month} is missing. Pass the files of all ${rows.length} archives.`,
    )
  }
  return months
}

async function loadArchive(
  tx: Queryable,
  file: string,
  before: Date,
  tables: readonly BackupTable[],
): Promise<void> {
  let insert = ''
  for await (const part of readBackup(createReadStream(file), ARCHIVE_FILE_KIND)) {
    if ('start' in part) {
      const { table: name, columns } = part.start
      const types = new Map(
        tables.find((table) => table.name === name)?.columns.map((one) => [one.name, one.type]),
      )
      // An archive of an older schema may lack a column, but cannot have an unknown one.
      const unknown = columns.find((column) => !types.has(column))
      if (unknown !== undefined) {
        throw new ArchiveError(
          `${file} was made by another version of Lotline: the table ${name} has no column ${unknown} here.`,
        )
      }
      insert = `insert into archived_${name} (before_month, ${columns.map(quoteName).join(', ')})
        select $2::timestamptz, ${columns.map((column, n) => `(row ->> ${n})::${types.get(column)}`).join(', ')}
        from jsonb_array_elements($1::jsonb) as row`
    } else if ('rows' in part) await tx.query(insert, [`[${part.rows.join(',')}]`, before])
  }
}
