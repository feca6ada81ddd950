import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { readMetrics } from '../../process/telemetry/metrics/read-metrics.ts'
import { until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homes } from './watch-tools.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
const BBOX = { west: -123, south: 47, east: -122, north: 48 }
const SEARCH = { name: 'Seattle', filters: { bbox: BBOX } }
const watchWithName = (name: string) => ({ ...SEARCH, metadata: { [name]: 'value' } })

async function importRecords(records: readonly object[]): Promise<void> {
  await importListings(testDatabase.database, rowsOf(records as never[]), { source: 'mls' })
}

beforeAll(async () => {
  await importRecords(homes(1, 121))
})

const IS_DONE = `
  select position = (select max(seq) from listing_changes)
    and not exists (select from watches where status = 'active' and not is_current and due_at <= now()) as "isDone"
  from watch_progress`

/** Evaluates, as a process of the service does in the background. */
async function evaluate(): Promise<void> {
  const running = server.app.watches.start()
  await until(
    async () => (await testDatabase.database.query<{ isDone: boolean }>(IS_DONE)).rows[0]!.isDone,
    'the evaluation',
  )
  await running.stop()
}

describe('a watch (createWatch, getWatch, listWatches, listWatchEvents, deleteWatch)', () => {
  it('is created for free, reports a change as a charged event, and is deleted with its events', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const created = await server.post('/v1/watches', { ...SEARCH, metadata: { list: '7' } }, { key })
    expect([created.status, created.charged]).toEqual([201, 0])
    const watch = created.json.data
    expect(watch).toMatchObject({
      name: 'Seattle',
      filters: { bbox: BBOX },
      zpids: null,
      metadata: { list: '7' },
      status: 'active',
      paused_reason: null,
      count: 120,
      last_seq: 0,
      events: [
        'listing.removed',
        'listing.back_on_market',
        'listing.new',
        'listing.status_changed',
        'listing.price_changed',
      ],
    })
    expect((await server.get(`/v1/watches/${watch.id}/events`, { key })).json.data).toEqual([])

    // Its lag is not measured: it reports at intervals.
    const daily = await server.post('/v1/watches', { ...SEARCH, every: '1d' }, { key })
    expect(daily.status).toBe(201)
    await evaluate()
    const before = await readMetrics(server.url)
    await importRecords([{ ...homes(5, 6)[0], price: 450_000 }, ...homes(500, 501)])
    await evaluate()
    const after = await readMetrics(server.url)
    const lag = (part: string) =>
      after.sum(`lotline_watch_lag_seconds_${part}`) - before.sum(`lotline_watch_lag_seconds_${part}`)
    expect(lag('count')).toBe(2)
    expect(lag('sum')).toBeGreaterThan(0)
    expect(lag('sum')).toBeLessThan(120)
    const reported = (metrics: typeof after) =>
      metrics.sum('lotline_watch_evaluation_seconds_count', { outcome: 'reported' })
    expect(reported(after) - reported(before)).toBe(1)
    for (const gauge of ['lotline_watch_changes_waiting', 'lotline_watches_due', 'lotline_watches_paused'])
      expect(after.families).toContain(gauge)
    await server.send('DELETE', `/v1/watches/${daily.json.data.id}`, { key })
    const events = await server.get(`/v1/watches/${watch.id}/events`, { key })
    expect([events.status, events.charged, events.remaining]).toEqual([200, 0, 48])
    expect(events.json.data).toHaveLength(2)
    const changed = events.json.data.find(({ zpid }: { zpid: string }) => zpid === '5')
    expect(changed).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
      watch_id: watch.id,
      reason: null,
      type: 'listing.price_changed',
      changed: ['price'],
      metadata: { list: '7' },
      previous: { price: 500_000 },
      current: { price: 450_000 },
      change: { amount: -50_000, percent: -10 },
      listing: { zpid: '5', unformattedPrice: 450_000 },
    })
    const rest = await server.get(`/v1/watches/${watch.id}/events?after=1&limit=1`, { key })
    expect(rest.json.data).toEqual([events.json.data[1]])

    const usage = (await server.get('/v1/usage', { key })).json.data
    const one = { units: 1, credits_charged: 1, status_code: 200 }
    const rowOf = ({ id }: { id: string }) => ({
      ...one,
      request_id: expect.stringMatching(new RegExp(`${id.slice(-16)}$`)),
    })
    // The latest first.
    expect(usage.filter(({ endpoint }: { endpoint: string }) => endpoint === 'watch')).toMatchObject(
      events.json.data.map(rowOf).reverse(),
    )
    const summary = (await server.get('/v1/usage/summary', { key })).json.data
    expect(summary).toMatchObject([{ units: 2, credits_charged: 2 }])
    const found = await server.get(`/v1/watches/${watch.id}`, { key })
    expect(found.json.data).toEqual({ ...watch, count: 121, last_seq: 2 })
    const { zpids: _, ...listed } = found.json.data
    expect((await server.get('/v1/watches', { key })).json.data).toEqual([listed])

    const deleted = await server.send('DELETE', `/v1/watches/${watch.id}`, { key })
    expect([deleted.status, deleted.charged, deleted.text]).toEqual([204, 0, ''])
    for (const path of [`/v1/watches/${watch.id}`, `/v1/watches/${watch.id}/events`])
      expect((await server.get(path, { key })).code).toBe('not_found')
  })

  it('whose events cannot be written is counted, and evaluated again later', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const { data: watch } = (await server.post('/v1/watches', SEARCH, { key })).json
    await evaluate()
    const { database } = testDatabase
    await database.query(
      `insert into watch_events (account_id, watch_id, seq, id, type, zpid, observed_at, body, metadata)
       select account_id, id, 1, 'evt_blocked', 'listing.new', '1', now(), '{}', '{}' from watches where id = $1`,
      [watch.id],
    )
    const failures = async () => (await readMetrics(server.url)).sum('lotline_watch_failures_total')
    const before = await failures()
    await importRecords([{ ...homes(6, 7)[0], price: 450_000 }])
    await evaluate()
    // In the step, and in the comparison that follows.
    expect((await failures()) - before).toBe(2)
    await database.query(`delete from watch_events where id = 'evt_blocked'`)
    await database.query('update watches set due_at = now() where id = $1', [watch.id])
    await evaluate()
    const { data: events } = (await server.get(`/v1/watches/${watch.id}/events`, { key })).json
    expect(events).toMatchObject([{ seq: 1, zpid: '6', type: 'listing.price_changed' }])
    await server.send('DELETE', `/v1/watches/${watch.id}`, { key })
    await importRecords(homes(6, 7))
  })

  it('of homes reports only the requested event types, and also homes that do not exist yet', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const asked = { name: 'Two', zpids: ['9', '10', '9', '777'], events: ['listing.new'] }
    const { data: watch } = (await server.post('/v1/watches', asked, { key })).json
    expect(watch).toMatchObject({
      zpids: ['9', '10', '777'],
      filters: null,
      count: 2,
      events: ['listing.new'],
    })
    await importRecords([{ ...homes(9, 10)[0], price: 1 }, ...homes(777, 778)])
    await evaluate()
    const { data: events } = (await server.get(`/v1/watches/${watch.id}/events`, { key })).json
    expect(events).toMatchObject([{ zpid: '777', type: 'listing.new', reason: 'listed', seq: 1 }])
  })

  it('of one account is not found by other accounts', async () => {
    const { key } = await server.openAccount({ credits: 5 })
    const { key: other } = await server.openAccount({ credits: 5 })
    const { data: watch } = (await server.post('/v1/watches', SEARCH, { key })).json
    const changed = await server.send('PATCH', `/v1/watches/${watch.id}`, { key: other, body: { name: 'x' } })
    expect([changed.status, changed.code]).toEqual([404, 'not_found'])
    for (const path of [`/v1/watches/${watch.id}`, `/v1/watches/${watch.id}/events`]) {
      const answer = await server.get(path, { key: other })
      expect([answer.status, answer.code]).toEqual([404, 'not_found'])
    }
    expect((await server.send('DELETE', `/v1/watches/${watch.id}`, { key: other })).status).toBe(404)
    expect((await server.get('/v1/watches', { key: other })).json.data).toEqual([])
    expect((await server.get(`/v1/watches/${watch.id}`, { key })).status).toBe(200)
  })
})

