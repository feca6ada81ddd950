import type { Property } from '@lotline/contract'
import type { Area } from '@lotline/contract/checks'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginSurvey, type Survey, type SurveyLimits, surveyNext } from '../../../src/data/sources/tiler.ts'
import type { AreaSearch, BoundingBox } from '../../../src/domain/search/area-search.ts'
import { findSharedText } from '../../domain/record/shared-data.ts'
import { isInAny } from '../../domain/search/exact-areas.ts'

interface Home {
  readonly zpid: string
  readonly latitude: number
  readonly longitude: number
}

function isWithin({ latitude, longitude }: Home, { west, south, east, north }: BoundingBox): boolean {
  const isBetween =
    west <= east ? west <= longitude && longitude <= east : west <= longitude || longitude <= east
  return isBetween && south <= latitude && latitude <= north
}

interface SurveyResult {
  readonly survey: Survey
  readonly found: ReadonlySet<string>
  readonly calls: readonly { readonly box: BoundingBox; readonly limit: number }[]
}

/** Surveys to the end, as a job does: with the survey read back from JSON after every page. */
async function surveyAll(
  homes: readonly Home[],
  boxes: readonly BoundingBox[],
  limits: Partial<SurveyLimits> & { page: number; most: number },
  wanted = Number.POSITIVE_INFINITY,
  areas?: readonly Area[],
): Promise<SurveyResult> {
  const searches: AreaSearch[] = boxes.map((bbox) => ({ status: 'sold', bbox, ...(areas && { areas }) }))
  const found = new Set<string>()
  const calls: { box: BoundingBox; limit: number }[] = []
  let survey = beginSurvey(searches)
  while (survey.pending.length > 0 && found.size < wanted) {
    const page = await surveyNext(
      searches,
      JSON.parse(JSON.stringify(survey)) as Survey,
      { mostTiles: 50_000, ...limits },
      wanted - found.size,
      async (search, limit) => {
        calls.push({ box: search.bbox, limit })
        expect(limit).toBeLessThanOrEqual(limits.most)
        const all = homes.filter(
          (home) => isWithin(home, search.bbox) && (!areas || isInAny(areas, home.longitude, home.latitude)),
        )
        return { records: all.slice(0, limit) as unknown as Property[], total: all.length }
      },
    )
    for (const { zpid } of page.records) if (found.size < wanted) found.add(String(zpid))
    survey = page.survey
  }
  return { survey, found, calls }
}

function homesAt(points: readonly (readonly [number, number])[]): Home[] {
  return points.map(([longitude, latitude], at) => ({ zpid: String(at + 1), longitude, latitude }))
}

function within(homes: readonly Home[], boxes: readonly BoundingBox[]): Set<string> {
  return new Set(homes.filter((home) => boxes.some((box) => isWithin(home, box))).map(({ zpid }) => zpid))
}

const longitudes = fc.double({ min: -180, max: 180, noNaN: true })
const latitudes = fc.double({ min: -90, max: 90, noNaN: true })
/** Points on few lines and crossings, so that many lie on the edges of tiles and on each other. */
const onLines = fc.tuple(
  fc.integer({ min: -8, max: 8 }).map((n) => n * 22.5),
  fc.integer({ min: -8, max: 8 }).map((n) => n * 11.25),
)
const box = fc.tuple(longitudes, latitudes, longitudes, latitudes).map(([west, one, east, other]) => ({
  west,
  east,
  south: Math.min(one, other),
  north: Math.max(one, other),
}))

