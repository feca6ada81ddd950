// Random sequences of imports, removals, evaluations, pauses, undos, and kills end as if the undone imports had never been: the same
// homes, the same events that stand, and the same credits.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { pauseWatch, resumeWatch } from '../../../src/work/watches/update-watch.ts'
import { startProcess } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { listingsOf, runStep, type Step } from './undo-tools.ts'
import { FOR_SALE, home, homes, type TestWatch, watchTools } from './watch-tools.ts'

/** The first and the last seed, to repeat a failure: `LOTLINE_SEEDS=215-215`. */
const SEEDS = process.env.LOTLINE_SEEDS ?? (process.env.LOTLINE_FULL ? '1-500' : '1-40')
const [FIRST_SEED, LAST_SEED] = SEEDS.split('-').map(Number) as [number, number]
const SEQUENCES_OF_A_TEST = 50
/** Every so many sequences have a step whose process is killed. */
const KILLED_EVERY = process.env.LOTLINE_FULL ? 2 : 5
const HOMES = 6
const STEPS = 14
const test = withTestDatabase()
const database = () => test.database
const { empty, watch, eventsOf, availableOf } = watchTools(database)

interface PauseStep {
  readonly kind: 'pause' | 'resume'
}
type RecordedStep = Step | PauseStep
const isPause = (step: RecordedStep): step is PauseStep => step.kind === 'pause' || step.kind === 'resume'
/** A step that was done, with the number of its import. */
interface DoneStep {
  readonly step: RecordedStep
  readonly importId: number | undefined
}

