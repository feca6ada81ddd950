import { describe, expect, it } from 'vitest'
import { type Mapping, parseMapping } from '../../../src/data/ingest/mapping.ts'
import { readCsv } from '../../../src/data/ingest/read-csv.ts'

/** The records of a CSV text. A row without a record is represented by its line and fault. */
async function read(
  text: string | Buffer,
  mapping: string | Mapping,
  chunkBytes = 1 << 20,
): Promise<unknown[]> {
  const bytes = Buffer.from(text as string)
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const parsed = typeof mapping === 'string' ? parseMapping(mapping, 'the mapping') : mapping
  const rows: unknown[] = []
  for await (const some of readCsv(chunks(), parsed))
    for (const row of some) rows.push('fault' in row ? `${row.line} ${row.fault}` : row.record)
  return rows
}

describe('a record made from a CSV row', () => {
  it('has the types that the contract states', async () => {
    const mapping = `
      record:
        zpid: "{id}"
        price: "{price}"
        yearBuilt: "{year}"
        isWaterfront: "{water}"
        heating: "{heating}"
        address: { zipcode: "{zip}" }
        resoFacts: { hasGarage: "{garage}" }
        assessorGrade: "{grade}"`
    const text = `id,price,year,water,heating,zip,garage,grade
1,"$1,250,000",1990.0,1,Forced Air,00501,N,7
2, 4.5e+05 ,,,,,,`
    expect(await read(text, mapping)).toEqual([
      {
        zpid: '1',
        price: 1_250_000,
        yearBuilt: 1990,
        isWaterfront: true,
        heating: ['Forced Air'],
        address: { zipcode: '00501' },
        resoFacts: { hasGarage: false },
        assessorGrade: '7',
      },
      { zpid: '2', price: 450_000, address: {}, resoFacts: {} },
    ])
  })

  it('has constants, mapped values, dates, padded cells, and no empty cells', async () => {
    const mapping = `
      columns:
        sold: { date: M/D/YYYY }
        lot: { pad: 4 }
        price: { empty: ["0", "-"] }
        type: { values: { "1": CONDO, "2": null, no: OTHER }, otherwise: SINGLE_FAMILY }
        county: { from: borough, values: { "1": New York County } }
      record:
        zpid: "9{lot}"
        homeStatus: RECENTLY_SOLD
        hasPool: false
        price: "{price}"
        homeType: "{type}"
        county: "{county}"
        dateSold: "{sold}"
        datePriceChanged: "{sold}"
        soldOn: "{sold}"
        description: "Sold on {sold}."`
    const text = `sold,lot,price,type,borough
9/25/2019,12,5,1,1
,7,0,2,1
1/2/2020,12345,-,no,1
1/2/2020,1,1,other,1`
    const day = { dateSold: '2020-01-02', datePriceChanged: 1577923200000, soldOn: '2020-01-02' }
    const same = { homeStatus: 'RECENTLY_SOLD', hasPool: false, county: 'New York County' }
    expect(await read(text, mapping)).toEqual([
      {
        zpid: '90012',
        ...same,
        price: 5,
        homeType: 'CONDO',
        dateSold: '2019-09-25',
        datePriceChanged: 1569369600000,
        soldOn: '2019-09-25',
        description: 'Sold on 2019-09-25.',
      },
      { zpid: '90007', ...same },
      { zpid: '912345', ...same, homeType: 'OTHER', ...day, description: 'Sold on 2020-01-02.' },
      {
        zpid: '90001',
        ...same,
        price: 1,
        homeType: 'SINGLE_FAMILY',
        ...day,
        description: 'Sold on 2020-01-02.',
      },
    ])
  })

  it('has texts composed of several cells, without parts in brackets whose cells are empty', async () => {
    const mapping = `
      record:
        zpid: "{id}"
        address: { streetAddress: "{no} {street}[ Apt {apt}][, {floor} floor]" }
        note: "[draft] {note}"`
    const text = 'id,no,street,apt,floor,note\n1,12,Main St,4B,,a\n2,12,Main St,,2nd,b\n3,,Main St,4B,,'
    expect(await read(text, mapping)).toEqual([
      { zpid: '1', address: { streetAddress: '12 Main St Apt 4B' }, note: '[draft] a' },
      { zpid: '2', address: { streetAddress: '12 Main St, 2nd floor' }, note: '[draft] b' },
      { zpid: '3', address: {} },
    ])
  })

  it('has no list entries whose cells are all empty', async () => {
    const mapping = `
      record:
        zpid: "{id}"
        priceHistory:
          - { event: Sold, date: "{sold}", price: "{price}" }
          - { event: Listed for sale, date: "{listed}" }`
    const text = 'id,sold,price,listed\n1,2020-01-02,5,\n2,,,2020-01-01\n3,,,'
    expect(await read(text, mapping)).toEqual([
      { zpid: '1', priceHistory: [{ event: 'Sold', date: '2020-01-02', price: 5 }] },
      { zpid: '2', priceHistory: [{ event: 'Listed for sale', date: '2020-01-01' }] },
      { zpid: '3', priceHistory: [] },
    ])
  })

  it('has times if the zone is known, and otherwise days', async () => {
    const mapping = `
      columns:
        open: { date: MMMM-D-YYYY h:mm A, time_zone: America/Los_Angeles }
        sold: { date: [MMMM-D-YYYY, YYYY-MM-DD] }
      record:
        zpid: "{id}"
        openHouseSchedule: [{ startTime: "{open}" }]
        datePosted: "{open}"
        priceHistory: [{ date: "{sold}" }, { date: "{open}" }]`
    const text = 'id,open,sold\n1,May-18-2024 9:00 PM,April-1-2024\n2,,2024-04-01\n'
    expect(await read(text, mapping)).toEqual([
      {
        zpid: '1',
        openHouseSchedule: [{ startTime: '2024-05-19T04:00:00.000Z' }],
        datePosted: '2024-05-19T04:00:00.000Z',
        // The day is in the file.
        priceHistory: [{ date: '2024-04-01' }, { date: '2024-05-18' }],
      },
      { zpid: '2', openHouseSchedule: [], priceHistory: [{ date: '2024-04-01' }] },
    ])
  })

  it('has dates counted back from the import', async () => {
    const mapping = 'columns: { dom: { date: days before import } }\nrecord: { zpid: "{id}", on: "{dom}" }'
    const day = (before: number) => new Date(Date.now() - before * 86_400_000).toISOString().slice(0, 10)
    expect(await read('id,dom\n1,0\n2,45\n3,\n4,-1\n5,soon\n', mapping)).toEqual([
      { zpid: '1', on: day(0) },
      { zpid: '2', on: day(45) },
      { zpid: '3' },
      '5 has a cell in dom that is no number of days: "-1"',
      '6 has a cell in dom that is no number of days: "soon"',
    ])
  })

  it('has parts of cells, columns found by prefix, optional columns, and joined cells', async () => {
    const mapping = `
      skip_rows: [In accordance with]
      columns:
        home: { from: "URL*", match: '/home/(\\d+)$' }
        pool: { optional: true }
        sold: { from: "{month}/{year}", date: M/YYYY }
      record: { zpid: "{home}", hasPool: "{pool}", on: "{sold}", county: "{where} County" }`
    const text = `In accordance with rules
URL (SEE here),month,year,where
"In accordance with local rules, some are missing"
https://x.example/home/12,5,2010,Story
https://x.example/12,5,2010,Story
https://x.example/home/13,,2010,Story`
    expect(await read(text, mapping)).toEqual([
      { zpid: '12', on: '2010-05-01', county: 'Story County' },
      '5 has a cell in URL* that does not match /home/(\\d+)$: "https://x.example/12"',
      { zpid: '13', county: 'Story County' },
    ])
    await expect(read('URL a,URL b,month,year,where\n', mapping)).rejects.toThrow(
      'The file has several columns that begin with URL: URL a, URL b. Name one.',
    )
  })

  it('has an id made of other cells, the same for the same cells', async () => {
    const mapping = 'columns: { sale: { digest: [a, b] } }\nrecord: { zpid: "2{sale}" }'
    const rows = (await read('a,b,c\nx,y,1\nx,y,2\nxy,,3\n', mapping)) as { zpid: string }[]
    expect(rows.map(({ zpid }) => zpid)).toEqual([
      expect.stringMatching(/^2\d{15}$/),
      rows[0]!.zpid,
      expect.not.stringMatching(rows[0]!.zpid),
    ])
  })
})

