// The MCP server over real HTTP, with the SDK's own clients of both generations: what the tools return, what they charge,
// and what is refused.

import { operations } from '@lotline/contract'
import { TOOLS } from '@lotline/contract/tools'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { expectBooksToBalance } from '../../crash/books.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { untilEnded, withWorker } from '../../work/jobs/job-calls.ts'
import { homes } from '../../work/watches/watch-tools.ts'
import { CLIENTS, connectStdio, judged } from './mcp-clients.ts'

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
withWorker(server)

const FILTERS = { bbox: { west: -123, south: 47, east: -122, north: 48 } }
/** With long addresses, so that 50 whole rows do not fit into a result. */
const HOMES = homes(1, 121, {
  streetAddress: '1 Main St '.repeat(30),
  city: 'Seattle',
  state: 'WA',
  zipcode: '98109',
})
const TOWER = 'https://www.zillow.com/b/tower-AbC123/'
const OTHER_TOWER = 'https://www.zillow.com/b/tower-XyZ789/'
/** With long links, so that all of them do not fit into a result. South of the searches. */
const UNITS = homes(5_001, 5_081, { latitude: 40, longitude: -80, bdpUrl: TOWER }).map((unit, at) => ({
  ...unit,
  unitNumber: String(at + 1),
  hdpUrl: `/homedetails/${'1-Tower-St-'.repeat(40)}${at + 1}/${unit.zpid}_zpid/`,
}))
/** Sets of equal calls. `LOTLINE_FULL=1` makes 500 calls of tools. */
const ROUNDS = process.env.LOTLINE_FULL === '1' ? 72 : 3

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf([...HOMES, ...UNITS] as never[]), { source: 'mls' })
})

describe.each(Object.entries(CLIENTS))('a client with %s', (_name, connect) => {
  it('lists all tools, and calls each of them', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const client = await connect(server, key)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name))
    expect(tools[0]).toMatchObject({ annotations: { readOnlyHint: true, destructiveHint: false } })
    const call = judged(client.callTool)
    const succeeded = new Set<string>()
    const ok = async (name: string, args: Record<string, unknown> = {}) => {
      const result = await call(name, args)
      succeeded.add(name)
      expect(result.isError, result.content[0]!.text).toBeUndefined()
      return result.structuredContent
    }

    const estimate = await ok('estimate_cost', {
      tool: 'search_listings',
      arguments: { filters: FILTERS, limit: 3 },
    })
    expect(estimate).toMatchObject({ estimate: { min: 3, max: 3, exact: true }, credits_charged: 0 })
    const found = await ok('search_listings', { filters: FILTERS, limit: 3 })
    expect(found).toMatchObject({ count: 3, total: HOMES.length, credits_charged: 3 })
    const [{ zpid }] = found.rows
    expect((await ok('get_property', { zpid })).property).toMatchObject({ zpid })
    expect(await ok('get_property_part', { zpid, part: 'facts' })).toMatchObject({
      part: 'facts',
      credits_charged: 1,
    })
    const { job } = await ok('start_job', { type: 'search', filters: FILTERS, limit: 60, max_credits: 60 })
    await untilEnded(server, key, job.job_id)
    expect((await ok('get_job', { job_id: job.job_id })).job).toMatchObject({
      status: 'succeeded',
      result_count: 60,
    })
    const results = await ok('read_results', { job_id: job.job_id, limit: 40 })
    expect(results).toMatchObject({ total: 60, next_offset: 40, credits_charged: 0 })
    expect((await ok('read_results', { job_id: job.job_id, offset: 40, limit: 40 })).rows).toHaveLength(20)
    const { watch } = await ok('create_watch', { name: 'mine', filters: FILTERS })
    expect(await ok('read_watch_events', { watch_id: watch.id })).toMatchObject({
      events: [],
      has_more: false,
    })
    expect((await ok('get_account')).account.credits).toBeDefined()
    const page = await ok('get_building_units', { url: TOWER })
    expect(page).toMatchObject({ count: 25, truncated_by: 'max_credits', credits_charged: 25 })
    const next = await ok('get_building_units', { url: TOWER, cursor: page.next_cursor, max_credits: 60 })
    expect(next).toMatchObject({ count: 55, credits_charged: 55 })
    const zpids = [...page.units, ...next.units].map((unit: { zpid: string }) => unit.zpid)
    expect(zpids).toEqual(UNITS.map((unit) => unit.zpid))
    const missing = 'https://www.zillow.com/b/some-building-abc123/'
    expect(await call('get_building_units', { url: missing })).toMatchObject({
      isError: true,
      structuredContent: { code: 'not_found', credits_charged: 0 },
    })
    expect(succeeded).toEqual(new Set(TOOLS.map(({ name }) => name)))
    await client.close()
  })

  it('gets the required credits if max_credits is too low, and pays nothing', async () => {
    const { key } = await server.openAccount({ credits: 100 })
    const client = await connect(server, key)
    const call = judged(client.callTool)
    const address = '100 Main St, Seattle, WA 98109'
    expect(await call('get_property', { address, max_credits: 2 })).toMatchObject({
      isError: true,
      structuredContent: { code: 'max_credits_exceeded', credits_charged: 0, details: { required: 3 } },
    })
    const cut = await call('search_listings', { filters: FILTERS, limit: 50 })
    expect(cut.structuredContent).toMatchObject({
      count: 25,
      truncated_by: 'max_credits',
      credits_charged: 25,
    })
    await client.close()
  })
})

