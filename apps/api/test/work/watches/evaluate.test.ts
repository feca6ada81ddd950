import { beforeEach, describe, expect, it } from 'vitest'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import type { Database, Queryable } from '../../../src/infrastructure/database/database.ts'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { WATCH_EVENTS } from '../../../src/work/watches/home-event.ts'
import { pauseWatch, resumeWatch } from '../../../src/work/watches/update-watch.ts'
import { createWatch } from '../../../src/work/watches/watch-store.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { FOR_SALE, home, homes, watchTools } from './watch-tools.ts'

const test = withTestDatabase()
const database = () => test.database
const { empty, importRecords, watch, watchFor, evaluate, eventsOf, availableOf, usageOf } =
  watchTools(database)

beforeEach(empty)

describe('a new watch', () => {
  it('reports nothing about its initial homes, and every change after that', async () => {
    await importRecords(homes(1, 501))
    const watching = await watch()
    expect(watching.count).toBe(500)
    expect(await evaluate()).toBe(0)
    await importRecords(homes(1, 501))
    expect(await evaluate()).toBe(0)
    await importRecords([home(7, { price: 490_000 })])
    expect(await evaluate()).toBe(1)
    expect(await usageOf(watching.accountId)).toEqual({ units: 1, credits: 1 })
  })

  it('misses no change of an import between its baseline and its first evaluation', async () => {
    await importRecords(homes(1, 4))
    const watching = await watch()
    await importRecords([home(2, { price: 1 })])
    expect(await evaluate()).toBe(1)
    expect(await eventsOf(watching)).toMatchObject([{ seq: 1, zpid: '2', type: 'listing.price_changed' }])
    expect(await evaluate()).toBe(0)
  })

  it('that is refused has read only the first matching homes', async () => {
    await importRecords(homes(1, 1_002))
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits: 10 })
    const watched = { search: FOR_SALE }
    const asked = { accountId, keyId, name: 'Homes', events: WATCH_EVENTS, metadata: {}, watched }
    let read = 0
    const counting = countRows(database(), (rows) => (read += rows))
    expect(await createWatch(counting, asked, { watches: 1, matches: 1_000 })).toEqual({
      created: false,
      because: 'too_many_matches',
      count: 1_001,
    })
    expect(read).toBeLessThanOrEqual(101)
    expect(await createWatch(counting, asked, { watches: 1, matches: 1_001 })).toMatchObject({ count: 1_001 })
  })

  it('is refused, and stores nothing, if it matches too many homes or the account has too many watches', async () => {
    await importRecords(homes(1, 12))
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits: 10 })
    const asked = {
      accountId,
      keyId,
      name: 'Homes',
      events: WATCH_EVENTS,
      metadata: {},
      watched: { search: FOR_SALE },
    }
    expect(await createWatch(database(), asked, { watches: 1, matches: 10 })).toEqual({
      created: false,
      because: 'too_many_matches',
      count: 11,
    })
    const kept = async () =>
      (
        await database().query(
          'select (select count(*) from watches) as watches, (select count(*) from watch_homes) as homes',
        )
      ).rows[0]
    expect(await kept()).toEqual({ watches: 0, homes: 0 })
    expect(await createWatch(database(), asked, { watches: 1, matches: 11 })).toMatchObject({ created: true })
    const both = await createWatch(database(), asked, { watches: 1, matches: 11 })
    expect(both).toEqual({ created: false, because: 'watch_limit' })
    expect(await kept()).toEqual({ watches: 1, homes: 11 })
  })
})