describe('a CSV file', () => {
  const MAPPING = 'record: { zpid: "{id}", price: "{price}" }'
  const HOMES = [
    { zpid: '1', price: 1 },
    { zpid: '2', price: 2 },
  ]

  it.each([
    ['with LF', 'id,price\n1,1\n2,2\n'],
    ['with CRLF and without a last line break', 'id,price\r\n1,1\r\n2,2'],
    ['with a byte order mark', '\uFEFFid,price\n1,1\n2,2\n'],
    ['with everything quoted', '"id","price"\n"1","1"\n"2","2"\n'],
    ['with spaces around headers and cells', ' id , price \n 1 , 1 \n2,2\n'],
    ['with empty lines and empty rows', 'id,price\n\n1,1\n,\n  \n2,2\n,\n'],
    ['with line breaks in cells', 'id,price,note\n1,1,"a\nb, ""c"""\n2,2,\n'],
    ['with columns that the mapping does not use', 'x,price,y,id\na,1,b,1\na,2,b,2\n'],
  ])('is read %s, wherever its chunks end', async (_name, text) => {
    expect(await read(text, MAPPING)).toEqual(HOMES)
    expect(await read(text, MAPPING, 1)).toEqual(HOMES)
  })

  it('may have notices before the header, another delimiter, and another encoding', async () => {
    const text = 'A "notice, with an open quote;;\r\nanother\nid;price;städte\n1;1;Zürich\n2;2;\n'
    const mapping = `
      skip_lines: 2
      delimiter: ";"
      encoding: windows-1252
      record: { zpid: "{id}", price: "{price}", city: "{städte}" }`
    const rows = [
      { zpid: '1', price: 1, city: 'Zürich' },
      { zpid: '2', price: 2 },
    ]
    expect(await read(Buffer.from(text, 'latin1'), mapping)).toEqual(rows)
    expect(await read(Buffer.from(text, 'latin1'), mapping, 1)).toEqual(rows)
  })

  it.each([
    ['1,abc', '2 has a wrong cell in price: price must be a number, not "abc"'],
    ['1,"12,34"', '2 has a wrong cell in price: price must be a number, not "12,34"'],
    ['1', '2 has 1 cells, and the header 2'],
    ['1,2,3', '2 has 3 cells, and the header 2'],
  ])('has the row %s kept out', async (row, fault) => {
    expect(await read(`id,price\n${row}\n2,2\n`, MAPPING)).toEqual([fault, HOMES[1]])
  })

  it('has rejected rows if the mapping cannot read their cells', async () => {
    const mapping = `
      columns: { kind: { values: { a: CONDO } }, sold: { date: YYYY-MM-DD } }
      record: { zpid: "{id}", homeType: "{kind}", dateSold: "{sold}" }`
    expect(await read('id,kind,sold\n1,b,2020-01-01\n2,a,2020-02-30\n3,a,\n', mapping)).toEqual([
      '2 has a cell in kind that the mapping has no value for: "b". Allowed: "a"',
      '3 has a cell in sold that is no date of the form YYYY-MM-DD: "2020-02-30"',
      { zpid: '3', homeType: 'CONDO' },
    ])
  })

  it.each([
    ['id,price\n1,"1\n2,2\n', 'not valid CSV at line 3: a quote is never closed'],
    ['id,price\n1,"1"x\n', 'not valid CSV at line 2: a quoted cell has text after its closing quote'],
    ['id,price\n1,x"1"\n', 'not valid CSV at line 2: a cell that is not quoted has a quote inside'],
    [`id,price\n1,"${'x\n'.repeat(3_000_000)}`, 'a row is longer than 4 MiB'],
    ['zpid,price\n1,1\n', 'The file has no column id. Its header is: zpid, price.'],
    ['', 'The file has no header.'],
    [Buffer.from('id,price\n\xe9,1\n', 'latin1'), 'The file is not utf-8 text.'],
  ])('is refused as a whole when it is broken (%#)', async (text, message) => {
    await expect(read(text, MAPPING)).rejects.toThrow(message)
  })

  it('has line numbers that include the notices', async () => {
    await expect(read('notice\nid,price\n1,"1"x\n', `skip_lines: 1\n${MAPPING}`)).rejects.toThrow('at line 3')
    expect(await read('notice\nid,price\n1,x\n', `skip_lines: 1\n${MAPPING}`)).toEqual([
      '3 has a wrong cell in price: price must be a number, not "x"',
    ])
  })
})