describe('the ledger', () => {
  it('has the same entries as for the same calls over REST', async () => {
    const tools = await server.openAccount({ credits: 10_000 })
    const rest = await server.openAccount({ credits: 10_000 })
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](server, tools.key)
    const call = judged(client.callTool)
    const inRounds = async (work: (zpid: string, rows: number) => Promise<void>) => {
      for (let round = 0; round < ROUNDS; round++) await work(String(HOMES[round]!.zpid), 1 + (round % 30))
    }
    const byTools = inRounds(async (zpid, rows) => {
      await call('search_listings', { filters: FILTERS, limit: rows })
      await call('get_property', { zpid })
      await call('get_property', { zpid: '999999999' })
      await call('get_property_part', { zpid, part: 'schools' })
      await call('get_property', { zpid: 'x1' })
      await call('get_account')
      await call('search_listings', { filters: { location: 'Seattle' } })
    })
    const byRest = inRounds(async (zpid, rows) => {
      const sent = { key: rest.key, headers: { 'x-max-credits': '25' } }
      await server.post('/v1/search', { filters: FILTERS, sort: 'newest', maxItems: rows }, sent)
      await server.get(`/v1/properties/${zpid}`, sent)
      await server.get('/v1/properties/999999999', sent)
      await server.get(`/v1/properties/${zpid}/schools`, sent)
      await server.get('/v1/properties/x1', sent)
      await server.get('/v1/me', { key: rest.key })
      await server.post('/v1/search', { filters: { location: 'Seattle' } }, sent)
    })
    await Promise.all([byTools, byRest])
    await client.close()
    const usageOf = async (accountId: string) => {
      const { rows } = await testDatabase.database.query(
        'select operation, endpoint, status_code, units, credits_charged from usage_rows where account_id = $1 order by id',
        [accountId],
      )
      return rows
    }
    const usage = await usageOf(tools.accountId)
    expect(usage).toHaveLength(7 * ROUNDS)
    expect(usage).toEqual(await usageOf(rest.accountId))
    await expectBooksToBalance(testDatabase.database)
  }, 300_000)

  it.each([
    ...Object.entries(CLIENTS).map(([name, connect]) => [`over HTTP with ${name}`, connect] as const),
    ['over stdio', connectStdio] as const,
  ])('%s, is charged only for rows in the result, and the cursor returns the others', async (_, connect) => {
    const { key, accountId } = await server.openAccount({ credits: 1_000 })
    const client = await connect(server, key)
    const call = judged(client.callTool)
    const seen = new Set<string>()
    let charged = 0
    let cursor: string | undefined
    let wasCut = false
    do {
      const args = {
        filters: FILTERS,
        limit: 50,
        max_credits: 50,
        fields: ['*'],
        ...(cursor && { cursor }),
      }
      const { structuredContent: page } = await call('search_listings', args)
      expect(page.credits_charged).toBe(page.rows.length)
      for (const { zpid } of page.rows) seen.add(zpid)
      charged += page.credits_charged
      wasCut ||= page.truncated_by === 'size'
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(wasCut).toBe(true)
    expect([seen.size, charged]).toEqual([HOMES.length, HOMES.length])
    const ofTower: string[] = []
    const whys = new Set<string>()
    do {
      const args = { url: TOWER, max_credits: 100, fields: ['*'], ...(cursor && { cursor }) }
      const { structuredContent: page } = await call('get_building_units', args)
      expect(page.credits_charged).toBe(page.units.length)
      ofTower.push(...page.units.map(({ zpid }: { zpid: string }) => zpid))
      charged += page.credits_charged
      whys.add(page.truncated_by)
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(ofTower).toEqual(UNITS.map(({ zpid }) => zpid))
    expect(whys).toContain('size')
    const { rows } = await testDatabase.database.query<{ charged: number }>(
      'select sum(credits_charged)::integer as charged from usage_rows where account_id = $1',
      [accountId],
    )
    expect([rows[0]!.charged, charged]).toEqual([HOMES.length + UNITS.length, HOMES.length + UNITS.length])
    await client.close()
  })
})

describe('a record that is too large for a tool result', () => {
  const ZPID = '7000'
  /** Its lists are larger than a result, each by itself, and so is its description. */
  const LARGE = {
    zpid: ZPID,
    latitude: 40,
    longitude: -80,
    homeStatus: 'FOR_SALE',
    price: 500_000,
    description: 'A large house. '.repeat(300),
    priceHistory: Array.from({ length: 600 }, (_, at) => ({
      date: new Date(Date.UTC(2000, 0, at)).toISOString().slice(0, 10),
      event: 'Price change',
      price: 100_000 + at,
      source: `Agency ${at} ${'x'.repeat(60)}`,
    })),
    taxHistory: Array.from({ length: 400 }, (_, at) => ({
      time: Date.UTC(1600 + at, 0, 1),
      taxPaid: at,
      value: 1_000 + at,
    })),
    highlights: Array.from({ length: 300 }, (_, at) => `Highlight ${at} ${'y'.repeat(40)}`),
  }
  beforeAll(() => importListings(testDatabase.database, rowsOf([LARGE] as never[]), { source: 'mls' }))

  it('is charged once; the missing parts are named, and further calls return all of them', async () => {
    const { key, accountId } = await server.openAccount({ credits: 100 })
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](server, key)
    const call = judged(client.callTool)
    const whole = (await server.get(`/v1/properties/${ZPID}`, { key })).json.data
    const { structuredContent: cut } = await call('get_property', { zpid: ZPID, fields: ['*'] })
    expect(cut.credits_charged).toBe(1)
    expect(cut.omitted).toContain('priceHistory')
    for (const [name, value] of Object.entries(cut.property)) expect(value, name).toEqual(whole[name])
    const left = new Set(Object.keys(whole).filter((name) => !(name in cut.property)))
    expect(new Set(cut.omitted)).toEqual(left)

    // Fields that fit by themselves.
    const byFields: string[] = []
    for (const name of left) {
      const { structuredContent } = await call('get_property', { zpid: ZPID, fields: [name] })
      expect(structuredContent.credits_charged).toBe(1)
      if (!(name in structuredContent.property)) expect(structuredContent.omitted).toContain(name)
      else {
        expect(structuredContent.property[name]).toEqual(whole[name])
        byFields.push(name)
      }
    }
    // A list that is too large even so, in pages.
    expect([...left].filter((name) => !byFields.includes(name))).toEqual(['priceHistory'])
    const events: object[] = []
    let offset: number | undefined = 0
    while (offset !== undefined) {
      const args = { zpid: ZPID, part: 'price_history', limit: 200, offset }
      const { structuredContent: page } = await call('get_property_part', args)
      expect(page).toMatchObject({ total: 600, offset, credits_charged: 1 })
      events.push(...page.items)
      offset = page.next_offset
    }
    const parts = await server.get(`/v1/properties/${ZPID}/price-history`, { key })
    expect(events).toEqual(parts.json.data)
    await client.close()
    const { rows } = await testDatabase.database.query(
      'select distinct credits_charged from usage_rows where account_id = $1',
      [accountId],
    )
    expect(rows).toEqual([{ credits_charged: 1 }])
  })
})

