// A watch finds the same homes as a search: the matcher of the change log agrees with the search statement.

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { readChanges } from '../../../src/data/sources/dataset/change-log.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import { matcherOf } from '../../../src/data/sources/dataset/matches.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { anySearch, randomHomes } from './random-homes.ts'

const test = withTestDatabase()
const SEED = 20_261_122

beforeAll(async () => {
  await importListings(test.database, rowsOf(randomHomes(2_000, SEED)))
})

describe("the change log's matcher", () => {
  it('matches a home exactly when the search finds it', async () => {
    const { database } = test
    const changes = await readChanges(database, { after: 0, limit: 5_000 })
    expect(changes).toHaveLength(2_000)
    const provider = createDatasetProvider(database)
    const asking = { signal: new AbortController().signal }
    let found = 0
    await fc.assert(
      fc.asyncProperty(anySearch, async (search) => {
        const matches = matcherOf(search)
        const matching = changes.filter(({ after }) => after && matches(after)).map(({ zpid }) => zpid)
        const { records } = await provider.search(search, { limit: 5_000 }, asking)
        found += records.length
        expect(matching.sort()).toEqual(records.map(({ zpid }) => String(zpid)).sort())
      }),
      { seed: SEED, numRuns: 300 },
    )
    expect(found).toBeGreaterThan(1_000)
  })

  it('is not used for searches that change by the passage of time', () => {
    const search = { status: 'for_sale', bbox: { west: -1, south: -1, east: 1, north: 1 } } as const
    expect(() => matcherOf({ ...search, daysOnSite: '7' })).toThrow(RangeError)
    expect(() => matcherOf({ ...search, openHouse: false })).toThrow(RangeError)
  })
})
