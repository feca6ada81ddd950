import { describe, expect, test } from 'vitest'
import { planSearch, planSearchWithDetails, readBatchMaxItems } from '../../src/listings/limits.ts'

const REFUSED = { refused: true, code: 'invalid_parameter' }

describe('a search is answered at once up to 50 rows and by a job beyond', () => {
  test.each([
    [{}, { mode: 'sync', method: 'PAGINATION', maxItems: 50 }],
    [{ maxItems: 1 }, { mode: 'sync', method: 'PAGINATION', maxItems: 1 }],
    [
      { maxItems: 50, async: false },
      { mode: 'sync', method: 'PAGINATION', maxItems: 50 },
    ],
    [{ maxItems: 51 }, { mode: 'async', method: 'PAGINATION', maxItems: 51 }],
    [
      { maxItems: 51, async: false },
      { mode: 'async', method: 'PAGINATION', maxItems: 51 },
    ],
    [{ maxItems: 820 }, { mode: 'async', method: 'PAGINATION', maxItems: 820 }],
    [
      { maxItems: 10, async: true },
      { mode: 'async', method: 'PAGINATION', maxItems: 10 },
    ],
    [{ async: true }, { mode: 'async', method: 'PAGINATION', maxItems: 50 }],
    [{ extractionMethod: 'MAP_MARKERS' }, { mode: 'sync', method: 'MAP_MARKERS', maxItems: 50 }],
    [
      { extractionMethod: 'MAP_MARKERS', maxItems: 500 },
      { mode: 'async', method: 'MAP_MARKERS', maxItems: 500 },
    ],
    [{ extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }, { mode: 'async', method: 'PAGINATION_WITH_ZOOM_IN' }],
    [
      { extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 5, async: false },
      { mode: 'async', method: 'PAGINATION_WITH_ZOOM_IN', maxItems: 5 },
    ],
    [
      { extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 1_000_000 },
      { mode: 'async', method: 'PAGINATION_WITH_ZOOM_IN', maxItems: 1_000_000 },
    ],
  ])('%j', (asked, plan) => {
    expect(planSearch(asked)).toEqual(plan)
  })
})

describe('out of bounds is refused, never clamped', () => {
  test.each([
    { maxItems: 0 },
    { maxItems: -1 },
    { maxItems: 821 },
    { maxItems: 10.5 },
    { maxItems: '10' },
    { maxItems: null },
    { maxItems: Number.NaN },
    { maxItems: Number.POSITIVE_INFINITY },
    { extractionMethod: 'MAP_MARKERS', maxItems: 501 },
    { extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 1_000_001 },
    { extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 0 },
    { extractionMethod: 'pagination' },
    { extractionMethod: 7 },
    { async: 'true' },
    { async: 1 },
  ])('%j', (asked) => {
    expect(planSearch(asked)).toMatchObject(REFUSED)
  })

  test.each([0, 501, '5', 2.5])('maxItems %j of a batch', (value) => {
    expect(readBatchMaxItems(value)).toMatchObject(REFUSED)
  })
})

test('a search with details finds at most 820 homes, and as many unless told otherwise', () => {
  expect(planSearchWithDetails({})).toEqual({ method: 'PAGINATION', maxItems: 820 })
  expect(planSearchWithDetails({ maxItems: 3 })).toEqual({ method: 'PAGINATION', maxItems: 3 })
  expect(planSearchWithDetails({ extractionMethod: 'MAP_MARKERS' })).toEqual({
    method: 'MAP_MARKERS',
    maxItems: 500,
  })
  const zoomIn = { extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
  expect(planSearchWithDetails(zoomIn)).toEqual({ method: 'PAGINATION_WITH_ZOOM_IN', maxItems: 820 })
  expect(planSearchWithDetails({ maxItems: 821 })).toMatchObject(REFUSED)
  expect(planSearchWithDetails({ ...zoomIn, maxItems: 821 })).toMatchObject(REFUSED)
  expect(planSearchWithDetails({ extractionMethod: 'MAP_MARKERS', maxItems: 501 })).toMatchObject(REFUSED)
})

test('a batch without maxItems is not cut', () => {
  expect(readBatchMaxItems(undefined)).toBeUndefined()
  expect(readBatchMaxItems(500)).toBe(500)
})
