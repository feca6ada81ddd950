// Homes of sources with ids of their own instead of zpids.

import { afterEach, describe, expect, it } from 'vitest'
import { compileMapping } from '../../../src/data/ingest/compile-mapping.ts'
import { type ImportOptions, importListings } from '../../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../../src/data/ingest/mapping.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()
const importFrom = (source: string, records: readonly object[], options: ImportOptions = {}) =>
  importListings(test.database, rowsOf(records), { source, ...options })

/** The zpid of each home, by its price. */
async function zpidsByPrice(): Promise<Record<string, string>> {
  const { rows } = await test.database.query<{ zpid: string; price: number }>(
    'select zpid, price from listings',
  )
  return Object.fromEntries(rows.map(({ zpid, price }) => [price, zpid]))
}
const countIdentities = async () =>
  (await test.database.query<{ count: number }>('select count(*) as count from record_identities')).rows[0]!
    .count

afterEach(async () => {
  await test.database.query('truncate listings, removed_listings')
})

describe('a record without a zpid', () => {
  it('gets a zpid for its key, which every later import finds again, even after a removal', async () => {
    expect(
      await importFrom('mls', [
        { sourceKey: 'A-1', price: 1 },
        { sourceKey: 22, price: 2 },
      ]),
    ).toMatchObject({
      read: 2,
      inserted: 2,
      rejected: 0,
    })
    const { 1: first, 2: second } = await zpidsByPrice()
    expect([first, second]).toEqual([expect.stringMatching(/^1\d{15}$/), expect.stringMatching(/^1\d{15}$/)])
    expect(first).not.toBe(second)

    expect(
      await importFrom('mls', [
        { sourceKey: ' A-1 ', price: 3 },
        { sourceKey: '22', price: 2 },
      ]),
    ).toMatchObject({
      inserted: 0,
      updated: 1,
      unchanged: 1,
    })
    expect(await zpidsByPrice()).toEqual({ 3: first, 2: second })

    await removeListings(test.database, { zpids: [first!] })
    await importFrom('mls', [
      { sourceKey: 'A-2', price: 4 },
      { sourceKey: 'A-1', price: 5 },
    ])
    const after = await zpidsByPrice()
    expect(after[5]).toBe(first)
    expect(Object.values(after)).toHaveLength(new Set(Object.values(after)).size)
  })

  it('is another home if another source has the same key', async () => {
    await importFrom('north', [{ sourceKey: '7', price: 1 }])
    await importFrom('south', [{ sourceKey: '7', price: 2 }])
    const { 1: north, 2: south } = await zpidsByPrice()
    expect(north).not.toBe(south)
  })

  it('is stored once if its key occurs twice, however far apart, from its last row', async () => {
    const many = Array.from({ length: 600 }, (_, at) => ({ sourceKey: `far-${at}`, price: at }))
    const report = await importFrom('far', [...many, { sourceKey: 'far-3', price: 10_000 }])
    expect(report).toMatchObject({ read: 601, inserted: 600, duplicates: 1 })
    expect(Object.keys(await zpidsByPrice())).toContain('10000')
  })

  it('keeps its place among rows with zpids, and has no key in its record', async () => {
    await importFrom('mixed', [
      { zpid: '5', price: 1 },
      { sourceKey: 'm', price: 2 },
      { zpid: '5', price: 3 },
    ])
    const { rows } = await test.database.query<{ record: string }>(
      'select record from listings order by price',
    )
    expect(rows.map(({ record }) => JSON.parse(record))).toEqual([
      { zpid: expect.stringMatching(/^1\d{15}$/), price: 2 },
      { zpid: '5', price: 3 },
    ])
  })

  it.each([
    ['neither', { price: 1 }, 'has no usable zpid'],
    ['an empty key', { sourceKey: ' ', price: 1 }, 'has no usable sourceKey'],
    ['a long key', { sourceKey: 'x'.repeat(201), price: 1 }, 'has no usable sourceKey'],
    ['a key with a control character', { sourceKey: 'a\u0000b', price: 1 }, 'has no usable sourceKey'],
    ['a number that is not exact', { sourceKey: 2 ** 60, price: 1 }, 'has no usable sourceKey'],
    ['a key that is an object', { sourceKey: {}, price: 1 }, 'has no usable sourceKey'],
  ])('is rejected with %s', async (_what, record, reason) => {
    const { rejections } = await importFrom('mls', [{ zpid: '1' }, record])
    expect(rejections).toMatchObject([{ line: 2, reason: expect.stringContaining(reason) }])
  })

  it('gets no zpid in a dry run', async () => {
    const before = await countIdentities()
    const report = await importFrom(
      'dry',
      [
        { sourceKey: 'd', price: 1 },
        { sourceKey: 'd', price: 1 },
      ],
      { dryRun: true },
    )
    expect(report).toMatchObject({ inserted: 1, duplicates: 1 })
    expect(await countIdentities()).toBe(before)
  })

  it('gets a zpid that no home has, even if the sequence restarts, as after a restored backup', async () => {
    await importFrom('restored', [
      { sourceKey: '1', price: 1 },
      { sourceKey: '2', price: 2 },
    ])
    const before = await zpidsByPrice()
    await test.database.query('alter sequence assigned_zpids restart')
    await importFrom('restored', [
      { sourceKey: '3', price: 3 },
      { sourceKey: '4', price: 4 },
    ])
    const after = await zpidsByPrice()
    expect(after).toMatchObject(before)
    expect(new Set(Object.values(after)).size).toBe(4)
  })

  it('gets no zpid that a source has provided itself, even after that home was removed', async () => {
    await importFrom('count', [{ sourceKey: '1', price: 1 }])
    const next = String(Number((await zpidsByPrice())[1]) + 1)
    await importFrom('by-itself', [{ zpid: next, price: 2 }])
    await removeListings(test.database, { source: 'by-itself' })
    await importFrom('count', [{ sourceKey: '2', price: 3 }])
    expect(Number((await zpidsByPrice())[3])).toBeGreaterThan(Number(next))
  })

  it('is the only record of its home in its source, by a constraint of the database', async () => {
    await importFrom('only', [{ sourceKey: '1', price: 1 }])
    const zpid = (await zpidsByPrice())[1]!
    // The same record under its assigned zpid is not a second one.
    await importFrom('only', [{ zpid, price: 1 }])
    const insert = (key: string, home: string) =>
      test.database.query('insert into record_identities (source, source_key, zpid) values ($1, $2, $3)', [
        'only',
        key,
        home,
      ])
    const { rows } = await test.database.query(
      "select source_key from record_identities where source = 'only'",
    )
    expect(rows).toEqual([{ source_key: '1' }])
    await expect(insert(zpid, zpid)).rejects.toThrow('record_identities_by_zpid')
    await expect(insert('2', zpid)).rejects.toThrow('record_identities_by_zpid')
    await insert('a', '55')
    await expect(insert('b', '55')).rejects.toThrow('record_identities_by_zpid')
  })

  it('is withdrawn and returns under its zpid with complete imports', async () => {
    const complete = { sources: ['whole'] }
    const home = { price: 1, homeStatus: 'FOR_SALE', sourceKey: 'w' }
    const other = { price: 2, homeStatus: 'FOR_SALE', sourceKey: 'v' }
    await importFrom('whole', [home, other], { complete })
    const { 1: zpid } = await zpidsByPrice()
    expect(await importFrom('whole', [other], { complete })).toMatchObject({ withdrawn: 1 })
    expect(await importFrom('whole', [home, other], { complete })).toMatchObject({ updated: 1, unchanged: 1 })
    expect((await zpidsByPrice())[1]).toBe(zpid)
  })
})

describe('a mapping', () => {
  it('may name the source’s own id instead of a zpid', () => {
    const read = compileMapping(parseMapping('record: { sourceKey: "{MLS}", price: "{Price}" }', 'x'), [
      'MLS',
      'Price',
    ])
    expect(read(['NW-5', '7'])).toEqual({ record: { sourceKey: 'NW-5', price: 7 } })
    expect(read(['', '7'])).toEqual({ fault: 'has an empty id: the cells of sourceKey are empty ({MLS})' })
  })

  it('is refused without an id and a zpid', () => {
    expect(() => parseMapping('record: { price: "{Price}" }', 'x')).toThrow('x is not a mapping')
  })
})
