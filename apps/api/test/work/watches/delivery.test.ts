// Webhook deliveries of watch events, over real HTTP: the same events as the log, however receivers fail.

import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { ENV } from '../../setup/deliveries.ts'
import { ok, type ReceivedEvent, startReceiver, until } from '../../setup/receiver.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { homes } from './watch-tools.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase, { env: ENV })
const SEARCH = {
  name: 'Seattle',
  filters: { bbox: { west: -123, south: 47, east: -122, north: 48 } },
  metadata: { list: '7' },
}
const WATCH_TYPES = ['watch.changes', 'watch.ready', 'watch.paused', 'watch.quarantined']

async function importRecords(records: readonly object[]): Promise<void> {
  await importListings(testDatabase.database, rowsOf(records as never[]), { source: 'mls' })
}

beforeAll(() => importRecords(homes(1, 301)))

/** Evaluates and delivers, as a process of the service does, until it is so. */
async function run(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const running = [server.app.watches.start(), server.app.webhooks.start()]
  try {
    await until(isSo, what)
  } finally {
    await Promise.all(running.map((one) => one.stop()))
  }
}

async function openDeliveries() {
  const { database } = testDatabase
  const { rows } = await database.query<{ count: number }>(
    `select count(*) as count from webhook_deliveries where state in ('waiting', 'due', 'sending')`,
  )
  return rows[0]!.count
}

const ofType = (events: readonly ReceivedEvent[], type: string) =>
  events.map(({ json }) => json).filter((json) => json.type === type)

describe('a webhook that subscribes to watches', () => {
  it('receives the events of the log, up to 100 at a time, even if deliveries fail and arrive out of order', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    // Every first attempt fails, in one way or another, and every third second one.
    const accepted: ReceivedEvent[] = []
    const receiver = await startReceiver((response, event, count) => {
      const attempt = Number(event.headers['webhook-attempt'])
      if (attempt === 1 || (attempt === 2 && count % 3 === 0))
        return response.writeHead(count % 2 ? 500 : 429).end()
      accepted.push(event)
      return ok(response)
    })
    const webhook = { url: `${receiver.url}/hooks`, events: WATCH_TYPES }
    expect((await server.post('/v1/webhooks', webhook, { key })).status).toBe(201)
    const { data: watch } = (await server.post('/v1/watches', SEARCH, { key })).json
    await importRecords(homes(1, 251, { price: 450_000 }))
    await run(
      async () => ofType(accepted, 'watch.changes').length >= 3 && (await openDeliveries()) === 0,
      'the deliveries',
    )
    const { data: log, meta } = (await server.get(`/v1/watches/${watch.id}/events?limit=1000`, { key })).json
    expect(log).toHaveLength(250)
    expect(meta).toEqual({ count: 250, limit: 1000, has_more: false, next_after: 250 })
    const delivered = new Map(ofType(accepted, 'watch.changes').map((json) => [json.id, json]))
    expect([...delivered.values()].map(({ data }) => data.events.length).sort()).toEqual([100, 100, 50])
    for (const { data } of delivered.values()) {
      expect(data.watch).toMatchObject({ id: watch.id, last_seq: 250 })
      const seqs = data.events.map(({ seq }: { seq: number }) => seq)
      expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
    }
    const events = [...delivered.values()]
      .flatMap(({ data }) => data.events)
      .sort((one, other) => one.seq - other.seq)
    expect(events).toEqual(log)
    // The address of a subscriber is sent to no webhook.
    const { subscriber: _, ...inEvents } = watch
    expect(ofType(accepted, 'watch.ready')[0].data).toEqual({ watch: inEvents, count: 300 })

    // Later changes do not affect delivered events, which stay equal to the log.
    await server.send('PATCH', `/v1/watches/${watch.id}`, { key, body: { metadata: { list: '8' } } })
    const later = (await server.get(`/v1/watches/${watch.id}/events?limit=1000`, { key })).json.data
    expect(later).toEqual(log)
    await importRecords(homes(1, 251))
  })

  it('receives one free event when the service pauses a watch for lack of credits', async () => {
    const { key } = await server.openAccount({ credits: 4 })
    const receiver = await startReceiver()
    const webhook = { url: `${receiver.url}/hooks`, events: WATCH_TYPES }
    await server.post('/v1/webhooks', webhook, { key })
    const { data: watch } = (await server.post('/v1/watches', { ...SEARCH, name: 'Poor' }, { key })).json
    await importRecords(homes(1, 10, { price: 450_000 }))
    await run(() => ofType(receiver.events, 'watch.paused').length > 0, 'the event of the pause')
    const [paused] = ofType(receiver.events, 'watch.paused')
    const found = (await server.get(`/v1/watches/${watch.id}`, { key })).json.data
    expect(found).toMatchObject({ status: 'paused', paused_reason: 'out_of_credits', last_seq: 3 })
    const { subscriber: _, ...inEvents } = found
    expect(paused.data).toEqual({ watch: inEvents, count: 300, reason: 'out_of_credits' })
    const account = (await server.get('/v1/me', { key })).json.data
    expect(account.credits.balance).toBe(1)
    expect(account.limits.watches).toEqual({ used: 1, limit: expect.any(Number) })
    const deliveries = (
      await server
        .get('/v1/webhooks', { key })
        .then(({ json }) => server.get(`/v1/webhooks/${json.data[0].id}/deliveries`, { key }))
    ).json.data
    for (const delivery of deliveries) expect(delivery.subject).toEqual({ type: 'watch', id: watch.id })
    await importRecords(homes(1, 10))
  })
})

