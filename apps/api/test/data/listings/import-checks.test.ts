// Each kind of warning and repair of an import, with its line, and the ways in which an operator sees them.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapi } from '@lotline/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../../src/data/ingest/mapping.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'
import { readNdjson } from '../../../src/data/ingest/read-ndjson.ts'
import { createReportFile } from '../../../src/data/ingest/report-file.ts'
import type { SourceRow } from '../../../src/data/ingest/source-row.ts'
import { checkRecord } from '../../../src/data/listings/check-record.ts'
import { WARNINGS, type WarningCode } from '../../../src/data/listings/record-warnings.ts'
import { makeTemporaryDirectory } from '../../setup/temporary-directory.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { rowsOf } from '../sources/dataset/rows.ts'

const test = withTestDatabase()
afterEach(async () => {
  await test.database.query('truncate listings')
})

const GOOD = {
  zpid: '1',
  homeStatus: 'FOR_SALE',
  address: { state: 'WA' },
  latitude: 47.6,
  longitude: -122.3,
}
const NEXT_YEAR = new Date().getUTCFullYear() + 1

const QUESTIONED: readonly (readonly [WarningCode, object, reason: string, left?: object])[] = [
  ['unknown_status', { homeStatus: 'ACTIVE' }, 'has an unknown homeStatus: "ACTIVE"'],
  ['unknown_status', { homeStatus: null }, 'has no homeStatus'],
  ['negative_price', { price: -1 }, 'has a negative price: -1', { price: null }],
  [
    'zero_position',
    { latitude: 0, longitude: 0 },
    'has the position 0, 0',
    { latitude: null, longitude: null },
  ],
  [
    'swapped_position',
    { latitude: -122.33, longitude: 47.61 },
    'has latitude -122.33 and longitude 47.61, which look swapped',
    { latitude: null, longitude: null },
  ],
  [
    // New York: both values are possible latitudes.
    'swapped_position',
    { latitude: -73.98, longitude: 40.72 },
    'has latitude -73.98 and longitude 40.72, which look swapped',
    { latitude: null, longitude: null },
  ],
  ['no_position', { latitude: null, longitude: null }, 'has no position'],
  ['future_year', { yearBuilt: NEXT_YEAR + 1 }, `has a yearBuilt later than next year: ${NEXT_YEAR + 1}`],
  ['unknown_state', { address: { state: 'Washington' } }, 'has an unknown state: "Washington"'],
]

describe('a questionable record', () => {
  it.each(QUESTIONED.map(([code, fields, reason, left]) => ({ code, fields, reason, left })))(
    'is imported with the warning $code: $reason',
    ({ code, fields, reason, left }) => {
      expect(checkRecord({ ...GOOD, ...fields })).toEqual({
        record: { ...GOOD, ...fields, ...left },
        warnings: [{ code, reason }],
      })
    },
  )

  it('has a test for every kind of warning', () => {
    // A mapping makes the last one, tested below.
    expect(new Set([...QUESTIONED.map(([code]) => code), 'unlisted_value'])).toEqual(
      new Set(Object.keys(WARNINGS)),
    )
  })

  const FINE: readonly object[] = [
    { homeStatus: 'recently_sold' },
    { homeStatus: 'OFF_MARKET' },
    { price: 0 },
    { latitude: 0, longitude: -122 },
    { latitude: 61.2, longitude: -149.9 },
    { latitude: 18.4, longitude: -66.1 },
    { latitude: 13.4, longitude: 144.8 },
    // Outside the United States in either order.
    { latitude: 52.5, longitude: 13.4 },
    { yearBuilt: NEXT_YEAR },
    { address: { state: 'pr' } },
    { address: null },
  ]
  it.each(FINE)('has no warning for %j', (fields) => {
    expect(checkRecord({ ...GOOD, ...fields })).toMatchObject({ warnings: [] })
  })
})

