import { describe, expect, it } from 'vitest'
import { openapi } from '../src/index.ts'
import { isSearchJob, MAX_SYNC_ITEMS } from '../src/search-mode.ts'

describe('a search is answered at once up to the bound, and is a job beyond it', () => {
  it.each([
    [{}, false],
    [{ maxItems: MAX_SYNC_ITEMS }, false],
    [{ maxItems: MAX_SYNC_ITEMS + 1 }, true],
    [{ maxItems: MAX_SYNC_ITEMS + 1, async: false }, true],
    [{ async: true }, true],
    [{ maxItems: MAX_SYNC_ITEMS, extractionMethod: 'MAP_MARKERS' }, false],
    [{ maxItems: 1, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }, true],
  ] as const)('%j: %s', (size, isJob) => {
    expect(isSearchJob(size)).toBe(isJob)
  })
})

it('the contract states the same bound', () => {
  const { components, paths, info } = openapi
  const text = JSON.stringify([components?.schemas?.SearchRequest, paths['/v1/search'], info])
  const stated = [
    ...text.matchAll(/`maxItems` (?:of|is) (\d+)|more than (\d+)\s+rows|Left out, it is (\d+)/g),
  ].map((match) => match.slice(1).find((number) => number !== undefined))
  expect(stated.length).toBeGreaterThanOrEqual(3)
  expect(new Set(stated)).toEqual(new Set([String(MAX_SYNC_ITEMS)]))
})