describe('an import', () => {
  it('of 7 changed prices, 3 new homes, 2 sold ones, a removed price, and 5 derived facts causes 12 events', async () => {
    await importRecords(homes(1, 101))
    const watching = await watch()
    await evaluate()
    const before = await availableOf(watching.accountId)
    await importRecords([
      ...homes(1, 8, { price: 450_000, attributionInfo: { lastUpdated: '2026-11-20T08:00:00Z' } }),
      ...homes(201, 204),
      ...homes(11, 13, { homeStatus: 'RECENTLY_SOLD' }),
      home(20, { price: null }),
      ...homes(30, 35, { zestimate: 1, daysOnZillow: 3 }),
    ])
    expect(await evaluate()).toBe(12)
    const events = await eventsOf(watching)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1))
    const ofType = (wanted: string) => events.filter(({ type }) => type === wanted)
    expect(ofType('listing.price_changed')).toHaveLength(7)
    for (const event of ofType('listing.price_changed')) {
      expect(event).toMatchObject({
        changed: ['price'],
        previous: { price: 500_000 },
        current: { price: 450_000 },
        change: { amount: -50_000, percent: -10 },
        source_updated_at: '2026-11-20T08:00:00.000Z',
      })
      expect(JSON.parse(event.summary!)).toMatchObject({ zpid: event.zpid, price: 450_000 })
    }
    expect(ofType('listing.new').map(({ zpid }) => zpid)).toEqual(['201', '202', '203'])
    expect(ofType('listing.new')[0]).toMatchObject({
      reason: 'listed',
      previous: {},
      current: { status: 'for_sale', price: 500_000 },
    })
    expect(ofType('listing.removed').map(({ zpid }) => zpid)).toEqual(['11', '12'])
    expect(ofType('listing.removed')[0]).toMatchObject({
      reason: 'sold',
      changed: ['presence', 'status'],
      previous: { status: 'for_sale' },
      current: { status: 'sold' },
    })
    expect(before - (await availableOf(watching.accountId))).toBe(12)
    expect(new Set(events.map(({ id }) => id)).size).toBe(12)
    // Each charge can be traced to its event.
    const { rows: usage } = await database().query(
      `select right(request_id, 16) as event, endpoint, units, credits_charged as credits from usage_rows where account_id = $1 order by id`,
      [watching.accountId],
    )
    expect(usage).toEqual(
      events.map(({ id }) => ({
        event: id.slice(-16),
        endpoint: 'watch',
        units: 1,
        credits: 1,
      })),
    )
  })

  it('is compared with the last known price if a price was unknown in between', async () => {
    await importRecords([home(1)])
    const watching = await watch()
    await importRecords([home(1, { price: null })])
    await importRecords([home(1, { price: 400_000 })])
    expect(await evaluate()).toBe(1)
    expect(await eventsOf(watching)).toMatchObject([
      { previous: { price: 500_000 }, current: { price: 400_000 } },
    ])
  })

  it('is reported to each watch that it concerns, and to no other', async () => {
    await importRecords(homes(1, 11))
    const cheap = await watch({ search: { ...FOR_SALE, price: { max: 450_000 } } })
    const rentals = await watch({ search: { ...FOR_SALE, status: 'for_rent' } })
    const listed = await watch({ zpids: ['3', '99'] })
    const removals = await watch({ search: FOR_SALE }, { events: ['listing.removed'] })
    await evaluate()
    await importRecords([home(3, { price: 400_000 }), home(4, { price: 600_000 })])
    await importRecords([home(99), home(3, { price: 450_001 })])
    expect(await evaluate()).toBe(2 + 3)
    expect(await eventsOf(cheap)).toMatchObject([
      { zpid: '3', type: 'listing.new', reason: 'entered_filters' },
      { zpid: '3', type: 'listing.removed', reason: 'left_filters', current: { price: 450_001 } },
    ])
    expect(await eventsOf(rentals)).toEqual([])
    const ofList = (await eventsOf(listed)).map(({ zpid, type }) => `${zpid} ${type}`)
    expect(ofList.sort()).toEqual(['3 listing.price_changed', '3 listing.price_changed', '99 listing.new'])
    expect(await eventsOf(removals)).toEqual([])
  })
})

