// Failures of one watch or account do not stop the evaluation of the others; the behavior of a step; watches of a service that previously
// had a remote data source.

import { beforeEach, describe, expect, it } from 'vitest'
import { listingSites } from '../../../src/domain/site-urls/listing-sites.ts'
import { DatabaseUnavailable } from '../../../src/infrastructure/database/database.ts'
import { setKeyLimit } from '../../../src/money/accounts/key-limits.ts'
import { openAccount } from '../../../src/money/accounts/open-account.ts'
import { resumeAccount, suspendAccount } from '../../../src/money/accounts/suspend.ts'
import { MAX_FAILED_COMPARISONS } from '../../../src/work/watches/compare-watch.ts'
import { evaluateStep } from '../../../src/work/watches/evaluate.ts'
import { WATCH_EVENTS } from '../../../src/work/watches/home-event.ts'
import { createNotify, type Notify } from '../../../src/work/watches/notify.ts'
import { readWatch } from '../../../src/work/watches/read-watches.ts'
import { updateWatch } from '../../../src/work/watches/update-watch.ts'
import { createWatch } from '../../../src/work/watches/watch-store.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { FOR_SALE, home, homes, PRICE, watchTools } from './watch-tools.ts'

const test = withTestDatabase()
const database = () => test.database
const { empty, importRecords, watch, watchFor, evaluate, eventsOf, usageOf } = watchTools(database)

beforeEach(empty)

describe('a watch that cannot be evaluated', () => {
  const statusOf = async (id: string) =>
    (
      await database().query<{ status: string; paused_reason: string | null }>(
        'select status, paused_reason from watches where id = $1',
        [id],
      )
    ).rows[0]!
  // Its boundary is not in the database.
  const BROKEN = `update watches set search = search || '{"areas": [{"type": "place", "boundary": "unknown"}]}' where id = $1`

  it('blocks no other watch or the log, and is paused with the reason after ten failures', async () => {
    await importRecords(homes(1, 11))
    const broken = await watch()
    const other = await watch()
    await evaluate()
    // It follows the log, so it is the index that cannot judge it first.
    await database().query(BROKEN, [broken.id])
    const later = await watch()
    await importRecords(homes(1, 11, { price: 1 }))
    expect(await evaluate()).toBe(20)
    expect(await eventsOf(other)).toHaveLength(10)
    expect(await eventsOf(later)).toHaveLength(10)
    for (let failures = 1; failures < MAX_FAILED_COMPARISONS; failures++) {
      expect(await statusOf(broken.id)).toEqual({ status: 'active', paused_reason: null })
      await database().query('update watches set due_at = now() where id = $1', [broken.id])
      await evaluate()
    }
    expect(await statusOf(broken.id)).toEqual({ status: 'paused', paused_reason: 'evaluation_failed' })
  })
})

