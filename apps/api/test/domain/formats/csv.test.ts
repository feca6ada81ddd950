import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HEADER_ROWS, type RowStream, toCsv } from '../../../src/domain/formats/csv.ts'
import { anyText } from '../../setup/any-text.ts'

async function csvOf(rows: RowStream, columns?: readonly string[]): Promise<string> {
  let text = ''
  for await (const piece of toCsv(rows, columns)) text += piece
  return text
}

test('rows become dotted columns in the order of first appearance', async () => {
  const rows = [
    { zpid: '1', latLong: { latitude: 1.5, longitude: -2 }, price: '$1,250,000', beds: 3 },
    { zpid: '2', latLong: null, beds: null, hdpData: { homeInfo: { daysOnSite: 7 } }, hasImage: true },
  ]
  expect(await csvOf(rows)).toBe(
    [
      'zpid,latLong.latitude,latLong.longitude,price,beds,hdpData.homeInfo.daysOnSite,hasImage',
      '1,1.5,-2,"$1,250,000",3,,',
      '2,,,,,7,true',
      '',
    ].join('\r\n'),
  )
})

test('lists are JSON text in one column', async () => {
  const rows = [{ units: [{ price: '$1,895+', beds: '0' }], tags: [], note: {} }]
  expect(await csvOf(rows)).toBe('units,tags,note\r\n"[{""price"":""$1,895+"",""beds"":""0""}]",[],{}\r\n')
})

test('a value that is a text in one row and an object in another keeps one column', async () => {
  expect(await csvOf([{ a: 'x' }, { a: { b: 1 } }, { a: null }])).toBe(
    'a\r\nx\r\n"{""b"":1}"\r\n\r\n'.replace('\r\n\r\n', '\r\n\r\n'),
  )
})

test('values that need quotes by RFC 4180 are quoted', async () => {
  const rows = [
    { a: 'x,y', b: 'say "hi"', c: 'two\nlines', d: 'two\r\nlines', e: 'cr\rcr', f: ' space ', g: '' },
  ]
  expect(await csvOf(rows)).toBe(
    'a,b,c,d,e,f,g\r\n"x,y","say ""hi""","two\nlines","two\r\nlines","cr\rcr", space ,\r\n',
  )
})

test('a column name is escaped like a cell, and the output has no NUL', async () => {
  expect(await csvOf([{ '=cmd()': 'a\0b', '@x\0': '\0=1+1', '-1': '[\0]' }])).toBe(
    `'=cmd(),'@x,-1\r\nab,'=1+1,[]\r\n`,
  )
})

describe('a cell that a spreadsheet would run gets an apostrophe, a number never does', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("http://x","y")', `'=HYPERLINK("http://x","y")`],
    ['+1 555 0100', "'+1 555 0100"],
    ['+15550100', "'+15550100"],
    ['-cmd', "'-cmd"],
    ['-1+2', "'-1+2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', "'\r=1"],
    ['＝1+1', "'＝1+1"],
    ['-5', '-5'],
    ['-122.3477', '-122.3477'],
    ['-1.5e-7', '-1.5e-7'],
    [-5, '-5'],
    [-122.3477, '-122.3477'],
    [-1e21, '-1e+21'],
    [0, '0'],
    [false, 'false'],
    ["'quoted", "'quoted"],
    ['a=b', 'a=b'],
  ])('%j', async (value, cell) => {
    const [row] = parse(await csvOf([{ value }]), { columns: true, record_delimiter: '\r\n' }) as [
      { value: string },
    ]
    expect(row.value).toBe(cell)
  })
})

test('given columns make the same header for every page, with or without rows', async () => {
  const columns = ['zpid', 'latLong.latitude', 'nope']
  expect(await csvOf([{ zpid: '1', extra: 2, latLong: { latitude: 3 } }], columns)).toBe(
    'zpid,latLong.latitude,nope\r\n1,3,\r\n',
  )
  expect(await csvOf([], columns)).toBe('zpid,latLong.latitude,nope\r\n')
})

test('without rows and columns the text is empty', async () => {
  expect(await csvOf([])).toBe('')
  expect(await csvOf([{}])).toBe('')
})

test('inherited properties of rows are not written', async () => {
  expect(await csvOf([{ a: 1 }], ['a', 'constructor', 'a.b', 'toString.name'])).toBe(
    'a,constructor,a.b,toString.name\r\n1,,,\r\n',
  )
})

test('an independent parser reads every cell back', async () => {
  const cell = fc.oneof(anyText(), fc.integer(), fc.boolean())
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ a: cell, b: cell, c: cell }), { minLength: 1, maxLength: 250 }),
      async (rows) => {
        const read = parse(await csvOf(rows), { columns: true, record_delimiter: '\r\n' }) as Record<
          string,
          string
        >[]
        expect(read).toHaveLength(rows.length)
        for (const [at, row] of rows.entries()) {
          for (const [name, value] of Object.entries(row)) {
            // Formulas are changed, and a NUL is removed. Everything else is the same.
            const text = String(value).replaceAll('\0', '')
            expect([text, `'${text}`]).toContain(read[at]?.[name])
          }
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('a slow reader slows the rows down', async () => {
  let made = 0
  function* endless() {
    for (;;) yield { row: ++made }
  }
  const stream = Readable.from(toCsv(endless(), ['row']))
  for await (const _ of stream) {
    await setImmediate()
    if (made > 20_000) break
    expect(made).toBeLessThan(20_000)
    if (made > 3000) break
  }
  expect(made).toBeLessThan(10_000)
})

test('a reader that stops early releases the remaining rows', async () => {
  for (const columns of [undefined, ['row']]) {
    let closed = 0
    async function* rows() {
      try {
        for (let row = 0; row < 5000; row++) yield { row }
      } finally {
        closed++
      }
    }
    let pieces = 0
    for await (const _ of toCsv(rows(), columns)) if (++pieces === 2) break
    expect(closed).toBe(1)
    await csvOf(rows(), columns)
    expect(closed).toBe(2)
  }
})

test('an error of the rows ends the text', async () => {
  async function* failing() {
    yield { a: 1 }
    throw new Error('the source is gone')
  }
  await expect(csvOf(failing())).rejects.toThrow('the source is gone')
})

test('columns are collected from every row that a page can have', async () => {
  const rows = Array.from({ length: HEADER_ROWS }, (_, at) =>
    at === HEADER_ROWS - 1 ? { a: 1, late: 2 } : { a: 1 },
  )
  expect((await csvOf(rows)).slice(0, 8)).toBe('a,late\r\n')
})
