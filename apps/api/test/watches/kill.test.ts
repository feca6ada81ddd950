// Processes that are killed with SIGKILL while they import and while they evaluate: afterwards all is as if none had been.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { eventIdOf } from '../../src/watches/report-changes.ts'
import { startProcess } from '../setup/child-process.ts'
import { makeTemporaryDirectory } from '../setup/temporary-directory.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { FOR_SALE, home, homes, type TestWatch, watchTools } from './watch-tools.ts'

const SOURCE = join(import.meta.dirname, '../../src')
const KILLS = process.env.LOTLINE_FULL ? 12 : 2
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
  startProcess(join(SOURCE, 'cli/main.ts'), ['listings', 'import', file, '--source', 'mls'], {
    env: { DATABASE_URL: test.url },
  })
const serving = () =>
  startProcess(join(SOURCE, 'main.ts'), [], {
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
    ...{ available: await availableOf(watching.accountId), usage: await usageOf(watching.accountId) },
  }
}

it(`${2 * KILLS} kills of imports and of evaluations leave the log of events as it is without a kill`, async () => {
  const file = join(await makeTemporaryDirectory(), 'changed.ndjson')
  await writeFile(file, CHANGED.map((record) => JSON.stringify(record)).join('\n'))
  const whole = await begin()
  await importRecords(CHANGED)
  await evaluate()
  const expected = await logOf(whole)
  expect(expected).toMatchObject({ usage: { units: 2_399, credits: 2_399 } })

  const killed = await begin()
  const { position } = await state()
  const imported = async () => (await state()).last > position
  for (let kill = 0; kill < KILLS && !(await imported()); kill++) {
    const command = importing(file)
    // Its transaction is under way as soon as a session has changes that no other sees: then a while longer each time.
    await until(async () => (await isImporting()) || (await imported()))
    await sleep(Math.random() * 300)
    command.kill('SIGKILL')
    await command.exited
  }
  while (!(await imported())) expect(await importing(file).exited).toEqual({ code: 0, signal: null })

  const { last } = await state()
  const steps = Array.from({ length: KILLS }, () => Math.random() * (last - position)).sort((a, b) => a - b)
  for (const step of steps) {
    const server = serving()
    // Those before the first step are killed as soon as the evaluation could begin.
    await server.line(/serves/)
    await until(async () => (await state()).position - position >= Math.floor(step / 1_000) * 1_000)
    await sleep(Math.random() * 60)
    server.kill('SIGKILL')
    await server.exited
  }
  const server = serving()
  await until(async () => (await state()).position === last)
  server.kill('SIGTERM')
  await server.exited
  expect(await logOf(killed)).toEqual(expected)
}, 300_000)

/** Whether another session has locked the listings to write into them. */
async function isImporting(): Promise<boolean> {
  const { rows } = await database().query<{ is: boolean }>(
    `select exists (select from pg_locks where relation = 'listings'::regclass and mode = 'RowExclusiveLock'
       and pid <> pg_backend_pid()) as is`,
  )
  return rows[0]!.is
}
