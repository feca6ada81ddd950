// A home whose address must not be displayed, beside one that may be shown, requested through every operation of the contract that returns
// homes, every tool of MCP, webhooks, the portal, and the console. The list of operations comes from the contract, so a new operation or
// tool without a call fails here. Both homes come from a file. Each response has the attribution that the source requires.

import { type OperationId, openapi, operationIds, operations } from '@lotline/contract'
import { TOOLS } from '@lotline/contract/tools'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../src/data/ingest/import-listings.ts'
import { rowsOf } from '../data/sources/dataset/rows.ts'
import { withTestConsole } from '../interfaces/console/operator.ts'
import { signedIn } from '../interfaces/portal/visitor.ts'
import { ENV } from '../setup/deliveries.ts'
import { startReceiver, until } from '../setup/receiver.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { startBuildingJob, startJob, untilEnded, withWorker } from '../work/jobs/job-calls.ts'

const test = withTestDatabase()
const server = withTestServer(test, { env: ENV })
withWorker(server)
const operators = withTestConsole(server)

const NOTICE = '© 2026 Kent Test MLS.'
const BUILDING = 'https://www.zillow.com/b/alder-tower-kent-wa-5XyZ12/'
const SHOWN = '5101'
const HIDDEN = '5102'
/** Units of a building. */
const [SHOWN_UNIT, HIDDEN_UNIT] = ['5103', '5104']
/** Parts of the addresses, positions, and parcels of the hidden homes. */
const SECRETS = ['7702', '7702-alder', '47.38277', '122.23877', '0987650002', '7704', '47.38477']

function home(zpid: string, price: number, fields: object = {}) {
  const number = 7700 + Number(zpid.at(-1))
  const street = `${number} Alder Way`
  return {
    zpid,
    homeStatus: 'FOR_SALE',
    homeType: 'SINGLE_FAMILY',
    price,
    bedrooms: 3,
    livingArea: 1500,
    streetAddress: street,
    city: 'Kent',
    state: 'WA',
    zipcode: '98032',
    county: 'King County',
    address: { streetAddress: street, city: 'Kent', state: 'WA', zipcode: '98032' },
    latitude: 47.38077 + Number(zpid.at(-1)) / 1_000,
    longitude: -122.23677 - Number(zpid.at(-1)) / 1_000,
    parcelId: `098765000${zpid.at(-1)}`,
    description: `Come to ${street}.`,
    yearBuilt: 1990,
    hdpUrl: `/homedetails/${number}-Alder-Way-Kent-WA-98032/${zpid}_zpid/`,
    responsivePhotos: [
      { url: `https://photos.example.com/${zpid}.jpg`, mixedSources: { jpeg: [], webp: [] } },
    ],
    priceHistory: [{ date: '2026-01-05', event: 'Listed for sale', price }],
    attributionInfo: { brokerName: 'Harbor Realty', mlsName: 'Kent Test MLS', mlsDisclaimer: NOTICE },
    ...fields,
  }
}
const HOMES = (price: number) => [
  { ...home(SHOWN, price), InternetAddressDisplayYN: 'Y' },
  { ...home(HIDDEN, price), InternetAddressDisplayYN: 'N' },
  { ...home(SHOWN_UNIT, 2_100), homeStatus: 'FOR_RENT', unitNumber: '3', bdpUrl: new URL(BUILDING).pathname },
  {
    ...home(HIDDEN_UNIT, 2_200),
    homeStatus: 'FOR_RENT',
    unitNumber: '4',
    bdpUrl: new URL(BUILDING).pathname,
    InternetAddressDisplayYN: 'N',
  },
]
const put = (price: number) =>
  importListings(test.database, rowsOf(HOMES(price)) as never, { source: 'kent' })

const bbox = { west: -122.3, south: 47.3, east: -122.2, north: 47.4 }
const FILTERS = { status: 'for_sale', bbox }
const urlOf = (zpid: string) => `https://www.zillow.com/homedetails/${zpid}_zpid/`
const started: Record<'search' | 'markers' | 'details' | 'batch' | 'units', string> = {} as never
let key: string
let watch: string

