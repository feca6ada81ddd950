// Imports with --merge: a row changes the fields that it has.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ImportOptions, importListings } from '../../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../../src/data/ingest/mapping.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'
import { readNdjson } from '../../../src/data/ingest/read-ndjson.ts'
import { permitAllChanges } from '../../setup/permissive-limits.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()
const database = () => test.database

beforeEach(() => permitAllChanges(database(), 'mls'))

afterEach(async () => {
  await database().query(
    'truncate listings, listing_changes, removed_listings, withheld_homes, record_identities, listing_sources cascade',
  )
})

const home = (zpid: string, more: object = {}) => ({
  zpid,
  homeStatus: 'FOR_SALE',
  homeType: 'SINGLE_FAMILY',
  address: { streetAddress: `${zpid} Main St`, city: 'Seattle', state: 'WA', zipcode: '98101' },
  price: 500_000,
  bedrooms: 3,
  latitude: 47.6,
  longitude: -122.3,
  ...more,
})

const replace = (records: readonly object[], options: ImportOptions = {}) =>
  importListings(database(), rowsOf(records), { source: 'mls', ...options })
const merge = (records: readonly object[], options: ImportOptions = {}) =>
  replace(records, { merge: true, ...options })

async function stored() {
  const { rows } = await database().query<{
    zpid: string
    record: string
    generation: number
    source: string
  }>('select zpid, record, generation, source from listings order by zpid')
  return rows.map(({ record, ...row }) => ({ ...row, record: JSON.parse(record) as Record<string, unknown> }))
}
const recordOf = async (zpid: string) => (await stored()).find((row) => row.zpid === zpid)?.record

async function* textOf(text: string) {
  yield Buffer.from(text)
}