function randomOf(seed: number) {
  let state = seed * 2_654_435_761 + 1
  /** A whole number from 0 to below the bound. */
  return (bound: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(state ^ (state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) % bound
  }
}

async function begin(): Promise<{ readonly search: TestWatch; readonly list: TestWatch }> {
  await empty()
  await database().query('truncate replaced_listings, watch_transitions')
  await runStep(database(), { kind: 'import', records: homes(1, HOMES + 1) })
  const watches = {
    search: await watch({ search: FOR_SALE }),
    list: await watch({ zpids: ['1', '2', '3', '4', String(HOMES + 1)] }),
  }
  await runStep(database(), { kind: 'evaluate' })
  return watches
}

const PRESENT = `select zpid, kind <> 'off_market' as "isListed" from listings order by zpid`

/** A status that differs from the stored one: a home off the market is listed again. Each step has prices of its own. */
async function randomRecords(random: (bound: number) => number, at: number) {
  const { rows } = await database().query<{ zpid: string; isListed: boolean }>(PRESENT)
  const listed = new Set(rows.filter(({ isListed }) => isListed).map(({ zpid }) => zpid))
  const count = 1 + random(3)
  const zpids = new Set(Array.from({ length: count }, () => 1 + random(HOMES + 2)))
  return [...zpids].map((zpid) => {
    const statuses = listed.has(String(zpid))
      ? ['FOR_SALE', 'PENDING', 'OFF_MARKET']
      : ['FOR_SALE', 'PENDING']
    return home(zpid, { homeStatus: statuses[random(statuses.length)], price: 1_000 * (at + 1) + zpid })
  })
}

async function randomStep(
  random: (bound: number) => number,
  at: number,
  imports: readonly number[],
  isPaused: boolean,
): Promise<RecordedStep> {
  const choice = random(12)
  if (choice < 4) return { kind: 'import', records: await randomRecords(random, at) }
  if (choice === 4) {
    const { rows } = await database().query<{ zpid: string }>(PRESENT)
    if (rows.length > 2) return { kind: 'remove', zpids: [rows[random(rows.length)]!.zpid] }
  }
  if (choice < 8 && imports.length > 0) return { kind: 'undo', importId: imports[random(imports.length)]! }
  if (choice === 8) return { kind: isPaused ? 'resume' : 'pause' }
  return { kind: 'evaluate' }
}

async function apply(step: RecordedStep, list: TestWatch): Promise<number | undefined> {
  if (!isPause(step)) return runStep(database(), step)
  if (step.kind === 'pause') await pauseWatch(database(), list.accountId, list.id)
  else await resumeWatch(database(), list.accountId, list.id)
  return undefined
}

/** Whether the step of a process that was killed is done, and which import it made. */
async function findDone(step: Step, lastImport: number): Promise<{ isDone: boolean; importId?: number }> {
  if (step.kind === 'evaluate') return { isDone: false }
  if (step.kind === 'undo') {
    const { rows } = await database().query<{ state: string }>('select state from imports where id = $1', [
      step.importId,
    ])
    return { isDone: rows[0]!.state === 'reverted' }
  }
  const { rows } = await database().query<{ id: number }>('select id from imports where id > $1', [
    lastImport,
  ])
  return rows[0] ? { isDone: true, importId: rows[0].id } : { isDone: false }
}

/** Begins the step in a process, kills it after the milliseconds, and does the step unless the process has done it. */
async function applyKilled(step: Step, afterMs: number): Promise<number | undefined> {
  const { rows } = await database().query<{ last: number }>(
    'select coalesce(max(id), 0) as last from imports',
  )
  const child = startProcess(join(import.meta.dirname, 'undo-step.ts'), [JSON.stringify(step)], {
    env: { TARGET: JSON.stringify(test.target) },
  })
  await child.line(/begun/)
  await sleep(afterMs)
  child.kill('SIGKILL')
  await child.exited
  // The server ends the transaction of a lost connection by itself; the lock of imports shows when.
  await database().transaction((tx) => tx.query('lock table watch_progress in access exclusive mode'))
  await database().transaction((tx) => tx.query('lock table imports in access exclusive mode'))
  const { isDone, importId } = await findDone(step, rows[0]!.last)
  return isDone ? importId : runStep(database(), step)
}

const STATES = `
  select zpid, status, price, left_at is null as "isIn" from watch_homes
  where account_id = $1 and watch_id = $2 and left_at is null order by zpid`

/** The events of a watch that were not retracted, by what they leave the home at. */
async function standingOf(watching: TestWatch) {
  const events = await eventsOf(watching)
  const retractions = events.flatMap((event) => (event as { retracts?: string }).retracts ?? [])
  const retracted = new Set(retractions)
  expect(retracted.size, 'each event is retracted once').toBe(retractions.length)
  const standing = events.filter(
    ({ id, type }) => !retracted.has(id) && (type as string) !== 'listing.retracted',
  )
  const counts = new Map<string, number>()
  for (const { zpid } of standing) counts.set(zpid, (counts.get(zpid) ?? 0) + 1)
  const { rows } = await database().query(STATES, [watching.accountId, watching.id])
  return {
    homes: rows,
    events: Object.fromEntries([...counts].sort()),
    spent: 100_000 - (await availableOf(watching.accountId)),
    count: standing.length,
  }
}

async function endOf({ search, list }: { readonly search: TestWatch; readonly list: TestWatch }) {
  await resumeWatch(database(), list.accountId, list.id)
  await runStep(database(), { kind: 'evaluate' })
  const ends = { search: await standingOf(search), list: await standingOf(list) }
  for (const { spent, count } of Object.values(ends)) expect(spent).toBe(count)
  return { listings: await listingsOf(database()), ...ends }
}

async function runSequence(seed: number, isKilled: boolean) {
  const random = randomOf(seed)
  const watches = await begin()
  const done: DoneStep[] = []
  const undone = new Set<number>()
  let isPaused = false
  const killAt = isKilled ? 4 + random(STEPS - 4) : -1
  for (let at = 0; at < STEPS; at++) {
    const imports = done.flatMap(({ importId }) => importId ?? []).filter((id) => !undone.has(id))
    const step = await randomStep(random, at, imports, isPaused)
    if (step.kind === 'undo' && (await hasMixedEvents())) {
      // The undo may compare a watch with the data set, which reports the net change of imports that are not evaluated yet.
      await runStep(database(), { kind: 'evaluate' })
      done.push({ step: { kind: 'evaluate' }, importId: undefined })
    }
    const importId =
      at === killAt && !isPause(step) ? await applyKilled(step, random(60)) : await apply(step, watches.list)
    if (isPause(step)) isPaused = step.kind === 'pause'
    if (step.kind === 'undo') undone.add(step.importId)
    done.push({ step, importId })
  }
  return { end: await endOf(watches), done, undone }
}

async function hasMixedEvents(): Promise<boolean> {
  const { rowCount } = await database().query(
    'select from watch_transitions where undone_at is null and cardinality(imports) > 1 limit 1',
  )
  return rowCount > 0
}

/** The same sequence without the imports that were undone. */
async function runModel(done: readonly DoneStep[], undone: ReadonlySet<number>) {
  const watches = await begin()
  for (const { step, importId } of done) {
    if (step.kind === 'undo' || (importId !== undefined && undone.has(importId))) continue
    await apply(step, watches.list)
  }
  return endOf(watches)
}

const FIRST_SEEDS = Array.from(
  { length: Math.ceil((LAST_SEED - FIRST_SEED + 1) / SEQUENCES_OF_A_TEST) },
  (_, at) => FIRST_SEED + at * SEQUENCES_OF_A_TEST,
)

describe('a random sequence with undos and kills', () => {
  it.each(FIRST_SEEDS)('ends as one without the undone imports (from seed %i)', async (first) => {
    const last = Math.min(LAST_SEED, first + SEQUENCES_OF_A_TEST - 1)
    let [undos, events] = [0, 0]
    for (let seed = first; seed <= last; seed++) {
      const { end, done, undone } = await runSequence(seed, seed % KILLED_EVERY === 0)
      const model = await runModel(done, undone)
      const steps = done.map(({ step, importId }) => `${importId ?? ''} ${JSON.stringify(step)}`).join('\n')
      expect(end, `seed ${seed}\n${steps}`).toEqual(model)
      undos += undone.size
      events += end.search.count + end.list.count
    }
    expect(undos).toBeGreaterThan(last - first)
    expect(events).toBeGreaterThan(last - first)
  })
})
