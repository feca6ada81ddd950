import { describe, expect, it } from 'vitest'
import {
  type Cost,
  cost,
  costOfRows,
  type Input,
  MAX_ITEMS,
  type OperationId,
  operations,
} from '../src/index.ts'
import { MAX_SYNC_ITEMS } from '../src/search-mode.ts'

const HOME = 'https://www.zillow.com/homedetails/48749425_zpid/'
const BUILDING = 'https://www.zillow.com/b/tower-seattle-wa-5XkQ2p/'
const NO_LIMIT = null

interface PartialInput {
  readonly query?: object
  readonly body?: object
}

/** As a handler gets it, but for what has no part in the cost. */
function costWith<K extends OperationId>(operation: K, given: PartialInput = {}): Cost {
  return cost(operation, {
    params: {},
    query: {},
    headers: {},
    body: undefined,
    ...given,
  } as unknown as Input<K>)
}

const batch = (body: object) => ({ body: { extractBuildingUnits: 'disabled', ...body } })
const search = (body: object = {}) => ({ body: { extractionMethod: 'PAGINATION', ...body } })
const withDetails = (body: object) => search({ extractBuildingUnits: 'disabled', ...body })

/** What is asked, and the least and the most that it may cost, in credits. */
const COSTS: readonly (readonly [string, OperationId, PartialInput, number, number | null])[] = [
  ['a home by its id', 'getProperty', {}, 1, 1],
  ['a call that is free', 'listJobs', {}, 0, 0],
  ['the URL of a home, with units', 'getPropertyByUrl', { query: { url: HOME, extract_units: 'all' } }, 1, 1],
  [
    'a building URL without units',
    'getPropertyByUrl',
    { query: { url: BUILDING, extract_units: 'disabled' } },
    1,
    1,
  ],
  [
    'a building URL with units',
    'getPropertyByUrl',
    { query: { url: BUILDING, extract_units: 'all' } },
    1,
    NO_LIMIT,
  ],
  ['the units of a building', 'getBuildingUnits', { query: { url: BUILDING } }, 1, NO_LIMIT],
  [
    'a batch of three entries',
    'createPropertyBatch',
    batch({ urls: [HOME, HOME], addresses: ['1 Main St'] }),
    0,
    3,
  ],
  [
    'a batch with a smaller maxItems',
    'createPropertyBatch',
    batch({ urls: [HOME, HOME], maxItems: 1 }),
    0,
    1,
  ],
  [
    'a batch with a greater maxItems',
    'createPropertyBatch',
    batch({ urls: [HOME, HOME], maxItems: 9 }),
    0,
    2,
  ],
  [
    'a batch with units',
    'createPropertyBatch',
    { body: { urls: [HOME], extractBuildingUnits: 'all' } },
    0,
    NO_LIMIT,
  ],
  [
    'a batch with units and maxItems',
    'createPropertyBatch',
    { body: { urls: [HOME], extractBuildingUnits: 'all', maxItems: 40 } },
    ...([0, 40] as const),
  ],
  ['a search without maxItems', 'searchListings', search(), 1, MAX_SYNC_ITEMS],
  ['a search with maxItems', 'searchForSale', search({ maxItems: 300 }), 1, 300],
  [
    'an exhaustive search',
    'searchSold',
    search({ extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }),
    1,
    NO_LIMIT,
  ],
  ['a list', 'listListings', { query: { max_items: 20 } }, 1, 20],
  ['homes with details, each in both stages', 'searchWithDetails', withDetails({ maxItems: 10 }), 0, 20],
  [
    'homes with details, as many as there may be',
    'searchWithDetails',
    withDetails({}),
    0,
    2 * MAX_ITEMS.PAGINATION,
  ],
  [
    'homes with details and units',
    'searchWithDetails',
    withDetails({ maxItems: 10, extractBuildingUnits: 'all' }),
    ...([0, NO_LIMIT] as const),
  ],
]

describe('the estimated cost', () => {
  it.each(COSTS)('of %s (%s) is within its bounds', (_, operation, given, min, max) => {
    expect(costWith(operation, given)).toEqual({ min, max })
  })

  it('of a job with a known number of rows includes all its stages', () => {
    expect(costOfRows('createPropertyBatch', 5)).toBe(5)
    expect(costOfRows('searchWithDetails', 5)).toBe(10)
    expect(costOfRows('searchListings', 0)).toBe(1)
  })

  it('changes with the prices, and has a maximum if unlimited rows are free', () => {
    const stages = operations.createPropertyBatch.price.stages as unknown as {
      price: number
      minimum: number
    }[]
    const [real] = stages.map((stage) => ({ ...stage }))
    const unbounded = { body: { urls: [HOME], extractBuildingUnits: 'all' } }
    try {
      stages[0]!.price = 7
      expect(costWith('createPropertyBatch', batch({ urls: [HOME, HOME] }))).toEqual({ min: 0, max: 14 })
      stages[0]!.price = 0
      expect(costWith('createPropertyBatch', unbounded)).toEqual({ min: 0, max: 0 })
    } finally {
      Object.assign(stages[0]!, real)
    }
  })
})
