// What watches cost: imports beside them, the delay between a change and its event, and many watches over one area.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, inTurns } from '../bench.ts'
import type { Measurement } from '../measurement.ts'
import { call } from '../processes/call.ts'
import { importFiles } from '../processes/import-files.ts'
import type { Samples } from '../row.ts'
import { findShortRecords } from '../short-records.ts'
import type { Stage } from '../stage.ts'

const WATCHES = 1_000
/** Half the side of a watched box, in degrees: about 300 m. */
const REACH = 0.003
/** Imports whose delay is measured in a round. */
const IMPORTS = 20
const HOMES_OF_IMPORT = 20
const IN_ONE_AREA = 10_000
const CHANGES = 1_000
const LIMIT_MS = 300_000
const AREA = { west: -122.5, south: 47.5, east: -122.3, north: 47.7 }
const thousands = (count: number) => count.toLocaleString('en-US')

export const watches: Measurement = {
  name: 'watches',
  measures: [
    {
      name: `import of 87,000 records with ${thousands(WATCHES)} watches`,
      unit: 's',
      target: { of: 'ratio', bound: 'at most', value: 1.15 },
    },
    { name: 'the same import with the change log and without watches', unit: 's' },
    {
      name: `change committed until its event is read, p95 of ${IMPORTS} imports`,
      unit: 's',
      target: { of: 'ours', bound: 'at most', value: 2 },
    },
    {
      name: `${thousands(IN_ONE_AREA)} watches over one area: an import of ${thousands(CHANGES)} changes evaluated`,
      unit: 's',
      target: { of: 'ours', bound: 'at most', value: 5 },
    },
  ],
  async run(bench) {
    const stage = await bench.empty()
    try {
      const [imports, withLog] = await measureImports(bench, stage)
      await clear(stage)
      return [imports, withLog, await measureDelay(bench, stage), await measureOneArea(bench, stage)]
    } finally {
      await clear(stage)
    }
  },
}

async function clear({ database }: Stage): Promise<void> {
  await database.query(
    'truncate listings, listing_changes, removed_listings, watches, watch_homes, watch_events',
  )
}

/** The command with watches beside it and without; and without the change log. */
async function measureImports(bench: Bench, stage: Stage): Promise<[Samples, Samples]> {
  const { database, dataDir } = stage
  const { files, kind, status } = await findShortRecords(bench.directory)
  await importFiles(dataDir, files)
  const { rows: positions } = await database.query<{ x: number; y: number }>(
    'select location[0] as x, location[1] as y from listings where location is not null order by md5(zpid) limit $1',
    [WATCHES],
  )
  const filters = positions.map(({ x, y }) => ({
    status,
    bbox: { west: x - REACH, south: y - REACH, east: x + REACH, north: y + REACH },
  }))
  const importAll = async () => (await importFiles(dataDir, files)).seconds
  const evaluated: number[] = []
  const events: number[] = []
  const withWatches = async () => {
    await clear(stage)
    await createWatches(stage, filters)
    await untilEvaluated(stage)
    const seconds = await importAll()
    const began = performance.now()
    await untilEvaluated(stage)
    evaluated.push(seconds + (performance.now() - began) / 1_000)
    events.push(await countEvents(stage))
    return seconds
  }
  const withoutWatches = async () => {
    await clear(stage)
    return importAll()
  }
  const samples = await inTurns(bench.rounds, withWatches, withoutWatches)
  const setLog = (state: 'enable' | 'disable') =>
    database.query(`alter table listings ${state} trigger log_inserted_listings`)
  const withoutLog = async () => {
    await clear(stage)
    await setLog('disable')
    try {
      return await importAll()
    } finally {
      await setLog('enable')
    }
  }
  const ofLog = await inTurns(bench.rounds, withoutWatches, withoutLog)
  const total = evaluated.map((seconds) => seconds.toFixed(1)).join(', ')
  const note = `baseline: without watches; ${kind}; the whole command, into an empty data set. All ${thousands(events[0]!)} events were written ${total} s after its start`
  return [
    { ...samples, note },
    { ...ofLog, note: 'baseline: without the change log' },
  ]
}

