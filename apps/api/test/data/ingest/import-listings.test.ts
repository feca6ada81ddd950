import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Property } from '@lotline/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { KEPT_REJECTIONS } from '../../../src/data/ingest/import-notes.ts'
import { readNdjson } from '../../../src/data/ingest/read-ndjson.ts'
import type { SourceRow } from '../../../src/data/ingest/source-row.ts'
import { checkRecord } from '../../../src/data/listings/check-record.ts'
import { startProcess } from '../../setup/child-process.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()
const database = () => test.database

afterEach(async () => {
  await database().query('truncate listings')
})

/** The stored generation and record of each home, by zpid. */
async function stored(): Promise<Record<string, { generation: number; record: Property }>> {
  const { rows } = await database().query<{ zpid: string; generation: number; record: string }>(
    'select zpid, generation, record from listings',
  )
  return Object.fromEntries(
    rows.map(({ zpid, generation, record }) => [
      zpid,
      { generation, record: JSON.parse(record) as Property },
    ]),
  )
}

async function generations(): Promise<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(await stored()).map(([zpid, { generation }]) => [zpid, generation]),
  )
}

const counts = {
  read: 0,
  inserted: 0,
  updated: 0,
  takenOver: 0,
  withdrawn: 0,
  unchanged: 0,
  duplicates: 0,
  rejected: 0,
  withheld: 0,
  removed: 0,
  addressesHidden: 0,
  withheldReasons: {},
  rightsFields: [],
  rejections: [],
  sources: ['import'],
  warnings: expect.any(Array),
  duplicateRows: expect.any(Array),
}