describe('changing a watch (updateWatch)', () => {
  const patch = (key: string, id: string, body: object) =>
    server.send('PATCH', `/v1/watches/${id}`, { key, body })
  const eventsOf = async (key: string, id: string) =>
    (await server.get(`/v1/watches/${id}/events`, { key })).json.data

  it('keeps its baseline if its name, events, metadata, interval, or minimum change is changed', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const { data: watch } = (await server.post('/v1/watches', SEARCH, { key })).json
    expect(watch).toMatchObject({ every: 'change', min_change: null, status: 'active' })
    await importRecords([{ ...homes(21, 22)[0], price: 450_000 }])
    const changes = { name: 'Other', metadata: { list: '8' }, min_change: { amount: 1, percent: 0.5 } }
    const changed = await patch(key, watch.id, changes)
    expect([changed.status, changed.charged]).toEqual([200, 0])
    expect(changed.json.data).toEqual({ ...watch, ...changes })
    await evaluate()
    expect(await eventsOf(key, watch.id)).toMatchObject([{ zpid: '21', type: 'listing.price_changed' }])
    const removals = ['listing.removed']
    const other = (await patch(key, watch.id, { events: removals, min_change: {}, every: '1d' })).json.data
    expect(other).toMatchObject({ name: 'Other', events: removals, min_change: null, every: '1d' })
    // Due in a day.
    await importRecords([{ ...homes(22, 23)[0], homeStatus: 'SOLD' }])
    await evaluate()
    expect(await eventsOf(key, watch.id)).toHaveLength(1)
    await patch(key, watch.id, { every: 'change' })
    await evaluate()
    expect((await eventsOf(key, watch.id)).slice(1)).toMatchObject([
      { seq: 2, zpid: '22', type: 'listing.removed', reason: 'sold' },
    ])
    await importRecords(homes(21, 23))
  })

  it('creates a new baseline if its filters are changed', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const { data: watch } = (await server.post('/v1/watches', SEARCH, { key })).json
    await importRecords([{ ...homes(31, 32)[0], price: 451_000 }])
    const filters = { status: 'for_sale', bbox: BBOX, price: { min: 451_000, max: 451_000 } }
    const { data: changed } = (await patch(key, watch.id, { filters })).json
    expect(changed).toEqual({ ...watch, filters, count: 1 })
    await evaluate()
    expect(await eventsOf(key, watch.id)).toEqual([])
    await importRecords(homes(31, 32))
    await evaluate()
    expect(await eventsOf(key, watch.id)).toMatchObject([
      { seq: 1, zpid: '31', type: 'listing.removed', reason: 'left_filters' },
    ])
  })

  it('creates a baseline for added homes, while the others keep their state', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const asked = { name: 'Homes', zpids: ['41', '42'] }
    const { data: watch } = (await server.post('/v1/watches', asked, { key })).json
    await importRecords(homes(41, 44, { price: 450_000 }))
    const { data: changed } = (await patch(key, watch.id, { zpids: ['42', '43', '43'] })).json
    expect(changed).toMatchObject({ zpids: ['42', '43'], count: 2 })
    await evaluate()
    expect(await eventsOf(key, watch.id)).toMatchObject([{ zpid: '42', type: 'listing.price_changed' }])
    await importRecords(homes(41, 44))
    await evaluate()
    const later = (await eventsOf(key, watch.id)).slice(1) as { zpid: string }[]
    expect(later.map(({ zpid }) => zpid).sort()).toEqual(['42', '43'])
  })

  it('keeps its state while it is paused, and reports the net change when it is resumed', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const { data: watch } = (await server.post('/v1/watches', { ...SEARCH, paused: true }, { key })).json
    expect(watch).toMatchObject({ status: 'paused', paused_reason: 'requested' })
    await importRecords(homes(51, 53, { price: 450_000 }))
    await importRecords([{ ...homes(51, 52)[0], price: 400_000 }, ...homes(52, 53)])
    await evaluate()
    expect(await eventsOf(key, watch.id)).toEqual([])
    const { data: resumed } = (await patch(key, watch.id, { paused: false })).json
    expect(resumed).toMatchObject({ status: 'active', paused_reason: null })
    await evaluate()
    expect(await eventsOf(key, watch.id)).toMatchObject([
      { zpid: '51', previous: { price: 500_000 }, current: { price: 400_000 } },
    ])
    const { data: paused } = (await patch(key, watch.id, { paused: true })).json
    expect(paused).toMatchObject({ status: 'paused', paused_reason: 'requested', last_seq: 1 })
    await importRecords(homes(51, 52))
  })

  it.each([
    ['zpids in place of filters', { zpids: ['1'] }, 'invalid_filters', 'zpids'],
    ['a search by days on site', { filters: { bbox: BBOX, daysOnSite: '7' } }, 'invalid_filters'],
    ['unknown events', { events: ['listing.gone'] }, 'invalid_events'],
    ['an unknown interval', { every: '2h' }, 'invalid_parameter'],
  ])('is unchanged after %s', async (_name, body, code, parameter?: string) => {
    const { key } = await server.openAccount({ credits: 5 })
    const { data: watch } = (await server.post('/v1/watches', SEARCH, { key })).json
    const answer = await patch(key, watch.id, { name: 'Other', ...body })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, code, 0])
    if (parameter) expect(answer.json.error.details.parameter).toBe(parameter)
    expect((await server.get(`/v1/watches/${watch.id}`, { key })).json.data).toEqual(watch)
  })

  it('changes nothing if the new filters match more homes than the plan allows', async () => {
    const { key } = await server.openAccount({ plan: 'free' })
    const filters = { bbox: BBOX, price: { max: 1 } }
    const { data: watch } = (await server.post('/v1/watches', { name: 'None', filters }, { key })).json
    const answer = await patch(key, watch.id, { name: 'Other', filters: { bbox: BBOX } })
    expect([answer.status, answer.code]).toEqual([400, 'invalid_filters'])
    const { count } = answer.json.error.details
    expect(answer.json.error.details).toEqual({ parameter: 'filters', limit: 100, count })
    expect(count).toBeGreaterThan(100)
    expect(answer.charged).toBe(0)
    expect((await server.get(`/v1/watches/${watch.id}`, { key })).json.data).toEqual(watch)
  })

  it('changes nothing if the new list has more homes than the plan allows', async () => {
    const { key } = await server.openAccount({ plan: 'free' })
    const { data: watch } = (await server.post('/v1/watches', { name: 'One', zpids: ['1'] }, { key })).json
    const zpids = Array.from({ length: 101 }, (_, at) => String(at + 1))
    const answer = await patch(key, watch.id, { name: 'Other', zpids })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_filters', 0])
    expect(answer.json.error.details).toEqual({ parameter: 'zpids', limit: 100, count: 101 })
    expect((await server.get(`/v1/watches/${watch.id}`, { key })).json.data).toEqual(watch)
  })
})

