import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectDatabase, type Database, StartError } from '../../../src/infrastructure/database/database.ts'
import { MIGRATIONS_DIRECTORY, migrate } from '../../../src/infrastructure/database/migrate.ts'
import { startProcess } from '../../setup/child-process.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../setup/test-database.ts'

async function emptyDatabase(): Promise<TestDatabase> {
  const made = await createTestDatabase({ schema: 'empty' })
  onTestFinished(() => made.drop())
  return made
}

async function migrations(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'lotline-migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql)
  return directory
}

async function tablesOf(database: Database): Promise<string[]> {
  const { rows } = await database.query<{ tablename: string }>(
    "select tablename from pg_tables where schemaname = 'public' order by 1",
  )
  return rows.map((row) => row.tablename)
}

const TWO = {
  '0001_one.sql': 'create table one (n integer);',
  '0002_two.sql': 'create table two (n integer);',
}

test('migrations are applied once and in order, and the next start applies none', async () => {
  const { database } = await emptyDatabase()
  const directory = await migrations(TWO)
  expect(await migrate(database, directory)).toEqual(['0001_one.sql', '0002_two.sql'])
  expect(await migrate(database, directory)).toEqual([])
  await writeFile(join(directory, '0003_three.sql'), 'alter table one add column m integer;')
  expect(await migrate(database, directory)).toEqual(['0003_three.sql'])
  expect(await tablesOf(database)).toEqual(['lotline_migrations', 'one', 'two'])
})

test('of many processes that start together, one applies each migration', async () => {
  const { target, database } = await emptyDatabase()
  const directory = await migrations({
    ...TWO,
    '0003_slow.sql': 'select pg_sleep(0.2); create table slow ();',
  })
  const starters = Array.from({ length: 8 }, () => connectDatabase({ target, poolSize: 1 }))
  try {
    const applied = await Promise.all(starters.map((starter) => migrate(starter, directory)))
    expect(applied.flat().sort()).toEqual(['0001_one.sql', '0002_two.sql', '0003_slow.sql'])
  } finally {
    await Promise.all(starters.map((starter) => starter.close()))
  }
  expect(await tablesOf(database)).toEqual(['lotline_migrations', 'one', 'slow', 'two'])
})

test('two processes that start over an empty database both start', async () => {
  const { url, database } = await emptyDatabase()
  const dataDir = await makeTemporaryDirectory()
  const argument = JSON.stringify({ as: 'server', dataDir, databaseUrl: url })
  const starters = [1, 2].map(() => startProcess(join(import.meta.dirname, 'open-and-wait.ts'), [argument]))
  for (const starter of starters) await starter.line(/^open$/)
  for (const starter of starters) starter.kill('SIGTERM')
  for (const starter of starters) await starter.line(/^closed$/)
  const count = (await database.query<{ count: number }>('select count(*) from lotline_migrations')).rows[0]!
    .count
  const applied = starters.flatMap(({ lines }) =>
    lines.filter((line) => line.startsWith('Migrated the database')),
  )
  expect(applied).toHaveLength(count)
})

test('a failed migration is rolled back completely and named in the error', async () => {
  const { database } = await emptyDatabase()
  const broken = 'create table two (n integer); insert into two values (1 / 0);'
  const directory = await migrations({ ...TWO, '0002_two.sql': broken })
  await expect(migrate(database, directory)).rejects.toThrow(
    new StartError('The migration 0002_two.sql failed: division by zero. It was rolled back.'),
  )
  expect(await tablesOf(database)).toEqual(['lotline_migrations', 'one'])
  await writeFile(join(directory, '0002_two.sql'), TWO['0002_two.sql'])
  expect(await migrate(database, directory)).toEqual(['0002_two.sql'])
})

test('a migration that was edited after it was applied prevents the start', async () => {
  const { database } = await emptyDatabase()
  const directory = await migrations(TWO)
  await migrate(database, directory)
  await writeFile(join(directory, '0001_one.sql'), TWO['0001_one.sql'].replaceAll(' ', '\r\n'))
  await expect(migrate(database, directory)).rejects.toThrow(
    /^The migration 0001_one.sql was changed after it had been applied\. /,
  )
})

