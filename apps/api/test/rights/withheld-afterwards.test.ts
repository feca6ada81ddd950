// Listings whose feed takes back the right to show them, or their address, after accounts have read them. Nothing that was stored before
// may show them any more, in any process and in any form. Beside them is a listing that may be shown, so that a test that finds none of the
// others proves something.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { syncSource } from '../../src/data/replication/run-source.ts'
import { addSource } from '../../src/data/replication/source-store.ts'
import { removeExpired } from '../../src/work/retention/remove-expired.ts'
import { feedListing, laterTime } from '../data/replication/feed-records.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { ENV } from '../setup/deliveries.ts'
import { startReceiver, until } from '../setup/receiver.ts'
import { withResoServer } from '../setup/reso-server/start.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { startJob, untilEnded, withWorker } from '../work/jobs/job-calls.ts'

const test = withTestDatabase()
const feed = withResoServer()
const server = withTestServer(test, { env: ENV })
/** Another process: it has cached the homes, and receives no message. */
const other = withTestServer(test, { env: ENV })
withWorker(server)

/** Their numbers in the feed. */
const HOMES = { hidden: 1, withheld: 2, deleted: 3, unviewable: 4, shown: 5 } as const
type Name = keyof typeof HOMES
const GONE = ['withheld', 'deleted', 'unviewable'] as const
const priceOf = (name: Name, change = 0) => 200_000 + HOMES[name] * 1_111 + change

let zpids: Readonly<Record<Name, string>>
let key: string
let watch: string
let jobs: Readonly<Record<'batch' | 'links' | 'search' | 'markers' | 'details', string>>
const FORMATS = ['json', 'csv', 'ndjson'] as const
const tags = new Map<string, string>()

/** Texts that reveal the address of a home, its position, or its parcel. */
function addressOf(name: Name): string[] {
  const at = HOMES[name]
  return [`10${at} Main`, `10${at}-main`, `47.600${at}`, `7700-00000${at}`]
}
/** Texts that reveal anything else. */
function contentOf(name: Name): string[] {
  const prices = [priceOf(name), priceOf(name, -1_000)]
  return [
    `Words of ${name}.`,
    `/photo-${HOMES[name]}.jpg`,
    `${1_500 + HOMES[name]}`,
    ...prices.flatMap((price) => [String(price), price.toLocaleString('en-US')]),
  ]
}

/** @param isAll whether the text must show the home that may be shown completely */
function expectPermitted(text: string, { isAll = true } = {}): void {
  const found = (names: readonly Name[], textsOf: (name: Name) => string[]) =>
    names.flatMap((name) => textsOf(name).filter((secret) => text.includes(secret)))
  expect(found(['hidden', ...GONE], addressOf)).toEqual([])
  expect(found(GONE, contentOf)).toEqual([])
  if (isAll) for (const shown of ['105 Main', '47.6005']) expect(text).toContain(shown)
}

async function change(seconds: number, changes: Partial<Record<Name, object>>): Promise<void> {
  const records = Object.entries(changes).map(([name, fields]) => {
    const at = HOMES[name as Name]
    return feedListing(at, {
      ListPrice: priceOf(name as Name),
      PublicRemarks: `Words of ${name}.`,
      Media: [{ MediaURL: `https://photos.example.com/photo-${at}.jpg`, Order: 0 }],
      ModificationTimestamp: laterTime(seconds + at),
      ...fields,
    })
  })
  await feed.put(records)
  expect((await syncSource(test.database, 'metro', {}))?.outcome).toBe('synced')
}

async function evaluateUntil(isSo: () => Promise<boolean>): Promise<void> {
  const running = server.app.watches.start()
  try {
    await until(isSo, 'the watch')
  } finally {
    await running.stop()
  }
}

const eventCount = async () =>
  (await test.database.query<{ count: number }>('select count(*)::integer as count from watch_events'))
    .rows[0]!.count
const resultsOf = (id: string, format: string, sent: object = {}) =>
  server.get(`/v1/jobs/${id}/results?format=${format}`, { key, ...sent })