describe('a refused watch (createWatch, updateWatch)', () => {
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`key${at}`, 'value']))
  it.each([
    ['with unknown events', { ...SEARCH, events: ['listing.gone'] }, 'invalid_events'],
    ['with an event twice', { ...SEARCH, events: ['listing.new', 'listing.new'] }, 'invalid_events'],
    ['without a name', { filters: SEARCH.filters }, 'missing_input'],
    ['with neither filters nor zpids', { name: 'Nothing' }, 'missing_input'],
    ['with both filters and zpids', { ...SEARCH, zpids: ['1'] }, 'invalid_filters'],
    ['with a malformed area', { name: 'Area', filters: { bbox: { west: 1 } } }, 'invalid_filters'],
    ['by days on site', { name: 'Days', filters: { bbox: BBOX, daysOnSite: '7' } }, 'invalid_filters'],
    ['by open houses', { name: 'Open', filters: { bbox: BBOX, openHouse: true } }, 'invalid_filters'],
    ['of a zpid that is none', { name: 'One', zpids: ['x'] }, 'invalid_zpid'],
    [
      'of too many homes',
      { name: 'All', zpids: Array.from({ length: 1_001 }, (_, at) => `${at}`) },
      'invalid_parameter',
    ],
    ['with too much metadata', { ...SEARCH, metadata: many }, 'invalid_metadata'],
    ['with metadata that is too long', { ...SEARCH, metadata: { key: 'x'.repeat(501) } }, 'invalid_metadata'],
    ['with a name in metadata that is too long', watchWithName('x'.repeat(101)), 'invalid_metadata'],
    ['with a name in metadata that has NUL', watchWithName('a\0b'), 'invalid_parameter'],
  ])('%s is refused for free, and nothing is stored', async (_name, body, code) => {
    const { key } = await server.openAccount({ credits: 5 })
    const answer = await server.post('/v1/watches', body, { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, code, 0])
    expect((await server.get('/v1/watches', { key })).json.data).toEqual([])
  })

  it('gets the number of matching homes if there are more than the plan allows', async () => {
    const { key } = await server.openAccount({ plan: 'free' })
    const answer = await server.post('/v1/watches', SEARCH, { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_filters', 0])
    expect(answer.json.error.details).toMatchObject({ limit: 100 })
    expect(answer.json.error.details.count).toBeGreaterThan(100)
    expect((await server.get('/v1/watches', { key })).json.data).toEqual([])
  })

  it('gets 409 watch_limit if the account has as many as its plan allows', async () => {
    const { key } = await server.openAccount({ plan: 'free' })
    const asked = { name: 'One home', zpids: ['1'] }
    for (let count = 0; count < 5; count++)
      expect((await server.post('/v1/watches', asked, { key })).status).toBe(201)
    const answer = await server.post('/v1/watches', asked, { key })
    expect([answer.status, answer.code, answer.charged]).toEqual([409, 'watch_limit', 0])
    expect((await server.get('/v1/watches', { key })).json.data).toHaveLength(5)
  })
})
