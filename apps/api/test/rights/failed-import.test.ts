// The restrictions of a file’s rows are applied even if its import fails, and even if there are more such rows than memory keeps. The
// meaning of a restriction for a reader is tested in file-rights.test.ts; this file looks at the rows of the database.

import { beforeEach, describe, expect, it } from 'vitest'
import { type ImportOptions, importListings } from '../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../src/data/ingest/mapping.ts'
import { readCsv } from '../../src/data/ingest/read-csv.ts'
import { readNdjson } from '../../src/data/ingest/read-ndjson.ts'
import { withTestDatabase } from '../setup/test-database.ts'

const test = withTestDatabase()

beforeEach(async () => {
  await test.database.query('truncate listings, removed_listings, withheld_homes cascade')
})

type Rights = Readonly<Record<string, unknown>>
type FileKind = 'NDJSON' | 'CSV'

const MAPPING = `
record:
  zpid: "{id}"
  homeStatus: FOR_SALE
  price: "{price}"
  address: { streetAddress: "{id} Elm Way", city: Kent, state: WA, zipcode: "98032" }
`
const FAULT = { price: 'call us' }
/** The end of a file that cannot be read further. */
const CUT = '\n"cut'

/** A file with one home for each row, from zpid 100 on. */
function fileOf(kind: FileKind, rows: readonly Rights[]): string {
  const homes = rows.map((row, at): Rights => ({ id: 100 + at, price: 7, ...row }))
  if (kind === 'CSV') {
    const names = [...new Set(homes.flatMap((home) => Object.keys(home)))]
    return [names, ...homes.map((home) => names.map((name) => home[name] ?? ''))].join('\n')
  }
  const address = (id: unknown) => ({
    streetAddress: `${String(id)} Elm Way`,
    city: 'Kent',
    state: 'WA',
    zipcode: '98032',
  })
  return homes
    .map(({ id, ...home }) =>
      JSON.stringify({ zpid: String(id), homeStatus: 'FOR_SALE', address: address(id), ...home }),
    )
    .join('\n')
}

function importFile(kind: FileKind, text: string, options: ImportOptions = {}, mapping = MAPPING) {
  async function* bytes() {
    yield Buffer.from(text)
    if (kind === 'NDJSON' && text.endsWith(CUT)) throw new Error('the connection was lost')
  }
  const rows = kind === 'CSV' ? readCsv(bytes(), parseMapping(mapping, 'map')) : readNdjson(bytes())
  return importListings(test.database, rows, { source: 'county', ...options })
}

const STATES = `
  select n, l.address_hidden as is_hidden, l.record, w.what
  from generate_series(100, 99 + $1::integer) as n
    left join listings l on l.zpid = n::text left join withheld_homes w on w.zpid = n::text
  order by n`

/** The stored state of the first homes. It also checks that nothing else of them is shown. */
async function states(count: number): Promise<string[]> {
  const { rows } = await test.database.query<{
    n: number
    is_hidden: boolean | null
    record: string | null
    what: string | null
  }>(STATES, [count])
  return rows.map(({ n, is_hidden: isHidden, record, what }) => {
    const state = isHidden === null ? 'gone' : isHidden ? 'hidden' : 'shown'
    expect(what).toBe({ gone: 'listing', hidden: 'address', shown: null }[state])
    expect(record?.includes(`${n} Elm Way`) ?? false).toBe(state === 'shown')
    return state
  })
}

describe('An import that fails', () => {
  it.each<[string, FileKind, Rights, string, number, RegExp]>([
    ['is strict', 'NDJSON', FAULT, '', 6, /--strict allows none: line 2 .*[.] Rows that were read/],
    ['ends too early', 'NDJSON', {}, CUT, 6, /^the connection was lost[.] Rows that were read/],
    [
      'lacks homes',
      'CSV',
      {},
      '',
      18,
      /--allow-removals 12 permits it[)][.] Rows that .* else was changed[.]/,
    ],
    ['has a wrong quote', 'CSV', {}, CUT, 6, /CSV at line \d: a quote is never closed[.] Rows/],
  ])(
    'because the file %s changes nothing but what a plain no of its rows forbids',
    async (why, kind, last, end, homes, message) => {
      await importFile(kind, fileOf(kind, Array(homes).fill({})))
      const rows = [
        { InternetAddressDisplayYN: 'N' },
        { InternetEntireListingDisplayYN: 'N', InternetAddressDisplayYN: '?' },
        { MlgCanView: '?' },
        { InternetAddressDisplayYN: 'N', MlgCanView: '?' },
        { price: 5 },
        last,
      ]
      const file = fileOf(kind, rows) + end
      const followed: object[] = []
      const fails = (dryRun: boolean) =>
        importFile(kind, file, {
          dryRun,
          strict: why === 'is strict',
          ...(why === 'lacks homes' && { complete: { sources: ['county'] } }),
          beforeFollowed: async (_tx, what) => void followed.push(what),
        })
      await expect(fails(true)).rejects.toThrow(/^(?!.*Rows that were read)/)
      expect(await states(6)).toEqual(Array(6).fill('shown'))
      await expect(fails(false)).rejects.toThrow(message)
      expect(await states(6)).toEqual(['hidden', 'gone', 'shown', 'hidden', 'shown', 'shown'])
      expect((await test.database.query('select from listings where price = 5')).rowCount).toBe(0)
      // Importing the same file again changes nothing more.
      await expect(fails(false)).rejects.toThrow(/^(?!.*Rows that were read)/)
      expect(followed).toEqual([{ removed: 1, hidden: 2 }])
    },
  )
})