it('a webhook without a subscription to watch events receives none', async () => {
  const { key } = await server.openAccount({ credits: 50 })
  const receiver = await startReceiver()
  const { data: webhook } = (await server.post('/v1/webhooks', { url: receiver.url }, { key })).json
  expect(webhook.events).toEqual(['job.succeeded', 'job.failed', 'job.timed_out', 'job.aborted'])
  const { data: watch } = (await server.post('/v1/watches', { ...SEARCH, name: 'Silent' }, { key })).json
  await importRecords(homes(20, 21, { price: 450_000 }))
  const events = () => server.get(`/v1/watches/${watch.id}/events`, { key })
  await run(
    async () => (await events()).json.data.length === 1 && (await openDeliveries()) === 0,
    'the event',
  )
  expect(receiver.events).toEqual([])
})

describe('the event log of a watch', () => {
  it('is read in pages of JSON, CSV, and NDJSON, each with a link to the next', async () => {
    const { key } = await server.openAccount({ credits: 50 })
    const { data: watch } = (await server.post('/v1/watches', { ...SEARCH, name: 'Pages' }, { key })).json
    await importRecords(homes(30, 33, { price: 450_000 }))
    const path = `/v1/watches/${watch.id}/events`
    await run(async () => (await server.get(path, { key })).json.data.length === 3, 'the events')
    const all = (await server.get(path, { key })).json.data
    const first = await server.get(`${path}?limit=2`, { key })
    expect(first.json.meta).toMatchObject({ count: 2, limit: 2, has_more: true, next_after: 2 })
    expect(first.headers.get('link')).toBe(`<${path}?limit=2&after=2>; rel="next"`)
    for (const format of ['ndjson', 'csv']) {
      const page = await server.get(`${path}?limit=2&format=${format}`, { key })
      expect([page.charged, page.headers.get('x-row-count')]).toEqual([0, '2'])
      const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
      const rest = await server.get(next, { key })
      expect(rest.headers.get('link')).toBeNull()
      const lines = [page, rest].map(({ text }) => text.trimEnd().split(/\r?\n/))
      if (format === 'ndjson') expect(lines.flat().map((line) => JSON.parse(line))).toEqual(all)
      else {
        expect(lines.map(([header]) => header)).toEqual([
          ...Array(2).fill(expect.stringMatching(/^seq,id,type,zpid,.*previous\.price,.*metadata\.list$/)),
        ])
        expect(lines.map(({ length }) => length)).toEqual([3, 2])
      }
    }
    const nothing = await server.get(`${path}?after=3&format=csv`, { key })
    expect([nothing.status, nothing.text]).toEqual([200, ''])
  })
})
