// Running processes synchronize sources by themselves: one process at a time reads a source, until it is paused or removed.

import { beforeEach, describe, expect, it, vi } from 'vitest'
import { addSource, findConnected, type ResoSettings } from '../../../src/data/replication/source-store.ts'
import { lotlineWith } from '../../interfaces/cli/run-lotline.ts'
import { startProcess, type TestProcess } from '../../setup/child-process.ts'
import { withResoServer } from '../../setup/reso-server/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { startWorker } from '../../work/jobs/worker-process.ts'
import { feedListing, feedListings, laterTime } from './feed-records.ts'

const BOUND = { timeout: 60_000, interval: 10 }
// Each test waits several times for processes.
vi.setConfig({ testTimeout: 180_000 })

const test = withTestDatabase()
const feed = withResoServer()
const lotline = (...args: readonly string[]) => lotlineWith({ DATABASE_URL: test.url })(...args)

beforeEach(async () => {
  await test.database.query(
    'truncate imports, listings, listing_changes, removed_listings, linked_homes, home_parcels, connected_sources cascade; truncate feed_calls, feed_credentials',
  )
})

async function connect(name: string, settings: Partial<ResoSettings> = {}): Promise<void> {
  // The queries name the source, so that the feed’s list of calls shows which source made them.
  const filter = `X_Reader ne '${name}'`
  await addSource(
    test.database,
    name,
    { kind: 'reso', url: feed.url, profile: 'generic', filter, ...settings },
    86_400,
  )
}

async function startSyncer(): Promise<TestProcess> {
  const path = new URL('syncing-process.ts', import.meta.url).pathname
  const process = startProcess(path, [test.url])
  await process.line(/looks for sources/)
  return process
}

async function priceOf(source: string, key: string): Promise<number | undefined> {
  const { rows } = await test.database.query<{ price: number }>(
    `select l.price from listings l join record_identities i on i.zpid = l.zpid and i.source = l.source
     where i.source = $1 and i.source_key = $2`,
    [source, key],
  )
  return rows[0]?.price
}

/** Makes the source due at the next look of any process. The end of a running run would set its next time again. */
const makeDue = async (name: string) => {
  const set = async () =>
    (
      await test.database.query(
        'update connected_sources set due_at = now() where name = $1 and lease_token is null',
        [name],
      )
    ).rowCount
  await expect.poll(set, BOUND).toBe(1)
}

const changePrice = (price: number) =>
  feed.put([feedListing(1, { ListPrice: price, ModificationTimestamp: laterTime(price) })])

/** Waits until every process has looked for sources that are due: the witness, which became due last, was synchronized. */
async function untilLooked(witness: string): Promise<void> {
  const before = (await findConnected(test.database, witness))!.syncedAt
  await makeDue(witness)
  await expect
    .poll(async () => (await findConnected(test.database, witness))!.syncedAt?.getTime(), BOUND)
    .toBeGreaterThan(before?.getTime() ?? 0)
}

/** The number of calls that the source has made since the last call of this function. */
async function callsOf(name: string): Promise<number> {
  return (await feed.takeAsked()).filter(({ url }) => decodeURIComponent(url).includes(`'${name}'`)).length
}

async function untilCalled(name: string, times: number): Promise<void> {
  let calls = 0
  const count = async () => {
    calls += await callsOf(name)
    return calls
  }
  await expect.poll(count, BOUND).toBe(times)
}

describe('a running worker', () => {
  it('synchronizes a source that is due, and releases it when it is stopped on the way', async () => {
    await feed.behave({ maxPage: 3 })
    await feed.put(feedListings(8))
    await feed.fail({ kind: 'hang' }, { after: 2 })
    await connect('metro')
    const worker = await startWorker({ databaseUrl: test.url, env: { LOG_LEVEL: 'info' } })
    await untilCalled('metro', 3)
    worker.kill('SIGTERM')
    expect(await worker.exited).toMatchObject({ code: 0 })
    expect(await findConnected(test.database, 'metro')).toMatchObject({ leaseUntil: null, failures: 0 })
    expect(await priceOf('metro', 'M000005')).toBe(300_500)
    expect(await priceOf('metro', 'M000006')).toBeUndefined()
    const next = await startWorker({ databaseUrl: test.url, env: { LOG_LEVEL: 'info' } })
    await next.line(/source synchronized/)
    expect(await priceOf('metro', 'M000007')).toBe(300_700)
  })
})