describe('the cut units of a building', () => {
  it('continue after the last one, each charged once, and the cursor works for no other building or kind of units', async () => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const pathOf = (query: object) => `/v1/buildings/by-url?${new URLSearchParams({ url: TOWER, ...query })}`
    const first = await server.get(pathOf({ max_credits: 30 }), { key })
    expect(first.json.meta).toMatchObject({ count: 30, truncated_by: 'max_credits' })
    const cursor = first.json.meta.next_cursor
    const rest = await server.get(pathOf({ cursor }), { key })
    expect([rest.json.meta.count, rest.charged]).toEqual([50, 50])
    expect(rest.json.meta).not.toHaveProperty('next_cursor')
    const seen = [first, rest].flatMap(({ json }) =>
      json.data.units.map(({ zpid }: { zpid: string }) => zpid),
    )
    expect(seen).toEqual(UNITS.map(({ zpid }) => zpid))
    for (const other of [{ url: OTHER_TOWER }, { include_units: 'for_rent' }, { cursor: `${cursor}x` }]) {
      const refused = await server.get(pathOf({ cursor, ...other }), { key })
      expect([refused.status, refused.code, refused.charged]).toEqual([400, 'invalid_cursor', 0])
    }
    const asJob = await server.get(pathOf({ cursor, sync: 'false', max_credits: 1 }), { key })
    expect(asJob.json.meta?.ignored).toEqual(['cursor'])
  })

  it.each([
    ['the last one', 1],
    ['several of the last ones', 3],
    ['as many as a cursor names', 4],
  ])('continue with all remaining units when %s leave the building', async (_, count) => {
    const { key } = await server.openAccount({ credits: 1_000 })
    const url = `https://www.zillow.com/b/leaving-Leave${count}/`
    const units = homes(6_000 + count * 20, 6_010 + count * 20, { latitude: 40, longitude: -80, bdpUrl: url })
    const rows = units.map((unit, at) => ({ ...unit, unitNumber: String(at + 1) }))
    await importListings(testDatabase.database, rowsOf(rows as never[]), { source: 'mls' })
    const zpids = rows.map(({ zpid }) => String(zpid))
    const pathOf = (query: object) => `/v1/buildings/by-url?${new URLSearchParams({ url, ...query })}`
    const first = await server.get(pathOf({ max_credits: 6 }), { key })
    const { next_cursor: cursor } = first.json.meta
    await removeListings(testDatabase.database, { zpids: zpids.slice(6 - count, 6) })
    const rest = await server.get(pathOf({ cursor }), { key })
    expect(rest.json.data.units.map(({ zpid }: { zpid: string }) => zpid)).toEqual(zpids.slice(6))
    expect(rest.charged).toBe(4)
  })
})

describe('the operation of each tool', () => {
  it('exists in the contract', () => {
    const { toCall } = TOOLS.find(({ name }) => name === 'get_account')!
    const call = toCall({})
    expect(typeof call === 'object' && operations[call.operation].path).toBe('/v1/me')
  })
})
