// However an evaluation is disturbed, its events are those of an undisturbed one, and those of two searches compared.

import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import type { AreaSearch } from '../../../src/domain/search/area-search.ts'
import { type Database, DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { deleteWatch } from '../../../src/work/watches/delete-watch.ts'
import { WATCH_EVENTS } from '../../../src/work/watches/home-event.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { createOracle, type DataSet, type ExpectedEvent, type TestRecord } from './oracle.ts'
import { anySearch, randomHomes } from './random-homes.ts'
import { FOR_SALE, home, homes, watchTools } from './watch-tools.ts'

const test = withTestDatabase()
const database = () => test.database
const { empty, importRecords, watch, evaluate, eventsOf, availableOf, usageOf } = watchTools(database)

/** Of the statements that an evaluation is aborted at, the next one. */
const BETWEEN_ABORTS = process.env.LOTLINE_FULL ? 1 : 3
const SEEDS = process.env.LOTLINE_FULL ? [5, 6, 7, 8, 9, 10] : [5]

beforeEach(empty)

describe('an evaluation', () => {
  it('that is aborted at any of its statements leaves no trace: the same ids and numbers follow', async () => {
    /** Statements that the evaluation was aborted at. */
    const brokeAt = new Set<number>()
    const run = async (breakAt: number): Promise<unknown> => {
      await empty()
      await importRecords(homes(1, 31))
      const watching = await watch({ search: FOR_SALE }, { credits: 9 })
      // The same id in each run: it is part of the ids of events.
      const id = 'aaaaaaaa-0000-4000-8000-000000000001'
      await database().query('update watches set id = $1', [id])
      await database().query('update watch_homes set watch_id = $1', [id])
      await importRecords(homes(1, 6, { price: 1 }))
      await importRecords(homes(3, 8, { price: 2 }))
      let left = breakAt
      const breaking = breakable(database(), () => left-- === 0)
      for (;;) {
        try {
          await evaluate(breaking)
          break
        } catch (error) {
          expect((error as Error).message).toBe('broken off')
          brokeAt.add(breakAt)
        }
      }
      await database().query('select top_up($1, 100)', [watching.accountId])
      await evaluate()
      const events = await eventsOf({ ...watching, id })
      return [
        events.map(({ observedAt: _at, ...event }) => event),
        await availableOf(watching.accountId),
        await usageOf(watching.accountId),
      ]
    }
    const whole = await run(-1)
    let breakAt = 0
    for (let isBroken = true; isBroken; breakAt += BETWEEN_ABORTS) {
      expect(await run(breakAt)).toEqual(whole)
      isBroken = brokeAt.has(breakAt)
    }
    expect(breakAt).toBeGreaterThan(30)
  })

  it('reports each of 10,000 changes once and in order, even with several concurrent processes', async () => {
    await importRecords(homes(1, 10_001))
    const watching = await watch({ search: FOR_SALE }, {})
    await evaluate()
    await importRecords(homes(1, 10_001, { price: 400_000 }))
    const events = await Promise.all([evaluate(), evaluate(), evaluate()])
    expect(events.reduce((sum, count) => sum + count) + (await evaluate())).toBe(10_000)
    const written = await eventsOf(watching)
    expect(written.map(({ seq }) => seq)).toEqual(Array.from({ length: 10_000 }, (_, at) => at + 1))
    expect(new Set(written.map(({ zpid }) => zpid)).size).toBe(10_000)
    const { rows } = await database().query<{ zpid: string }>(
      'select zpid from listing_changes where before is distinct from null order by seq',
    )
    expect(written.map(({ zpid }) => zpid)).toEqual(rows.map(({ zpid }) => zpid))
    expect(await usageOf(watching.accountId)).toEqual({ units: 10_000, credits: 10_000 })
  })

  it.each(SEEDS)(
    'of random imports, removals, and searches reports exactly the differences (seed %i)',
    async (seed) => {
      const provider = createDatasetProvider(database())
      const asking = { signal: new AbortController().signal }
      const records = new Map<string, TestRecord>()
      const keep = (some: readonly TestRecord[]) => {
        for (const record of some) records.set(String(record.zpid), record)
      }
      const dataSetOf = async (search: AreaSearch): Promise<DataSet> => {
        const { records: rows } = await provider.search(search, { limit: 10_000 }, asking)
        return { records: new Map(records), found: new Set(rows.map(({ zpid }) => String(zpid))) }
      }
      const first = randomHomes(300, seed)
      await importRecords(first)
      keep(first)
      const watches = []
      for (const search of fc.sample(anySearch, { numRuns: 30, seed })) {
        const expect = createOracle(await dataSetOf(search), search.pending !== false)
        watches.push({ search, watching: await watch({ search }), expect, due: [] as ExpectedEvent[][] })
      }
      await evaluate()
      const counts = new Map<string, number>()
      for (let round = 2; round < 10; round++) {
        const changed = randomHomes(300, seed + round).filter((_, at) => (at * 7 + round) % 4 === 0)
        await importRecords(changed)
        keep(changed)
        for (const one of watches) one.due.push(one.expect(await dataSetOf(one.search)))
        // Every other transaction is evaluated late, together with the one after it.
        if (round % 2 === 0) {
          const zpids = [round * 11, round * 13, round * 17].map(String)
          await removeListings(database(), { zpids })
          for (const zpid of zpids) records.delete(zpid)
          for (const one of watches) one.due.push(one.expect(await dataSetOf(one.search)))
        }
        await evaluate()
      }
      for (const { watching, search, due } of watches) {
        const events = (await eventsOf(watching)).map(
          ({ zpid, type, reason, changed, previous, current, change }: Record<string, unknown>) => ({
            zpid,
            type,
            ...(reason !== undefined && { reason }),
            changed,
            previous,
            current,
            ...(change !== undefined && { change }),
          }),
        )
        let from = 0
        for (const expected of due) {
          const reported = events.slice(from, from + expected.length)
          const inOrder = reported.sort((one, other) => (String(one.zpid) < String(other.zpid) ? -1 : 1))
          expect(inOrder, JSON.stringify(search)).toEqual(expected)
          from += expected.length
        }
        expect(events).toHaveLength(from)
        for (const { type } of events) counts.set(String(type), (counts.get(String(type)) ?? 0) + 1)
      }
      // The oracle had something to say about each type.
      for (const type of WATCH_EVENTS) expect(counts.get(type), type).toBeGreaterThan(20)
    },
  )

  it('continues in a restored database, whose log restarts its numbers', async () => {
    await importRecords(homes(1, 4))
    const watching = await watch()
    await importRecords([home(1, { price: 2 })])
    await evaluate()
    await database().query('truncate listing_changes restart identity')
    await importRecords([home(1, { price: 1 })])
    expect(await evaluate()).toBe(1)
    await importRecords([home(2, { price: 1 })])
    expect(await evaluate()).toBe(1)
    expect((await eventsOf(watching)).map(({ zpid }) => zpid)).toEqual(['1', '1', '2'])
  })

  it('of a deleted watch reports nothing, and deletes all its data', async () => {
    await importRecords(homes(1, 4))
    const watching = await watch()
    await evaluate()
    await importRecords([home(1, { price: 1 })])
    expect(await deleteWatch(database(), watching.accountId, watching.id)).toBe(true)
    expect(await evaluate()).toBe(0)
    expect(await usageOf(watching.accountId)).toEqual({ units: 0, credits: 0 })
    expect((await database().query('select from watch_homes')).rows).toEqual([])
  })
})

/** A database whose transactions break off before a statement when `isBroken` says so. */
function breakable(whole: Database, isBroken: () => boolean): Database {
  return {
    ...whole,
    transaction: (work, options) =>
      whole.transaction(
        (tx) =>
          work({
            ...tx,
            query: (...statement) => {
              if (isBroken()) throw new DatabaseUnavailable('broken off')
              return tx.query(...statement)
            },
          }),
        options,
      ),
  }
}
