import { describe, expect, it } from 'vitest'
import { openapi } from '../src/index.ts'
import { isSearchJob, MAX_SYNC_ITEMS } from '../src/search-mode.ts'
import table from '../test-cases/search-mode.json' with { type: 'json' }

const { maxSyncItems, cases } = table

describe('a search is synchronous up to the bound and a job above it', () => {
  it.each(cases)('$size: $isJob', ({ size, isJob }) => {
    expect(isSearchJob(size)).toBe(isJob)
  })

  it('the case table that Python tests share has the same bound', () => {
    expect(maxSyncItems).toBe(MAX_SYNC_ITEMS)
  })
})

it('the contract documents the same bound', () => {
  const { components, paths, info } = openapi
  const text = JSON.stringify([components?.schemas?.SearchRequest, paths['/v1/search'], info])
  const stated = [
    ...text.matchAll(/`maxItems` (?:of|is) (\d+)|more than (\d+)\s+rows|Left out, it is (\d+)/g),
  ].map((match) => match.slice(1).find((number) => number !== undefined))
  expect(stated.length).toBeGreaterThanOrEqual(3)
  expect(new Set(stated)).toEqual(new Set([String(MAX_SYNC_ITEMS)]))
})