describe('a merged row', () => {
  it('changes the fields that it has, and keeps the others', async () => {
    await replace([home('1'), home('2')])
    const report = await merge([{ zpid: '1', price: 450_000, address: { zipcode: '98102' } }])
    expect(report).toMatchObject({ read: 1, updated: 1, inserted: 0, rejected: 0, warnings: [] })
    expect(await stored()).toEqual([
      {
        zpid: '1',
        source: 'mls',
        generation: 2,
        record: home('1', {
          price: 450_000,
          address: { streetAddress: '1 Main St', city: 'Seattle', state: 'WA', zipcode: '98102' },
        }),
      },
      { zpid: '2', source: 'mls', generation: 1, record: home('2') },
    ])
  })

  it('keeps the stored value if a field is empty, and removes the field if it is null', async () => {
    await replace([home('1', { description: 'Nice', photos: [{ url: 'a' }] })])
    const lines = '{"zpid":"1","price":"","description":null,"photos":[],"address":{},"bedrooms":4}\n'
    await importListings(database(), readNdjson(textOf(lines)), { source: 'mls', merge: true })
    expect(await recordOf('1')).toEqual(home('1', { bedrooms: 4, photos: [{ url: 'a' }] }))
  })

  it('that changes nothing leaves the home unchanged', async () => {
    await replace([home('1')])
    expect(await merge([{ zpid: '1', price: 500_000 }])).toMatchObject({ unchanged: 1, updated: 0 })
    expect((await stored())[0]?.generation).toBe(1)
  })

  it('merges onto earlier rows of the same import, however far apart they are', async () => {
    const others = Array.from({ length: 700 }, (_, at) => home(String(1_000 + at)))
    await replace([home('1'), ...others.slice(0, 300)])
    const rows = [
      { zpid: '1', price: 1 },
      { zpid: '1', bedrooms: 5 },
      home('2'),
      { zpid: '2', price: 2 },
      ...others.map(({ zpid }) => ({ zpid, bathrooms: 2 })),
      { zpid: '1', bathrooms: 1.5 },
      { zpid: '2', bedrooms: 7 },
      { zpid: '1699', price: 9 },
    ]
    const dry = await merge(rows, { dryRun: true })
    const report = await merge(rows)
    expect(report).toMatchObject({ read: 707, inserted: 401, updated: 301, duplicates: 5, rejected: 0 })
    expect({ ...dry, warnings: [] }).toEqual({ ...report, warnings: [] })
    expect(await recordOf('1')).toEqual(home('1', { price: 1, bedrooms: 5, bathrooms: 1.5 }))
    expect(await recordOf('2')).toEqual(home('2', { price: 2, bedrooms: 7 }))
    expect(await recordOf('1699')).toEqual({ zpid: '1699', bathrooms: 2, price: 9 })
    expect(await recordOf('1000')).toEqual(home('1000', { bathrooms: 2 }))
  })

  it('equals a model that applies random rows one after the other', async () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((seed / 2_147_483_648) * below)
    }
    const model = new Map<string, Record<string, unknown>>()
    for (let round = 0; round < 6; round++) {
      const rows = Array.from({ length: 400 }, () => {
        const row: Record<string, unknown> = { zpid: String(1 + random(60)) }
        for (const name of ['price', 'bedrooms', 'yearBuilt'])
          if (random(2) === 0) row[name] = random(4) === 0 ? null : 1 + random(2_000)
        // A row that is rejected changes nothing.
        if (random(10) === 0) row.bathrooms = 'many'
        return row
      })
      for (const row of rows) {
        if (row.bathrooms === 'many') continue
        const record = { ...model.get(String(row.zpid)), ...row }
        for (const [name, value] of Object.entries(record)) if (value === null) delete record[name]
        model.set(String(row.zpid), record)
      }
      await merge(rows)
      const found = await stored()
      expect(Object.fromEntries(found.map(({ zpid, record }) => [zpid, record]))).toEqual(
        Object.fromEntries(model),
      )
    }
  })

  it('finds its home by its sourceKey', async () => {
    await replace([{ ...home('1'), zpid: undefined, sourceKey: 'A-1' }])
    await merge([{ sourceKey: 'A-1', price: 1 }])
    const [only, ...rest] = await stored()
    expect(rest).toEqual([])
    expect(only?.record).toMatchObject({ price: 1, bedrooms: 3 })
  })

  it('stores a home that is new', async () => {
    expect(await merge([home('1')])).toMatchObject({ inserted: 1, warnings: [] })
    expect(await recordOf('1')).toEqual(home('1'))
  })

  it('leaves the home with its source', async () => {
    await replace([home('1')])
    const report = await merge([{ zpid: '1', taxAssessedValue: 5 }], { source: 'county' })
    expect(report).toMatchObject({ updated: 1, takenOver: 0 })
    expect(await stored()).toMatchObject([{ source: 'mls', record: { taxAssessedValue: 5 } }])
  })

  it('with a wrong value is imported without the value, and keeps the stored one', async () => {
    await replace([home('1'), home('2'), home('3')])
    const report = await merge([
      { zpid: '1', latitude: 0, longitude: 0, bedrooms: 9 },
      { zpid: '2', price: '-5' },
      { zpid: '3', price: 'call us' },
    ])
    expect(report.warnings).toMatchObject([
      { code: 'negative_price', count: 1 },
      { code: 'zero_position', count: 1 },
    ])
    expect(report.rejections).toMatchObject([
      { line: 3, reason: expect.stringContaining('price must be a number') },
    ])
    expect(await recordOf('1')).toEqual(home('1', { bedrooms: 9 }))
    expect(await recordOf('2')).toEqual(home('2'))
    expect(await recordOf('3')).toEqual(home('3'))
  })

  it('changes nothing if the import fails', async () => {
    await replace([home('1')])
    await expect(
      merge(
        [
          { zpid: '1', price: 1 },
          { zpid: '2', price: 'x' },
        ],
        { strict: true },
      ),
    ).rejects.toThrow('--strict')
    expect(await recordOf('1')).toEqual(home('1'))
  })

  it('counts as present in a complete import: homes that it lacks go off the market', async () => {
    await replace([home('1'), home('2')])
    const report = await merge([{ zpid: '1', price: 1 }], { complete: { sources: ['mls'] } })
    expect(report).toMatchObject({ updated: 1, withdrawn: 1 })
    expect(await recordOf('1')).toEqual(home('1', { price: 1 }))
    expect(await recordOf('2')).toEqual(home('2', { homeStatus: 'OFF_MARKET' }))
  })
})

describe('a price history', () => {
  const sold = (date: string, price: number) => ({
    homeStatus: 'RECENTLY_SOLD',
    price,
    dateSoldString: date,
    priceHistory: [{ event: 'Sold', date, price }],
  })

  it('gets the events of each merged row, the latest first', async () => {
    await merge([home('1', sold('2020-05-01', 1)), home('1', sold('2024-05-01', 2))])
    expect(await recordOf('1')).toMatchObject({
      price: 2,
      dateSoldString: '2024-05-01',
      priceHistory: [{ date: '2024-05-01' }, { date: '2020-05-01' }],
    })
  })

  it('gets an earlier sale, and the record keeps showing the later one', async () => {
    await merge([home('1', sold('2024-05-01', 2))])
    await merge([home('1', sold('2020-05-01', 1))])
    expect(await recordOf('1')).toEqual(
      home('1', {
        ...sold('2024-05-01', 2),
        priceHistory: [
          { event: 'Sold', date: '2024-05-01', price: 2 },
          { event: 'Sold', date: '2020-05-01', price: 1 },
        ],
      }),
    )
  })

  it('has an event once, with the price of the last row that names it', async () => {
    await merge([home('1', sold('2024-05-01', 2))])
    await merge([home('1', sold('2024-05-01', 3))])
    expect((await recordOf('1'))?.priceHistory).toEqual([{ event: 'Sold', date: '2024-05-01', price: 3 }])
  })
})