describe('an import', () => {
  it('stores records unchanged, including unknown fields', async () => {
    const record = {
      zpid: '1',
      price: 1.5,
      homeStatus: 'FOR_SALE',
      description: 'tab\t, line\nbreak, "quotes", \\N, \\ and é, 家, \u0000',
      assessorGrade: { letters: ['A', null], deep: [[{}]] },
      address: { streetAddress: '1 Main St', city: null },
    }
    expect(await importListings(database(), rowsOf([record]))).toEqual({ ...counts, read: 1, inserted: 1 })
    expect(await stored()).toEqual({ 1: { generation: 1, record } })
  })

  it('raises the generation of a changed record only', async () => {
    await importListings(
      database(),
      rowsOf([
        { zpid: '1', price: 1 },
        { zpid: '2', price: 2 },
      ]),
    )
    const again = [
      { zpid: '1', price: 1 },
      { zpid: '2', price: 3 },
      { zpid: '3', price: 3 },
    ]
    const first = { ...counts, read: 3, inserted: 1, updated: 1, unchanged: 1 }
    expect(await importListings(database(), rowsOf(again))).toEqual(first)
    expect(await generations()).toEqual({ 1: 1, 2: 2, 3: 1 })
    expect(await importListings(database(), rowsOf(again))).toEqual({ ...counts, read: 3, unchanged: 3 })
    expect(await generations()).toEqual({ 1: 1, 2: 2, 3: 1 })
  })

  it('keeps homes that a later file does not have', async () => {
    await importListings(database(), rowsOf([{ zpid: '1' }]))
    await importListings(database(), rowsOf([{ zpid: '2' }]))
    expect(Object.keys(await stored())).toEqual(['1', '2'])
  })

  it('stores the last of several rows with one zpid, however far apart they are', async () => {
    const others = Array.from({ length: 700 }, (_, at) => ({ zpid: String(1000 + at) }))
    const rows = [{ zpid: '7', price: 1 }, { zpid: '7', price: 2 }, ...others, { zpid: 7, price: 3 }]
    const first = { ...counts, read: 703, inserted: 701, duplicates: 2 }
    expect(await importListings(database(), rowsOf(rows))).toEqual(first)
    expect((await stored())[7]).toEqual({ generation: 1, record: { zpid: '7', price: 3 } })
    // Earlier rows differ from the stored record. The last one does not.
    const second = { ...counts, read: 703, unchanged: 701, duplicates: 2 }
    expect(await importListings(database(), rowsOf(rows))).toEqual(second)
    expect((await stored())[7]?.generation).toBe(1)
  })

  it('stores new homes and updates known ones in one import, each from its last row', async () => {
    const homes = (count: number, price: number) =>
      Array.from({ length: count }, (_, at) => ({ zpid: String(at), price }))
    await importListings(database(), rowsOf(homes(700, 1)))
    const rows = () => rowsOf([...homes(1400, 2), ...homes(1400, 3)])
    const report = { ...counts, read: 2800, inserted: 700, updated: 700, duplicates: 1400 }
    expect(await importListings(database(), rows(), { dryRun: true })).toEqual(report)
    expect(await importListings(database(), rows())).toEqual(report)
    const all = Object.values(await stored())
    expect(all.every(({ record }) => record.price === 3)).toBe(true)
    expect(all.filter(({ generation }) => generation === 2).length).toBe(700)
  })

  it('updates derived columns of a record without a new generation', async () => {
    await importListings(database(), rowsOf([{ zpid: '1', address: { streetAddress: '1 Main St' } }]))
    await database().query("update listings set street_key = 'AS AN OLDER RELEASE SPELT IT'")
    await importListings(database(), rowsOf([{ zpid: '1', address: { streetAddress: '1 Main St' } }]))
    const { rows } = await database().query('select street_key, generation from listings')
    expect(rows).toEqual([{ street_key: '1 MAIN ST', generation: 1 }])
  })

  it('is not visible before its commit', async () => {
    const seen: number[] = []
    async function* rows(): AsyncGenerator<SourceRow> {
      for (const row of rowsOf(Array.from({ length: 600 }, (_, at) => ({ zpid: String(at) })))) {
        if (row.line % 300 === 0) seen.push(Object.keys(await stored()).length)
        yield row
      }
    }
    await importListings(database(), rows(), {
      onProgress: (progress) => expect(['reading', 'storing']).toContain(progress.phase),
    })
    expect(seen).toEqual([0, 0])
    expect(Object.keys(await stored()).length).toBe(600)
  })

  it('changes nothing if its source fails halfway', async () => {
    await importListings(database(), rowsOf([{ zpid: '1', price: 1 }]))
    async function* rows(): AsyncGenerator<SourceRow> {
      yield* rowsOf(Array.from({ length: 900 }, (_, at) => ({ zpid: String(at), price: 2 })))
      throw new Error('the cable was pulled')
    }
    await expect(importListings(database(), rows())).rejects.toThrow('the cable was pulled')
    expect(await stored()).toEqual({ 1: { generation: 1, record: { zpid: '1', price: 1 } } })
  })

  it('changes nothing if its process is killed, and the next import works', async () => {
    await importListings(database(), rowsOf([{ zpid: '1', price: 1 }]))
    const importer = startProcess(join(import.meta.dirname, 'import-for-ever.ts'), [test.url])
    await importer.line(/^2000 rows/)
    importer.kill('SIGKILL')
    await importer.exited
    expect(await generations()).toEqual({ 1: 1 })
    const report = await importListings(database(), rowsOf([{ zpid: '1', price: 2 }]))
    expect(report.updated).toBe(1)
  })

  it('waits for another import, and both complete', async () => {
    const phases: string[] = []
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    async function* slow(): AsyncGenerator<SourceRow> {
      yield* rowsOf([{ zpid: '1', price: 1 }])
      await held
      yield* rowsOf([{ zpid: '2', price: 1 }])
    }
    const first = importListings(database(), slow())
    await sleep(50)
    const second = importListings(
      database(),
      rowsOf([
        { zpid: '2', price: 2 },
        { zpid: '1', price: 2 },
      ]),
      {
        onProgress: ({ phase }) => {
          phases.push(phase)
          release()
        },
      },
    )
    expect((await first).inserted).toBe(2)
    expect((await second).updated).toBe(2)
    expect(phases[0]).toBe('waiting')
  })

  it('writes nothing in a dry run, and reports its effect', async () => {
    await importListings(
      database(),
      rowsOf([
        { zpid: '1', price: 1 },
        { zpid: '2', price: 2 },
      ]),
    )
    const records = [{ zpid: '1', price: 1 }, { zpid: '2' }, { zpid: '3' }, { zpid: '3' }, 5]
    const report = await importListings(database(), rowsOf(records), { dryRun: true })
    expect(report).toMatchObject({
      read: 5,
      inserted: 1,
      updated: 1,
      unchanged: 1,
      duplicates: 1,
      rejected: 1,
    })
    expect(await generations()).toEqual({ 1: 1, 2: 1 })
    expect(await importListings(database(), rowsOf(records))).toEqual(report)
  })

  it('counts all rejected rows and keeps the first thousand', async () => {
    const rows = rowsOf([{ zpid: '1' }, ...Array.from({ length: 1500 }, () => null)])
    const report = await importListings(database(), rows)
    expect(report).toMatchObject({ read: 1501, inserted: 1, rejected: 1500 })
    expect(report.rejections).toHaveLength(KEPT_REJECTIONS)
    expect(report.rejections[0]).toEqual({ line: 2, reason: 'is not a JSON object' })
  })

  it('refuses a source without any record, and accepts an empty one', async () => {
    await expect(importListings(database(), rowsOf(['id,price', '1,2']))).rejects.toThrow(
      'None of the 2 rows is a record: line 1 is not a JSON object. Nothing was changed.',
    )
    expect(await importListings(database(), [])).toEqual({ ...counts, sources: [] })
  })
})

