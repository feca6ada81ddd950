// The laws of tables and of the ledger, read from all SQL: statements in code, also where they are put together, and functions of the
// migrations.

import { fileOf, folderOf, isIn } from './folders.ts'
import { type Breach, lineAt, type Source } from './source.ts'
import { callsIn, type SqlFunction, triggersIn, type Write, writesIn } from './sql.ts'
import {
  FINAL_TABLES,
  FOREIGN_CALLERS,
  FOREIGN_TRIGGERS,
  LEDGER_COLUMNS,
  REMOVER,
  SHARED_FUNCTIONS,
  type SharedFunction,
  TABLE_OWNERS,
  WITH_NAMES,
} from './table-owners.ts'
import type { Law, Plant, Tree } from './tree.ts'

const LIST = 'tools/tidy/src/table-owners.ts'
const UNNAMED = 'a statement that writes names its table'
const WRITES = 'only its owner writes a table'
const CALLS = 'only its owner calls a function in SQL'
const LEDGER = 'only the ledger moves credits'

const OWNER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLE_OWNERS).flatMap(([folder, tables]) => tables.map((table) => [table, folder] as const)),
)

/** Whose table a write is to. The columns of an account that are sums of the ledger belong to the ledger. */
function ownerOf({ table, columns }: Write): string | undefined {
  const owner = table === undefined ? undefined : OWNER_OF.get(table)
  return table === 'accounts' && columns.length > 0 && columns.every((name) => LEDGER_COLUMNS.includes(name))
    ? 'credits'
    : owner
}

/** Writes of a folder to tables of another one, and writes whose table cannot be read from the statement. */
function findForeignWrites(tree: Tree): Breach[] {
  return servicesOf(tree).flatMap((source) => {
    const { file, text } = source
    return tree.texts(source).flatMap(({ index, value }) =>
      writesIn(value).flatMap((write): Breach[] => {
        const rule = judge(file, write)
        return rule === undefined ? [] : [{ file, line: lineAt(text, index), rule }]
      }),
    )
  })
}

function judge(file: string, write: Write): string | undefined {
  const { table, verb } = write
  const folder = folderOf(file)!
  if (table === undefined) return isIn(file, WITH_NAMES) ? undefined : UNNAMED
  const owner = OWNER_OF.get(table)
  // A temporary table, or a word of a sentence.
  if (owner === undefined) return undefined
  if (folder === REMOVER && verb === 'delete') return undefined
  return owner === folder || ownerOf(write) === folder
    ? undefined
    : `${WRITES}: ${table} belongs to ${owner}/`
}

function servicesOf({ sources }: Tree): Source[] {
  return sources.filter(({ file }) => folderOf(file) !== undefined && /\.[cm]?[jt]s$/.test(file))
}

/** What moves credits outside of the ledger: its rows, and the columns of accounts that are sums of them. */
function findBookings(tree: Tree): Breach[] {
  const moves = ({ table, columns }: Write) =>
    FINAL_TABLES.includes(table ?? '') ||
    (table === 'accounts' &&
      columns.some((name) => ['balance', 'held', 'expiring', 'grant_left'].includes(name)))
  const inCode = servicesOf(tree)
    .filter(({ file }) => !isIn(file, ['credits', 'database/backup']))
    .flatMap((source) =>
      tree.texts(source).flatMap(({ index, value }) =>
        writesIn(value)
          .filter(moves)
          .map(() => ({ file: source.file, line: lineAt(source.text, index), rule: LEDGER })),
      ),
    )
  const owners = functionOwners(tree)
  const inSchema = tree.migrations.flatMap(({ file, text }) => {
    const functions = tree.functions().filter((one) => one.file === file)
    const written = writesIn(withoutFunctions(text)).filter(
      ({ verb, ...write }) => verb !== 'alter' && moves({ verb, ...write }),
    )
    return [
      ...written.map(({ index }) => ({ file, line: lineAt(text, index), rule: LEDGER })),
      ...functions
        .filter(({ name, writes }) => writes.some(moves) && owners.get(name) !== 'credits')
        .map(({ index }) => ({ file, line: lineAt(text, index), rule: LEDGER })),
    ]
  })
  return [...inCode, ...inSchema]
}

/** Returns the SQL with the bodies of its functions blanked out. */
function withoutFunctions(sql: string): string {
  return sql.replace(
    /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\b[\s\S]*?\bas\s+(\$\w*\$)[\s\S]*?\1/gi,
    (whole) => whole.replace(/[^\n]/g, ' '),
  )
}

/** Folders that a function writes to, by itself and by the functions that it calls, with its own place of each. */
function reachOf(one: SqlFunction, owners: ReadonlyMap<string, string>): Set<string> {
  const written = one.writes.flatMap((write) => ownerOf(write) ?? [])
  const called = one.calls.filter((name) => name !== one.name).flatMap((name) => owners.get(name) ?? [])
  return new Set([...written, ...called])
}

