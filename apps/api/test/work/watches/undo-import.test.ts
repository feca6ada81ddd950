// The undo of an import: its homes, the events of watches, and the charges of these events.

import { beforeEach, describe, expect, it } from 'vitest'
import { deleteWatch } from '../../../src/work/watches/delete-watch.ts'
import { refundEventsOfImport, undoImport } from '../../../src/work/watches/undo-import.ts'
import { pauseWatch, resumeWatch } from '../../../src/work/watches/update-watch.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { importLogged, listingsOf, OPERATOR, removeLogged, undo } from './undo-tools.ts'
import { home, homes, type TestWatch, watchTools } from './watch-tools.ts'

const test = withTestDatabase()
const database = () => test.database
const { empty, watch, evaluate, eventsOf, availableOf } = watchTools(database)
const importing = (records: readonly object[]) => importLogged(database(), records)

beforeEach(async () => {
  await empty()
  await database().query('truncate replaced_listings, watch_transitions')
})

/** Types of events that were not retracted, in order. */
async function standing(watching: TestWatch): Promise<readonly string[]> {
  const events = await eventsOf(watching)
  const retracted = new Set(events.map((event) => (event as { retracts?: string }).retracts))
  return events
    .filter(({ id, type }) => !retracted.has(id) && (type as string) !== 'listing.retracted')
    .map(({ type, zpid }) => `${type} ${zpid}`)
}