describe('a watch whose events cannot be written', () => {
  /** The number of its next event is taken. */
  const BLOCK = `
    insert into watch_events (account_id, watch_id, seq, id, type, zpid, observed_at, body, metadata)
    select account_id, id, last_seq + 1, 'evt_blocked', 'listing.new', '1', now(), '{}', '{}' from watches where id = any ($1)`

  it.each([1, 3])(
    'blocks no other (%i of 8 fail): their events are written and charged immediately, and its own later, once',
    async (failing) => {
      await importRecords(homes(1, 11))
      const watches = await Promise.all(Array.from({ length: 8 }, () => watch()))
      await evaluate()
      const blocked = watches.filter((_, at) => at % 3 === 1).slice(0, failing)
      const others = watches.filter((one) => !blocked.includes(one))
      await database().query(BLOCK, [blocked.map(({ id }) => id)])
      await importRecords(homes(1, 11, { price: 1 }))
      const failures: (string | undefined)[] = []
      const price = { ...PRICE, onError: (_error: unknown, id?: string) => failures.push(id) }
      const first = await evaluateStep(database(), price)
      expect(first.events).toBe(10 * others.length)
      expect(failures.sort()).toEqual(blocked.map(({ id }) => id).sort())
      for (const one of others) {
        expect(await eventsOf(one)).toHaveLength(10)
        expect(await usageOf(one.accountId)).toEqual({ units: 10, credits: 10 })
      }
      // Its comparison fails as well, and is repeated later.
      for (let step = first; step.isMore; ) step = await evaluateStep(database(), price)
      const { rows } = await database().query<{ failures: number; later: boolean }>(
        `select failed_comparisons as failures, due_at > now() as later from watches where id = any ($1)`,
        [blocked.map(({ id }) => id)],
      )
      expect(rows).toEqual(blocked.map(() => ({ failures: 1, later: true })))
      await importRecords(homes(1, 11, { price: 2 }))
      expect(await evaluate()).toBe(10 * others.length)

      for (const { accountId } of blocked) expect(await usageOf(accountId)).toEqual({ units: 0, credits: 0 })
      await database().query(`delete from watch_events where id = 'evt_blocked'`)
      await database().query('update watches set due_at = now()')
      expect(await evaluate()).toBe(10 * failing)
      for (const one of blocked) {
        const events = await eventsOf(one)
        expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        expect(events[0]).toMatchObject({ previous: { price: 500_000 }, current: { price: 2 } })
        expect(await usageOf(one.accountId)).toEqual({ units: 10, credits: 10 })
      }
    },
  )
})

describe('a watch of a suspended account', () => {
  it('is not charged, and reports the net change when the account is active again', async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    const listed = await watch({ zpids: ['1'] })
    await evaluate()
    for (const { accountId } of [watching, listed]) await suspendAccount(database(), accountId)
    await importRecords(homes(1, 11, { price: 1 }))
    await importRecords(homes(1, 11, { price: 2 }))
    expect(await evaluate()).toBe(0)
    for (const { accountId } of [watching, listed]) await resumeAccount(database(), accountId)
    expect(await evaluate()).toBe(11)
    expect(await usageOf(watching.accountId)).toEqual({ units: 10, credits: 10 })
  })
})

