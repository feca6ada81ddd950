// Searches by ZIP code over a provider that searches boxes: it is queried only within the state, and a result that needs too many boxes is
// reported as incomplete.

import type { Property } from '@lotline/contract'
import { describe, expect, it } from 'vitest'
import { boxesOfState } from '../../../src/data/places/built-in.ts'
import type { QueryContext } from '../../../src/data/sources/provider.ts'
import { searchInAreas } from '../../../src/data/sources/search-in-areas.ts'
import { type AreaSearch, type BoundingBox, WORLD } from '../../../src/domain/search/area-search.ts'
import { touches } from '../../../src/domain/search/morton.ts'
import { createStubProvider } from './resilience/stub-provider.ts'

const CAP = 100
const [WASHINGTON] = boxesOfState('WA')
const search: AreaSearch = { status: 'for_sale', bbox: WORLD, zips: ['98109'] }
const asking: QueryContext = { signal: new AbortController().signal }
const forJob: QueryContext = { ...asking, owner: { account: 'one', background: true } }

const homeAt = (zpid: number, longitude: number, latitude: number, zipcode: string) =>
  ({ zpid: String(zpid), longitude, latitude, address: { zipcode, city: 'Town', state: 'WA' } }) as Property
const spread = (count: number, { west, south, east, north }: BoundingBox, zip: string, from: number) =>
  Array.from({ length: count }, (_, at) =>
    homeAt(
      from + at,
      west + ((east - west) * ((at * 7_919) % count)) / count,
      south + ((north - south) * ((at * 104_729) % count)) / count,
      zip,
    ),
  )
const texas = spread(3_000, { west: -104, south: 28, east: -95, north: 35 }, '78701', 10_000)
const seattle = [1, 2, 3].map((at) => homeAt(at, -122.35 + at / 1_000, 47.63, '98109'))

function remoteWith(homes: readonly Property[], zipBoxes: ReadonlyMap<string, BoundingBox[]> = new Map()) {
  const boxes: BoundingBox[] = []
  const provider = searchInAreas(
    {
      ...createStubProvider({}),
      searchCap: CAP,
      async search({ bbox: { west, south, east, north } }, { limit }) {
        boxes.push({ west, south, east, north })
        const inBox = homes.filter(
          ({ longitude, latitude }) =>
            longitude! >= west && longitude! <= east && latitude! >= south && latitude! <= north,
        )
        return { records: inBox.slice(0, limit), total: inBox.length }
      },
    },
    { ofState: boxesOfState, ofZips: async () => zipBoxes },
  )
  return { provider, boxes }
}

describe('a search by ZIP code over a provider of boxes', () => {
  it('queries only the state of the ZIP code, and finds all homes whatever else the provider has', async () => {
    const { provider, boxes } = remoteWith([
      ...texas,
      ...spread(300, WASHINGTON!, '99999', 20_000),
      ...seattle,
    ])
    const found = await provider.search(search, { limit: 50 }, asking)
    expect(found.records.map(({ zpid }) => zpid).toSorted()).toEqual(['1', '2', '3'])
    expect(found.total).toBe(3)
    for (const box of boxes) {
      expect(touches(box, WASHINGTON!)).toBe(true)
      expect(box.east).toBeLessThan(-104)
    }
  })

  it('starts with the area of the ZIP code if it is known, even outside the state, however many homes the state has', async () => {
    const area = { west: -117.2, south: 32.6, east: -117, north: 32.8 }
    const moved = seattle.map((home, at) => ({ ...home, longitude: -117.1 + at / 1_000, latitude: 32.7 }))
    const { provider, boxes } = remoteWith(
      [...spread(9_000, WASHINGTON!, '99999', 20_000), ...moved],
      new Map([['98109', [area]]]),
    )
    const found = await provider.search(search, { limit: 50 }, asking)
    expect([found.records.length, found.total]).toEqual([3, 3])
    expect(boxes.every((box) => touches(box, area) && box.west >= area.west)).toBe(true)
    const other = { ...search, zips: ['98109', '98119'] }
    // 98119 has no area here, so its state is searched.
    expect(await provider.search(other, { limit: 50 }, asking)).toMatchObject({ isIncomplete: true })
  })

  it('of a watch queries the state, whether or not the area of the ZIP code is known', async () => {
    const area = { west: -117.2, south: 32.6, east: -117, north: 32.8 }
    const forWatch: QueryContext = { ...asking, owner: { account: 'one', background: true, isWatch: true } }
    const found = []
    for (const known of [new Map(), new Map([['98109', [area]]])]) {
      const { provider, boxes } = remoteWith(seattle, known)
      found.push([await provider.search(search, { limit: 50 }, forWatch), boxes])
    }
    expect(found[0]).toMatchObject([{ records: seattle, total: 3 }, [{}]])
    expect(found[1]).toEqual(found[0])
  })

  it('is incomplete if the state has more homes than one search may query', async () => {
    const { provider, boxes } = remoteWith([...spread(9_000, WASHINGTON!, '99999', 20_000), ...seattle])
    expect(await provider.search(search, { limit: 50 }, asking)).toEqual({
      records: [],
      total: undefined,
      isIncomplete: true,
    })
    expect(boxes).toHaveLength(24)
    const box = { west: -122.4, south: 47.6, east: -122.3, north: 47.7 }
    const near = await provider.search({ ...search, bbox: box }, { limit: 50 }, asking)
    expect(near.records).toHaveLength(3)
  })

  it('of a job sends no query for a tile outside the state, and one for a tile inside', async () => {
    const { provider, boxes } = remoteWith([...texas, ...seattle])
    const tile = { west: -104, south: 28, east: -95, north: 35 }
    expect(await provider.search({ ...search, bbox: tile }, { limit: 50 }, forJob)).toMatchObject({
      records: [],
      total: 0,
      isUnasked: true,
    })
    expect(boxes).toEqual([])
    const whole = await provider.search(search, { limit: 50 }, forJob)
    expect([whole.records.length, whole.isUnasked, boxes.length]).toEqual([3, undefined, 1])
  })
})

describe('the boxes of states', () => {
  it('contain each state with a margin; Alaska, which crosses the antimeridian, has two', () => {
    expect(boxesOfState('AK')).toHaveLength(2)
    expect(boxesOfState('WA')).toHaveLength(1)
    expect(WASHINGTON!.west).toBeLessThan(-124.7)
    expect(WASHINGTON!.east).toBeGreaterThan(-116.95)
    expect(WASHINGTON!.east).toBeLessThan(-116)
    expect(boxesOfState('ZZ')).toEqual([])
  })
})