describe('the rights of a merged row', () => {
  const withheld = async () =>
    (await database().query('select zpid, what from withheld_homes order by zpid')).rows

  it('hide the address as in an import that replaces, and stay if later rows state none', async () => {
    await replace([home('1')])
    await merge([{ zpid: '1', InternetAddressDisplayYN: 'N' }])
    const record = (await recordOf('1'))!
    expect(record).toMatchObject({ isUndisclosedAddress: true, price: 500_000 })
    expect(JSON.stringify(record)).not.toContain('Main St')
    await merge([
      { zpid: '1', price: 1, address: { streetAddress: '1 Main St' }, latitude: 47.6, longitude: -122.3 },
    ])
    const later = (await recordOf('1'))!
    expect(later).toMatchObject({ isUndisclosedAddress: true, price: 1 })
    expect(JSON.stringify(later)).not.toContain('Main St')
    expect(later.latitude).toBeUndefined()
  })

  it('show the address again if a row permits it', async () => {
    await replace([home('1', { InternetAddressDisplayYN: 'N' })])
    await merge([{ ...home('1'), InternetAddressDisplayYN: 'Y' }])
    expect(await recordOf('1')).toEqual(home('1'))
  })

  it('remove a home, and later rows that state no rights do not bring it back', async () => {
    await replace([home('1'), home('2')])
    expect(await merge([{ zpid: '1', MlgCanView: false }])).toMatchObject({ withheld: 1, removed: 1 })
    expect(await recordOf('1')).toBeUndefined()
    expect(await withheld()).toEqual([{ zpid: '1', what: 'listing' }])
    const report = await merge([
      { zpid: '1', price: 1 },
      { zpid: '2', price: 2 },
    ])
    expect(report.rejections).toMatchObject([
      { line: 1, reason: expect.stringContaining('changes a home that may not be shown') },
    ])
    expect((await stored()).map(({ zpid }) => zpid)).toEqual(['2'])
    await merge([{ ...home('1'), MlgCanView: true }])
    expect(await recordOf('1')).toEqual(home('1'))
  })

  it('hold for later rows of the same import that state none', async () => {
    await replace([home('1'), home('2'), home('3')])
    const report = await merge([
      { zpid: '1', MlgCanView: false },
      { zpid: '1', price: 1 },
      // Rejected, and its restriction holds nevertheless.
      { zpid: '2', InternetAddressDisplayYN: 'N', price: 'x' },
      { zpid: '2', price: 2 },
      { zpid: '3', price: 3 },
    ])
    expect(report).toMatchObject({ withheld: 1, rejected: 2, removed: 1 })
    expect((await stored()).map(({ zpid }) => zpid)).toEqual(['2', '3'])
    expect(await recordOf('2')).toMatchObject({ price: 2, isUndisclosedAddress: true })
    expect(JSON.stringify(await recordOf('2'))).not.toContain('Main St')
  })
})

describe('a mapping', () => {
  it('can say that its rows merge, and an empty cell keeps the stored value', async () => {
    await replace([home('1')])
    const mapping = parseMapping(
      'rows: merge\nrecord: { zpid: "{id}", price: "{price}", bedrooms: "{beds}" }',
      'changes.yaml',
    )
    expect(mapping.rows).toBe('merge')
    await importListings(database(), readCsv(textOf('id,price,beds\n1,,5\n'), mapping), {
      source: 'mls',
      merge: true,
    })
    expect(await recordOf('1')).toEqual(home('1', { bedrooms: 5 }))
  })

  it('names merge or replace', () => {
    expect(() => parseMapping('rows: add\nrecord: { zpid: "{id}" }', 'x')).toThrow(
      'rows must be one of replace, merge',
    )
  })
})

it('rows replace the stored record without --merge', async () => {
  await replace([home('1')])
  await replace([{ zpid: '1', price: 1 }])
  expect(await recordOf('1')).toEqual({ zpid: '1', price: 1 })
})