describe('an evaluation step', () => {
  it("does not delay its accounts' calls while it writes webhook events", async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    const webhook = `insert into webhooks (account_id, url, events) values ($1, 'https://example.com/', '{watch.changes}')`
    await database().query(webhook, [watching.accountId])
    await evaluate()
    await importRecords(homes(1, 11, { price: 1 }))
    const writeNotices = createNotify({ sites: listingSites(['zillow.com']), publicName: (name) => name })
    let charged = 0
    const notify: Notify = async (tx, notices) => {
      await writeNotices(tx, notices)
      // The lock of a charge. It is refused at once if the step has it.
      await database().query('select from accounts where id = $1 for no key update nowait', [
        watching.accountId,
      ])
      charged += 1
    }
    const { events } = await evaluateStep(database(), { ...PRICE, notify })
    expect([events, charged]).toEqual([10, 1])
    const { rows } = await database().query('select type from webhook_events where account_id = $1', [
      watching.accountId,
    ])
    expect(rows).toEqual([{ type: 'watch.changes' }])
  })

  it('reads the log while watches wait for their comparison, and a repeatedly changed watch must wait', async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    await evaluate()
    const changed = await watch()
    const another = await watch()
    await importRecords([home(1, { price: 1 })])
    // One of the two is compared in the first step, and the log is read in the same one.
    await evaluateStep(database(), PRICE)
    expect(await eventsOf(watching)).toHaveLength(1)
    await evaluate()
    expect(await eventsOf(another)).toHaveLength(1)
    const isDue = async () =>
      (
        await database().query<{ due: boolean }>('select due_at <= now() as due from watches where id = $1', [
          changed.id,
        ])
      ).rows[0]!.due
    const update = { watched: { search: FOR_SALE } }
    for (let round = 0; round < 20 && (await isDue()); round++) {
      await updateWatch(database(), changed.accountId, changed.id, update, { matches: 100 })
      await evaluate()
    }
    expect(await isDue()).toBe(false)
    await database().query(`update watches set compared_until = now() + interval '1 hour' where id = $1`, [
      changed.id,
    ])
    for (const every of ['1h', 'change'] as const)
      await updateWatch(database(), changed.accountId, changed.id, { every }, { matches: 100 })
    expect(await isDue()).toBe(false)
  })

  it('that is repeated because of a deadlock does not count as a failure of its watch', async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    await importRecords([home(1, { price: 1 })])
    const notify = () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }))
    await expect(evaluateStep(database(), { ...PRICE, notify })).rejects.toThrow('deadlock detected')
    const failures = 'select failed_comparisons as count from watches where id = $1'
    expect((await database().query(failures, [watching.id])).rows).toEqual([{ count: 0 }])
    expect(await evaluate()).toBe(1)
  })

  it.each([
    ['an account', 6, null],
    ['a key', 100, 5],
  ])('writes only paid events if %s visibly cannot pay for all', async (_which, credits, limit) => {
    await importRecords(homes(1, 11))
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits })
    if (limit) await setKeyLimit(database(), keyId, { credits: limit, per: 'day' })
    const watching = await watchFor(accountId, keyId, { search: FOR_SALE })
    await evaluate()
    await importRecords(homes(1, 11, { price: 1 }))
    // The events that are there at the end of each time that they are written.
    const written: number[] = []
    const notify: Notify = async (tx) => {
      const count = 'select count(*) as count from watch_events where watch_id = $1'
      const { rows } = await tx.query<{ count: number }>(count, [watching.id])
      written.push(rows[0]!.count)
    }
    const { events } = await evaluateStep(database(), { ...PRICE, notify })
    expect([events, written]).toEqual([5, [5]])
    expect(await usageOf(accountId)).toEqual({ units: 5, credits: 5 })
  })

  it('delays the creation of a webhook until its events are visible, even if the account has none yet', async () => {
    await importRecords(homes(1, 11))
    const watching = await watch()
    await evaluate()
    await importRecords(homes(1, 11, { price: 1 }))
    const writeNotices = createNotify({ sites: listingSites(['zillow.com']), publicName: (name) => name })
    let error: unknown
    const notify: Notify = async (tx, notices) => {
      await writeNotices(tx, notices)
      // The lock under which a webhook is created, on another connection.
      error = await database()
        .query('select from accounts where id = $1 for update nowait', [watching.accountId])
        .catch((reason: unknown) => reason)
    }
    expect((await evaluateStep(database(), { ...PRICE, notify })).events).toBe(10)
    expect(error).toBeInstanceOf(DatabaseUnavailable)
  })

  it('reports two changes of a home in one version as one event', async () => {
    await importRecords(homes(1, 4))
    const watching = await watch()
    const listed = await watch({ zpids: ['1', '2', '3'] })
    await evaluate()
    await database().transaction(async (tx) => {
      await tx.query(`update listings set price = 1 where zpid in ('1', '2')`)
      await tx.query(
        `update listings set price = case zpid when '1' then 2 else 500000 end where zpid in ('1', '2')`,
      )
    })
    expect(await evaluate()).toBe(2)
    for (const one of [watching, listed])
      expect(await eventsOf(one)).toMatchObject([
        { zpid: '1', previous: { price: 500_000 }, current: { price: 2 } },
      ])
  })

  it('reports a pending home whose price no longer matches as left for its price, if the filters allow pending homes', async () => {
    await importRecords(homes(1, 3))
    const watching = await watch({ search: { ...FOR_SALE, price: { max: 600_000 } } })
    const without = await watch({ search: { ...FOR_SALE, pending: false, price: { max: 600_000 } } })
    await evaluate()
    await importRecords([home(1, { homeStatus: 'PENDING', price: 700_000 })])
    await evaluate()
    expect(await eventsOf(watching)).toMatchObject([{ type: 'listing.removed', reason: 'left_filters' }])
    expect(await eventsOf(without)).toMatchObject([{ type: 'listing.removed', reason: 'pending' }])
  })
})

