// Pages of a search in every order, over the data set and over a remote provider: all pages together are the sorted result, each row is
// charged when it is served, and a cursor fits only its own search.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { compareKeys, type Sort, toRowKey, toRowOrder } from '../../../src/domain/search/row-order.ts'
import { sdkFor } from '../../client/sdk.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { settingsFor, withReferenceProvider } from '../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { balanceOf } from '../../setup/usage.ts'
import { SAMPLE } from '../record/sample-records.ts'

const SORTS: readonly Sort[] = ['newest', 'price', '-price', 'sqft', '-sqft', 'beds', '-beds', 'distance']
const FOR_SALE = ['FOR_SALE', 'PENDING', 'COMING_SOON']
/**
 * Records with many equal values, and some without a value. Large fields that no search row shows are left out, because each page reads all
 * records.
 */
const RECORDS = SAMPLE.map((record, at): Property => {
  const { price, bedrooms, livingArea, livingAreaValue, ...small } = record
  const { resoFacts, responsivePhotos, priceHistory, taxHistory, schools, attributionInfo, ...rest } = small
  return {
    ...rest,
    ...(at % 5 !== 0 && { price: 300_000 + (at % 3) * 50_000 }),
    ...(at % 7 !== 0 && { bedrooms: at % 4 }),
    ...(at % 4 !== 0 && { livingArea: 1_000 + (at % 6) * 100.5 }),
  } as Property
})
const homes = RECORDS.filter(
  ({ homeStatus, isBuilding, longitude }) =>
    FOR_SALE.includes(homeStatus!) && isBuilding !== true && typeof longitude === 'number',
)
const [west, east] = [Math.min, Math.max].map((most) => most(...homes.map(({ longitude }) => longitude!)))
const [south, north] = [Math.min, Math.max].map((most) => most(...homes.map(({ latitude }) => latitude!)))
const bbox = { west: west!, south: south!, east: east!, north: north! }
const circle = {
  type: 'circle',
  center: [homes[0]!.longitude!, homes[0]!.latitude!],
  radius_m: 100_000,
} as const
/** About eight pages, and a last one that is not full. */
const SIZE = Math.min(50, Math.ceil(homes.length / 8) + 1)
const zpidOf = ({ zpid }: { zpid?: unknown }) => String(zpid)

const testDatabase = withTestDatabase()
const reference = withReferenceProvider({ records: RECORDS })

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf(RECORDS))
})