describe('a record', () => {
  const ACCEPTED: readonly (readonly [string, object, object])[] = [
    ['a zpid that is a number', { zpid: 48749425 }, { zpid: '48749425' }],
    ['a zpid of 20 digits', { zpid: '12345678901234567890' }, { zpid: '12345678901234567890' }],
    ['a number written as text', { price: '$1,250,000' }, { price: 1_250_000 }],
    ['a whole number written as text', { yearBuilt: '1990' }, { yearBuilt: 1990 }],
    ['an empty text for a number', { price: ' ' }, { price: null }],
    ['a ZIP code that is a number', { address: { zipcode: 98101 } }, { address: { zipcode: '98101' } }],
    ['yes and no', { hasPool: 'Y', isWaterfront: 0 }, { hasPool: true, isWaterfront: false }],
    ['numbers in lists', { priceHistory: [{ price: '5' }] }, { priceHistory: [{ price: 5 }] }],
    [
      'null everywhere',
      { price: null, address: null, schools: null },
      { price: null, address: null, schools: null },
    ],
    ['no field but the zpid', {}, {}],
    ['the corners of the world', { latitude: -90, longitude: 180 }, { latitude: -90, longitude: 180 }],
    ['unknown fields of any type', { grade: [1, { a: 'b' }] }, { grade: [1, { a: 'b' }] }],
  ]
  it.each(ACCEPTED)('is accepted with %s', (_name, fields, becomes) => {
    expect(checkRecord({ zpid: '1', ...fields })).toMatchObject({ record: { zpid: '1', ...becomes } })
  })

  const REJECTED: readonly (readonly [unknown, string])[] = [
    [null, 'is not a JSON object'],
    [[{ zpid: '1' }], 'is not a JSON object'],
    ['zpid', 'is not a JSON object'],
    [{}, 'has no usable zpid (1 to 20 digits): nothing'],
    [{ zpid: null }, 'has no usable zpid (1 to 20 digits): null'],
    [{ zpid: '' }, 'has no usable zpid (1 to 20 digits): ""'],
    [{ zpid: '12a' }, 'has no usable zpid (1 to 20 digits): "12a"'],
    [{ zpid: -1 }, 'has no usable zpid (1 to 20 digits): -1'],
    [{ zpid: 1.5 }, 'has no usable zpid (1 to 20 digits): 1.5'],
    [{ zpid: '123456789012345678901' }, 'has no usable zpid (1 to 20 digits): "123456789012345678901"'],
    [{ zpid: '1', price: 'call us' }, 'has a wrong field: price must be a number, not "call us"'],
    [{ zpid: '1', price: Infinity }, 'has a wrong field: price must be a number, not null'],
    [{ zpid: '1', price: [1] }, 'has a wrong field: price must be a number, not a list'],
    [{ zpid: '1', yearBuilt: 1990.5 }, 'has a wrong field: yearBuilt must be a whole number, not 1990.5'],
    [{ zpid: '1', address: 'Main St' }, 'has a wrong field: address must be an object, not "Main St"'],
    [{ zpid: '1', hasPool: 'maybe' }, 'has a wrong field: hasPool must be true or false, not "maybe"'],
    [
      { zpid: '1', priceHistory: [{}, { price: {} }] },
      'has a wrong field: priceHistory[1].price must be a number, not an object',
    ],
    [
      JSON.parse(`{"zpid":"1","deep":${'['.repeat(1e5)}${']'.repeat(1e5)}}`),
      'is nested more than 64 levels deep',
    ],
    [{ zpid: '1', latitude: 47.6 }, 'has only one of latitude and longitude'],
    [{ zpid: '1', longitude: -122, latitude: null }, 'has only one of latitude and longitude'],
    [{ zpid: '1', latitude: 90.1, longitude: 0 }, 'has a latitude beyond ±90: 90.1'],
    [{ zpid: '1', latitude: 0, longitude: -180.5 }, 'has a longitude beyond ±180: -180.5'],
  ]
  it.each(REJECTED.map(([value, fault]) => [fault, value]))('is rejected when it %s', (fault, value) => {
    expect(checkRecord(value)).toEqual({ fault })
  })
})

