import { beforeAll, expect, it } from 'vitest'
import { importListings } from '../../../../src/data/ingest/import-listings.ts'
import { createDatasetProvider } from '../../../../src/data/sources/dataset/dataset-provider.ts'
import { searchStatement } from '../../../../src/data/sources/dataset/search-statement.ts'
import type { AreaSearch } from '../../../../src/domain/search/area-search.ts'
import { findPathReference } from '../../../../src/domain/site-urls/listing-url.ts'
import { createTestDatabase, withTestDatabase } from '../../../setup/test-database.ts'
import { describeProvider } from '../conformance.ts'
import { RECORDS, TOWER } from '../conformance-records.ts'
import { rowsOf } from './rows.ts'

describeProvider('dataset', async (records) => {
  const { database, drop } = await createTestDatabase()
  await importListings(database, rowsOf(records))
  return { provider: createDatasetProvider(database), close: drop }
})

const own = withTestDatabase()
const asking = { signal: new AbortController().signal }

beforeAll(async () => {
  await importListings(own.database, rowsOf(RECORDS))
})

it('units are sorted by their unit numbers', async () => {
  const building = findPathReference(TOWER)
  if (building?.kind !== 'building') throw new Error('not a building')
  const found = await createDatasetProvider(own.database).findUnits(building, 'all', asking)
  expect(found?.units.map((unit) => unit.unitNumber)).toEqual(['1', '2', '3', '10', '10A'])
})

it('a search with the limit 0 only counts', async () => {
  const provider = createDatasetProvider(own.database)
  const bbox = { west: -180, south: -90, east: 180, north: 90 }
  const { total } = await provider.search({ status: 'for_sale', bbox }, { limit: 100 }, asking)
  expect(await provider.search({ status: 'for_sale', bbox }, { limit: 0 }, asking)).toEqual({
    records: [],
    total,
  })
  expect(total).toBeGreaterThan(0)
})

const seattle = { west: -122.4, south: 47.5, east: -122.2, north: 47.7 }

it.each<[string, string, AreaSearch]>([
  [
    'all it filters by',
    'listings_sold',
    {
      status: 'sold',
      bbox: seattle,
      price: { min: 1 },
      homeTypes: ['house'],
      daysOnSite: '36m',
      hasPool: false,
    },
  ],
  ['positions only', 'listings_sold_places', { status: 'sold', bbox: seattle }],
])('answers a search from the index of %s, without a look at the table', async (_, index, search) => {
  const { text, values } = searchStatement(search, { limit: 50 })
  // For a handful of rows the planner would rightly read the whole table.
  const plan = await own.database.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain(`Index Only Scan using ${index} on`)
  expect(plan).toMatch(/Index Cond: \(\(cell >= .*\) AND \(cell <= .*\)\)/)
})