describe('dates and times', () => {
  const REPAIRED: readonly (readonly [object, object])[] = [
    [{ priceHistory: [{ date: '2026-03-08T00:00:00' }] }, { priceHistory: [{ date: '2026-03-08' }] }],
    [{ priceHistory: [{ date: 1_772_928_000_000 }] }, { priceHistory: [{ date: '2026-03-08' }] }],
    [
      { openHouseSchedule: [{ startTime: '2026-03-07T13:00:00' }], timeZone: 'America/Los_Angeles' },
      { openHouseSchedule: [{ startTime: '2026-03-07T21:00:00.000Z' }] },
    ],
    [
      { openHouseSchedule: [{ endTime: '2026-03-08 13:00' }], timeZone: 'America/New_York' },
      { openHouseSchedule: [{ endTime: '2026-03-08T17:00:00.000Z' }] },
    ],
    [
      { openHouseSchedule: [{ endTime: '2026-03-08T13:00:00-08:00' }] },
      { openHouseSchedule: [{ endTime: '2026-03-08T13:00:00-08:00' }] },
    ],
  ]
  it.each(REPAIRED)('in another form are converted: %j', (fields, becomes) => {
    expect(checkRecord(structuredClone({ ...GOOD, ...fields }))).toMatchObject({ record: becomes })
  })

  it.each([
    [{ priceHistory: [{ date: 'last May' }] }, 'priceHistory[0].date must be a date such as 2026-11-22'],
    [{ priceHistory: [{ date: '2026-06-31' }] }, 'priceHistory[0].date must be a date such as 2026-11-22'],
    [
      { openHouseSchedule: [{ startTime: 'noon' }] },
      'openHouseSchedule[0].startTime must be a date and time such as 2026-11-22T13:00:00-08:00',
    ],
    [
      { openHouseSchedule: [{ startTime: '2026-06-30' }] },
      'openHouseSchedule[0].startTime must be a date and time such as 2026-11-22T13:00:00-08:00',
    ],
  ])('that mean none have the row rejected: %j', (fields, fault) => {
    expect(checkRecord({ ...GOOD, ...fields })).toMatchObject({
      fault: expect.stringContaining(`has a wrong field: ${fault}`),
    })
  })

  it('are never stored in a form that breaks the contract', async () => {
    const ajv = new Ajv2020({ strict: false, logger: false })
    ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
    ajv.addSchema(openapi, 'contract')
    const validate = ajv.compile({ $ref: 'contract#/components/schemas/Property' })
    const values = [
      '2026-03-08',
      '2026-03-08 10:00',
      '3/8/2026',
      '',
      '24:00',
      '1772928000000',
      'x',
      '2026-13-01',
    ]
    const records = values.flatMap((value, at) => [
      { ...GOOD, zpid: `1${at}`, priceHistory: [{ date: value }] },
      { ...GOOD, zpid: `2${at}`, openHouseSchedule: [{ startTime: value, endTime: value }] },
    ])
    await importListings(test.database, rowsOf(records))
    const { rows } = await test.database.query<{ record: string }>('select record from listings')
    expect(rows.length).toBeGreaterThanOrEqual(5)
    for (const { record } of rows) expect(validate(JSON.parse(record)), record).toBe(true)
  })
})

const MIXED = [
  GOOD,
  { ...GOOD, zpid: '2', homeStatus: 'ACTIVE' },
  null,
  { ...GOOD, zpid: '2', price: -5 },
  { ...GOOD, zpid: '3', homeStatus: 'ACTIVE' },
  { ...GOOD, zpid: '1' },
]

