// Watches over a remote data source: a provider that is a process of its own, over real HTTP, and that does things wrong.

import { describe, expect, it } from 'vitest'
import { MAX_INCOMPLETE_SCANS, scanStep } from '../../../src/work/watches/scan.ts'
import { startReceiver } from '../../setup/receiver.ts'
import { FILTERS, NEVER, withRemoteWatches } from '../../setup/remote-watches.ts'
import { home, homes, type TestWatch } from './watch-tools.ts'

const { reference, server, database, eventsOf, usageOf, tools, scan, create } = withRemoteWatches()

const typesOf = async (watch: TestWatch, after = 0) =>
  (await eventsOf(watch, after)).map(({ zpid, type, ...event }) => {
    const { reason } = event as { reason?: string }
    return `${zpid} ${type}${reason ? ` ${reason}` : ''}`
  })

describe('a watch over a remote data source', () => {
  it('is always searched at an interval, by default daily', async () => {
    const { key } = await server.openAccount({ plan: 'custom' })
    const refused = await server.post(
      '/v1/watches',
      { name: 'A', filters: FILTERS, every: 'change' },
      { key },
    )
    expect(refused).toMatchObject({ status: 400, code: 'invalid_parameter', charged: 0 })
    const created = await server.post('/v1/watches', { name: 'A', filters: FILTERS }, { key })
    expect(created.json.data).toMatchObject({ status: 'pending', every: '1d' })
    const path = `/v1/watches/${created.json.data.id}`
    const changed = await server.send('PATCH', path, { key, body: { every: 'change' } })
    expect(changed).toMatchObject({ status: 400, code: 'invalid_parameter' })
  })

  it('gets its baseline from its first search, and reports every later difference once', async () => {
    await reference.setRecords(homes(1, 61))
    const watch = await create({ filters: FILTERS })
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', count: 60, last_seq: 0 })
    await scan()
    expect(await typesOf(watch)).toEqual([])
    await reference.setRecords([
      ...homes(3, 61),
      home(1, { price: 490_000 }),
      home(2, { homeStatus: 'PENDING' }),
      home(90),
    ])
    await scan()
    await scan()
    expect(await typesOf(watch)).toEqual([
      '1 listing.price_changed',
      '2 listing.status_changed',
      '90 listing.new entered_filters',
    ])
    expect(await usageOf(watch.accountId)).toEqual({ units: 3, credits: 3 })
  })

  it('removes a home after two complete searches without it, with the reason', async () => {
    await reference.setRecords(homes(1, 31))
    const watch = await create({ filters: FILTERS })
    await scan()
    await reference.setRecords([...homes(3, 31), home(1, { homeStatus: 'SOLD' })])
    await scan()
    expect(await typesOf(watch)).toEqual([])
    // One comes back, and is missed again: the first absence does not count any more.
    await reference.setRecords([...homes(2, 31), home(1, { homeStatus: 'SOLD' })])
    await scan()
    expect(await typesOf(watch)).toEqual(['1 listing.removed sold'])
    await reference.setRecords(homes(3, 31))
    await scan()
    expect(await typesOf(watch, 1)).toEqual([])
    await scan()
    expect(await typesOf(watch, 1)).toEqual(['2 listing.removed withdrawn'])
    await reference.setRecords(homes(2, 31))
    await scan()
    expect(await typesOf(watch, 2)).toEqual(['2 listing.back_on_market'])
  })

  for (const fault of [
    { kind: 'status', status: 500 },
    // A filter that the source does not know.
    { kind: 'status', status: 400 },
    { kind: 'truncate' },
    { kind: 'bad-rows' },
    { kind: 'all-bad' },
  ] as const) {
    it(`changes nothing and costs nothing when its search fails: ${Object.values(fault).join(' ')}`, async () => {
      await reference.setRecords(homes(1, 31))
      const watch = await create({ filters: FILTERS })
      await scan()
      const state = async () =>
        (await database().query('select zpid, status, price, left_at, missed from watch_homes order by zpid'))
          .rows
      const before = await state()
      await reference.setRecords(homes(1, 25, { price: 1 }))
      await reference.fail(fault)
      await scan()
      await scan()
      expect(await state()).toEqual(before)
      expect(await watch.shown()).toMatchObject({ status: 'active', count: 30, last_seq: 0 })
      expect(await usageOf(watch.accountId)).toEqual({ units: 0, credits: 0 })
      await reference.recover()
      await database().query('update watches set scan_until = null')
      await until(async () => {
        await scan()
        return (await watch.shown()).last_seq > 0
      })
      // The circuit of the provider has closed again. The missing homes have been missed for the first time.
      expect((await typesOf(watch)).every((event) => event.endsWith('price_changed'))).toBe(true)
    })
  }

  it('is quarantined when a search misses more than 20% and more than 10 homes, until the next one agrees', async () => {
    await reference.setRecords(homes(1, 61))
    const watch = await create({ filters: FILTERS })
    await scan()
    await reference.setRecords(homes(14, 61, { price: 1 }))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'quarantined', last_seq: 0 })
    // The source had lost them: nothing has happened.
    await reference.setRecords(homes(1, 61))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', last_seq: 0, count: 60 })
    await reference.setRecords(homes(14, 61))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'quarantined', last_seq: 0 })
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', last_seq: 13, count: 47 })
    expect(new Set((await eventsOf(watch)).map(({ type }) => type))).toEqual(new Set(['listing.removed']))
  })

  it('is paused with the count when its first search finds more homes than the plan allows', async () => {
    await reference.setRecords(homes(1, 102))
    const watch = await create({ filters: FILTERS }, 'free', 10)
    await scan()
    expect(await watch.shown()).toMatchObject({
      status: 'paused',
      paused_reason: 'too_many_matches',
      count: 101,
    })
    expect((await database().query('select from watch_homes')).rowCount).toBe(0)
  })

  it('with a list looks up each home, and creates a baseline for added homes', async () => {
    await reference.setRecords([...homes(1, 6), home(77, { homeStatus: 'OFF_MARKET' })])
    const watch = await create({ zpids: ['1', '2', '77'] })
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', count: 2 })
    const body = { zpids: ['1', '2', '3', '77'] }
    await watch.change(body)
    await reference.setRecords([...homes(2, 6), home(1, { price: 1 }), home(77)])
    await scan()
    expect(await typesOf(watch)).toEqual(['1 listing.price_changed', '77 listing.new entered_filters'])
    expect(await watch.shown()).toMatchObject({ count: 4 })
  })

  it('with new filters that match more homes than the plan allows is pending, then paused with the count', async () => {
    await reference.setRecords([...homes(1, 102), home(200, { price: 1 })])
    const watch = await create({ filters: { ...FILTERS, price: { max: 1 } } }, 'free', 10)
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', count: 1 })
    expect((await watch.change({ filters: FILTERS })).json.data).toMatchObject({
      status: 'pending',
      count: 0,
    })
    await scan()
    expect(await watch.shown()).toMatchObject({
      status: 'paused',
      paused_reason: 'too_many_matches',
      count: 102,
      last_seq: 0,
    })
    expect(await usageOf(watch.accountId)).toEqual({ units: 0, credits: 0 })
  })

  it('gets a new baseline when its filters change', async () => {
    await reference.setRecords(homes(1, 11))
    const watch = await create({ filters: FILTERS })
    await scan()
    const body = { filters: { ...FILTERS, price: { max: 600_000 } } }
    const changed = await watch.change(body)
    expect(changed.json.data).toMatchObject({ status: 'pending', count: 0 })
    await reference.setRecords(homes(1, 21, { price: 1 }))
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', count: 20, last_seq: 0 })
  })

  it('is searched by one process at a time, and discards a search of its old target', async () => {
    await reference.setRecords(homes(1, 11))
    const watch = await create({ filters: FILTERS })
    await reference.takeAsked()
    await Promise.all([scanStep(tools(), NEVER), scanStep(tools(), NEVER), scanStep(tools(), NEVER)])
    expect(await reference.takeAsked()).toHaveLength(1)
    await reference.setRecords(homes(1, 11, { price: 1 }))
    // Only this one: a step searches the first watch that is due.
    await database().query('update watches set due_at = now() where id = $1', [watch.id])
    await reference.fail({ kind: 'delay', ms: 300 })
    const scanning = scanStep(tools(), NEVER)
    await until(async () => (await reference.takeAsked()).length > 0)
    await watch.change({ paused: true })
    await scanning
    expect(await watch.shown()).toMatchObject({ status: 'paused', last_seq: 0 })
    await reference.recover()
    await watch.change({ paused: false })
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', last_seq: 10 })
  })

  it('sends webhook events about its quarantine and the reason of its pause', async () => {
    await reference.setRecords(homes(1, 102))
    const receiver = await startReceiver()
    const events = ['watch.changes', 'watch.ready', 'watch.paused', 'watch.quarantined']
    const [crowded, doubted] = [
      await create({ filters: FILTERS }, 'free', 10),
      await create({ filters: FILTERS }),
    ]
    for (const { key } of [crowded, doubted])
      expect((await server.post('/v1/webhooks', { url: receiver.url, events }, { key })).status).toBe(201)
    await scan()
    await reference.setRecords(homes(31, 102))
    await scan()
    const delivering = server.app.webhooks.start()
    await until(async () => receiver.events.length >= 3)
    await delivering.stop()
    const sent = receiver.events.map(({ json }) => ({
      type: json.type,
      watch: json.data.watch.id,
      status: json.data.watch.status,
      count: json.data.count,
      reason: json.data.reason,
      missing: json.data.missing,
    }))
    const nothing = { count: undefined, reason: undefined, missing: undefined }
    expect(sent.sort((one, other) => (one.type < other.type ? -1 : 1))).toEqual([
      {
        ...nothing,
        type: 'watch.paused',
        watch: crowded.id,
        status: 'paused',
        count: 101,
        reason: 'too_many_matches',
      },
      { ...nothing, type: 'watch.quarantined', watch: doubted.id, status: 'quarantined', missing: 30 },
      { ...nothing, type: 'watch.ready', watch: doubted.id, status: 'active', count: 101 },
    ])
    expect(await usageOf(doubted.accountId)).toEqual({ units: 0, credits: 0 })
  })

  it('is paused after ten consecutive incomplete searches, at growing intervals, and searched again when it is resumed', async () => {
    await reference.setRecords(homes(1, 31))
    const watch = await create({ filters: FILTERS })
    const webhook = { url: (await startReceiver()).url, events: ['watch.paused'] }
    expect((await server.post('/v1/webhooks', webhook, { key: watch.key })).status).toBe(201)
    await reference.fail({ kind: 'bad-rows' })
    const waits: number[] = []
    for (let search = 1; search < MAX_INCOMPLETE_SCANS; search++) {
      await scan()
      expect(await watch.shown()).toMatchObject({ status: 'pending', count: 0 })
      const { rows } = await database().query<{ minutes: number }>(
        'select extract(epoch from due_at - now()) / 60 as minutes from watches where id = $1',
        [watch.id],
      )
      waits.push(Number(rows[0]!.minutes))
    }
    // From about a tenth of the interval, an hour here, to all of it.
    expect(waits[0]).toBeLessThan(11)
    expect(waits[2]).toBeGreaterThan(waits[0]! * 2)
    expect(Math.min(...waits.slice(-3))).toBeGreaterThan(50)
    expect(Math.max(...waits)).toBeLessThan(64)
    await scan()
    const paused = { status: 'paused', paused_reason: 'incomplete_results' }
    expect(await watch.shown()).toMatchObject({ ...paused, count: 0, last_seq: 0 })
    const { rows } = await database().query<{ type: string }>(
      'select type from webhook_events where subject_id = $1',
      [watch.id],
    )
    expect(rows).toEqual([{ type: 'watch.paused' }])
    await reference.recover()
    await watch.change({ paused: false })
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', paused_reason: null, count: 30 })
  })

  it("never exceeds its plan's hourly queries, however often watches are created and deleted", async () => {
    await reference.setRecords(homes(1, 11))
    const { accountId, key } = await server.openAccount({ plan: 'custom' })
    const other = await create({ filters: FILTERS })
    await reference.takeAsked()
    const remove = (id: string) => server.send('DELETE', `/v1/watches/${id}`, { key })
    const createOne = async () =>
      (await server.post('/v1/watches', { name: 'Again', filters: FILTERS, every: '1h' }, { key })).json.data
        .id as string
    const scanAll = async () => {
      while (await scanStep(tools(3), NEVER)) {
        // Until no watch is due whose account has queries left.
      }
    }
    for (let round = 0; round < 10; round++) {
      const id = await createOne()
      await scanAll()
      await remove(id)
    }
    const last = await createOne()
    await scanAll()
    const shown = async () => (await server.get(`/v1/watches/${last}`, { key })).json.data
    expect(await shown()).toMatchObject({ status: 'pending' })
    // One of the other account, and those of the hour.
    expect(await reference.takeAsked()).toHaveLength(1 + 4)
    expect(await other.shown()).toMatchObject({ status: 'active' })
    // The watch is not lost: it is searched when a part of the hour is over.
    await database().query(
      `update budgets set ends_at = ends_at - interval '21 minutes' where subject = $1`,
      [accountId],
    )
    await scanAll()
    expect(await shown()).toMatchObject({ status: 'active', count: 10 })
    expect(await reference.takeAsked()).toHaveLength(1)
  })

  it('that is deleted during its search stops the search', async () => {
    await reference.setRecords(homes(1, 401))
    const watch = await create({ zpids: Array.from({ length: 400 }, (_, at) => String(at + 1)) })
    await reference.fail({ kind: 'delay', ms: 20 })
    await reference.takeAsked()
    let asked = 0
    const outcomes: string[] = []
    const scanning = scanStep({ ...tools(), onScan: (outcome) => outcomes.push(outcome) }, NEVER)
    await until(async () => {
      asked += (await reference.takeAsked()).length
      return asked > 0
    })
    await server.send('DELETE', `/v1/watches/${watch.id}`, { key: watch.key })
    await scanning
    expect(outcomes).toEqual(['dropped'])
    expect(asked + (await reference.takeAsked()).length).toBeLessThan(300)
  })

  it('pauses without credits, and reports the rest after a top-up, without duplicates', async () => {
    await reference.setRecords(homes(1, 21))
    const watch = await create({ filters: FILTERS }, 'custom', 6)
    await scan()
    await reference.setRecords([...homes(1, 10, { price: 1 }), ...homes(10, 21)])
    await scan()
    expect(await watch.shown()).toMatchObject({
      status: 'paused',
      paused_reason: 'out_of_credits',
      last_seq: 5,
    })
    await database().query('select top_up($1, 100)', [watch.accountId])
    await scan()
    expect(await watch.shown()).toMatchObject({ status: 'active', last_seq: 9 })
    expect(new Set((await eventsOf(watch)).map(({ zpid }) => zpid)).size).toBe(9)
    expect(await usageOf(watch.accountId)).toEqual({ units: 9, credits: 9 })
  })
})

/** Asks until it holds. The limit of the test bounds it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}