describe('a watch of a service that previously had a remote data source', () => {
  const remote = async (limit = 10_000) => {
    const { accountId, keyId } = await openAccount(database(), { plan: 'custom', credits: 100 })
    const asked = { name: 'Homes', watched: { search: FOR_SALE }, events: WATCH_EVENTS, metadata: {} }
    const limits = { watches: 1, matches: limit }
    const created = await createWatch(database(), { accountId, keyId, ...asked, isRemote: true }, limits)
    if (!created.created) throw new Error(created.because)
    return { accountId, id: created.id, count: 0 }
  }
  const shown = async ({ accountId, id }: { accountId: string; id: string }) =>
    readWatch(database(), accountId, id)

  it('gets a missing baseline from the data set for free, and reports later changes', async () => {
    await importRecords(homes(1, 11))
    const watching = await remote()
    expect(await shown(watching)).toMatchObject({ status: 'pending' })
    expect(await evaluate()).toBe(0)
    expect(await shown(watching)).toMatchObject({ status: 'active', count: 10, last_seq: 0 })
    await importRecords([home(1, { price: 1 }), home(11)])
    expect(await evaluate()).toBe(2)
    expect(await usageOf(watching.accountId)).toEqual({ units: 2, credits: 2 })
  })

  it('is paused with the count if it matches more homes than its plan allows', async () => {
    await importRecords(homes(1, 11))
    const watching = await remote()
    const step = await evaluateStep(database(), PRICE, () => 9)
    expect(step).toEqual({ isMore: true, events: 0 })
    expect(await shown(watching)).toMatchObject({
      status: 'paused',
      paused_reason: 'too_many_matches',
      count: 10,
    })
  })

  it('is no longer quarantined: it reports the net change, and homes without a baseline get one', async () => {
    await importRecords(homes(1, 11))
    const listed = await watch({ zpids: ['1', '2', '3'] })
    const searching = await watch()
    await evaluate()
    await database().query(
      `update watches set status = 'quarantined', is_current = false, scanned_at = now(),
         unseen = case when zpids is null then '{}' else array['4'] end, zpids = case when zpids is null then null else zpids || array['4'] end`,
    )
    await database().query(`update watch_homes set missed = true where zpid = '2'`)
    await importRecords([home(1, { price: 1 })])
    expect(await evaluate()).toBe(2)
    expect(await shown(listed)).toMatchObject({ status: 'active', count: 4, last_seq: 1 })
    expect(await shown(searching)).toMatchObject({ status: 'active', count: 10, last_seq: 1 })
    expect((await database().query('select from watch_homes where missed')).rowCount).toBe(0)
    await importRecords([home(4, { price: 1 })])
    expect(await evaluate()).toBe(2)
  })

  it('accepts new filters or homes before its first comparison', async () => {
    await importRecords(homes(1, 11))
    const searching = await remote()
    const narrow = { search: { ...FOR_SALE, price: { max: 600_000 } } }
    await updateWatch(database(), searching.accountId, searching.id, { watched: narrow }, { matches: 100 })
    const listed = await watch({ zpids: ['1'] })
    const unsearched = `update watches set status = 'pending', baseline_at = null where id = $1`
    await database().query(unsearched, [listed.id])
    await database().query('delete from watch_homes where watch_id = $1', [listed.id])
    const longer = { zpids: ['1', '2'] }
    await updateWatch(database(), listed.accountId, listed.id, { watched: longer }, { matches: 100 })
    expect(await evaluate()).toBe(0)
    expect(await shown(searching)).toMatchObject({ status: 'active', count: 10 })
    expect(await shown(listed)).toMatchObject({ status: 'active', count: 2 })
  })
})
