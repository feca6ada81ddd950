// A feed whose server fails: the run ends with the reason, and the next run continues where it stopped.

import { beforeEach, describe, expect, it } from 'vitest'
import type { syncSource } from '../../../src/data/replication/run-source.ts'
import { findConnected } from '../../../src/data/replication/source-store.ts'
import { feedListings, type MadeListing } from './feed-records.ts'
import { withFeed } from './with-feed.ts'

const { test, feed, connect, storedPrices, sync: syncNamed } = withFeed()

const sync = (options: Parameters<typeof syncSource>[2] = {}) =>
  syncNamed('metro', { retryMs: [1], ...options })

/** Expects that the data set has exactly these listings of the feed, each with its price. */
async function expectStored(listings: readonly MadeListing[]): Promise<void> {
  const wanted = listings.map(({ ListingKey, ListPrice }) => [ListingKey, ListPrice] as const)
  expect(await storedPrices()).toEqual(wanted.sort(([one], [other]) => (one < other ? -1 : 1)))
}

describe('a failing feed', () => {
  beforeEach(async () => {
    await feed.behave({ maxPage: 10 })
    await feed.put(feedListings(30))
    await connect()
  })

  it.each([
    ['a web page', { kind: 'html' }, /a web page/],
    ['JSON that is cut off', { kind: 'malformed' }, /cut off/],
    [
      'a next page on another server',
      { kind: 'other-origin', origin: 'http://127.0.0.1:9' },
      /another server/,
    ],
    [
      'a redirect',
      { kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:9/' } },
      /redirects/,
    ],
  ] as const)(
    'with %s on its second page fails, and the run after it continues there',
    async (_name, fault, message) => {
      await feed.fail(fault, { after: 1 })
      await expect(sync()).rejects.toThrow(message)
      const source = (await findConnected(test.database, 'metro'))!
      expect(source).toMatchObject({
        failures: 1,
        leaseUntil: null,
        lastError: expect.stringMatching(message),
      })
      expect(source.dueAt.getTime()).toBeLessThan(Date.now() + 16 * 60_000)
      expect((await storedPrices()).length).toBe(10)
      await feed.takeAsked()
      await sync()
      await expectStored(feedListings(30))
      // The two pages, and the count.
      expect((await feed.takeAsked()).map(({ keys }) => keys.length)).toEqual([10, 10, 1])
      expect(await findConnected(test.database, 'metro')).toMatchObject({ failures: 0, lastError: null })
    },
  )

  it('fails the run if it never answers, and the next run continues there', async () => {
    await feed.fail({ kind: 'html' }, { after: 1 })
    await expect(sync()).rejects.toThrow('a web page')
    // No page of this run is answered, so that its short limit cuts none off on a busy machine.
    await feed.fail({ kind: 'hang' }, { times: 2 })
    await expect(sync({ idleTimeoutMs: 500 })).rejects.toThrow(/did not answer within 0.5 seconds/)
    expect((await storedPrices()).length).toBe(10)
    await feed.recover()
    await sync()
    await expectStored(feedListings(30))
  })

  it('fails the run after two consecutive empty pages that name a next one', async () => {
    await feed.fail({ kind: 'empty-pages' }, { after: 1, times: 5 })
    await expect(sync()).rejects.toThrow(/two empty pages/)
    // Each run begins at the same page again.
    const next = async () =>
      (await test.database.query<{ link: string }>('select next_link as link from source_cursors')).rows
    const before = await next()
    await expect(sync()).rejects.toThrow(/two empty pages/)
    expect(await next()).toEqual(before)
    await feed.recover()
    await sync()
    await expectStored(feedListings(30))
  })

  it('is read to its end if it names a page again that was read before', async () => {
    await feed.fail({ kind: 'repeat-link' }, { after: 1 })
    expect(await sync()).toMatchObject({ inserted: 30 })
    await expectStored(feedListings(30))
  })

  it.each([
    ['500', { kind: 'status', status: 500 }],
    ['a reset connection', { kind: 'reset' }],
    ['a body that is cut off', { kind: 'truncate' }],
  ] as const)('with %s once is asked again', async (_name, fault) => {
    await feed.fail(fault, { after: 1 })
    await sync()
    await expectStored(feedListings(30))
  })
})
