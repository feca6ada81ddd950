// A job that searches by ZIP code splits its box where there are more homes than come at a time. Homes without a position are in no
// part of the box, and are asked for on their own.

import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import { beginSurvey, type Survey, type SurveyLimits, surveyNext } from '../../../src/data/sources/tiler.ts'
import { type AreaSearch, WORLD } from '../../../src/domain/search/area-search.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const test = withTestDatabase()
const PLACED = 60
const UNPLACED = 25
const SEARCH: AreaSearch = { status: 'for_sale', bbox: WORLD, zips: ['98109'] }
const asking = { signal: new AbortController().signal }

beforeAll(async () => {
  const homes = Array.from({ length: PLACED + UNPLACED }, (_, at) => ({
    zpid: String(at + 1),
    homeStatus: 'FOR_SALE',
    price: 100_000 + at,
    ...(at < PLACED && { latitude: 47.6 + at / 1_000, longitude: -122.3 - at / 1_000 }),
    address: { city: 'Seattle', state: 'WA', zipcode: at === 0 || at === PLACED ? '98119' : '98109' },
  }))
  await importListings(test.database, rowsOf(homes as never))
})

async function surveyAll(search: AreaSearch, limits: Pick<SurveyLimits, 'page' | 'most'>) {
  const provider = createDatasetProvider(test.database)
  const searches: AreaSearch[] = []
  const found = new Map<string, Property>()
  let survey = beginSurvey([search])
  while (survey.pending.length > 0) {
    const page = await surveyNext(
      [search],
      // As a worker reads it that goes on with the job of another one.
      JSON.parse(JSON.stringify(survey)) as Survey,
      { mostTiles: 1_000, ...limits },
      Number.POSITIVE_INFINITY,
      (part, limit) => {
        searches.push(part)
        return provider.search(part, { limit }, asking)
      },
    )
    for (const record of page.records) found.set(String(record.zpid), record)
    survey = page.survey
  }
  return { survey, searches, found: [...found.values()] }
}

describe('A survey by ZIP code', () => {
  it('with a split box finds every home once, with and without a position', async () => {
    const { survey, found } = await surveyAll(SEARCH, { page: 5, most: 100 })
    expect(found).toHaveLength(PLACED + UNPLACED - 2)
    expect(found.filter(({ latitude }) => latitude === undefined)).toHaveLength(UNPLACED - 1)
    expect(survey).toMatchObject({ total: PLACED + UNPLACED - 2, cappedTiles: 0 })
  })

  it('queries homes without a position once, and reports if there are too many for one answer', async () => {
    const { survey, searches } = await surveyAll(SEARCH, { page: 5, most: 10 })
    expect(searches.filter(({ unplacedOnly }) => unplacedOnly)).toHaveLength(2)
    expect(survey.cappedTiles).toBe(1)
  })

  it('does not query them if it has its own box', async () => {
    const bbox = { west: -123, south: 47, east: -122, north: 48 }
    const { searches, found } = await surveyAll({ ...SEARCH, bbox }, { page: 5, most: 100 })
    expect(searches.some(({ unplacedOnly }) => unplacedOnly)).toBe(false)
    expect(found).toHaveLength(PLACED - 1)
  })
})
