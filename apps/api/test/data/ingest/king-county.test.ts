// Real sales as King County published them, imported with the project's mapping.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Property } from '@lotline/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ImportReport, importListings } from '../../../src/data/ingest/import-listings.ts'
import { readMapping } from '../../../src/data/ingest/mapping.ts'
import { openFile } from '../../../src/data/ingest/open-file.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'
import { createDatasetProvider } from '../../../src/data/sources/dataset/dataset-provider.ts'
import { withTestDatabase } from '../../setup/test-database.ts'

const ROOT = join(import.meta.dirname, '../../../../..')
const FILE = join(ROOT, '../shared/data/kc-house-sales/kc_house_data.csv')
const MAPPING = join(ROOT, 'apps/api/mappings/king-county.yaml')

const asking = { signal: new AbortController().signal }

it('the project’s mapping for King County is valid', async () => {
  expect((await readMapping(MAPPING)).record.zpid).toBe('{id}')
  await readMapping(join(ROOT, 'apps/api/mappings/nyc-rolling-sales.yaml'))
})

if (!existsSync(FILE))
  console.warn('SKIPPED: the King County sales: ../shared/data/kc-house-sales/kc_house_data.csv is absent')

describe.skipIf(!existsSync(FILE))('the King County sales', () => {
  const test = withTestDatabase()
  const provider = () => createDatasetProvider(test.database)
  let report: ImportReport

  const load = async () => {
    const mapping = await readMapping(MAPPING)
    expect(mapping.rows).toBe('merge')
    return importListings(test.database, readCsv((await openFile(FILE)).bytes, mapping), { merge: true })
  }
  beforeAll(async () => {
    report = await load()
  })

  it('are all imported; a home that was sold twice has its later sale', async () => {
    expect(report.duplicateRows).toHaveLength(177)
    expect(report).toMatchObject({
      read: 21_613,
      inserted: 21_436,
      updated: 0,
      unchanged: 0,
      duplicates: 177,
      rejected: 0,
      rejections: [],
      sources: ['import'],
      takenOver: 0,
      withdrawn: 0,
      warnings: [],
    })
  })

  it('are found by zpid', async () => {
    const found = await provider().findByZpid('7129300520', asking)
    expect(found?.record).toEqual({
      zpid: '7129300520',
      homeStatus: 'RECENTLY_SOLD',
      homeType: 'SINGLE_FAMILY',
      address: { state: 'WA', zipcode: '98178' },
      county: 'King County',
      country: 'USA',
      latitude: 47.5112,
      longitude: -122.257,
      price: 221_900,
      currency: 'USD',
      lastSoldPrice: 221_900,
      dateSold: '2014-10-13',
      dateSoldString: '2014-10-13',
      bedrooms: 3,
      bathrooms: 1,
      livingArea: 1180,
      livingAreaUnits: 'Square Feet',
      lotSize: 5650,
      stories: 1,
      yearBuilt: 1955,
      isWaterfront: false,
      priceHistory: [{ event: 'Sold', date: '2014-10-13', price: 221_900, source: 'Public Record' }],
      buildingGrade: '7 Average',
      resoFacts: {
        aboveGradeFinishedArea: '1180',
        propertyCondition: 'Average',
        hasView: false,
        hasWaterfrontView: false,
      },
    })
  })

  it('have both sales of a home in its history, the later first', async () => {
    const { rows } = await test.database.query<{ record: string }>(
      `select record from listings where jsonb_array_length(record::jsonb -> 'priceHistory') > 1`,
    )
    const histories = rows.map(({ record }) => JSON.parse(record) as Property)
    // 176 homes are in the file several times, one of them three times.
    expect(histories.length).toBe(176)
    for (const { dateSoldString, price, priceHistory } of histories) {
      const days = priceHistory!.map(({ date }) => date!)
      expect(days).toEqual(days.toSorted().toReversed())
      expect(priceHistory![0]).toMatchObject({ date: dateSoldString, price })
    }
  })

  it('are found by box and filters: exactly the homes of the file', async () => {
    const bbox = { west: -122.36, south: 47.6, east: -122.28, north: 47.68 }
    const found = await provider().search(
      {
        status: 'sold',
        bbox,
        price: { min: 300_000, max: 800_000 },
        beds: { min: 3 },
        yearBuilt: { max: 1950 },
      },
      { limit: 10_000 },
      asking,
    )
    const expected = latestSales()
      .filter(({ lat, long }) => lat >= 47.6 && lat <= 47.68 && long >= -122.36 && long <= -122.28)
      .filter(({ price, bedrooms }) => price >= 300_000 && price <= 800_000 && bedrooms >= 3)
      .filter(({ yr_built }) => yr_built <= 1950)
      .map(({ id }) => id)
    expect(expected.length).toBeGreaterThan(100)
    expect(found.total).toBe(expected.length)
    expect(found.records.map(({ zpid }) => zpid).toSorted()).toEqual(expected.toSorted())
    const water = await provider().search({ status: 'sold', bbox, isWaterfront: true }, { limit: 1 }, asking)
    expect(water.total).toBe(
      latestSales().filter(
        ({ lat, long, waterfront }) =>
          lat >= 47.6 && lat <= 47.68 && long >= -122.36 && long <= -122.28 && waterfront === 1,
      ).length,
    )
  })

  it('change nothing when they are imported again', async () => {
    expect(await load()).toMatchObject({ inserted: 0, updated: 0, unchanged: 21_436, duplicates: 177 })
    const { rows } = await test.database.query('select 1 from listings where generation <> 1')
    expect(rows).toEqual([])
  })
})

type Sale = { id: string } & Record<'price' | 'bedrooms' | 'waterfront' | 'yr_built' | 'lat' | 'long', number>

/** Reads the file with a few lines of code: it has no cell with a comma or a quote. */
function latestSales(): Sale[] {
  const [header = '', ...lines] = readFileSync(FILE, 'utf8').replaceAll('"', '').trim().split(/\r?\n/)
  const names = header.split(',')
  const sales = lines.map((line) => {
    const cells = line.split(',')
    const cell = (name: string) => Number(cells[names.indexOf(name)])
    return {
      id: cells[0]!,
      price: cell('price'),
      bedrooms: cell('bedrooms'),
      waterfront: cell('waterfront'),
      yr_built: cell('yr_built'),
      lat: cell('lat'),
      long: cell('long'),
    }
  })
  return [...new Map(sales.map((sale) => [sale.id, sale])).values()]
}