describe('processes that synchronize sources', () => {
  it('follow a feed until it is paused, again after it is resumed, and no more after it is removed', async () => {
    await feed.put(feedListings(3))
    await connect('metro')
    await connect('witness')
    await startSyncer()
    await expect.poll(() => priceOf('metro', 'M000001'), BOUND).toBe(300_100)
    await changePrice(1_000)
    await makeDue('metro')
    await expect.poll(() => priceOf('metro', 'M000001'), BOUND).toBe(1_000)
    // The run still counts the records of the feed.
    await expect.poll(async () => (await findConnected(test.database, 'metro'))!.leaseUntil, BOUND).toBeNull()

    expect((await lotline('sources', 'pause', 'metro')).code).toBe(0)
    await changePrice(2_000)
    await makeDue('metro')
    await feed.takeAsked()
    await untilLooked('witness')
    await untilLooked('witness')
    expect(await callsOf('metro')).toBe(0)
    expect(await priceOf('metro', 'M000001')).toBe(1_000)

    expect((await lotline('sources', 'resume', 'metro')).code).toBe(0)
    await expect.poll(() => priceOf('metro', 'M000001'), BOUND).toBe(2_000)

    expect((await lotline('sources', 'remove', 'metro', '--yes')).code).toBe(0)
    await changePrice(3_000)
    await untilLooked('witness')
    await untilLooked('witness')
    expect(await priceOf('metro', 'M000001')).toBe(2_000)
  })

  it('read a source one at a time, and another one continues when the reader is killed', async () => {
    await feed.behave({ maxPage: 3 })
    await feed.put(feedListings(8))
    const processes = [await startSyncer(), await startSyncer()]
    // The first page is stored, and the process waits for the second one.
    await feed.fail({ kind: 'hang' }, { after: 1 })
    await connect('metro')
    await untilCalled('metro', 2)
    await connect('witness')
    await untilLooked('witness')
    await untilLooked('witness')
    expect(await callsOf('metro')).toBe(0)

    const { rows } = await test.database.query<{ pid: number }>(
      "select (lease_holder ->> 'pid')::integer as pid from connected_sources where name = 'metro'",
    )
    const holder = processes.find(({ pid }) => pid === rows[0]!.pid)!
    holder.kill('SIGKILL')
    await holder.exited
    await expect.poll(() => priceOf('metro', 'M000007'), BOUND).toBe(300_700)
    // The page that the killed process waited for, the last one, and the count. The first page is not read again.
    await untilCalled('metro', 3)
  })

  it('make no call after a 429 of MLS Grid until its hour ends, and then continue by themselves', async () => {
    const sources = ['metro', 'valley']
    // The feed’s clock shows half past.
    const clockAheadMs = 1_800_000 - (Date.now() % 3_600_000)
    await feed.put(feedListings(3, { OriginatingSystemName: 'actris', MlgCanUse: ['IDX'] }))
    await feed.behave({ clockAheadMs, callsPerSecond: 0 })
    for (const name of sources) {
      await connect(name, { profile: 'mlsgrid', originatingSystem: 'actris', use: 'IDX', related: [] })
    }
    const untilPostponed = () =>
      expect
        .poll(async () => {
          const found = await Promise.all(sources.map((name) => findConnected(test.database, name)))
          return found.map((source) => source!.leaseUntil === null && source!.dueAt.getTime() > Date.now())
        }, BOUND)
        .toEqual([true, true])
    await startSyncer()
    await startSyncer()
    await untilPostponed()
    const violations = await feed.violations()
    expect(violations).toBeGreaterThan(0)
    await feed.takeAsked()

    // The sources are ordered to run immediately, and the next hour is near.
    await feed.behave({ clockAheadMs: clockAheadMs + 29 * 60_000 })
    for (const name of sources) await makeDue(name)
    await untilPostponed()
    // An operator’s command is another process, and waits too.
    for (const command of ['check', 'sync']) {
      const ran = await lotline('sources', command, 'metro')
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringMatching(/^lotline: .*allows? the next call at \d{4}-\d\d-\d\dT/i),
      ])
    }
    expect(await feed.takeAsked()).toEqual([])

    // Half an hour passes, for the feed and for the times in the database.
    await feed.behave({ clockAheadMs: clockAheadMs + 31 * 60_000 })
    const pass = "interval '31 minutes'"
    await test.database.query(
      `update feed_credentials set blocked_until = blocked_until - ${pass}, next_at = next_at - ${pass};
       update connected_sources set due_at = due_at - ${pass}`,
    )
    for (const name of sources) await expect.poll(() => priceOf(name, 'M000002'), BOUND).toBe(300_200)
    expect(await feed.violations()).toBe(violations)
  })
})