describe('a mapping', () => {
  it.each([
    ['{', 'm.yaml is not YAML: '],
    ['- a', 'm.yaml is not a mapping: the file must be object'],
    ['record: {}', "m.yaml is not a mapping: record must have required property 'zpid'"],
    [
      'record: { zpid: "1" }\nfields: {}',
      'the file has "fields", which is none of rows, skip_lines, skip_rows, delimiter, encoding, columns, record',
    ],
    [
      'record: { zpid: "1" }\ncolumns: { a: { dat: x } }',
      'columns.a has "dat", which is none of from, empty, values, otherwise, optional, match, date, time_zone, pad, digest',
    ],
    [
      'record: { zpid: "{a}" }\ncolumns: { a: { date: YYYY-MM-DD HH:mm, time_zone: PST8 } }',
      'columns.a.time_zone: "PST8" is not an IANA time zone such as America/New_York',
    ],
    [
      'record: { zpid: "{a}" }\ncolumns: { a: { date: YYYY-MM-DD, time_zone: America/New_York } }',
      'columns.a.time_zone needs a date with a time of day',
    ],
    [
      'record: { zpid: "{a}" }\ncolumns: { a: { match: "(" } }',
      'columns.a.match: "(" is not a regular expression',
    ],
    ['record: { zpid: "1" }\nskip_lines: -1', 'skip_lines must be >= 0'],
    ['record: { zpid: "1" }\nencoding: ebcdic', 'encoding must be one of utf-8, windows-1252, utf-16le'],
  ])('is refused when it is wrong: %s', (text, message) => {
    expect(() => parseMapping(text, 'm.yaml')).toThrow(message)
  })

  it('is refused if it sets a field to a value that the contract does not allow', async () => {
    await expect(read('id\n1\n', 'record: { zpid: "{id}", price: free }')).rejects.toThrow(
      'The mapping sets price, which must be a number, not "free".',
    )
  })
})