describe('the report of an import', () => {
  it('counts warnings by kind with their lines, and lists duplicate rows', async () => {
    for (const dryRun of [true, false]) {
      expect(await importListings(test.database, rowsOf(MIXED), { dryRun })).toMatchObject({
        read: 6,
        inserted: 3,
        duplicates: 2,
        rejected: 1,
        warnings: [
          {
            code: 'unknown_status',
            count: 2,
            rows: [
              { line: 2, zpid: '2', reason: 'has an unknown homeStatus: "ACTIVE"' },
              { line: 5, zpid: '3', reason: 'has an unknown homeStatus: "ACTIVE"' },
            ],
          },
          { code: 'negative_price', count: 1, rows: [{ line: 4, zpid: '2' }] },
        ],
        duplicateRows: [
          { line: 4, zpid: '2' },
          { line: 6, zpid: '1' },
        ],
      })
    }
  })

  it('lists duplicate rows however far apart they are, with their file, for new and stored homes', async () => {
    await importListings(test.database, rowsOf([{ ...GOOD, zpid: '7' }]))
    function* rows(): Generator<SourceRow> {
      const place = (file: string, line: number, zpid: string) => ({ file, line, record: { ...GOOD, zpid } })
      for (const [at, file] of ['a.ndjson', 'b.ndjson'].entries()) {
        yield place(file, 1, '7')
        yield place(file, 2, '8')
        yield place(file, 3, '8')
        for (let line = 4; line < 700; line++) yield place(file, line, `${at}${1000 + line}`)
      }
      yield place('b.ndjson', 700, '7')
    }
    const expected = [
      { file: 'a.ndjson', line: 3, zpid: '8' },
      { file: 'b.ndjson', line: 1, zpid: '7' },
      { file: 'b.ndjson', line: 2, zpid: '8' },
      { file: 'b.ndjson', line: 3, zpid: '8' },
      { file: 'b.ndjson', line: 700, zpid: '7' },
    ]
    for (const dryRun of [true, false]) {
      const { duplicates, duplicateRows } = await importListings(test.database, rows(), { dryRun })
      expect(duplicates).toBe(5)
      const inOrder = duplicateRows.toSorted((one, other) =>
        `${one.file}${String(one.line).padStart(4)}` < `${other.file}${String(other.line).padStart(4)}`
          ? -1
          : 1,
      )
      expect(inOrder).toEqual(expected)
    }
  })

  it('has every row in a CSV file, beyond those that the result keeps', async () => {
    const path = join(await makeTemporaryDirectory(), 'rows.csv')
    const file = createReportFile(path)
    const many = Array.from({ length: 1500 }, () => 'not "an" object, really')
    await importListings(test.database, rowsOf([...MIXED, ...many]), { onNote: file.write })
    file.close()
    const lines = (await readFile(path, 'utf8')).split('\r\n')
    expect(lines.slice(0, 4)).toEqual([
      'file,line,zpid,kind,code,reason,row',
      ',2,2,warning,unknown_status,"has an unknown homeStatus: ""ACTIVE""",',
      ',3,,rejected,,is not a JSON object,',
      ',4,2,warning,negative_price,has a negative price: -5,',
    ])
    expect(lines.filter((line) => line.includes(',rejected,'))).toHaveLength(1501)
    expect(lines.filter((line) => line.includes(',duplicate,'))).toHaveLength(2)
    expect(lines.at(-1)).toBe('')
  })

  it('has the text of each rejected row, at most 1,000 characters of it', async () => {
    const bytes = async function* (text: string) {
      yield Buffer.from(text)
    }
    const long = `{"zpid":"1","price":"${'x'.repeat(2_000)}"}`
    const ndjson = await importListings(test.database, readNdjson(bytes(`${long}\n{"zpid":\n{"zpid":"9"}\n`)))
    expect(ndjson.rejections).toMatchObject([
      { line: 1, row: long.slice(0, 1_000) },
      { line: 2, row: '{"zpid":' },
    ])
    const mapping = parseMapping('record: { zpid: "{id}", price: "{price}" }', 'm.yaml')
    const csv = await importListings(
      test.database,
      readCsv(bytes('id,price\n7,"a, ""b"" c"\n8,1\n'), mapping),
    )
    expect(csv.rejections).toMatchObject([{ line: 2, row: '7,"a, ""b"" c"' }])
  })

  it('groups equal warnings with a count', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => ({
      zpid: String(at),
      homeStatus: at === 7 ? 'X' : 'Y',
    }))
    const { warnings } = await importListings(test.database, rowsOf(rows))
    expect(warnings[0]?.reasons).toEqual([
      { reason: 'has an unknown homeStatus: "Y"', count: 299, first: { line: 1 } },
      { reason: 'has an unknown homeStatus: "X"', count: 1, first: { line: 8 } },
    ])
  })

  it('counts the cells that become OTHER because the mapping does not list them', async () => {
    const mapping = parseMapping(
      'columns: { type: { values: { condo: CONDO }, otherwise: OTHER }, pool: { values: { "0": false }, otherwise: true } }\n' +
        'record: { zpid: "{id}", homeType: "{type}", hasPool: "{pool}", homeStatus: OFF_MARKET }',
      'm.yaml',
    )
    const bytes = async function* () {
      yield Buffer.from('id,type,pool\n1,condo,1\n2,castle,2\n3,castle,0\n4,,0\n')
    }
    const { warnings } = await importListings(test.database, readCsv(bytes(), mapping), { strict: true })
    expect(warnings).toMatchObject([
      {
        code: 'unlisted_value',
        count: 2,
        reasons: [{ reason: 'has an unlisted cell in type: "castle"', count: 2 }],
      },
    ])
  })

  it('prevents the import if it cannot be written', () => {
    expect(() => createReportFile('/no/such/folder/rows.csv')).toThrow('The report cannot be written: ')
  })
})

describe('a strict import', () => {
  it.each([
    ['a warning', MIXED.slice(0, 2), '0 rejected rows and 1 warnings'],
    ['a rejected row', [GOOD, null], '1 rejected rows and 0 warnings'],
  ])('with %s fails, says where, and changes nothing', async (_name, rows, counts) => {
    await expect(importListings(test.database, rowsOf(rows), { strict: true })).rejects.toThrow(
      `The import has ${counts}, and --strict allows none: line 2 `,
    )
    const { rows: stored } = await test.database.query('select 1 from listings')
    expect(stored).toEqual([])
  })

  it('accepts a file without rejected rows and warnings, even with duplicates', async () => {
    const report = await importListings(test.database, rowsOf([GOOD, GOOD]), { strict: true })
    expect(report).toMatchObject({ inserted: 1, duplicates: 1 })
  })
})

describe('an id made of cells', () => {
  const read = async (mapping: string, csv: string) => {
    const rows: unknown[] = []
    async function* bytes() {
      yield Buffer.from(csv)
    }
    for await (const some of readCsv(bytes(), parseMapping(mapping, 'map'))) rows.push(...some)
    return rows
  }

  it.each([
    ['a part that may be missing', 'record: { zpid: "2[{ID}]" }'],
    ['a digest', 'columns: { key: { digest: [ID, LOT] } }\nrecord: { zpid: "{key}" }'],
  ])('is rejected when all of them are empty, for %s', async (_name, mapping) => {
    const rows = await read(mapping, 'ID,LOT,NAME\n,,x\n7,8,y\n')
    expect(rows).toMatchObject([
      { line: 2, fault: expect.stringMatching(/^has an empty id: the cells of zpid are empty/) },
      { line: 3, record: { zpid: expect.stringMatching(/^\d+$/) } },
    ])
  })

  it('must use at least one column', async () => {
    await expect(read('record: { zpid: "5" }', 'ID\n1\n')).rejects.toThrow(
      'The mapping sets zpid without a column, so that all rows would be one home.',
    )
  })
})
