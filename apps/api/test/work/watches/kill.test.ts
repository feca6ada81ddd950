// Processes that are killed with SIGKILL while they import and while they evaluate: afterwards all is as if none had been.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventIdOf } from '../../../src/work/watches/evaluate-snapshot.ts'
import { startProcess } from '../../setup/child-process.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { FOR_SALE, home, homes, type TestWatch, watchTools } from './watch-tools.ts'

const SOURCE = join(import.meta.dirname, '../../../src')
/** Of imports, and as many of evaluations. */
const KILLS = process.env.LOTLINE_FULL ? 20 : 3
const HOMES = 2_000
const test = withTestDatabase()
const database = () => test.database
const { empty, importRecords, watch, evaluate, eventsOf, availableOf, usageOf } = watchTools(database)

/** Changes that most homes take part in, so that an evaluation has several steps. */
const CHANGED = [
  ...homes(1, 1_700, { price: 450_000 }),
  ...Array.from({ length: 100 }, (_, at) => home(1_700 + at, { homeStatus: 'SOLD' })),
  ...homes(HOMES + 1, HOMES + 601),
]
const importing = (file: string) =>
  startProcess(join(SOURCE, 'interfaces/cli/main.ts'), ['listings', 'import', file, '--source', 'mls'], {
    env: { DATABASE_URL: test.url },
  })
const serving = () =>
  startProcess(join(SOURCE, 'process/main.ts'), [], {
    env: { DATABASE_URL: test.url, SAMPLE_DATA: 'off', PORT: '0', LOG_LEVEL: 'silent' },
  })

async function state(): Promise<{ last: number; position: number }> {
  const { rows } = await database().query<{ last: number; position: number }>(
    'select coalesce((select max(seq) from listing_changes), 0) as last, position from watch_progress',
  )
  return rows[0]!
}

/** Asks until it holds. The test's own limit bounds it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(2)
}

async function begin(): Promise<TestWatch> {
  await empty()
  await importRecords(homes(1, HOMES + 1))
  const watching = await watch({ search: FOR_SALE })
  await evaluate()
  return watching
}

/** All of the log but its times; that of an id, whether it is the one of the watch and the number. */
async function logOf(watching: TestWatch): Promise<unknown> {
  const events = await eventsOf(watching)
  return {
    events: events.map(({ observedAt: _at, id, ...event }) => ({
      ...event,
      isOwnId: id === eventIdOf(watching.id, event.seq),
    })),
    available: await availableOf(watching.accountId),
    usage: await usageOf(watching.accountId),
  }
}

it(`${KILLS} kills of imports and ${KILLS} of evaluations leave the event log the same as without a kill`, async () => {
  const file = join(await makeTemporaryDirectory(), 'changed.ndjson')
  await writeFile(file, CHANGED.map((record) => JSON.stringify(record)).join('\n'))
  const whole = await begin()
  await importRecords(CHANGED)
  await evaluate()
  const expected = await logOf(whole)
  expect(expected).toMatchObject({ usage: { units: 2_399, credits: 2_399 } })

  let killed = await begin()
  const kills = { imports: 0, evaluations: 0 }
  while (kills.imports < KILLS) {
    if (await killImport(file)) kills.imports += 1
    // It was done before the kill: the next one begins anew.
    else killed = await begin()
  }
  expect(await importing(file).exited).toEqual({ code: 0, signal: null })
  while (kills.evaluations < KILLS) {
    if (await killEvaluation()) kills.evaluations += 1
    else {
      await finish()
      expect(await logOf(killed)).toEqual(expected)
      killed = await begin()
      await importRecords(CHANGED)
    }
  }
  await finish()
  expect(await logOf(killed)).toEqual(expected)
}, 1_800_000)

/** Kills an import at a random moment of its transaction. False: it had been committed. */
async function killImport(file: string): Promise<boolean> {
  const { last } = await state()
  const isImported = async () => (await state()).last > last
  const command = importing(file)
  await until(async () => (await hasLocked('listings', 'RowExclusiveLock')) || (await isImported()))
  await sleep(Math.random() * 250)
  command.kill('SIGKILL')
  await command.exited
  // Its session may still be at the commit.
  await until(async () => !(await hasLocked('listings', 'RowExclusiveLock')))
  return !(await isImported())
}

/** Kills a process at a random moment of its evaluation. False: it had evaluated everything. */
async function killEvaluation(): Promise<boolean> {
  const server = serving()
  const isDone = async () => {
    const { last, position } = await state()
    return position === last
  }
  await until(async () => (await hasLocked('watch_progress', 'RowShareLock')) || (await isDone()))
  await sleep(Math.random() * 150)
  server.kill('SIGKILL')
  await server.exited
  await until(async () => !(await hasLocked('watch_progress', 'RowShareLock')))
  return !(await isDone())
}

/** A process evaluates what is left, and ends in good order. */
async function finish(): Promise<void> {
  const server = serving()
  await until(async () => {
    const { last, position } = await state()
    return position === last
  })
  server.kill('SIGTERM')
  await server.exited
}

/** Whether another session has this lock on the table. */
async function hasLocked(table: string, mode: string): Promise<boolean> {
  const { rows } = await database().query<{ is: boolean }>(
    `select exists (select from pg_locks where relation = $1::regclass and mode = $2
       and pid <> pg_backend_pid()) as is`,
    [table, mode],
  )
  return rows[0]!.is
}