beforeAll(async () => {
  const names = Object.keys(HOMES) as Name[]
  await addSource(test.database, 'metro', { kind: 'reso', url: feed.url, profile: 'generic' }, 900)
  await change(0, Object.fromEntries(names.map((name) => [name, {}])))
  const { rows } = await test.database.query<{ key: string; zpid: string }>(
    "select source_key as key, zpid from record_identities where source = 'metro'",
  )
  zpids = Object.fromEntries(
    names.map((name) => [name, rows.find((row) => row.key === feedListing(HOMES[name]).ListingKey)!.zpid]),
  ) as typeof zpids
  key = (await server.openAccount()).key

  // Rows of jobs, in each form.
  const filters = { status: 'for_sale', bbox: { west: -122.5, south: 47.5, east: -122.2, north: 47.7 } }
  const start = (path: string, body: object) =>
    startJob(server, path, body, { key }).then(({ id }) => untilEnded(server, key, id))
  const ended = {
    batch: await start('/v1/properties/batch', {
      addresses: names.map((name) => `10${HOMES[name]} Main St, Seattle, WA 98109`),
    }),
    links: await start('/v1/properties/batch', {
      urls: names.map(
        (name) =>
          `https://www.zillow.com/homedetails/10${HOMES[name]}-main-st-seattle-wa/${zpids[name]}_zpid/`,
      ),
    }),
    search: await start('/v1/search', { filters, async: true }),
    markers: await start('/v1/search', { filters, async: true, extractionMethod: 'MAP_MARKERS' }),
    details: await start('/v1/search/with-details', { filters }),
  }
  expect(Object.values(ended).map(({ status }) => status)).toEqual(Array(5).fill('succeeded'))
  jobs = Object.fromEntries(Object.entries(ended).map(([name, { id }]) => [name, id])) as typeof jobs
  for (const [name, id] of Object.entries(jobs)) {
    for (const format of FORMATS) {
      const { text, headers } = await resultsOf(id, format)
      const seen = name === 'markers' ? '47.6001' : '101 Main'
      expect(text, `${name} ${format}`).toContain(seen)
      tags.set(`${name} ${format}`, headers.get('etag')!)
    }
  }
  // Records in the memory of both processes, and in the table that they share.
  for (const one of [server, other])
    for (const name of names) {
      const { text, status } = await one.get(`/v1/properties/${zpids[name]}`, { key })
      expect([status, text.includes(`10${HOMES[name]} Main`)]).toEqual([200, true])
    }
  // Events, and messages to a webhook that are not sent yet.
  const created = await server.post('/v1/watches', { name: 'Homes', zpids: Object.values(zpids) }, { key })
  watch = created.json.data.id
  await evaluateUntil(async () => {
    const { rows } = await test.database.query<{ is_current: boolean }>('select is_current from watches')
    return rows[0]!.is_current
  })
})

