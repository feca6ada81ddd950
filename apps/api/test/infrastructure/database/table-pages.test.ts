// TABLES.md of the modules, which `pnpm generate` writes from the text of the migrations, against a migrated database.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'

const SRC = join(import.meta.dirname, '../../../src')
const testDatabase = withTestDatabase()

/** `table.column` for each column of each page, in their order. */
const shown = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('TABLES.md'))
  .flatMap((path) => {
    const boxes = readFileSync(join(SRC, path), 'utf8').matchAll(/^ {2}(\w+) \{\n([\s\S]*?)^ {2}\}/gm)
    return [...boxes].flatMap(([, table, columns]) =>
      columns!
        .trim()
        .split('\n')
        .map((line) => {
          const [type, column, key] = line.trim().split(' ')
          return `${table}.${column} ${type}${key ? ' PK' : ''}`
        }),
    )
  })

/** Types as the migrations write them. */
const TYPE = `
  case when a.attidentity <> '' then format_type(a.atttypid, a.atttypmod)
    when pg_get_expr(d.adbin, d.adrelid) = 'nextval(''movements_id_seq''::regclass)' and c.relname = 'movements' then 'bigserial'
    else replace(replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz'), ' ', '_') end`

test('the pages of tables show each table with its columns, types, and primary key, once', async () => {
  const { rows } = await testDatabase.database.query<{ column: string }>(
    `select format('%s.%s %s%s', c.relname, a.attname, ${TYPE}, case when exists (
         select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any (i.indkey::smallint[])) then ' PK' end) as column
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       -- migrate.ts makes it.
       and c.relname <> 'lotline_migrations'`,
  )
  expect(shown.toSorted()).toEqual(rows.map(({ column }) => column).toSorted())
})
