// Lets the audit read archives and books as one: inside its transaction, temporary views take the names of the tables and
// show the rows of the archives beside those of the books, without the movements that stand for archived rows. Every check
// then sees the whole history, and needs not know that a part of it was archived.

import { createReadStream } from 'node:fs'
import { readBackup } from '../../database/backup/read-backup.ts'
import { quoteName, type Table } from '../../database/backup/tables.ts'
import type { Queryable } from '../../database/database.ts'
import { ARCHIVE, ArchiveError, BOOKS, bookTables, hashOf } from './write-archive.ts'

/**
 * Makes archives and books one, for the rest of the transaction. `separateBooks` undoes it.
 *
 * @throws {ArchiveError} when the files are not exactly the archives of these books.
 */
export async function joinArchives(tx: Queryable, files: readonly string[]): Promise<void> {
  await refuseOtherFiles(tx, files)
  const tables = await bookTables(tx)
  for (const { name } of tables) {
    await tx.query(`create temporary table archived_${name} (like ${name}) on commit drop`)
  }
  for (const file of files) await load(tx, file, tables)
  const { rows } = await tx.query<{ postings: string; schema: string }>(
    `select pg_get_viewdef('postings'::regclass) as postings, quote_ident(current_schema()) as schema`,
  )
  const { postings, schema } = rows[0]!
  for (const { name, columns } of tables) {
    const list = columns.map((column) => quoteName(column.name)).join(', ')
    // What was carried is what the archives have.
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
  // Its text names the tables, which are the views by now.
  await tx.query(`create temporary view postings as ${postings}`)
  await tx.query(
    `create temporary view kept_books as select '-infinity'::timestamptz as since, 0::bigint as last_archived_id`,
  )
}

/** Takes the temporary views away, so that the connection can be used for anything else. */
export async function separateBooks(tx: Queryable): Promise<void> {
  await tx.query(
    `drop view pg_temp.postings, pg_temp.carried, pg_temp.kept_books, ${BOOKS.map((name) => `pg_temp.${name}`).join(', ')}`,
  )
}

/** What an archive has carried over is the sum of everything before its month. Only where archives and books are one. */
export const CARRIED = {
  check: 'carried is what was archived',
  contradictions: `
    select coalesce(c.account_id, p.account_id) as account_id, json_build_object(
      'before', coalesce(c.created_at, p.before_month), 'carried', c.amount, 'carried_held', c.held_change,
      'archived', p.amount, 'archived_held', p.held_change) as facts
    from carried c
      full join (
        select a.before_month, p.account_id, sum(p.amount) as amount, sum(p.held_change) as held_change
        from book_archives a join postings p on p.created_at < a.before_month
        group by 1, 2 having sum(p.amount) <> 0 or sum(p.held_change) <> 0
      ) p on p.account_id = c.account_id and p.before_month = c.created_at
    where (c.amount, c.held_change) is distinct from (p.amount, p.held_change)`,
} as const

async function refuseOtherFiles(tx: Queryable, files: readonly string[]): Promise<void> {
  const { rows } = await tx.query<{ month: string; sha256: string }>(
    `select to_char(before_month at time zone 'UTC', 'YYYY-MM') as month, sha256 from book_archives order by 1`,
  )
  const missing = new Map(rows.map(({ month, sha256 }) => [sha256, month]))
  for (const file of files) {
    if (!missing.delete(await hashOf(file))) {
      throw new ArchiveError(`${file} is no archive of these books, was changed, or is named twice.`)
    }
  }
  const [month] = missing.values()
  if (month !== undefined) {
    throw new ArchiveError(
      `The archive of the rows before ${month} is missing. Name the files of all ${rows.length} archives.`,
    )
  }
}

async function load(tx: Queryable, file: string, tables: readonly Table[]): Promise<void> {
  let insert = ''
  for await (const part of readBackup(createReadStream(file), ARCHIVE)) {
    if ('start' in part) {
      const { table: name, columns } = part.start
      const types = new Map(
        tables.find((table) => table.name === name)?.columns.map((one) => [one.name, one.type]),
      )
      // An archive of an older schema may lack a column, but can have none that is unknown.
      const unknown = columns.find((column) => !types.has(column))
      if (unknown !== undefined) {
        throw new ArchiveError(`${file} was made by another Lotline: ${name} has no ${unknown} here.`)
      }
      insert = `insert into archived_${name} (${columns.map(quoteName).join(', ')})
        select ${columns.map((column, n) => `(row ->> ${n})::${types.get(column)}`).join(', ')}
        from jsonb_array_elements($1::jsonb) as row`
    } else if ('rows' in part) await tx.query(insert, [`[${part.rows.join(',')}]`])
  }
}