describe('a survey', () => {
  it('finds exactly the homes in its boxes, for any points and boxes, including edges and the antimeridian', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(onLines, fc.tuple(longitudes, latitudes)), { maxLength: 120 }),
        fc.array(box, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 3, max: 9 }),
        async (points, boxes, page) => {
          const homes = homesAt(points)
          // A source that gives all of a spot when it is asked for more.
          const { found, survey } = await surveyAll(homes, boxes, { page, most: 200 })
          expect(found).toEqual(within(homes, boxes))
          expect(survey.cappedTiles).toBe(0)
          expect(survey.pending).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('is one call if the source returns the whole area at once', async () => {
    const homes = homesAt(Array.from({ length: 400 }, (_, at) => [at / 10, at / 20]))
    const { found, survey, calls } = await surveyAll(homes, [{ west: -1, south: -1, east: 50, north: 50 }], {
      page: 500,
      most: 500,
    })
    expect([found.size, calls.length]).toEqual([400, 1])
    expect(survey).toEqual({ pending: [], tiles: 1, cappedTiles: 0, total: 400 })
  })

  it('is one call if that call returns enough rows', async () => {
    const homes = homesAt(Array.from({ length: 400 }, (_, at) => [at / 10, at / 20]))
    const { found, calls } = await surveyAll(
      homes,
      [{ west: -1, south: -1, east: 50, north: 50 }],
      { page: 500, most: 500 },
      30,
    )
    expect([found.size, calls.length, calls[0]!.limit]).toEqual([30, 1, 30])
  })

  it('reads a spot that cannot be split with one larger query', async () => {
    const homes = homesAt([
      ...Array.from({ length: 900 }, () => [-73.942562, 40.747192] as const),
      ...Array.from({ length: 900 }, (_, at) => [-73.9 - at / 1000, 40.7 + at / 5000] as const),
    ])
    const area = { west: -75, south: 40, east: -73, north: 42 }
    const { found, survey, calls } = await surveyAll(homes, [area], { page: 500, most: 1000 })
    expect(found.size).toBe(1800)
    expect(survey.cappedTiles).toBe(0)
    expect(calls.filter(({ limit }) => limit === 1000)).toHaveLength(1)
    expect(calls.length).toBeLessThan(120)
  })

  it('reports a spot with more homes than the source returns, and still finds the rest of the area', async () => {
    const homes = homesAt([
      ...Array.from({ length: 1500 }, () => [-73.942562, 40.747192] as const),
      ...Array.from({ length: 900 }, (_, at) => [-73.9 - at / 1000, 40.7 + at / 5000] as const),
    ])
    const area = { west: -75, south: 40, east: -73, north: 42 }
    const { found, survey } = await surveyAll(homes, [area], { page: 500, most: 1000 })
    expect(found.size).toBe(1900)
    expect(survey).toMatchObject({ cappedTiles: 1, total: 2400 })
  })

  it('requests no tile outside the polygon of its search, and finds exactly the homes in it', async () => {
    const corners = [
      [0, 0],
      [80, 0],
      [0, 80],
      [0, 0],
    ] as const
    const polygon: Area = { type: 'Polygon', coordinates: [corners] }
    const homes = homesAt(
      Array.from({ length: 41 * 41 }, (_, at) => [4 * (at % 41) - 80, 4 * Math.floor(at / 41) - 80] as const),
    )
    const box = { west: -90, south: -90, east: 90, north: 90 }
    const { found, calls } = await surveyAll(homes, [box], { page: 10, most: 10 }, undefined, [polygon])
    const inside = homes.filter(({ longitude, latitude }) => isInAny([polygon], longitude, latitude))
    expect(found).toEqual(new Set(inside.map(({ zpid }) => zpid)))
    expect(inside.length).toBeGreaterThan(200)
    expect(calls.length).toBeGreaterThan(inside.length / 10)
    for (const { box } of calls) {
      expect(box.east >= 0 && box.north >= 0 && Math.max(0, box.west) + Math.max(0, box.south) <= 80).toBe(
        true,
      )
    }
  })

  it('of a line or a single point terminates', async () => {
    const homes = homesAt(Array.from({ length: 700 }, (_, at) => [10, (at % 50) / 10]))
    const line = { west: 10, south: -10, east: 10, north: 10 }
    const onLine = await surveyAll(homes, [line], { page: 100, most: 100 })
    expect([onLine.found.size, onLine.survey.cappedTiles]).toEqual([700, 0])
    expect(onLine.calls.length).toBeLessThan(60)
    const point = { west: 10, south: 1, east: 10, north: 1 }
    const atPoint = await surveyAll(homes, [point], { page: 5, most: 10 })
    expect([atPoint.found.size, atPoint.survey.cappedTiles, atPoint.calls.length]).toEqual([10, 1, 2])
  })

  it('stops splitting at the maximum number of tiles, and counts the tiles that it could not search', async () => {
    const homes = homesAt(Array.from({ length: 4000 }, (_, at) => [(at % 63) / 10, Math.floor(at / 63) / 10]))
    const { survey, calls } = await surveyAll(homes, [{ west: -1, south: -1, east: 7, north: 7 }], {
      page: 10,
      most: 10,
      mostTiles: 60,
    })
    expect(survey.tiles).toBeLessThanOrEqual(64)
    expect(calls.length).toBeLessThanOrEqual(64)
    expect(survey.cappedTiles).toBeGreaterThan(0)
  })

  it('never has more open tiles than a checkpoint can hold', async () => {
    const homes = homesAt(Array.from({ length: 3000 }, (_, at) => [-100 + (at % 61) / 1e4, 40 + at / 1e6]))
    const searches: AreaSearch[] = [
      { status: 'sold', bbox: { west: -180, south: -90, east: 180, north: 90 } },
    ]
    let survey = beginSurvey(searches)
    let most = 0
    while (survey.pending.length > 0) {
      const page = await surveyNext(
        searches,
        survey,
        { page: 50, most: 50, mostTiles: 50_000 },
        Number.POSITIVE_INFINITY,
        async ({ bbox }, limit) => {
          const all = homes.filter((home) => isWithin(home, bbox))
          return { records: all.slice(0, limit) as unknown as Property[], total: all.length }
        },
      )
      survey = page.survey
      most = Math.max(most, JSON.stringify(survey).length)
    }
    expect(most).toBeLessThan(20_000)
  })
})

/** Real sales where they are at hand; else a city of towers. */
function readHomes(): Home[] {
  const proof = 'a survey of 87,000 real homes'
  const texts = ['kc-house-sales', 'lucas-county-oh-sales', 'nyc-rolling-sales'].flatMap(
    (name) => findSharedText(`unified-records/${name}.ndjson.gz`, proof) ?? [],
  )
  if (texts.length < 3) {
    return homesAt(Array.from({ length: 20_000 }, (_, at) => [(at * at) % 997, at % 331] as const)).map(
      (home) => ({
        ...home,
        longitude: -74 + home.longitude / 4000,
        latitude: 40 + home.latitude / 2000,
      }),
    )
  }
  return texts.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { zpid, latitude, longitude } = JSON.parse(line) as Home
        return { zpid, latitude, longitude }
      }),
  )
}

it('finds exactly the homes in the area over 87,000 real homes with a cap of 500', async () => {
  const homes = readHomes()
  const areas: readonly BoundingBox[][] = [
    [{ west: -180, south: -90, east: 180, north: 90 }],
    [{ west: -74.05, south: 40.55, east: -73.75, north: 40.9 }],
    // Around the Earth the long way, without New York.
    [{ west: -73, south: 30, east: -80, north: 60 }],
  ]
  for (const boxes of areas) {
    const { found, survey } = await surveyAll(homes, boxes, { page: 500, most: 500 })
    const wanted = within(homes, boxes)
    expect(found.size).toBe(wanted.size)
    expect(found).toEqual(wanted)
    expect(survey).toMatchObject({ cappedTiles: 0, total: wanted.size })
  }
})