beforeAll(async () => {
  expect(await put(700_000)).toMatchObject({ inserted: 4, addressesHidden: 2 })
  key = (await server.openAccount({ credits: 100_000 })).key
  const start = async (path: string, body: object) => {
    const { id } = await startJob(server, path, body, { key })
    expect(await untilEnded(server, key, id)).toMatchObject({ status: 'succeeded' })
    return id
  }
  started.search = await start('/v1/search', { filters: FILTERS, async: true })
  started.markers = await start('/v1/search', {
    filters: FILTERS,
    async: true,
    extractionMethod: 'MAP_MARKERS',
  })
  started.details = await start('/v1/search/with-details', { filters: FILTERS })
  started.batch = await start('/v1/properties/batch', { urls: [urlOf(SHOWN), urlOf(HIDDEN)] })
  started.units = (await startBuildingJob(server, BUILDING, { key })).id
  expect(await untilEnded(server, key, started.units)).toMatchObject({ status: 'succeeded' })

  const made = await server.post('/v1/watches', { name: 'Kent', zpids: [SHOWN, HIDDEN] }, { key })
  watch = made.json.data.id
  await put(690_000)
  const evaluating = server.app.watches.start()
  const events = () => server.get(`/v1/watches/${watch}/events`, { key })
  try {
    await until(async () => (await events()).json.data.length === 2, 'the events', 60_000)
  } finally {
    await evaluating.stop()
  }
}, 90_000)

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [keyword: string]: unknown
}

/** Whether values of the schema may contain a home, or the source of data about one. */
function namesHomes(schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  if (Array.isArray(schema)) return schema.some((each) => namesHomes(each, seen))
  const { $ref, properties, examples: _, example: __, ...rest } = schema as Schema
  if ($ref !== undefined) {
    const steps = $ref.slice(2).split('/')
    const target = steps.reduce<unknown>((at, step) => (at as Schema)[step], openapi)
    return namesHomes(target, seen)
  }
  if (properties && ('zpid' in properties || 'attribution' in properties)) return true
  if (namesHomes(Object.values(properties ?? {}), seen)) return true
  return namesHomes(Object.values(rest), seen)
}

/** The operations whose successful responses may contain a home. */
function operationsWithHomes(): OperationId[] {
  const found: OperationId[] = []
  for (const methods of Object.values(openapi.paths as Record<string, Record<string, never>>))
    for (const operation of Object.values(methods) as { operationId?: OperationId; responses?: object }[]) {
      const { operationId, responses = {} } = operation ?? {}
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
      if (operationId && successes.some(([, response]) => namesHomes(response))) found.push(operationId)
    }
  return found
}

interface HomeCall {
  readonly path: string
  readonly body?: unknown
  /** A part of the response which shows that it is about a home. */
  readonly proof: string
  /** The response has no place for the attribution, or needs none. */
  readonly isBare?: boolean
}

const RECORD = `/v1/properties/${HIDDEN}`
const partOf = (name: string): HomeCall => ({ path: `${RECORD}/${name}`, proof: NOTICE })
const presetOf = (name: string, proof: string): HomeCall => ({
  path: `/v1/listings/${name}`,
  body: { filters: { bbox } },
  proof,
  isBare: proof === 'data',
})
const encoded = encodeURIComponent

