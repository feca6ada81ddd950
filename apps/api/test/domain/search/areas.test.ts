// Searches of areas, ZIP codes, and cities over real HTTP: the same rows and charges from the data set and from a remote provider that
// searches boxes, and the homes that rational arithmetic finds.

import type { Area, Position } from '@lotline/contract/checks'
import { refusedAreas, roundRing, stringifyKeepingNumbers } from '@lotline/contract/refused-areas'
import { refusedQueries } from '@lotline/contract/refused-queries'
import { expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { CLIENTS, judged } from '../../interfaces/mcp/mcp-clients.ts'
import { homesForSale as homes, withBothProviders, zpidOf } from '../../setup/over-both-providers.ts'
import { balanceOf } from '../../setup/usage.ts'
import { readRows, startJob, untilEnded } from '../../work/jobs/job-calls.ts'
import { SAMPLE } from '../record/sample-records.ts'
import { isInAny } from './exact-areas.ts'

const positions = homes.map(({ longitude, latitude }): Position => [longitude!, latitude!])
const [west, east] = [Math.min(...positions.map(([at]) => at)), Math.max(...positions.map(([at]) => at))]
const [south, north] = [
  Math.min(...positions.map(([, at]) => at)),
  Math.max(...positions.map(([, at]) => at)),
]
const middle: Position = [(west + east) / 2, (south + north) / 2]

const triangle: Area = {
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [middle[0], north],
      [west, south],
    ],
  ],
}
const inside = (share: number): Position[] => {
  const at = (from: number, to: number) => from + (to - from) * share
  const [w, s, e, n] = [at(west, middle[0]), at(south, middle[1]), at(east, middle[0]), at(north, middle[1])]
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ]
}
const box: Area = {
  type: 'bbox',
  west: inside(0.3)[0]![0],
  south: inside(0.3)[0]![1],
  east: inside(0.3)[2]![0],
  north: inside(0.3)[2]![1],
}
const rectangle: Area = { type: 'Polygon', coordinates: [inside(0.3)] }
const frame: Area = { type: 'Polygon', coordinates: [inside(0), inside(0.5)] }
/** Its radius ends at a home, which is inside. */
const circle: Area = { type: 'circle', center: positions[0]!, radius_m: 3_000 }

const { testDatabase, reference, describeEach } = withBothProviders()

function expectedOf(areas: readonly Area[]): string[] {
  return homes
    .filter(({ longitude, latitude }) => isInAny(areas, longitude!, latitude!))
    .map(zpidOf)
    .sort()
}

