// Servers that lose records, or never end, unless a client expects it. Each feed ends complete, whatever kills the processes that read it,
// or its run fails and says how many records are missing.

import { describe, expect, it, vi } from 'vitest'
import { findConnected } from '../../../src/data/replication/source-store.ts'
import { startProcess } from '../../setup/child-process.ts'
import type { ServerOptions } from '../../setup/reso-server/start.ts'
import { feedListing, feedListings, laterTime } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const isFull = process.env.LOTLINE_FULL === '1'
/** Of all servers together. */
const KILLS = isFull ? 70 : 14
const BOUND = { timeout: 120_000, interval: 10 }
vi.setConfig({ testTimeout: isFull ? 1_200_000 : 300_000 })

const { test, feed, connect, sync, kinds, storedPrices } = withFeed()

/** A bulk update gave 1,500 of 2,185 records the same time of change. */
const AFTER_BULK_UPDATE = feedListings(2_185).map((each, at) =>
  at < 685 ? each : { ...each, ModificationTimestamp: laterTime(0) },
)
const KEYS = AFTER_BULK_UPDATE.map(({ ListingKey }) => ListingKey)

const SERVERS: readonly (readonly [name: string, habits: ServerOptions])[] = [
  ['sorts by the first field alone', { sortsByFirstFieldOnly: true, position: 'skip' }],
  [
    'also refuses ranges of keys',
    { sortsByFirstFieldOnly: true, position: 'skip', skipsWrongBy: 40, refusesKeyRanges: true },
  ],
  [
    'also ignores ranges of keys, and is asked with or',
    {
      sortsByFirstFieldOnly: true,
      position: 'skip',
      skipsWrongBy: 40,
      ignoresKeyRanges: true,
      byKey: ['or'],
    },
  ],
  ['sends overlapping pages', { position: 'skip', skipsWrongBy: 100, maxPage: 300 }],
  ['ignores $skip', { topLimits: true, ignoresSkip: true, maxPage: 10_000 }],
  ['alternates empty and full pages', { alternatesEmptyPages: true, position: 'skip', maxPage: 400 }],
  ['names its first page behind its last', { loops: true, maxPage: 500 }],
]

const storedKeys = async () => (await storedPrices()).map(([key]) => key)