/** Set after the homes are imported, when ids are known. */
const CALLS: Partial<Readonly<Record<OperationId, () => readonly HomeCall[]>>> = {
  getPropertyByUrl: () => [{ path: `/v1/properties/by-url?url=${encoded(urlOf(HIDDEN))}`, proof: '690000' }],
  getPropertyByAddress: () => [
    {
      path: `/v1/properties/by-address?address=${encoded('7701 Alder Way, Kent, WA 98032')}`,
      proof: '690000',
    },
  ],
  getProperty: () => [{ path: RECORD, proof: '690000' }],
  getPropertyPhotos: () => [partOf('photos')],
  getPropertyPriceHistory: () => [partOf('price-history')],
  getPropertyTaxHistory: () => [partOf('tax-history')],
  getPropertySchools: () => [partOf('schools')],
  getPropertyNearby: () => [{ path: `/v1/properties/${SHOWN}/nearby`, proof: 'data', isBare: true }],
  getPropertyAgent: () => [partOf('agent')],
  getPropertyZestimate: () => [partOf('zestimate')],
  getPropertyOpenHouses: () => [partOf('open-houses')],
  getPropertyFacts: () => [partOf('facts')],
  getBuildingUnits: () => [{ path: `/v1/buildings/by-url?url=${encoded(BUILDING)}`, proof: SHOWN_UNIT }],
  searchListings: () => [
    { path: '/v1/search', body: { filters: FILTERS }, proof: SHOWN },
    { path: '/v1/search', body: { filters: FILTERS, extractionMethod: 'MAP_MARKERS' }, proof: SHOWN },
    { path: '/v1/search', body: { filters: { status: 'for_sale', zips: ['98032'] } }, proof: SHOWN },
  ],
  listListings: () => [
    { path: '/v1/listings?status=for_sale&bbox=-122.3,47.3,-122.2,47.4', proof: SHOWN },
    { path: `/v1/listings?status=for_sale&city=${encoded('Kent, WA')}`, proof: SHOWN },
  ],
  searchForSale: () => [presetOf('for-sale', SHOWN)],
  searchForRent: () => [presetOf('for-rent', SHOWN_UNIT)],
  searchSold: () => [presetOf('sold', 'data')],
  getJobResults: () =>
    Object.entries(started).map(([name, id]) => ({
      path: `/v1/jobs/${id}/results`,
      proof: name === 'units' ? SHOWN_UNIT : SHOWN,
    })),
  listWatchEvents: () => [{ path: `/v1/watches/${watch}/events`, proof: HIDDEN }],
}

function expectNoSecret(text: string, place: unknown): void {
  expect([place, SECRETS.filter((secret) => text.includes(secret))]).toEqual([place, []])
}