/** The folder of each function that writes: the one whose tables it writes, or the one that the list names. */
function functionOwners(
  tree: Tree,
  shared: Readonly<Record<string, SharedFunction>> = SHARED_FUNCTIONS,
): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { name } of tree.functions())
    if (Object.hasOwn(shared, name)) owners.set(name, shared[name]!.owner)
  // A function that only calls others belongs to their folder, however long the chain is.
  for (let changed = true; changed; ) {
    changed = false
    for (const one of tree.functions()) {
      const [owner] = reachOf(one, owners)
      if (owners.has(one.name) || owner === undefined) continue
      owners.set(one.name, owner)
      changed = true
    }
  }
  return owners
}

function findSharedFunctions(tree: Tree): Breach[] {
  const owners = functionOwners(tree)
  const textOf = new Map(tree.migrations.map(({ file, text }) => [file, text]))
  return tree.functions().flatMap((one): Breach[] => {
    const { name, file, index } = one
    const breach = (rule: string) => [{ file, line: lineAt(textOf.get(file)!, index), rule }]
    if (one.writes.some(({ table }) => table === undefined) && name !== 'make_book_partition')
      return breach(`${UNNAMED}: ${name}`)
    const own = owners.get(name)
    const others = [...reachOf(one, owners)].filter((folder) => folder !== own).toSorted()
    const listed = SHARED_FUNCTIONS[name]?.reaches ?? []
    const added = others.filter((folder) => !listed.includes(folder))
    const gone = listed.filter((folder) => !others.includes(folder))
    return [
      ...added.flatMap((folder) =>
        breach(`a function in SQL has one owner: ${name} of ${own}/ reaches into ${folder}/`),
      ),
      ...gone.flatMap((folder) =>
        breach(`a function in SQL has one owner: ${name} does not reach into ${folder}/ any more (${LIST})`),
      ),
    ]
  })
}

function findForeignCalls(tree: Tree): Breach[] {
  const owners = functionOwners(tree)
  return servicesOf(tree).flatMap((source) => {
    const { file, text } = source
    return tree.texts(source).flatMap(({ index, value }) =>
      callsIn(value).flatMap((name): Breach[] => {
        const owner = owners.get(name)
        const folder = folderOf(file)!
        if (owner === undefined || owner === folder || FOREIGN_CALLERS[name]?.includes(folder)) return []
        return [{ file, line: lineAt(text, index), rule: `${CALLS}: ${name} belongs to ${owner}/` }]
      }),
    )
  })
}

function findForeignTriggers(tree: Tree): Breach[] {
  const owners = functionOwners(tree)
  return tree.migrations.flatMap(({ file, text }) =>
    triggersIn(text).flatMap(({ index, table, called }): Breach[] => {
      const [from, to] = [OWNER_OF.get(table), owners.get(called)]
      if (from === to || from === undefined || to === undefined || FOREIGN_TRIGGERS[called] === table)
        return []
      return [
        {
          file,
          line: lineAt(text, index),
          rule: `a trigger writes the tables of its folder: ${called} of ${to}/ on ${table}`,
        },
      ]
    }),
  )
}

/** Tables that the migrations leave. */
export function tablesOf(migrations: readonly Source[]): Map<string, Source> {
  const tables = new Map<string, Source>()
  const name = String.raw`(?:\w+\.)?"?([a-z_]\w*)"?`
  for (const source of migrations) {
    const { text } = source
    for (const [, table] of text.matchAll(
      new RegExp(`^ *create (?:unlogged )?table (?:if not exists )?${name}`, 'gim'),
    ))
      tables.set(table!, source)
    for (const [, table] of text.matchAll(new RegExp(String.raw`\bdrop table (?:if exists )?${name}`, 'gi')))
      tables.delete(table!)
    for (const [, from, to] of text.matchAll(
      new RegExp(String.raw`\balter table ${name} rename to ${name}`, 'gi'),
    )) {
      tables.delete(from!)
      tables.set(to!, source)
    }
  }
  return tables
}

function findOwnerlessTables({ migrations }: Tree): Breach[] {
  return [...tablesOf(migrations)]
    .filter(([table]) => !OWNER_OF.has(table))
    .map(([table, { file }]) => ({
      file,
      line: 1,
      rule: `each table has one owner: ${table} has none in ${LIST}`,
    }))
}

const migration = (number: number) => `database/migrations/${number}_plant.sql`

const plant = (what: string, place: string, text: string): Plant => ({
  what,
  file: fileOf(place),
  text,
})
/** A value in a template, which would be one of this file if it were written out. */
const value = (name: string) => `$${`{${name}}`}`
const procedure = (name: string, body: string) =>
  `create function ${name}() returns void language plpgsql as $$\nbegin\n  ${body};\nend $$;`