describe('the undo of an import', () => {
  it('restores changed, new, and removed homes, retracts the events, and refunds them in one entry', async () => {
    await importing(homes(1, 11))
    const before = await listingsOf(database())
    const watching = await watch()
    await evaluate()
    const bad = await importing([...homes(1, 5, { price: 1 }), ...homes(20, 23)])
    const removal = await removeLogged(database(), ['9', '10'])
    expect(await evaluate()).toBe(9)
    expect(await availableOf(watching.accountId)).toBe(100_000 - 9)
    expect(await undo(database(), removal)).toMatchObject({ restored: 2, removed: 0, changedLater: 0 })
    const result = await undo(database(), bad)
    expect(result).toMatchObject({ restored: 7, removed: 3, changedLater: 0, withheld: 0 })
    expect(result.events).toEqual({ retracted: 7, watches: 1 })
    expect(result.refund).toEqual({ credits: 7, events: 7, accounts: 1 })
    expect(await listingsOf(database())).toEqual(before)
    expect(await availableOf(watching.accountId)).toBe(100_000)
    expect(await evaluate()).toBe(0)
    expect(await standing(watching)).toEqual([])
    const events = await eventsOf(watching)
    const changed = events.find(({ zpid, type }) => zpid === '1' && type === 'listing.price_changed')!
    expect(events.find((event) => (event as { retracts?: string }).retracts === changed.id)).toMatchObject({
      type: 'listing.retracted',
      zpid: '1',
      changed: ['price'],
      previous: { price: 1 },
      current: { price: 500_000 },
    })
    const { rows } = await database().query(
      `select kind, amount, reason from movements where account_id = $1 and kind = 'adjust' order by id`,
      [watching.accountId],
    )
    expect(rows).toEqual([
      { kind: 'adjust', amount: 2, reason: `Refund of the events of import ${removal}` },
      { kind: 'adjust', amount: 7, reason: `Refund of the events of import ${bad}` },
    ])
    await importing(homes(1, 2, { price: 400_000 }))
    expect(await evaluate()).toBe(1)
    expect(await standing(watching)).toEqual(['listing.price_changed 1'])
  })

  it('that no watch has evaluated yet gives no event', async () => {
    await importing(homes(1, 11))
    const watching = await watch()
    await evaluate()
    const bad = await importing([...homes(1, 5, { price: 1 }), ...homes(20, 23)])
    expect((await undo(database(), bad)).events).toEqual({ retracted: 0, watches: 0 })
    expect(await evaluate()).toBe(0)
    expect(await eventsOf(watching)).toEqual([])
    expect(await availableOf(watching.accountId)).toBe(100_000)
  })

  it('gives no event to a watch that was created after the import, or is paused, or has not been compared', async () => {
    await importing(homes(1, 11))
    const paused = await watch()
    await evaluate()
    await pauseWatch(database(), paused.accountId, paused.id)
    const bad = await importing([...homes(1, 5, { price: 1 }), ...homes(20, 23)])
    const late = await watch()
    const uncompared = await watch()
    await pauseWatch(database(), uncompared.accountId, uncompared.id)
    await evaluate()
    await undo(database(), bad)
    await resumeWatch(database(), paused.accountId, paused.id)
    await evaluate()
    await resumeWatch(database(), uncompared.accountId, uncompared.id)
    await evaluate()
    for (const one of [paused, late, uncompared]) expect(await eventsOf(one)).toEqual([])
    await importing(homes(1, 5, { price: 2 }))
    await evaluate()
    for (const one of [paused, late, uncompared]) expect(await standing(one)).toHaveLength(4)
  })

  it('leaves a home that a later import has changed, and retracts an event that only reported the way back', async () => {
    await importing(homes(1, 4))
    const watching = await watch()
    await evaluate()
    const bad = await importing(homes(1, 4, { homeStatus: 'OFF_MARKET' }))
    await evaluate()
    // The right file again, in which one home is new at its price.
    await importing([home(1), home(2, { price: 7 })])
    await evaluate()
    expect(await standing(watching)).toHaveLength(5)
    const result = await undo(database(), bad)
    expect(result).toMatchObject({ restored: 1, changedLater: 2, changedLaterZpids: ['1', '2'] })
    expect(await evaluate()).toBe(0)
    // Home 1 was away and came back: neither happened. Home 2 really has another price, which its later event says.
    expect(await standing(watching)).toEqual(['listing.back_on_market 2'])
    expect(await availableOf(watching.accountId)).toBe(100_000 - 1)
  })

  it('of an earlier and then a later import leaves the home as it was before both', async () => {
    await importing(homes(1, 3))
    const before = await listingsOf(database())
    const watching = await watch()
    await evaluate()
    const first = await importing(homes(1, 3, { price: 1 }))
    await evaluate()
    const second = await importing(homes(1, 3, { price: 2 }))
    await evaluate()
    await undo(database(), first)
    expect(await standing(watching)).toHaveLength(2)
    await undo(database(), second)
    expect(await listingsOf(database())).toEqual(before)
    expect(await evaluate()).toBe(0)
    expect(await standing(watching)).toEqual([])
    expect(await availableOf(watching.accountId)).toBe(100_000)
  })

  it('reports anew what only a later import has made different, if that import caused no event of its own', async () => {
    await importing(homes(1, 2))
    const watching = await watch()
    await evaluate()
    const bad = await importing(homes(1, 2, { price: 9 }))
    await evaluate()
    // It confirms the price, and changes a fact that no event reports.
    await importing(homes(1, 2, { price: 9, bedrooms: 7 }))
    await evaluate()
    await undo(database(), bad)
    expect(await standing(watching)).toEqual([])
    expect(await evaluate()).toBe(1)
    expect(await standing(watching)).toEqual(['listing.price_changed 1'])
  })

  it('retracts an event of two imports and reports what is left of it', async () => {
    await importing(homes(1, 2))
    const watching = await watch()
    await evaluate()
    await pauseWatch(database(), watching.accountId, watching.id)
    await importing(homes(1, 2, { price: 600_000 }))
    const bad = await importing(homes(1, 2, { price: 1 }))
    await resumeWatch(database(), watching.accountId, watching.id)
    expect(await evaluate()).toBe(1)
    expect((await undo(database(), bad)).events.retracted).toBe(1)
    expect(await evaluate()).toBe(1)
    const last = (await eventsOf(watching)).at(-1)
    expect(last).toMatchObject({ type: 'listing.price_changed', current: { price: 600_000 } })
    expect(await availableOf(watching.accountId)).toBe(100_000 - 1)
  })

  it('keeps an event of two imports whose later one stays', async () => {
    await importing(homes(1, 2))
    const watching = await watch()
    await evaluate()
    await pauseWatch(database(), watching.accountId, watching.id)
    const bad = await importing(homes(1, 2, { price: 1 }))
    await importing(homes(1, 2, { price: 600_000 }))
    await resumeWatch(database(), watching.accountId, watching.id)
    expect(await evaluate()).toBe(1)
    expect((await undo(database(), bad)).events.retracted).toBe(0)
    expect(await evaluate()).toBe(0)
    expect(await availableOf(watching.accountId)).toBe(100_000 - 1)
  })

  it.each([
    ['a search', undefined],
    ['a list', { zpids: ['1', '2', '5'] }],
  ])(
    'reports to a watch over %s what its import had canceled before the watch was compared',
    async (_, target) => {
      await importing(homes(1, 3))
      const watching = await watch(target)
      await evaluate()
      await pauseWatch(database(), watching.accountId, watching.id)
      const adding = await importing([home(1, { price: 600_000 }), home(5)])
      const canceling = await importing([home(1)])
      const removal = await removeLogged(database(), ['5'])
      await resumeWatch(database(), watching.accountId, watching.id)
      expect(await evaluate()).toBe(0)
      expect((await undo(database(), removal)).events.retracted).toBe(0)
      expect(await evaluate()).toBe(1)
      expect(await standing(watching)).toEqual(['listing.new 5'])
      await undo(database(), canceling)
      expect(await evaluate()).toBe(1)
      expect(await standing(watching)).toEqual(['listing.new 5', 'listing.price_changed 1'])
      expect(await availableOf(watching.accountId)).toBe(100_000 - 2)
      expect((await undo(database(), adding)).refund.credits).toBe(2)
      expect(await evaluate()).toBe(0)
      expect(await standing(watching)).toEqual([])
      expect(await availableOf(watching.accountId)).toBe(100_000)
    },
  )

  it('records canceled changes only of homes that the watch would have reported, and once', async () => {
    await importing(homes(1, 3))
    const watching = await watch()
    await evaluate()
    const compare = async (change: () => Promise<unknown>) => {
      await pauseWatch(database(), watching.accountId, watching.id)
      await change()
      await resumeWatch(database(), watching.accountId, watching.id)
      expect(await evaluate()).toBe(0)
      const { rows } = await database().query<{ zpid: string }>(
        'select zpid from watch_transitions order by id',
      )
      return rows.map(({ zpid }) => zpid)
    }
    const away = { latitude: 20, longitude: 20 }
    await compare(() => importing([home(1, { bedrooms: 7 }), home(9, away)]))
    expect(
      await compare(async () => {
        await importing([home(1, { bedrooms: 8 }), home(9, { ...away, price: 7 })])
        await importing([home(1, { bedrooms: 9 }), home(9, { ...away, price: 8 })])
      }),
    ).toEqual([])
    const cancel = async () => {
      await importing([home(2, { price: 7 })])
      await importing([home(2)])
    }
    expect(await compare(cancel)).toEqual(['2'])
    const again = () =>
      database().query('update watches set position = (select min(after) from watch_transitions)')
    expect(await compare(again)).toEqual(['2'])
  })

  it('reports what is left of canceled changes if the import before them is undone', async () => {
    await importing(homes(1, 2))
    const watching = await watch()
    await evaluate()
    const bad = await importing([home(1, { price: 600_000 })])
    expect(await evaluate()).toBe(1)
    await pauseWatch(database(), watching.accountId, watching.id)
    await importing([home(1, { price: 700_000 })])
    await importing([home(1, { price: 600_000 })])
    await resumeWatch(database(), watching.accountId, watching.id)
    expect(await evaluate()).toBe(0)
    // The last import says 600,000 too, and it counts.
    expect((await undo(database(), bad)).events.retracted).toBe(1)
    expect(await evaluate()).toBe(1)
    expect((await eventsOf(watching)).at(-1)).toMatchObject({ current: { price: 600_000 } })
    expect(await availableOf(watching.accountId)).toBe(100_000 - 1)
  })

  it('continues a watch that ran out of credits in the middle of the import without its rest', async () => {
    await importing(homes(1, 11))
    const watching = await watch(undefined, { credits: 4 })
    await evaluate()
    const bad = await importing(homes(1, 11, { price: 1 }))
    expect(await evaluate()).toBe(3)
    expect((await undo(database(), bad)).refund.credits).toBe(3)
    expect(await evaluate()).toBe(0)
    expect(await standing(watching)).toEqual([])
    expect(await availableOf(watching.accountId)).toBe(4)
  })

  it('only refunds the events of a deleted watch', async () => {
    await importing(homes(1, 3))
    const watching = await watch()
    await evaluate()
    const bad = await importing(homes(1, 3, { price: 1 }))
    await evaluate()
    await deleteWatch(database(), watching.accountId, watching.id)
    const { events, refund } = await undo(database(), bad)
    expect(events.retracted).toBe(0)
    expect(refund).toEqual({ credits: 2, events: 2, accounts: 1 })
    expect(await availableOf(watching.accountId)).toBe(100_000)
  })

  it('in a dry run says what it would do, and changes nothing', async () => {
    await importing(homes(1, 3))
    const watching = await watch()
    await evaluate()
    const bad = await importing(homes(1, 3, { price: 1 }))
    await evaluate()
    const before = await listingsOf(database())
    const result = await undoImport(database(), OPERATOR, bad, { dryRun: true })
    expect(result).toMatchObject({
      reverted: true,
      undo: { revertId: null, restored: 2, events: { retracted: 2 }, refund: { credits: 2 } },
    })
    expect(await listingsOf(database())).toEqual(before)
    expect(await standing(watching)).toHaveLength(2)
    expect((await undo(database(), bad)).events.retracted).toBe(2)
  })

  it('is refused for an unknown, an undone, a held, and an old import, and for an undo', async () => {
    await importing(homes(1, 3))
    const bad = await importing(homes(1, 3, { price: 1 }))
    const { revertId } = await undo(database(), bad)
    const refusal = async (id: number) => {
      const result = await undoImport(database(), OPERATOR, id)
      return result.reverted ? undefined : result.because
    }
    expect(await refusal(999_999)).toBe('unknown')
    expect(await refusal(bad)).toBe('already_reverted')
    expect(await refusal(revertId!)).toBe('is_revert')
    const other = await importing(homes(1, 3, { price: 2 }))
    await database().query(`update imports set state = 'held' where id = $1`, [other])
    expect(await refusal(other)).toBe('not_applied')
    await database().query(
      `update imports set state = 'applied', started_at = now() - interval '31 days' where id = $1`,
      [other],
    )
    expect(await refusal(other)).toBe('too_old')
  })
})

describe('a refund of the events of an import', () => {
  it('happens once, and a later undo retracts the events without a second refund', async () => {
    await importing(homes(1, 3))
    const watching = await watch()
    await evaluate()
    const bad = await importing(homes(1, 3, { price: 1 }))
    await evaluate()
    const refund = () => refundEventsOfImport(database(), OPERATOR, bad)
    expect(await Promise.all([refund(), refund()])).toContainEqual({ credits: 2, events: 2, accounts: 1 })
    expect(await refund()).toEqual({ credits: 0, events: 0, accounts: 0 })
    expect(await availableOf(watching.accountId)).toBe(100_000)
    const { events, refund: second } = await undo(database(), bad)
    expect(events.retracted).toBe(2)
    expect(second.credits).toBe(0)
    expect(await availableOf(watching.accountId)).toBe(100_000)
  })
})