/** Small imports beside 1,000 watches, one of which is read over HTTP until it has the event. */
async function measureDelay(bench: Bench, stage: Stage): Promise<Samples> {
  const { api, accounts, dataDir, database } = stage
  const path = join(bench.directory, 'delay.ndjson')
  const importPrices = async (price: number) => {
    await writeHomes(path, HOMES_OF_IMPORT, () => price)
    await importFiles(dataDir, [path])
  }
  let price = 100_000
  await importPrices(price)
  await createWatches(
    stage,
    Array.from({ length: WATCHES - 1 }, (_, at) => ({ bbox: AREA, price: { min: at * 1_000 } })),
  )
  const { key } = accounts[0]!
  const body = { name: 'One home', zpids: ['1'] }
  const { id } = await call<{ id: string }>(api, key, '/v1/watches', body)
  await untilEvaluated(stage)
  const ours: number[] = []
  let seq = 0
  for (let round = 0; round < bench.rounds; round++) {
    const delays: number[] = []
    for (let at = 0; at < IMPORTS; at++) {
      price += 1
      let isOver = false
      const importing = importPrices(price).finally(() => (isOver = true))
      for (const began = performance.now(); ; ) {
        const events = await call<{ seq: number; observed_at: string }[]>(
          ...([api, key, `/v1/watches/${id}/events?after=${seq}`] as const),
        )
        const [event] = events
        if (event) {
          seq = event.seq
          delays.push((Date.now() - Date.parse(event.observed_at)) / 1_000)
          break
        }
        if (isOver && performance.now() - began > LIMIT_MS) throw new Error('an import caused no event')
        await sleep(20)
      }
      await importing
    }
    ours.push(delays.sort((one, other) => one - other)[Math.ceil(delays.length * 0.95) - 1]!)
  }
  const { rows } = await database.query<{ count: number }>('select count(*)::integer as count from watches')
  return {
    ours,
    note: `from the statement that changes the listings, beside ${thousands(rows[0]!.count)} watches; the events are read over HTTP every 20 ms`,
  }
}

/** Each home is in ten watches before the import and in ten others after it. */
async function measureOneArea(bench: Bench, stage: Stage): Promise<Samples> {
  await clear(stage)
  const path = join(bench.directory, 'one-area.ndjson')
  const step = 100
  const priceOf = (at: number, shift: number) => 100_000 + ((at * 10 + shift) % IN_ONE_AREA) * step
  await writeHomes(path, CHANGES, (at) => priceOf(at, 0))
  await importFiles(stage.dataDir, [path])
  await createWatches(
    stage,
    Array.from({ length: IN_ONE_AREA }, (_, at) => {
      const min = 100_000 + (at - 9) * step
      return { bbox: AREA, price: { min, max: min + 10 * step - 1 } }
    }),
  )
  await untilEvaluated(stage)
  const ours: number[] = []
  let events = await countEvents(stage)
  let ofRound = 0
  for (let round = 1; round <= bench.rounds; round++) {
    await writeHomes(path, CHANGES, (at) => priceOf(at, round * 5_000))
    // The change is committed while the command runs, and its end is not awaited.
    const position = await lastChange(stage)
    const importing = importFiles(stage.dataDir, [path])
    while ((await lastChange(stage)) === position) await sleep(5)
    const began = performance.now()
    await untilEvaluated(stage)
    ours.push((performance.now() - began) / 1_000)
    await importing
    ofRound = (await countEvents(stage)) - events
    events += ofRound
  }
  return { ours, note: `from the commit on; ${thousands(ofRound)} events in each import` }
}

async function writeHomes(path: string, count: number, priceOf: (at: number) => number): Promise<void> {
  const lines = Array.from({ length: count }, (_, at) =>
    JSON.stringify({
      zpid: String(at + 1),
      homeStatus: 'FOR_SALE',
      homeType: 'SINGLE_FAMILY',
      price: priceOf(at),
      latitude: 47.6 + at * 1e-5,
      longitude: -122.4 - at * 1e-5,
    }),
  )
  await writeFile(path, lines.join('\n'))
}

/** Spread over the accounts, each of which creates one at a time. */
async function createWatches({ api, accounts }: Stage, filters: readonly object[]): Promise<void> {
  await Promise.all(
    accounts.map(async ({ key }, account) => {
      for (let at = account; at < filters.length; at += accounts.length)
        await call(api, key, '/v1/watches', { name: `Watch ${at}`, filters: filters[at] })
    }),
  )
}

/** Until each watch has its baseline and all changes are evaluated. */
async function untilEvaluated({ database }: Stage): Promise<void> {
  for (const began = performance.now(); performance.now() - began < LIMIT_MS; await sleep(5)) {
    const { rows } = await database.query<{ isDone: boolean }>(
      `select position >= coalesce((select max(seq) from listing_changes), 0)
         and not exists (select from watches where not is_current) as "isDone" from watch_progress`,
    )
    if (rows[0]!.isDone) return
  }
  throw new Error(`the changes were not evaluated within ${LIMIT_MS / 1_000} s`)
}

async function lastChange({ database }: Stage): Promise<number> {
  const { rows } = await database.query<{ seq: number }>(
    'select coalesce(max(seq), 0)::float8 as seq from listing_changes',
  )
  return rows[0]!.seq
}

async function countEvents({ database }: Stage): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::integer as count from watch_events',
  )
  return rows[0]!.count
}