export const TABLE_LAWS: readonly Law[] = [
  {
    rule: 'each table has one owner',
    check: findOwnerlessTables,
    plants: [plant('a table of none', migration(9981), 'create table planted_rows (id uuid);')],
  },
  {
    rule: WRITES,
    check: (tree) => findForeignWrites(tree).filter(({ rule }) => rule !== UNNAMED),
    plants: [
      plant('an insert', 'jobs/plant-insert.ts', "q('insert into watches (id) values ($1)')"),
      plant('an update over two lines', 'jobs/plant-update.ts', 'q(`update\n  watches set paused = true`)'),
      plant('a deletion', 'oauth/plant-delete.ts', "q('DELETE FROM watches')"),
      plant(
        'a merge',
        'oauth/plant-merge.ts',
        "q('merge into watches w using x on true when matched then delete')",
      ),
      plant('a truncation of two', 'oauth/plant-truncate.ts', "q('truncate table x, watches')"),
      plant('a schema', 'oauth/plant-schema.ts', "q('update public.watches set paused = true')"),
      plant('quotes', 'oauth/plant-quotes.ts', `q('delete from only "public"."watches"')`),
      plant('a comment in between', 'oauth/plant-comment.ts', "q('delete /* all */ from watches')"),
      plant(
        'a name from a constant',
        'oauth/plant-name.ts',
        `const TABLE = 'watches'\nq(\`delete from ${value('TABLE')}\`)`,
      ),
      plant(
        'a name from a constant object',
        'oauth/plant-field.ts',
        `const TABLES = { all: 'watches' } as const\nq(\`delete from ${value('TABLES.all')}\`)`,
      ),
      plant(
        'a verb from a constant',
        'oauth/plant-verb.ts',
        `const DO = 'delete from'\nq(\`${value('DO')} watches\`)`,
      ),
      plant('texts with a plus', 'oauth/plant-plus.ts', "q('delete ' + 'from ' + 'watches')"),
      plant('an escaped letter', 'oauth/plant-escape.ts', String.raw`q('delete from w\x61tches')`),
      plant(
        'a text inside a template',
        'oauth/plant-inside.ts',
        `q(\`with x as (${value('`delete from watches`')}) select 1\`)`,
      ),
      plant(
        'a common table expression',
        'oauth/plant-with.ts',
        "q('with x as (delete from watches returning 1) select * from x')",
      ),
      plant('a copy', 'oauth/plant-copy.ts', "q('copy watches (id) from stdin')"),
      plant('a change of the table', 'oauth/plant-alter.ts', "q('alter table watches disable trigger user')"),
      plant(
        'an insert by the remover',
        'retention/plant-insert.ts',
        "q('insert into watches (id) values ($1)')",
      ),
    ],
  },
  {
    rule: UNNAMED,
    check: (tree) =>
      [...findForeignWrites(tree), ...findSharedFunctions(tree)].filter(({ rule }) =>
        rule.startsWith(UNNAMED),
      ),
    plants: [
      plant('a table in a variable', 'oauth/plant-variable.ts', `q(\`delete from ${value('of(table)')}\`)`),
      plant('a table behind a plus', 'oauth/plant-behind.ts', "q('delete from ' + table)"),
      plant(
        'a computed statement in SQL',
        migration(9982),
        procedure('planted_format', "execute format('delete from %I', p_table)"),
      ),
    ],
  },
  {
    rule: LEDGER,
    check: findBookings,
    plants: [
      plant('a posting', 'jobs/plant-posting.ts', "q('insert into usage_rows (id) values (1)')"),
      plant(
        'a balance',
        'accounts/plant-balance.ts',
        "q('update accounts set status = $1, balance = 7 where id = $2')",
      ),
      plant(
        'several columns at once',
        'accounts/plant-columns.ts',
        "q('update accounts set (status, held) = ($1, 0)')",
      ),
      plant('a posting of a migration', migration(9986), 'update holds set charged = 1;'),
    ],
  },
  {
    rule: CALLS,
    check: findForeignCalls,
    plants: [
      plant('a function of the ledger', 'jobs/plant-settle.ts', "q('select settle_calls($1)')"),
      plant('one that is no posting', 'webhooks/plant-sum.ts', "q('select sum_usage($1, 7)')"),
      plant(
        'its name from a constant',
        'jobs/plant-constant.ts',
        `const F = 'top_up'\nq(\`select ${value('F')}($1, 7)\`)`,
      ),
      plant('quotes', 'jobs/plant-function.ts', `q('select * from public."adjust_credits"($1)')`),
      plant('one that only calls others', 'jobs/plant-chain.ts', "q('select credit_cycle_in_advance($1)')"),
      plant('a function of another folder', 'jobs/plant-claim.ts', "q('select * from claim_deliveries(1)')"),
    ],
  },
  {
    rule: 'a function in SQL has one owner',
    check: (tree) => findSharedFunctions(tree).filter(({ rule }) => !rule.startsWith(UNNAMED)),
    plants: [
      plant(
        'writes of two folders',
        migration(9983),
        procedure('planted_writes', 'update jobs set state = $1; delete from public.watches'),
      ),
      plant(
        'a write and a call',
        migration(9984),
        procedure('planted_call', 'update jobs set state = $1; perform top_up(a, 1)'),
      ),
      plant(
        'a call of a call',
        migration(9985),
        procedure('planted_again', 'delete from watches; perform planted_call()'),
      ),
    ],
  },
  {
    rule: 'a trigger writes the tables of its folder',
    check: findForeignTriggers,
    plants: [
      plant(
        'a trigger of another folder',
        migration(9987),
        'create trigger planted after insert on jobs for each row execute function log_listing_changes();',
      ),
    ],
  },
]
