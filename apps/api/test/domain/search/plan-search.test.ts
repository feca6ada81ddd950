import { describe, expect, test } from 'vitest'
import { planSearch, planSearchWithDetails } from '../../../src/requests/operations/searches.ts'

type SearchInput = Partial<Parameters<typeof planSearch>[0]>
/** The defaults of the contract. */
const DEFAULTS = { extractionMethod: 'PAGINATION', async: false } as const
const REFUSED = { refused: true, code: 'invalid_parameter' }

describe('a search returns up to 50 rows directly, and more by a job', () => {
  test.each<[SearchInput, object]>([
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
    expect(planSearch({ ...DEFAULTS, ...asked })).toEqual(plan)
  })
})

// Values that no method allows are refused earlier: packages/contract/test-cases/wrong-inputs.ts.
test.each<SearchInput>([
  { maxItems: 821 },
  { maxItems: 821, async: true },
  { extractionMethod: 'MAP_MARKERS', maxItems: 501 },
  { extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 1_000_001 },
])('more than the method allows is refused, never clamped: %j', (asked) => {
  expect(planSearch({ ...DEFAULTS, ...asked })).toMatchObject(REFUSED)
})

describe('a search with details finds at most 820 homes, which is also the default', () => {
  test.each<[Omit<SearchInput, 'async'>, object]>([
    [{}, { method: 'PAGINATION', maxItems: 820 }],
    [{ maxItems: 3 }, { method: 'PAGINATION', maxItems: 3 }],
    [{ extractionMethod: 'MAP_MARKERS' }, { method: 'MAP_MARKERS', maxItems: 500 }],
    [{ extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }, { method: 'PAGINATION_WITH_ZOOM_IN', maxItems: 820 }],
    [{ maxItems: 821 }, REFUSED],
    [{ extractionMethod: 'PAGINATION_WITH_ZOOM_IN', maxItems: 821 }, REFUSED],
    [{ extractionMethod: 'MAP_MARKERS', maxItems: 501 }, REFUSED],
  ])('%j', (asked, plan) => {
    expect(planSearchWithDetails({ ...DEFAULTS, ...asked })).toMatchObject(plan)
  })
})