describe('a home', () => {
  it('that becomes pending is reported as a changed status, or as removed if the filters exclude pending homes', async () => {
    await importRecords([home(1)])
    const all = await watch()
    const available = await watch({ search: { ...FOR_SALE, pending: false } })
    await evaluate()
    await importRecords([home(1, { homeStatus: 'PENDING', price: 510_000 })])
    await evaluate()
    expect(await eventsOf(all)).toMatchObject([
      {
        type: 'listing.status_changed',
        changed: ['status', 'price'],
        previous: { status: 'for_sale', price: 500_000 },
        current: { status: 'pending', price: 510_000 },
      },
    ])
    expect(await eventsOf(available)).toMatchObject([{ type: 'listing.removed', reason: 'pending' }])
  })

  it('that returns within 90 days is back on the market, and new after that', async () => {
    await importRecords([home(1), home(2)])
    const watching = await watch()
    await importRecords([home(1, { homeStatus: 'SOLD' }), home(2, { homeStatus: 'SOLD' })])
    await evaluate()
    await database().query(`update watch_homes set left_at = left_at - interval '91 days' where zpid = '2'`)
    await importRecords([home(1, { price: 480_000 }), home(2)])
    await evaluate()
    expect(await eventsOf(watching, 2)).toMatchObject([
      {
        zpid: '1',
        type: 'listing.back_on_market',
        changed: ['presence', 'status', 'price'],
        previous: { status: 'sold', price: 500_000 },
        current: { status: 'for_sale', price: 480_000 },
      },
      { zpid: '2', type: 'listing.new', reason: 'listed' },
    ])
  })

  it('that is missing in a complete import is withdrawn, and one that the operator removes is taken down', async () => {
    await importRecords(homes(1, 21))
    const watching = await watch()
    const listed = await watch({ zpids: ['1', '2'] })
    await evaluate()
    await importRecords(homes(2, 21), { complete: { sources: ['mls'] } })
    await removeListings(database(), { zpids: ['2'] })
    await evaluate()
    for (const one of [watching, listed]) {
      const events = await eventsOf(one)
      expect(events).toMatchObject([
        { zpid: '1', type: 'listing.removed', reason: 'withdrawn' },
        { zpid: '2', type: 'listing.removed', reason: 'taken_down' },
      ])
      expect(JSON.parse(events[1]!.summary!)).toMatchObject({ zpid: '2', price: 500_000 })
    }
  })
})

describe('the search row of an event', () => {
  it('has the price and status of the event, even if the home was changed or removed before it was written', async () => {
    await importRecords(homes(1, 4))
    const watching = await watch({ zpids: ['1', '2', '3'] })
    await evaluate()
    await importRecords([home(1, { price: 1 }), home(2, { homeStatus: 'PENDING' }), home(3, { price: 3 })])
    await importRecords([home(1, { homeStatus: 'SOLD', price: 2, bedrooms: 4 }), home(2, { price: 4 })])
    await removeListings(database(), { zpids: ['3'] })
    expect(await evaluate()).toBe(6)
    const seen = (await eventsOf(watching)).map(({ zpid, summary }) => {
      const { price, homeStatus } = JSON.parse(summary!) as { price: number; homeStatus: string }
      return `${zpid} ${homeStatus} ${price}`
    })
    expect(seen.sort()).toEqual([
      '1 FOR_SALE 1',
      '1 SOLD 2',
      '2 FOR_SALE 4',
      '2 PENDING 500000',
      '3 FOR_SALE 3',
      '3 FOR_SALE 3',
    ])
  })
})

describe('a minimum price change', () => {
  it('delays smaller changes until they add up to it, and a change must reach all given bounds', async () => {
    await importRecords([home(1)])
    const byAmount = await watch({ search: FOR_SALE }, { minChange: { amount: 10_000 } })
    const byPercent = await watch({ search: FOR_SALE }, { minChange: { percent: 3 } })
    const byBoth = await watch({ search: FOR_SALE }, { minChange: { amount: 10_000, percent: 3 } })
    await evaluate()
    for (const price of [494_000, 490_000, 486_000, 485_000, 500_000]) {
      await importRecords([home(1, { price })])
      await evaluate()
    }
    const changes = async (one: typeof byAmount) =>
      (await eventsOf(one)).map(({ previous, current }: Record<string, unknown>) => ({ previous, current }))
    const change = (before: number, now: number) => ({ previous: { price: before }, current: { price: now } })
    expect(await changes(byAmount)).toEqual([change(500_000, 490_000), change(490_000, 500_000)])
    expect(await changes(byPercent)).toEqual([change(500_000, 485_000), change(485_000, 500_000)])
    expect(await changes(byBoth)).toEqual([change(500_000, 485_000), change(485_000, 500_000)])
    expect(await usageOf(byBoth.accountId)).toEqual({ units: 2, credits: 2 })
  })

  it('delays neither a changed status nor a removal, whose event omits a small price change', async () => {
    await importRecords([home(1), home(2)])
    const watching = await watch({ search: FOR_SALE }, { minChange: { percent: 50 } })
    await evaluate()
    await importRecords([
      home(1, { homeStatus: 'PENDING', price: 499_000 }),
      home(2, { homeStatus: 'SOLD', price: 499_000 }),
    ])
    await evaluate()
    expect(await eventsOf(watching)).toMatchObject([
      { type: 'listing.status_changed', changed: ['status'], previous: { status: 'for_sale' } },
      { type: 'listing.removed', reason: 'sold', changed: ['presence', 'status', 'price'] },
    ])
  })
})