describe('NDJSON', () => {
  async function read(...chunks: (string | Buffer)[]): Promise<unknown[]> {
    async function* bytes() {
      for (const chunk of chunks) yield Buffer.from(chunk as string)
    }
    const rows: unknown[] = []
    for await (const some of readNdjson(bytes())) {
      for (const { asRead: _, ...row } of some) rows.push('fault' in row ? `${row.line} ${row.fault}` : row)
    }
    return rows
  }

  it('is read line by line, wherever the chunks end', async () => {
    const text = '\uFEFF{"zpid":"1"}\r\n\n  \n{"zpid":"é"}\n{"zpid":"3"}'
    const rows = [
      { line: 1, record: { zpid: '1' } },
      { line: 4, record: { zpid: 'é' } },
      { line: 5, record: { zpid: '3' } },
    ]
    expect(await read(text)).toEqual(rows)
    expect(await read(...Array.from(Buffer.from(text), (byte) => Buffer.from([byte])))).toEqual(rows)
    expect(await read('')).toEqual([])
  })

  it('keeps every digit of a numeric zpid', async () => {
    expect(await read('{"zpid":12345678901234567890,"price":0.1}')).toEqual([
      { line: 1, record: { zpid: '12345678901234567890', price: 0.1 } },
    ])
  })

  it('reports the lines that are not records', async () => {
    expect(await read('{"zpid":"1"\n', Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), 'null\n')).toEqual([
      expect.stringMatching(/^1 is not JSON: .+/),
      '2 is not UTF-8 text',
      { line: 3, record: null },
    ])
  })

  it('skips a line of 100 MB without keeping it in memory, and continues', async () => {
    const piece = 'x'.repeat(1024 * 1024)
    const rows = await read(
      '{"zpid":"1"}\n"',
      ...Array.from({ length: 100 }, () => piece),
      '"\n{"zpid":"3"}\n',
    )
    expect(rows).toEqual([
      { line: 1, record: { zpid: '1' } },
      '2 is longer than 4 MiB',
      { line: 3, record: { zpid: '3' } },
    ])
  })
})
