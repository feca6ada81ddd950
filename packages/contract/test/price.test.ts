import { describe, expect, it } from 'vitest'
import {
  affordableRows,
  type OperationId,
  operationIds,
  operations,
  price,
  priceOfStage,
  type Stage,
} from '../src/index.ts'

/** Operation, stage, rows returned, credits: the price list as the manual states it in words. */
const PRICE_LIST: readonly (readonly [OperationId, Stage, number, number])[] = [
  ['getProperty', null, 1, 1],
  ['getPropertyByAddress', null, 1, 3],
  ['getPropertyPhotos', null, 40, 1],
  ['getPropertyNearby', null, 0, 1],
  ['getPropertyByUrl', null, 1, 1],
  ['getPropertyByUrl', null, 312, 312],
  ['getBuildingUnits', null, 0, 1],
  ['getBuildingUnits', null, 312, 312],
  ['createPropertyBatch', null, 0, 0],
  ['createPropertyBatch', null, 500, 500],
  ['searchListings', null, 0, 1],
  ['searchListings', null, 50, 50],
  ['searchForSale', null, 0, 1],
  ['searchForRent', null, 2, 2],
  ['searchSold', null, 820, 820],
  ['createWatch', null, 0, 0],
  ['createWatch', null, 12, 12],
  ['listListings', null, 0, 1],
  ['listListings', null, 50, 50],
  ['searchWithDetails', 'search', 0, 0],
  ['searchWithDetails', 'search', 820, 820],
  ['searchWithDetails', 'detail', 0, 0],
  ['searchWithDetails', 'detail', 820, 820],
]

const FREE: readonly OperationId[] = [
  'listJobs',
  'getJob',
  'abortJob',
  'getJobResults',
  'listWatches',
  'getWatch',
  'updateWatch',
  'deleteWatch',
  'listWatchEvents',
  'createWebhook',
  'listWebhooks',
  'getWebhook',
  'updateWebhook',
  'deleteWebhook',
  'testWebhook',
  'rotateWebhookSecret',
  'getWebhookDelivery',
  'redeliverWebhookEvent',
  'listWebhookDeliveries',
  'listKeys',
  'createKey',
  'getKey',
  'updateKey',
  'rotateKey',
  'deleteKey',
  'getAccount',
  'estimateCall',
  'listUsage',
  'summarizeUsage',
]

describe('the price', () => {
  it.each(PRICE_LIST)('of %s (stage %s) with %i rows is %i', (operation, stage, units, credits) => {
    expect(price(operation, stage, units)).toBe(credits)
  })

  it.each(FREE)('of %s is 0 for any number of rows', (operation) => {
    expect(price(operation, null, 0)).toBe(0)
    expect(price(operation, null, 1000)).toBe(0)
  })

  it('per call is the same for any number of rows', () => {
    const stage = { stage: null, price: 3, per: 'call', minimum: 3 } as const
    expect([0, 1, 100].map((units) => priceOfStage(stage, units))).toEqual([3, 3, 3])
  })

  it('per row is the rows times the price, with a minimum', () => {
    const stage = { stage: null, price: 2, per: 'row', minimum: 5 } as const
    expect([0, 1, 2, 3, 100].map((units) => priceOfStage(stage, units))).toEqual([5, 5, 5, 6, 200])
  })

  it('of an operation never falls when rows are added', () => {
    for (const id of operationIds)
      for (const stage of operations[id].price.stages) {
        const prices = [0, 1, 2, 50, 1_000_000].map((units) => priceOfStage(stage, units))
        expect(prices, id).toEqual(prices.toSorted((a, b) => a - b))
        expect(prices[0], id).toBe(stage.minimum)
      }
  })

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('of %d rows is refused', (units) => {
    expect(() => price('searchListings', null, units)).toThrow(RangeError)
    expect(() => price('getProperty', null, units)).toThrow(RangeError)
  })

  it('of a stage that the operation does not have is refused', () => {
    expect(() => price('searchListings', 'detail', 1)).toThrow('searchListings has no detail stage')
    expect(() => price('searchWithDetails', null, 1)).toThrow('searchWithDetails has no single stage')
  })
})

describe('affordableRows', () => {
  const perRow = (price: number) => [{ stage: null, price, per: 'row', minimum: price }] as const

  it.each([
    [1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [7, Number.MAX_SAFE_INTEGER, Math.floor(Number.MAX_SAFE_INTEGER / 7)],
    [7, 6, 0],
    [7, 14, 2],
  ])('at a price of %i is, for %i credits, %i', (price, credits, rows) => {
    expect(affordableRows(perRow(price), credits)).toBe(rows)
  })
})