describe('a paused watch', () => {
  it('reports the net change when it is resumed: one event for each home, and none for changes that were reverted', async () => {
    await importRecords(homes(1, 6))
    const watching = await watch()
    await evaluate()
    expect(await pauseWatch(database(), watching.accountId, watching.id)).toBe(true)
    await importRecords([home(1, { price: 1 }), home(2, { price: 2 }), home(3, { homeStatus: 'SOLD' })])
    expect(await evaluate()).toBe(0)
    await importRecords([home(1), home(2, { price: 3 }), home(9)])
    expect(await evaluate()).toBe(0)
    expect(await resumeWatch(database(), watching.accountId, watching.id)).toBe(true)
    expect(await evaluate()).toBe(3)
    expect(await eventsOf(watching)).toMatchObject([
      { zpid: '2', type: 'listing.price_changed', previous: { price: 500_000 }, current: { price: 3 } },
      { zpid: '3', type: 'listing.removed', reason: 'sold' },
      { zpid: '9', type: 'listing.new', reason: 'listed' },
    ])
    await importRecords([home(2, { price: 4 })])
    expect(await evaluate()).toBe(1)
  })
})

describe('the credits of an account', () => {
  it('pay for all events except the last credit; the others follow after a top-up, without duplicates', async () => {
    await importRecords(homes(1, 21))
    const watching = await watch({ search: FOR_SALE }, { credits: 6 })
    await evaluate()
    await importRecords(homes(1, 10, { price: 1 }))
    expect(await evaluate()).toBe(5)
    expect(await availableOf(watching.accountId)).toBe(1)
    const { rows } = await database().query('select status, paused_reason from watches where id = $1', [
      watching.id,
    ])
    expect(rows).toEqual([{ status: 'paused', paused_reason: 'out_of_credits' }])
    expect(await evaluate()).toBe(0)
    await database().query('select top_up($1, 100)', [watching.accountId])
    expect(await evaluate()).toBe(4)
    const events = await eventsOf(watching)
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(new Set(events.map(({ zpid }) => zpid)).size).toBe(9)
    expect(await usageOf(watching.accountId)).toEqual({ units: 9, credits: 9 })
    expect(await availableOf(watching.accountId)).toBe(97)
  })

  it('are spent within the limit of the key that created the watch; the others follow, without duplicates', async () => {
    await importRecords(homes(1, 21))
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits: 100 })
    await setKeyLimit(database(), keyId, { credits: 5, per: 'day' })
    const watching = await watchFor(accountId, keyId, { search: FOR_SALE })
    await evaluate()
    await importRecords(homes(1, 10, { price: 1 }))
    expect(await evaluate()).toBe(5)
    expect(await availableOf(accountId)).toBe(95)
    const { rows } = await database().query('select status, paused_reason from watches where id = $1', [
      watching.id,
    ])
    expect(rows).toEqual([{ status: 'paused', paused_reason: 'key_limit_reached' }])
    expect(await evaluate()).toBe(0)
    // The next day.
    await database().query('update key_limits set period_ends = now() where account_id = $1', [accountId])
    expect(await evaluate()).toBe(4)
    const events = await eventsOf(watching)
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(new Set(events.map(({ zpid }) => zpid)).size).toBe(9)
    expect(await usageOf(accountId)).toEqual({ units: 9, credits: 9 })
  })

  it('are shared by its watches, and never overdrawn', async () => {
    await importRecords(homes(1, 11))
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits: 13 })
    const watches = [
      await watchFor(accountId, keyId, { search: FOR_SALE }),
      await watchFor(accountId, keyId, { search: FOR_SALE }),
    ]
    await evaluate()
    await importRecords(homes(1, 9, { price: 1 }))
    expect(await evaluate()).toBe(12)
    expect(await availableOf(accountId)).toBe(1)
    const counts = await Promise.all(watches.map(async (one) => (await eventsOf(one)).length))
    expect(counts.sort()).toEqual([4, 8])
  })
})

/** Calls `onRows` with the number of rows that each statement of a transaction returns. */
function countRows(whole: Database, onRows: (rows: number) => void): Database {
  return {
    ...whole,
    transaction: (work, options) =>
      whole.transaction(
        (tx) =>
          work({
            ...tx,
            async query<R>(...statement: Parameters<Queryable['query']>) {
              const result = await tx.query<R>(...statement)
              onRows(result.rows.length)
              return result
            },
          }),
        options,
      ),
  }
}