describe('a server that', () => {
  it.each(SERVERS)('%s is read completely by one run', async (_name, habits) => {
    await feed.behave(habits)
    await feed.seed(7)
    await feed.put(AFTER_BULK_UPDATE)
    await connect()
    expect(await sync()).toMatchObject({ rejected: 0, comparison: { stated: 2_185, missing: 0, surplus: 0 } })
    expect(await storedKeys()).toEqual(KEYS)
    // The next run has nothing to do, and the sweep withdraws nothing.
    expect(await sync('metro', { full: true })).toMatchObject({ inserted: 0, withdrawn: 0, removed: 0 })
    expect(await kinds()).toEqual({ for_sale: 2_185 })
  })

  it('refuses ranges of keys and ignores $skip within a tie is read by the keys of the sweep', async () => {
    await feed.behave({ topLimits: true, ignoresSkip: true, maxPage: 10_000, refusesKeyRanges: true })
    await feed.put(AFTER_BULK_UPDATE)
    await connect()
    await sync()
    expect(await storedKeys()).toEqual(KEYS)
  })

  it('ignores $skip and has a multiple of 5,000 keys is read to its end', async () => {
    await feed.behave({ topLimits: true, ignoresSkip: true, maxPage: 10_000 })
    const many = feedListings(5_000)
    await feed.put(many)
    await connect()
    expect(await sync('metro', { full: true })).toMatchObject({ inserted: 5_000, withdrawn: 0 })
    await feed.behave({ topLimits: true, ignoresSkip: true, maxPage: 10_000, refusesKeyRanges: true })
    expect(await sync('metro', { full: true })).toMatchObject({ withdrawn: 0 })
    expect(await kinds()).toEqual({ for_sale: 5_000 })
  })

  it('counts records that it does not send fails the run, with their number, until it counts right', async () => {
    await feed.behave({ countsWrongBy: 3 })
    await feed.put(feedListings(20))
    await connect()
    await expect(sync()).rejects.toThrow(/states 23 records, and 3 of them were not read/)
    expect(await kinds()).toEqual({ for_sale: 20 })
    expect(await findConnected(test.database, 'metro')).toMatchObject({
      statedRecords: 23,
      missingRecords: 3,
      failures: 1,
      lastError: expect.stringContaining('3 of them were not read'),
    })
    await feed.behave({})
    await sync()
    expect(await findConnected(test.database, 'metro')).toMatchObject({ missingRecords: 0, lastError: null })
  })

  it('states no number is read without a comparison', async () => {
    await feed.behave({ countsWrongBy: null })
    await feed.put(feedListings(20))
    await connect()
    expect(await sync()).toMatchObject({ inserted: 20, comparison: { stated: null } })
    expect(await findConnected(test.database, 'metro')).toMatchObject({
      statedRecords: null,
      missingRecords: null,
    })
  })

  it('states no number and breaks off its list of keys fails the run', async () => {
    await feed.behave({ countsWrongBy: null, loops: true })
    await feed.put(feedListings(20))
    await connect()
    await expect(sync('metro', { full: true })).rejects.toThrow(/without a new record/)
    expect(await kinds()).toEqual({ for_sale: 20 })
  })

  it('deletes a record without a trace has it withdrawn by the next sweep, which is at most six hours away', async () => {
    await feed.put(feedListings(20))
    await connect()
    await sync('metro', { full: true })
    const { sweepDueAt } = (await findConnected(test.database, 'metro'))!
    expect(sweepDueAt!.getTime()).toBeLessThanOrEqual(Date.now() + 6 * 3_600_000)
    await feed.delete(['M000003'])
    expect(await sync()).toMatchObject({ withdrawn: 0, comparison: { surplus: 1 } })
    // An hour after a sweep, the count alone makes another one.
    await test.database.query("update connected_sources set swept_at = now() - interval '61 minutes'")
    expect(await sync()).toMatchObject({ withdrawn: 1, comparison: { surplus: 0 } })
    expect(await kinds()).toEqual({ for_sale: 19, off_market: 1 })
  })
})

describe('a feed whose reader is killed', () => {
  const each = KILLS / SERVERS.length
  it.each(SERVERS.map(([name, habits], at) => [name, habits, at] as const))(
    `${each} times is complete in the end: a server that %s`,
    async (_name, habits, at) => {
      let state = 1_000 + at
      const random = (below: number) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * below)
      }
      await feed.behave(habits)
      await feed.seed(at + 1)
      await feed.put(AFTER_BULK_UPDATE)
      await connect()
      const path = new URL('syncing-process.ts', import.meta.url).pathname
      for (let kill = 0; kill < each; kill++) {
        await makeDue()
        const reader = startProcess(path, [test.url])
        // Killed after a number of calls, or when the run has ended before.
        const calls = 1 + random(12)
        await feed.takeAsked()
        let asked = 0
        const isTime = async () => {
          asked += (await feed.takeAsked()).length
          return (
            asked >= calls ||
            (asked > 0 && (await findConnected(test.database, 'metro'))!.leaseUntil === null)
          )
        }
        await expect.poll(isTime, BOUND).toBe(true)
        reader.kill('SIGKILL')
        await reader.exited
        if (kill === 0)
          await feed.put([feedListing(0, { ListPrice: 7, ModificationTimestamp: laterTime(5) })])
      }
      expect(await sync('metro', { full: true })).toMatchObject({ withdrawn: 0, comparison: { missing: 0 } })
      expect(await storedKeys()).toEqual(KEYS)
      expect((await storedPrices())[0]).toEqual(['M000000', 7])
      expect(await kinds()).toEqual({ for_sale: 2_185 })
      const { rows } = await test.database.query('select from source_unread_keys')
      expect(rows).toEqual([])
    },
  )

  async function makeDue(): Promise<void> {
    await test.database.query(
      "update connected_sources set due_at = now(), sweep_due_at = now() - interval '1 hour'",
    )
  }
})