describeEach(({ name, server, account }) => {
  const search = (filters: object, rest: object = {}) =>
    server.post('/v1/search', { filters, maxItems: 50, ...rest }, { key: account.key })
  /** Every row, through a job. */
  const all = async (filters: object, extractionMethod = 'PAGINATION_WITH_ZOOM_IN') => {
    const { id } = await startJob(server, '/v1/search', { filters, extractionMethod }, { key: account.key })
    const job = await untilEnded(server, account.key, id)
    const rows = await readRows(server, account.key, id)
    expect(job).toMatchObject({ status: 'succeeded', credits_charged: Math.max(1, rows.length) })
    return { zpids: rows.map(zpidOf), job }
  }

  it.each<[string, Area | Area[]]>([
    ['a polygon', triangle],
    ['a polygon with a hole', frame],
    ['a circle', circle],
    ['a list of areas that overlap', [circle, rectangle, circle]],
    ['a multipolygon', { type: 'MultiPolygon', coordinates: [[inside(0.8)], [inside(0.6)]] }],
  ])('%s returns exactly the homes in it, each once and charged once', async (_, area) => {
    const expected = expectedOf([area].flat())
    expect(expected.length).toBeGreaterThan(2)
    const { zpids } = await all({ area })
    expect(zpids.toSorted()).toEqual(expected)
  })

  it('a rectangle is the same as a polygon, as an area, and as a bbox: rows, order, total, and charge', async () => {
    const { type: _, ...bbox } = box as Extract<Area, { type: 'bbox' }>
    const answers = [await search({ bbox }), await search({ area: box }), await search({ area: rectangle })]
    for (const { status, json, charged } of answers) {
      expect(status).toBe(200)
      expect(json.data.map(zpidOf)).toEqual(answers[0]!.json.data.map(zpidOf))
      expect(charged).toBe(answers[0]!.charged)
    }
    const [ofBox, ofArea, ofRectangle] = answers.map(({ json }) => json.meta.total)
    expect(ofArea).toBe(ofRectangle)
    if (name === 'the data set') expect(ofArea).toBe(ofBox)
  })

  it('a feature equals its geometry, and a collection the union of its features: rows and charge', async () => {
    const feature = (geometry: object) => ({ type: 'Feature', properties: { name: 'A' }, geometry })
    const pairs = [
      [triangle, feature(triangle)],
      [frame, { type: 'FeatureCollection', features: [feature(frame)] }],
      [
        [rectangle, triangle],
        { type: 'FeatureCollection', features: [feature(rectangle), feature(triangle)] },
      ],
    ]
    for (const [area, geoJson] of pairs) {
      const [plain, found] = [await search({ area }), await search({ area: geoJson })]
      expect([found.status, found.charged]).toEqual([200, plain.charged])
      expect(found.json.data.map(zpidOf)).toEqual(plain.json.data.map(zpidOf))
      expect(found.json.meta.ignored.length).toBeGreaterThan(0)
    }
  })

  it('a box in New York with latitudes first is refused for free, wherever it is sent', async () => {
    const bbox = { west: 40.7, south: -74, east: 40.8, north: -73.9 }
    const answers = [
      await search({ bbox }),
      await server.get('/v1/listings?bbox=40.7,-74,40.8,-73.9', { key: account.key }),
      await server.get('/v1/listings?polygon=40.7,-74;40.8,-74;40.8,-73.9', { key: account.key }),
      await server.get('/v1/listings?near=40.7,-74&radius_m=500', { key: account.key }),
      await server.post('/v1/watches', { name: 'NY', filters: { bbox } }, { key: account.key }),
    ]
    for (const { status, code, json, charged } of answers) {
      expect([status, code, charged]).toEqual([400, 'invalid_filters', 0])
      expect(json.error.details.hint).toMatch(/latitude seems to come first/)
    }
  })

  it('bbox and area together select their intersection', async () => {
    const { type: _, ...bbox } = box as Extract<Area, { type: 'bbox' }>
    const { zpids } = await all({ bbox, area: frame })
    const both = expectedOf([box]).filter((zpid) => expectedOf([frame]).includes(zpid))
    expect(zpids.toSorted()).toEqual(both)
  })

  it('ZIP codes and cities work alone, and narrow an area', async () => {
    const { address } = homes[0]!
    const zips = [address!.zipcode!]
    const city = `${address!.city!.toLowerCase()},${address!.state}`
    const inZip = homes
      .filter((home) => home.address?.zipcode === zips[0])
      .map(zpidOf)
      .sort()
    const inCity = homes
      .filter((home) => home.address?.city === address!.city)
      .map(zpidOf)
      .sort()
    expect((await all({ zips })).zpids.toSorted()).toEqual(inZip)
    expect((await all({ cities: [city] })).zpids.toSorted()).toEqual(inCity)
    const both = expectedOf([circle]).filter((zpid) => inZip.includes(zpid))
    expect((await all({ zips, area: circle })).zpids.toSorted()).toEqual(both)
    expect((await all({ zips: ['00501'] })).zpids).toEqual([])
  })

  it('a home without a position is found by its ZIP code and city, and not with a box or an area', async () => {
    const address = { streetAddress: '1 Nowhere St', city: 'Unplaced', state: 'WA', zipcode: '98198' }
    const { latitude: _, longitude: __, ...unplaced } = { ...homes[0]!, zpid: '9200001', address }
    const placed = { ...homes[0]!, zpid: '9200002', address }
    await importListings(testDatabase.database, rowsOf([unplaced, placed]))
    await reference.setRecords([...SAMPLE, unplaced, placed])
    for (const filters of [{ zips: ['98198'] }, { cities: ['Unplaced, WA'] }]) {
      const { json, charged } = await search(filters)
      // A remote provider is queried for boxes, which such a home is not in.
      const found = name === 'the data set' ? ['9200001', '9200002'] : ['9200002']
      expect([json.data.map(zpidOf).sort(), json.meta.total, charged]).toEqual([
        found,
        found.length,
        found.length,
      ])
      expect((await all(filters)).zpids.toSorted()).toEqual(found)
      const whole = { west: -179, south: -89, east: 179, north: 89 }
      for (const where of [{ bbox: whole }, { area: { type: 'bbox', ...whole } }]) {
        const placed = await search({ ...filters, ...where })
        expect([placed.json.data.map(zpidOf), placed.json.meta.total]).toEqual([['9200002'], 1])
      }
    }
    await removeListings(testDatabase.database, { zpids: ['9200001', '9200002'] })
    await reference.setRecords(SAMPLE)
  })

  it('GET /v1/listings accepts the same in its query', async () => {
    const get = (query: string) => server.get(`/v1/listings?max_items=50&${query}`, { key: account.key })
    const [lon, lat] = positions[0]!
    const near = await get(`near=${lon},${lat}&radius_m=3000`)
    expect(near.json.data.map(zpidOf)).toEqual((await search({ area: circle })).json.data.map(zpidOf))
    const corners = [
      [west, south],
      [east, south],
      [middle[0], north],
    ]
      .map((corner) => corner.join(','))
      .join(';')
    const polygon = await get(`polygon=${corners}`)
    expect(polygon.json.data.map(zpidOf)).toEqual((await search({ area: triangle })).json.data.map(zpidOf))
    const { zipcode, city, state } = homes[0]!.address!
    const zip = await get(`zip=00501,%20${zipcode}`)
    expect(zip.json.data.length).toBeGreaterThan(0)
    const named = await get(`city=${encodeURIComponent(`Nowhere, ${state}; ${city}, ${state}`)}`)
    expect(named.json.data.length).toBeGreaterThan(0)
  })

  it('the presets and watches accept areas', async () => {
    const found = await search({ area: [circle, box] })
    const body = { filters: { area: [circle, box] }, maxItems: 50 }
    const preset = await server.post('/v1/listings/for-sale', body, { key: account.key })
    expect([preset.status, preset.charged]).toEqual([200, found.charged])
    expect(preset.json.data.map(zpidOf)).toEqual(found.json.data.map(zpidOf))
    const watch = { name: 'Both', filters: body.filters, every: '1d' }
    const created = await server.post('/v1/watches', watch, { key: account.key })
    expect([created.status, created.json.data.filters]).toEqual([201, expect.objectContaining(body.filters)])
    // A remote provider is searched after the call.
    if (name === 'the data set') expect(created.json.data.count).toBe(expectedOf([circle, box]).length)
  })

  it('a search with details accepts areas', async () => {
    const { id } = await startJob(
      server,
      '/v1/search/with-details',
      { filters: { area: circle } },
      { key: account.key },
    )
    expect(await untilEnded(server, account.key, id)).toMatchObject({ status: 'succeeded' })
    expect((await readRows(server, account.key, id)).map(zpidOf).sort()).toEqual(expectedOf([circle]))
  })

  it('a misspelled area is listed, and without another place the search is refused', async () => {
    const { type: _, ...bbox } = box as Extract<Area, { type: 'bbox' }>
    expect((await search({ bbox, aera: circle })).json.meta.ignored).toEqual(['filters.aera'])
    const refused = await search({ aera: circle })
    expect([refused.status, refused.code]).toEqual([400, 'invalid_filters'])
  })

  it('a refused area names the place and the reason, is free, and queries no provider, in all operations with areas', async () => {
    const { key, accountId } = account
    const watch = { name: 'One', filters: { area: circle }, every: '1d' }
    const { id } = (await server.post('/v1/watches', watch, { key })).json.data
    await reference.takeAsked()
    const before = await balanceOf(testDatabase.database, accountId)
    const calls = [
      ['POST', '/v1/search', {}],
      ['POST', '/v1/search', { maxItems: 500 }],
      ['POST', '/v1/listings/sold', {}],
      ['POST', '/v1/search/with-details', {}],
      ['POST', '/v1/watches', { name: 'Two', every: '1d' }],
      ['PATCH', `/v1/watches/${id}`, {}],
      ['POST', '/v1/estimate', { operation: 'searchListings' }],
      ['POST', '/v1/estimate', { operation: 'searchWithDetails' }],
      ['POST', '/v1/estimate', { operation: 'createWatch' }, { name: 'Two', every: '1d' }],
    ] as const
    const headers = { 'content-type': 'application/json' }
    for (const { name: wrong, area, path, position, hint } of refusedAreas) {
      const place = path === '' ? 'filters.area' : `filters.area.${path}`
      for (const [method, url, rest, estimated] of calls) {
        const filters = { area }
        const body =
          url === '/v1/estimate'
            ? { ...rest, input: { body: { ...estimated, filters } } }
            : { filters, ...rest }
        const refused = await server.send(method, url, { key, headers, body: stringifyKeepingNumbers(body) })
        const about = `${method} ${url} ${JSON.stringify(rest)}: ${wrong}`
        expect([refused.status, refused.code, refused.charged], about).toEqual([400, 'invalid_filters', 0])
        const details = { parameter: place, path: place, hint: expect.stringMatching(hint) }
        expect(refused.json.error.details, about).toEqual({ ...details, ...(position && { position }) })
      }
    }
    expect(await balanceOf(testDatabase.database, accountId)).toBe(before)
    expect(await reference.takeAsked()).toEqual([])
  })

  it('a refused area has the same message for the tools of agents', async () => {
    const client = await CLIENTS['SDK 2, revision 2026-07-28'](server, account.key)
    const call = judged(client.callTool)
    await reference.takeAsked()
    const before = await balanceOf(testDatabase.database, account.accountId)
    for (const { name: wrong, area, path, position, hint } of refusedAreas) {
      const place = path === '' ? 'filters.area' : `filters.area.${path}`
      const filters = { area }
      const refusals = [
        await call('search_listings', { filters }),
        await call('estimate_cost', { tool: 'search_listings', arguments: { filters } }),
        await call('start_job', { type: 'search', filters }),
        await call('create_watch', { name: 'Two', filters }),
      ]
      const details = { parameter: place, path: place, hint: expect.stringMatching(hint) }
      for (const { isError, structuredContent } of refusals) {
        expect(isError, wrong).toBe(true)
        expect(structuredContent, wrong).toMatchObject({ code: 'invalid_filters', credits_charged: 0 })
        expect(structuredContent.details, wrong).toEqual({ ...details, ...(position && { position }) })
      }
    }
    expect(await balanceOf(testDatabase.database, account.accountId)).toBe(before)
    expect(await reference.takeAsked()).toEqual([])
    await client.close()
  })

  it('a refused area in a query has the same message', async () => {
    await reference.takeAsked()
    for (const { name: wrong, query, path, position, hint } of refusedQueries) {
      const refused = await server.get(`/v1/listings?${new URLSearchParams(query)}`, { key: account.key })
      expect([refused.status, refused.code, refused.charged], wrong).toEqual([400, 'invalid_filters', 0])
      const details = { parameter: path, path, hint: expect.stringMatching(hint) }
      expect(refused.json.error.details, wrong).toEqual({ ...details, ...(position && { position }) })
    }
    expect(await reference.takeAsked()).toEqual([])
  })

  it('a polygon that is too long for a URL is refused with the hint to use POST', async () => {
    const corners = roundRing(500).map((corner) => corner.join(','))
    const refused = await server.get(`/v1/listings?polygon=${corners.join(';')}`, { key: account.key })
    expect([refused.status, refused.code]).toEqual([414, 'uri_too_long'])
    expect(refused.json.error.message).toContain('POST /v1/search')
    const sent = await search({ area: { type: 'Polygon', coordinates: [roundRing(500)] } })
    expect(sent.status).toBe(200)
  })

  it('a home on the circle is inside, and one a millimeter farther is not', async () => {
    const { distanceM } = await import('../../../src/domain/search/region.ts')
    const radius_m = distanceM(positions[0]!, positions[1]!)
    const of = async (radius: number) => (await all({ area: { ...circle, radius_m: radius } })).zpids
    expect(await of(radius_m)).toContain(zpidOf(homes[1]!))
    expect(await of(radius_m - 0.001)).not.toContain(zpidOf(homes[1]!))
  })
})