describe('A listing that was read before its feed took back the right to show it', () => {
  it('is not in waiting messages to webhooks, in rows of jobs, or in events, from that commit on', async () => {
    const receiver = await startReceiver()
    const webhook = { url: `${receiver.url}/hooks`, events: ['watch.changes'] }
    const hook = await server.post('/v1/webhooks', webhook, { key })
    expect(hook.status).toBe(201)
    const cheaper = (name: Name) => ({ ListPrice: priceOf(name, -1_000) })
    await change(10, Object.fromEntries((Object.keys(HOMES) as Name[]).map((name) => [name, cheaper(name)])))
    await evaluateUntil(async () => (await eventCount()) === 5)
    const before = await server.get(`/v1/watches/${watch}/events`, { key })
    for (const name of ['hidden', ...GONE] as const)
      for (const secret of [`10${HOMES[name]} Main`, String(priceOf(name, -1_000))])
        expect(before.text).toContain(secret)

    await change(20, {
      hidden: { ...cheaper('hidden'), InternetAddressDisplayYN: false },
      withheld: { ...cheaper('withheld'), InternetEntireListingDisplayYN: false },
      deleted: { StandardStatus: 'Delete' },
      unviewable: { MlgCanView: false },
    })
    // Nothing has been evaluated, swept, or rewritten since.
    for (const [name, id] of Object.entries(jobs))
      for (const format of FORMATS) {
        const { text, status } = await resultsOf(id, format)
        expect([name, format, status]).toEqual([name, format, 200])
        expectPermitted(text, { isAll: name !== 'markers' })
        for (const zpid of Object.values(zpids)) expect(text).toContain(zpid)
      }
    const { text, json } = await server.get(`/v1/watches/${watch}/events`, { key })
    expectPermitted(text)
    expect(json.data.map(({ withheld }: { withheld?: string }) => withheld ?? 'nothing').sort()).toEqual(
      ['address', 'listing', 'listing', 'listing', 'nothing'].sort(),
    )
    const sending = server.app.webhooks.start()
    await receiver.until(1).finally(() => sending.stop())
    expect(receiver.events[0]!.json.data.events).toHaveLength(5)
    expectPermitted(receiver.events[0]!.body)
    // The log shows what was sent, and the event is stored as it was written.
    const { json: log, text: attempts } = await server.get(`/v1/webhooks/${hook.json.data.id}/deliveries`, {
      key,
    })
    expect(log.data[0].request_preview).toContain('"withheld":')
    expectPermitted(attempts, { isAll: false })
  })

  it('says in each row of a job what is missing, and the row keeps its place', async () => {
    const of = async (id: string) => {
      const { json } = await resultsOf(id, 'json')
      expect(json.data).toHaveLength(5)
      return new Map(
        (json.data as { zpid: string }[]).map((row) => [row.zpid, row as Record<string, unknown>]),
      )
    }
    const batch = await of(jobs.batch)
    expect(batch.get(zpids.hidden)).toMatchObject({
      withheld: 'address',
      input: zpids.hidden,
      isUndisclosedAddress: true,
      price: priceOf('hidden'),
      city: 'Seattle',
      description: 'Words of hidden.',
      source: { name: 'metro', attribution: 'Listed by Example Realty.' },
    })
    const search = await of(jobs.search)
    expect(search.get(zpids.hidden)).toMatchObject({
      withheld: 'address',
      addressStreet: null,
      address: 'Seattle, WA 98109',
      detailUrl: '',
      unformattedPrice: priceOf('hidden'),
      latLong: { latitude: 47.6 },
      brokerName: 'Example Realty',
    })
    for (const name of GONE) {
      const zpid = zpids[name]
      expect(batch.get(zpid)).toEqual({ zpid, input: zpid, withheld: 'listing' })
      expect(search.get(zpid)).toEqual({
        zpid,
        latLong: { latitude: 48, longitude: -122 },
        withheld: 'listing',
        statusType: null,
        unformattedPrice: null,
        detailUrl: '',
      })
    }
    expect(search.get(zpids.shown)).not.toHaveProperty('withheld')
    const { text } = await resultsOf(jobs.search, 'csv')
    expect(text.split('\r\n')[0]).toMatch(/,withheld$/)
  })

  it('changes the tag of a result, so that no copy passes for current', async () => {
    for (const [name, id] of Object.entries(jobs))
      for (const format of FORMATS) {
        const old = tags.get(`${name} ${format}`)!
        const { status, headers } = await resultsOf(id, format, { headers: { 'if-none-match': old } })
        expect([name, format, status]).toEqual([name, format, 200])
        const again = await resultsOf(id, format, { headers: { 'if-none-match': headers.get('etag')! } })
        expect(again.status).toBe(304)
      }
  })

  it('changes the tag also when a home is shown again that was not withheld last', async () => {
    const tag = async () => (await resultsOf(jobs.batch, 'json')).headers.get('etag')!
    const before = await tag()
    const { rows } = await test.database.query<{ since: string }>(
      `delete from withheld_homes where zpid = $1 returning since::text`,
      [zpids.deleted],
    )
    expect(await tag()).not.toBe(before)
    await test.database.query(`insert into withheld_homes values ($1, 'listing', $2)`, [
      zpids.deleted,
      rows[0]!.since,
    ])
    expect(await tag()).toBe(before)
  })

  it('is known as withheld for as long as anything is kept that shows it', async () => {
    const age = async (days: number) => {
      await test.database.query(
        "insert into withheld_homes values ('31', 'listing', now() - $1 * interval '1 day')",
        [days],
      )
      await removeExpired(test.database, 'withheld_homes')
      return (await test.database.query("delete from withheld_homes where zpid = '31'")).rowCount
    }
    expect([await age(91), await age(96)]).toEqual([1, 0])
  })

  it('is not in the memory of another process, under any name', async () => {
    for (const one of [other, server]) {
      for (const path of ['', '?shape=reso', '/facts', '/price-history']) {
        const { text, status } = await one.get(`/v1/properties/${zpids.hidden}${path}`, { key })
        expect([path, status]).toEqual([path, 200])
        expectPermitted(text, { isAll: false })
        for (const name of GONE)
          expect((await one.get(`/v1/properties/${zpids[name]}${path}`, { key })).status).toBe(404)
      }
      for (const name of ['hidden', ...GONE] as const) {
        const address = encodeURIComponent(`10${HOMES[name]} Main St, Seattle, WA 98109`)
        const { status } = await one.get(`/v1/properties/by-address?address=${address}`, { key })
        expect([name, status]).toEqual([name, 404])
      }
      for (const format of FORMATS)
        for (const shape of ['', '&shape=reso']) {
          const body = { filters: { status: 'for_sale', zips: ['98109'] } }
          const { text, status } = await one.post(`/v1/search?format=${format}${shape}`, body, { key })
          expect(status).toBe(200)
          expectPermitted(text)
          expect(text).toContain(zpids.hidden)
        }
    }
  })

  it('is not shown to an agent that reads an earlier result or earlier events', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', other.url), { requestInit }))
    const call = async (name: string, args: Record<string, unknown>) =>
      JSON.stringify(await client.callTool({ name, arguments: args }))
    for (const id of [jobs.batch, jobs.search]) {
      const text = await call('read_results', { job_id: id })
      expect(text).toContain(zpids.hidden)
      expectPermitted(text)
    }
    const events = await call('read_watch_events', { watch_id: watch, fields: ['*'] })
    expect(events).toContain(zpids.hidden)
    expectPermitted(events)
    expectPermitted(await call('get_property', { zpid: zpids.hidden }), { isAll: false })
    await client.close()
  })

  it('leaves nothing of a listing that may not be shown where watches, searches, and lookups read it', async () => {
    const kept = await test.database.query<{ text: string }>(
      `select to_json(l)::text as text from listings l union all select to_json(c)::text from cached_records c
         join listings l using (zpid) where c.generation = l.generation
       union all select summary from listing_changes where summary is not null
       union all select to_json(p)::text from home_parcels p union all select to_json(r)::text from removed_listings r
       union all select to_json(s)::text from source_records s union all select to_json(i)::text from record_identities i`,
    )
    expectPermitted(kept.rows.map(({ text }) => text).join('\n'))
    const { rows } = await test.database.query('select zpid from record_identities where zpid = any($1)', [
      Object.values(zpids),
    ])
    expect(rows).toHaveLength(5)
  })

  it('is shown again, as it was found, when its feed allows it again', async () => {
    await change(30, { hidden: {}, withheld: {} })
    const { text } = await resultsOf(jobs.batch, 'json')
    for (const name of ['hidden', 'withheld', 'shown'] as const)
      expect(text).toContain(`10${HOMES[name]} Main`)
    for (const name of ['deleted', 'unviewable'] as const)
      for (const secret of [...addressOf(name), ...contentOf(name)]) expect(text).not.toContain(secret)
    // A hidden address stays hidden when the operator removes the home.
    await change(40, { hidden: { InternetAddressDisplayYN: false } })
    await test.database.query('delete from listings where zpid = $1', [zpids.hidden])
    expect((await resultsOf(jobs.batch, 'ndjson')).text).not.toContain('101 Main')
  })

  it('is hidden by an import of a file as well, which says that its address is undisclosed', async () => {
    const home = { zpid: '900', homeStatus: 'FOR_SALE', price: 700_000, city: 'Kent', state: 'WA' }
    const put = (record: object) =>
      importListings(test.database, rowsOf([{ ...home, ...record }] as never), { source: 'county' })
    await put({ streetAddress: '77 Alder Way', latitude: 47.38123, longitude: -122.23456 })
    const url = 'https://www.zillow.com/homedetails/77-Alder-Way-Kent-WA/900_zpid/'
    const { id } = await startJob(server, '/v1/properties/batch', { urls: [url] }, { key })
    await untilEnded(server, key, id)
    expect((await resultsOf(id, 'json')).text).toContain('77 Alder Way')
    const street = { streetAddress: '77 Alder Way', latitude: 47.38123, longitude: -122.23456 }
    await put({ ...street, isUndisclosedAddress: true })
    expect((await server.get('/v1/properties/900', { key })).text).not.toContain('Alder')
    const { text, json } = await resultsOf(id, 'json')
    for (const secret of ['Alder', '47.38', '-122.23']) expect(text).not.toContain(secret)
    expect(json.data[0]).toMatchObject({ zpid: '900', price: 700_000, city: 'Kent', withheld: 'address' })
  })
})