describe.each([
  ['the data set', () => ({})],
  ['a remote provider', () => settingsFor(reference)],
])('over %s', (name, env) => {
  let settings: Record<string, string> = {}
  beforeAll(() => {
    settings = env()
  })
  const server = withTestServer(testDatabase, {
    get env() {
      return settings
    },
  })
  let account: { key: string; accountId: string }
  beforeAll(async () => {
    account = await server.openAccount({ credits: 1_000_000, ratePerMinute: 10_000 })
  })
  const search = (body: object) =>
    server.post('/v1/search', { maxItems: SIZE, ...body }, { key: account.key })
  const pagesOf = async (body: object, total = homes.length) => {
    const rows: string[] = []
    for (let cursor: string | undefined, pages = 0; pages < 200; pages++) {
      const { status, json, charged } = await search({ ...body, ...(cursor !== undefined && { cursor }) })
      expect([status, charged]).toEqual([200, Math.max(1, json.data.length)])
      rows.push(...json.data.map(zpidOf))
      expect(json.meta.total).toBe(total)
      cursor = json.meta.next_cursor
      if (cursor === undefined) return rows
    }
    throw new Error('there is no last page')
  }

  it.each(SORTS)('all pages by %s together are the sorted result, without duplicates', async (sort) => {
    const area = sort === 'distance' ? circle : { type: 'bbox', ...bbox }
    const order = toRowOrder(sort, { areas: [circle] })!
    const expected = homes
      .map((home) => toRowKey(home, order))
      .filter(({ value }) => sort !== 'distance' || value! <= circle.radius_m)
      .sort((one, other) => compareKeys(order, one, other))
      .map(({ zpid }) => zpid)
    expect(expected.length).toBeGreaterThan(20)
    expect(await pagesOf({ filters: { area }, sort }, expected.length)).toEqual(expected)
    if (sort === 'distance') return
    expect(await pagesOf({ filters: { bbox }, sort })).toEqual(expected)
  })

  it('GET /v1/listings and CSV have the same pages', async () => {
    const box = `${west},${south},${east},${north}`
    const get = (query: string) =>
      server.get(`/v1/listings?bbox=${box}&sort=-price&${query}`, { key: account.key })
    const first = await get('max_items=5')
    const second = await get(`max_items=3&cursor=${first.json.meta.next_cursor}`)
    const both = await get('max_items=8')
    expect([...first.json.data, ...second.json.data].map(zpidOf)).toEqual(both.json.data.map(zpidOf))
    const csv = await get('max_items=5&format=csv')
    expect(csv.headers.get('x-next-cursor')).toBe(first.json.meta.next_cursor)
  })

  it('a cursor of another search, or a made-up one, is refused for free', async () => {
    const { json } = await search({ filters: { bbox }, sort: 'price' })
    const cursor: string = json.meta.next_cursor
    await reference.takeAsked()
    const before = await balanceOf(testDatabase.database, account.accountId)
    const swap = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
    const refused = [
      { filters: { bbox }, sort: '-price', cursor },
      { filters: { bbox }, cursor },
      { filters: { bbox, beds: { min: 1 } }, sort: 'price', cursor },
      { filters: { bbox: { ...bbox, west: bbox.west - 1 } }, sort: 'price', cursor },
      { filters: { bbox }, sort: 'price', cursor: 'made-up' },
      // One character at a time, in every part of it. The last character of a signature has bits without a meaning.
      ...[...cursor.slice(0, -1)].flatMap((_, at) =>
        at % 6 === 0 ? [{ filters: { bbox }, sort: 'price', cursor: swap(at) }] : [],
      ),
    ]
    for (const body of refused) {
      const answer = await search(body)
      expect([answer.status, answer.code, answer.charged], JSON.stringify(body)).toEqual([
        400,
        'invalid_cursor',
        0,
      ])
    }
    expect(await balanceOf(testDatabase.database, account.accountId)).toBe(before)
    expect(await reference.takeAsked()).toEqual([])
    expect((await search({ filters: { bbox }, sort: 'price', cursor, maxItems: 2 })).status).toBe(200)
  })

  it('every search refuses a cursor of another search', async () => {
    for (const path of ['search', 'listings/for-sale', 'listings/for-rent', 'listings/sold']) {
      const body = { filters: { bbox }, cursor: 'made-up' }
      expect((await server.post(`/v1/${path}`, body, { key: account.key })).code).toBe('invalid_cursor')
    }
    const query = `bbox=${west},${south},${east},${north}&cursor=not%20one`
    expect((await server.get(`/v1/listings?${query}`, { key: account.key })).code).toBe('invalid_cursor')
  })

  it('if the credits end within a page, the cursor continues with the first row that was not served', async () => {
    const poor = await server.openAccount({ credits: 3 })
    const body = { filters: { bbox }, sort: 'price', maxItems: 7 }
    const cut = await server.post('/v1/search', body, { key: poor.key })
    expect(cut.json.meta).toMatchObject({ count: 3, truncated_by: 'credits' })
    const next = await search({ ...body, cursor: cut.json.meta.next_cursor, maxItems: 4 })
    const whole = await search(body)
    expect([...cut.json.data, ...next.json.data].map(zpidOf)).toEqual(whole.json.data.map(zpidOf))
  })

  it('a search without sort has no cursor', async () => {
    expect((await search({ filters: { bbox } })).json.meta).not.toHaveProperty('next_cursor')
  })

  it.each<[string, object]>([
    ['a distance without a circle', { filters: { bbox }, sort: 'distance' }],
    ['a distance from two circles', { filters: { area: [circle, circle] }, sort: 'distance' }],
    ['a job', { filters: { bbox }, sort: 'price', maxItems: 51 }],
    ['a job that is asked for', { filters: { bbox }, cursor: 'made-up', async: true }],
    ['an unknown order', { filters: { bbox }, sort: 'cheapest' }],
  ])('an order for %s is refused', async (_, body) => {
    const answer = await search(body)
    expect([answer.status, answer.code, answer.charged]).toEqual([400, 'invalid_parameter', 0])
  })

  if (name === 'the data set') {
    it('the SDK iterates over all pages, and stops when its reader stops', async () => {
      const { lotline, answers } = sdkFor(server, account.key)
      const rows: string[] = []
      const filters = { bbox }
      for await (const row of lotline.search.pages({ filters, sort: '-beds', maxItems: 10 }))
        rows.push(zpidOf(row))
      expect(rows).toEqual(await pagesOf({ filters, sort: '-beds' }))
      const asked = answers.length
      for await (const _ of lotline.listings.pages({ bbox: filters.bbox, sort: 'price', max_items: 5 })) break
      expect(answers.length).toBe(asked + 1)
    })

    it('homes that are removed, added, and changed between two pages move no other home', async () => {
      const byPrice = { filters: { bbox }, sort: 'price', maxItems: 10 }
      const whole = await pagesOf({ ...byPrice, maxItems: 50 })
      const first = await search(byPrice)
      const gone = whole[3]!
      await testDatabase.database.query('delete from listings where zpid = $1', [gone])
      const second = await search({ ...byPrice, cursor: first.json.meta.next_cursor })
      expect(second.json.data.map(zpidOf)).toEqual(whole.slice(10, 20))
      const last = await search({ ...byPrice, maxItems: 3 })
      await testDatabase.database.query('delete from listings where zpid = $1', [zpidOf(last.json.data[2])])
      const next = await search({ ...byPrice, maxItems: 3, cursor: last.json.meta.next_cursor })
      expect(next.json.data.map(zpidOf)).toEqual(whole.filter((zpid) => zpid !== gone).slice(3, 6))
    })
  }
})