describe('An import of keys that fails', () => {
  it('restricts the homes of known keys, and leaves no home with a zpid that it assigned', async () => {
    const keyed = MAPPING.replace('zpid:', 'sourceKey:')
    await importFile('CSV', fileOf('CSV', [{ id: 'A-1' }, { id: 'A-2' }]), {}, keyed)
    const no = { MlgCanView: 'N' }
    const cut = fileOf('CSV', [
      { id: 'A-2', ...no },
      { id: 'A-3', ...no },
    ])
    await expect(importFile('CSV', cut + CUT, {}, keyed)).rejects.toThrow(/removed 1, hid the address of 0/)
    const { rows } = await test.database.query<{ key: string }>(
      `select source_key as key from record_identities join listings using (zpid) where source_key like 'A-%'`,
    )
    expect(rows).toEqual([{ key: 'A-1' }])
    expect((await test.database.query('select from withheld_homes')).rowCount).toBe(1)
  })
})

describe('A column of flags that is garbled', () => {
  const stored = [...Array(30).fill({}), { InternetAddressDisplayYN: 'N' }]
  const unread = (count: number): Rights[] => [
    ...Array.from({ length: count }, (_, at) => ({
      [at % 2 ? 'MlgCanView' : 'InternetAddressDisplayYN']: '?',
    })),
    { MlgCanView: 'N' },
  ]
  const counts = async () => {
    const all = await states(31)
    return ['shown', 'hidden', 'gone'].map((state) => all.filter((one) => one === state).length)
  }

  it('makes the import fail above the removal limit, and a plain no is applied', async () => {
    // A home that is hidden already does not count.
    await importFile('CSV', fileOf('CSV', stored))
    const file = fileOf('CSV', [...unread(11), ...Array(18).fill({}), { InternetAddressDisplayYN: '?' }])
    await expect(importFile('CSV', file)).rejects.toThrow(
      /^Values that are neither yes nor no would remove or hide 11 of the 31 homes of the source "county" [(]35%[)].*: line 2 has a value in InternetAddressDisplayYN.* removed 1, hid the address of 0[.] Nothing else was changed[.].*--allow-removals 11[.]$/,
    )
    expect((await test.database.query('select from listings where not address_hidden')).rowCount).toBe(29)
    expect(await importFile('CSV', file, { allowRemovals: 11 })).toMatchObject({ rejected: 12, removed: 5 })
    expect((await test.database.query('select from listings where not address_hidden')).rowCount).toBe(18)
  })

  it('hides as many homes as the removal limit allows', async () => {
    await importFile('CSV', fileOf('CSV', stored.slice(0, 30).concat({})))
    expect(await importFile('CSV', fileOf('CSV', unread(10)))).toMatchObject({ rejected: 10, removed: 6 })
    expect(await counts()).toEqual([20, 5, 6])
  })
})

describe('An import of more restricted rows than are kept in memory', () => {
  it('applies the last usable row of each home, and all restrictions that no row lifts', async () => {
    const rows = (count: number, more: Rights = {}) =>
      Array.from({ length: count }, (_, at) => ({ zpid: String(100 + at), homeStatus: 'FOR_SALE', ...more }))
    const lines = (all: readonly object[]) => all.map((record, at) => ({ line: at + 1, record }))
    const no = { MlgCanView: 'N' }
    await importListings(test.database, lines(rows(1_300)), { source: 'county' })
    expect(
      await importListings(test.database, lines([...rows(1_300, no), ...rows(1_200), ...rows(5, no)]), {
        source: 'county',
      }),
    ).toMatchObject({ read: 2_505, unchanged: 1_195, removed: 105, withheld: 1_305 })
    const { rowCount } = await test.database.query('select from listings')
    expect(rowCount).toBe(1_195)
  })
})
