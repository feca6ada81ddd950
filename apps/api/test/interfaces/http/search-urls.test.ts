// A search over several search URLs that is answered at once: which of them are asked, what is returned and charged, and
// what is said about how much there is.

import type { Property } from '@lotline/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { createListProvider } from '../../work/jobs/list-provider.ts'

/** Thirty homes for sale on one line, a degree apart: zpid 1 at 1° east. */
const homes = Array.from(
  { length: 30 },
  (_, at) =>
    ({ zpid: String(at + 1), homeStatus: 'FOR_SALE', price: 1, latitude: 47, longitude: at + 1 }) as Property,
)

const testDatabase = withTestDatabase()
const provider = createListProvider(homes)
const server = withTestServer(testDatabase, { parts: { provider } })

let key: string
beforeAll(async () => {
  key = (await server.openAccount()).key
})
beforeEach(() => provider.asked.splice(0))

/** The homes `from` up to `to`. The site's map moves a little each time: `south` makes another search of the same homes. */
function homesAt(from: number, to: number, south = 46) {
  const mapBounds = { west: from - 0.5, east: to + 0.5, south, north: 48 }
  const state = encodeURIComponent(JSON.stringify({ mapBounds }))
  return { url: `https://www.zillow.com/seattle-wa/?searchQueryState=${state}` }
}

const search = (searchUrls: readonly object[], maxItems: number) =>
  server.post('/v1/search', { searchUrls, maxItems }, { key })

function countsOf({ json }: { json: { meta: object } }) {
  const { source: _, ...counts } = json.meta as { source?: object }
  return counts
}

it.each([
  ['disjoint areas', [homesAt(1, 10), homesAt(11, 15)], 15],
  ['areas that overlap', [homesAt(1, 10), homesAt(6, 15)], 15],
  ['the same area twice', [homesAt(1, 10), homesAt(1, 10, 45)], 10],
  ['an area without homes beside one', [homesAt(50, 60), homesAt(1, 10)], 10],
])('%s: each home is returned, counted, and charged once', async (_name, searchUrls, count) => {
  const answer = await search(searchUrls, 50)
  expect(answer.status, answer.text).toBe(200)
  expect(new Set(answer.json.data.map(({ zpid }: Property) => zpid)).size).toBe(count)
  expect(countsOf(answer)).toEqual({ count, total: count })
  expect(answer.charged).toBe(count)
  expect(provider.asked).toHaveLength(2)
})

it('a repeated URL is one search with an exact total', async () => {
  const answer = await search([homesAt(1, 10), homesAt(1, 10)], 4)
  expect(countsOf(answer)).toEqual({ count: 4, total: 10 })
  expect(provider.asked).toHaveLength(1)
})

it('searching stops when maxItems is reached', async () => {
  const answer = await search([homesAt(1, 10), homesAt(11, 20), homesAt(21, 30)], 10)
  expect(provider.asked).toHaveLength(1)
  // Whether there is more is not known.
  expect(countsOf(answer)).toEqual({ count: 10 })
  expect(answer.charged).toBe(10)
})

it('a result cut by maxItems has a total only if every home was counted, because two areas can share homes', async () => {
  const seen = await search([homesAt(1, 10), homesAt(6, 15)], 12)
  expect(countsOf(seen)).toEqual({ count: 12, total: 15 })
  const unseen = await search([homesAt(1, 3), homesAt(2, 15)], 5)
  expect(countsOf(unseen)).toEqual({ count: 5 })
  expect(provider.asked).toHaveLength(4)
})

it('an unknown total is also absent from the headers', async () => {
  const searchUrls = [homesAt(1, 3), homesAt(2, 15)]
  const counts = async (maxItems: number) => {
    const { headers } = await server.post('/v1/search?format=ndjson', { searchUrls, maxItems }, { key })
    return [headers.get('x-row-count'), headers.get('x-total-count')]
  }
  expect(await counts(5)).toEqual(['5', null])
  expect(await counts(50)).toEqual(['15', '15'])
})