test('different line endings do not count as an edit', async () => {
  const { database } = await emptyDatabase()
  const directory = await migrations({ '0001_one.sql': '-- one\ncreate table one ();\n' })
  await migrate(database, directory)
  await writeFile(join(directory, '0001_one.sql'), '-- one\r\ncreate table one ();\r\n')
  expect(await migrate(database, directory)).toEqual([])
})

test('a database newer than the program prevents the start', async () => {
  const { database } = await emptyDatabase()
  const directory = await migrations(TWO)
  await migrate(database, directory)
  await rm(join(directory, '0002_two.sql'))
  await expect(migrate(database, directory)).rejects.toThrow(
    /^The database has the migration 0002_two.sql, which this program does not know: /,
  )
})

test('a number below an applied one, a duplicate number, and a malformed name prevent the start', async () => {
  const { database } = await emptyDatabase()
  const directory = await migrations({ '0001_one.sql': 'select 1', '0003_three.sql': 'select 3' })
  await migrate(database, directory)
  await writeFile(join(directory, '0002_two.sql'), 'select 2')
  await expect(migrate(database, directory)).rejects.toThrow(
    /^The migration 0002_two.sql is numbered below 0003/,
  )
  await writeFile(join(directory, '0003_again.sql'), 'select 3')
  await expect(migrate(database, directory)).rejects.toThrow(/have the number of/)
  await writeFile(join(directory, '4-four.sql'), 'select 4')
  await expect(migrate(database, directory)).rejects.toThrow(/must have a name like/)
})

test('all migrations of this program apply to an empty database', async () => {
  const { database } = await emptyDatabase()
  const directory = await makeTemporaryDirectory()
  await cp(MIGRATIONS_DIRECTORY, directory, { recursive: true })
  expect(await migrate(database, directory)).toContain('0001_accounts.sql')
  expect(await readFile(join(directory, '0001_accounts.sql'), 'utf8')).not.toBe('')
  expect(await migrate(database)).toEqual([])
})

test('a database from before schema 1 is refused, with what to do', async () => {
  const { database } = await emptyDatabase()
  await migrate(database, await migrations({ '0001_accounts_and_credits.sql': 'select 1' }))
  await expect(migrate(database)).rejects.toThrow(
    /^The database was made before schema 1, .*cannot be converted\. Set DATA_DIR to a new folder or DATABASE_URL to an empty database,/,
  )
})

test('no function refers to a table or column that a later migration creates', async () => {
  const { database } = await emptyDatabase()
  /** The tables and views there are, and `table.column` for each column. */
  const namesNow = async () => {
    const { rows } = await database.query<{ name: string }>(
      `select relname || coalesce('.' || attname, '') as name from pg_class
         left join pg_attribute on attrelid = pg_class.oid and attnum > 0
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')
       union select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`,
    )
    return new Set(rows.map(({ name }) => name))
  }
  const files = (await readdir(MIGRATIONS_DIRECTORY)).filter((name) => name.endsWith('.sql')).sort()
  const states: { file: string; names: Set<string>; functions: { name: string; words: Set<string> }[] }[] = []
  for (const file of files) {
    await migrate(database, MIGRATIONS_DIRECTORY, Number(file.slice(0, 4)))
    const { rows } = await database.query<{ name: string; body: string }>(
      "select proname as name, prosrc as body from pg_proc where pronamespace = 'public'::regnamespace",
    )
    const functions = rows.map(({ name, body }) => ({
      name,
      words: new Set(body.replace(/--[^\n]*|'[^']*'/g, '').match(/\w+/g)),
    }))
    states.push({ file, names: await namesNow(), functions })
  }
  const known = [...states.at(-1)!.names]
  const found = states.flatMap(({ file, names, functions }) => {
    const later = known.filter((name) => !names.has(name))
    return functions.flatMap(({ name, words }) =>
      later
        // A column counts where the function names its table too.
        .filter((what) => what.split('.').every((word) => words.has(word)))
        .map((what) => `${name} refers to ${what}, which ${file} does not have yet`),
    )
  })
  expect(found).toEqual([])
})