describe('A home whose address must not be displayed', () => {
  it('is requested through each operation of the contract that may return a home', () => {
    const found = operationsWithHomes()
    expect(found.length).toBeGreaterThan(15)
    const withoutCalls = found.filter((id) => CALLS[id] === undefined)
    expect(withoutCalls).toEqual([])
    expect(Object.keys(CALLS).filter((id) => !operationIds.includes(id as OperationId))).toEqual([])
  })

  it.each(Object.keys(CALLS) as OperationId[])('shows no address, but its attribution, in %s', async (id) => {
    const { method, queryParameters } = operations[id]
    const forms = [
      '',
      ...(queryParameters.includes('format') ? ['format=json', 'format=csv', 'format=ndjson'] : []),
      ...(queryParameters.includes('shape')
        ? ['shape=reso', 'shape=reso&format=csv', 'shape=reso&format=ndjson']
        : []),
    ]
    for (const { path, body, proof, isBare } of CALLS[id]!())
      for (const form of forms) {
        const place = [path, form].filter(Boolean).join(path.includes('?') ? '&' : '?')
        const { status, text } = await server.send(method, place, {
          key,
          ...(body !== undefined && { body }),
        })
        if (status === 400 && form.startsWith('shape')) continue
        expect([place, status, text.includes(proof) || proof === 'data']).toEqual([place, 200, true])
        expectNoSecret(text, place)
        if (!isBare) expect([place, text.includes(NOTICE)]).toEqual([place, true])
      }
  })

  it('shows no address, but its attribution, to agents by any tool', async () => {
    const searching = { filters: FILTERS }
    const calls: Readonly<Record<string, readonly (readonly [args: object, proof?: string])[]>> = {
      search_listings: [[searching, SHOWN]],
      get_property: [
        [{ zpid: HIDDEN }, '690000'],
        [{ url: urlOf(HIDDEN) }, '690000'],
      ],
      get_property_part: ['photos', 'facts', 'price_history', 'agent'].map((part) => [
        { zpid: HIDDEN, part },
        NOTICE,
      ]),
      get_building_units: [[{ url: BUILDING }, SHOWN_UNIT]],
      read_results: Object.values(started).map((id) => [{ job_id: id }, '510']),
      read_watch_events: [[{ watch_id: watch, fields: ['*'] }, HIDDEN]],
      estimate_cost: [[{ tool: 'search_listings', arguments: searching }]],
      start_job: [[{ type: 'search', ...searching }]],
      get_job: [[{ job_id: started.batch }]],
      get_account: [[{}]],
      create_watch: [[{ name: 'Kent', zpids: [HIDDEN] }]],
    }
    expect(Object.keys(calls).sort()).toEqual(TOOLS.map(({ name }) => name).sort())
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    const requestInit = { headers: { authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }))
    for (const [name, asked] of Object.entries(calls))
      for (const [args, proof] of asked) {
        const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
        const text = JSON.stringify(result)
        expect([name, args, result.isError ?? false, text.slice(0, 300)]).toEqual([
          name,
          args,
          false,
          text.slice(0, 300),
        ])
        expectNoSecret(text, [name, args])
        if (proof !== undefined)
          for (const part of [proof, NOTICE])
            expect([name, args, text]).toEqual([name, args, expect.stringContaining(part)])
      }
    await client.close()
  })

  it('shows no address, but its attribution, on the pages of the portal', async () => {
    const visitor = await signedIn(server, key)
    const area = { status: 'for_sale', bbox: '-122.3,47.3,-122.2,47.4', max_items: '10', max_credits: '10' }
    const pages = [
      [await visitor.post('/portal/explore', area), SHOWN],
      [await visitor.post(`/portal/explore/homes/${HIDDEN}`), '$690,000'],
      ...(await Promise.all(
        Object.entries(started).flatMap(([name, id]) =>
          ['', '/csv', '/ndjson'].map(
            async (form) =>
              [
                await visitor.get(`/portal/jobs/${id}${form}`),
                name === 'units' ? SHOWN_UNIT : SHOWN,
              ] as const,
          ),
        ),
      )),
      [await visitor.get(`/portal/watches/${watch}`), HIDDEN],
      [await visitor.get(`/portal/watches/${watch}/csv`), HIDDEN],
    ] as const
    for (const [at, [{ status, text }, proof]] of pages.entries()) {
      expect([at, status]).toEqual([at, 200])
      for (const part of [proof, NOTICE]) expect([at, text.includes(part), part]).toEqual([at, true, part])
      expectNoSecret(text, at)
    }
    for (const path of [
      '/portal',
      '/portal/usage',
      '/portal/usage/calls',
      '/portal/webhooks',
      '/portal/jobs',
    ])
      expectNoSecret((await visitor.get(path)).text, path)
  })

  it('is on no page of the console', async () => {
    const operator = await operators.signedIn()
    const pages = [
      '/accounts',
      '/sources',
      '/data-set',
      '/imports',
      '/queues',
      '/webhooks',
      '/providers',
      '/audit',
      '/trail',
    ]
    for (const path of pages) {
      const { status, text } = await operator.get(path)
      expect([path, status]).toEqual([path, 200])
      expectNoSecret(text, path)
      if (path === '/data-set') expect(text).toContain(SHOWN)
    }
  })

  it('is in the events of a webhook without its address, and with its attribution', async () => {
    const webhooks = Object.entries((openapi as unknown as { webhooks: object }).webhooks)
    expect(webhooks.filter(([, one]) => namesHomes(one)).map(([name]) => name)).toEqual(['watch.changes'])
    const receiver = await startReceiver()
    const hook = { url: `${receiver.url}/hooks`, events: ['watch.changes'] }
    const webhook = await server.post('/v1/webhooks', hook, { key })
    expect(webhook.status).toBe(201)
    await put(680_000)
    const [evaluating, sending] = [server.app.watches.start(), server.app.webhooks.start()]
    const isShown = () => receiver.events.some((event) => event.body.includes('7701 Alder Way'))
    // biome-ignore lint/nursery/noMisusedPromises: finally waits for what its callback returns.
    await until(isShown, 'the message', 60_000).finally(() =>
      Promise.all([evaluating.stop(), sending.stop()]),
    )
    const body = receiver.events.map((event) => event.body).join('\n')
    const log = await server.get(`/v1/webhooks/${webhook.json.data.id}/deliveries`, { key })
    expect(log.json.data[0].request_preview).toContain(HIDDEN)
    for (const text of [body, log.text]) expectNoSecret(text, 'a webhook')
    for (const part of [HIDDEN, '7701 Alder Way', NOTICE]) expect(body).toContain(part)
  })
})
