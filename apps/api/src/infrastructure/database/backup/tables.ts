// Lists the tables in an order in which they can be filled: referenced tables before the tables that refer to them.

import type { Queryable } from '../database.ts'

export interface BackupTable {
  readonly name: string
  readonly columns: readonly BackupColumn[]
  /** Quoted, for `order by`; empty when the table has no primary key. */
  readonly keyColumns: readonly string[]
}

export interface BackupColumn {
  readonly name: string
  /** The name of the type for a cast. */
  readonly type: string
  /** The sequence that numbers it, which it may share with a column of another table. */
  readonly sequence: string | null
}

/** Owned by migrate.ts, and part of a backup's header. */
export const MIGRATIONS_TABLE = 'lotline_migrations'
/**
 * Tables that a backup leaves out: leases and settings of running processes, secrets of tags and cursors, short-lived data,
 * limits of other servers, sums that can be recomputed, and the safety journal, which says what changed after a backup. The version of the data set continues after the highest in the change
 * log.
 */
const TRANSIENT_TABLES = [
  'api_processes',
  'browser_sessions',
  'budgets',
  'cursor_key',
  'data_set_version',
  'feed_calls',
  'feed_credentials',
  'missed_lookups',
  'safety_journal',
  'stripe_turns',
  'tag_secret',
  'usage_summed',
  'usage_sums',
  'webhook_pauses',
  'webhook_sending',
]

/** Tables that have rows in a new database, and so do not show whether the database holds data. */
export const SEEDED_TABLES = ['console_access', 'watch_progress']

const TABLES = `
  select c.relname as name,
    (select json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
        'sequence', coalesce(
          pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname),
          substring(pg_get_expr(d.adbin, d.adrelid) from '^nextval\\(''(.+)''::regclass\\)$'))) order by a.attnum)
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    coalesce((select json_agg(quote_ident(a.attname) order by array_position(i.indkey::smallint[], a.attnum))
      from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey::smallint[])
      where i.indrelid = c.oid and i.indisprimary), '[]') as "keyColumns",
    coalesce((select json_agg(distinct r.relname)
      from pg_constraint k join pg_class r on r.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '[]') as "refersTo"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in (${[MIGRATIONS_TABLE, ...TRANSIENT_TABLES].map((name) => `'${name}'`).join()})
    -- What an extension has brought is the extension's.
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by c.relname`

/** All tables of the current schema that hold data. */
export async function findTables(database: Queryable): Promise<BackupTable[]> {
  const { rows } = await database.query<BackupTable & { refersTo: string[] }>(TABLES)
  const sorted: BackupTable[] = []
  const left = new Map(rows.map((table) => [table.name, table]))
  while (left.size > 0) {
    const next = [...left.values()].find((table) => table.refersTo.every((name) => !left.has(name)))
    if (!next)
      throw new Error(
        `The foreign keys of the tables ${[...left.keys()].join(', ')} form a cycle, so they cannot be restored in order.`,
      )
    left.delete(next.name)
    sorted.push({ name: next.name, columns: next.columns, keyColumns: next.keyColumns })
  }
  return sorted
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
