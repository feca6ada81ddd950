// Files of a county that state rights, imported and read through the API. Each file can also have a home that may be shown, so that a
// test that finds no street proves something.

import { beforeAll, beforeEach, expect } from 'vitest'
import { type ImportOptions, importListings } from '../../src/data/ingest/import-listings.ts'
import { parseMapping } from '../../src/data/ingest/mapping.ts'
import { readCsv } from '../../src/data/ingest/read-csv.ts'
import { readNdjson } from '../../src/data/ingest/read-ndjson.ts'
import { withTestDatabase } from '../setup/test-database.ts'
import { withTestServer } from '../setup/test-server.ts'
import { withWorker } from '../work/jobs/job-calls.ts'

/** The rights of a row under standard names, and its other fields. */
export type Rights = Readonly<Record<string, unknown>>
export type FileKind = 'NDJSON' | 'CSV'
export const KINDS = ['NDJSON', 'CSV'] as const

/** Maps the facts of a home, and none of its rights. */
export const MAPPING = `
columns: { price: {} }
record:
  zpid: "{id}"
  homeStatus: FOR_SALE
  price: "{price}"
  latitude: "{lat}"
  longitude: "{lon}"
  description: "{remarks}"
  address: { streetAddress: "{street}", city: Kent, state: WA, zipcode: "98032" }
`

export function withCountyFiles() {
  const test = withTestDatabase()
  const server = withTestServer(test)
  withWorker(server)
  let key: string

  beforeAll(async () => {
    key = (await server.openAccount({ credits: 100_000 })).key
  })
  /** Each test has its own homes, places, and source, because records of other tests are cached. */
  let first = 1_000
  let source: string
  function begin(): void {
    first += 100
    source = `county-${first}`
  }
  beforeEach(begin)

  const zpidOf = (at: number) => String(first + at)
  const streetOf = (at: number) => `${first + at} Alder Way`
  /** No latitude is the beginning of another one. */
  const latitudeOf = (at: number) => Number((30.00007 + first / 1_000 + at / 1_000).toFixed(5))
  const addressOf = (at: number) => `${streetOf(at)}, Kent, WA 98032`

  /** A file with one home for each row of rights. */
  function fileOf(kind: FileKind, rows: readonly Rights[]): string {
    const homes = rows.map((rights, at) => {
      const position = { lat: latitudeOf(at), lon: -112.23401 - at / 1_000 }
      return {
        id: zpidOf(at),
        price: 700_000 + at,
        street: streetOf(at),
        ...position,
        remarks: `Come to ${streetOf(at)}.`,
        ...rights,
      }
    })
    if (kind === 'CSV') {
      const names = [...new Set(homes.flatMap((home) => Object.keys(home)))]
      const lines = homes.map((home) =>
        names.map((name) => `"${String((home as Rights)[name] ?? '').replaceAll('"', '""')}"`).join(','),
      )
      return [names.join(','), ...lines, ''].join('\n')
    }
    return homes
      .map(({ id, street, lat, lon, remarks, ...home }) =>
        JSON.stringify({
          zpid: id,
          homeStatus: 'FOR_SALE',
          latitude: lat,
          longitude: lon,
          description: remarks,
          address: { streetAddress: street, city: 'Kent', state: 'WA', zipcode: '98032' },
          ...home,
        }),
      )
      .join('\n')
  }

  function importFile(kind: FileKind, text: string, options: ImportOptions = {}, mapping = MAPPING) {
    async function* bytes() {
      yield Buffer.from(text)
    }
    const rows = kind === 'CSV' ? readCsv(bytes(), parseMapping(mapping, 'map')) : readNdjson(bytes())
    return importListings(test.database, rows, { source, ...options })
  }

  /** Returns for each home whether it is shown with its street, without it, or not at all, in every kind of query. */
  async function shown(count: number): Promise<string[]> {
    const latitude = latitudeOf(0)
    const bbox = { west: -113, south: latitude - 0.01, east: -112, north: latitude + 0.05 }
    const search = await server.post('/v1/search', { filters: { status: 'for_sale', bbox } }, { key })
    expect(search.status).toBe(200)
    return Promise.all(Array.from({ length: count }, (_, at) => shownAs(at, search.text)))
  }

  async function shownAs(at: number, search: string): Promise<'shown' | 'hidden' | 'gone'> {
    const byZpid = await server.get(`/v1/properties/${zpidOf(at)}`, { key })
    const address = encodeURIComponent(addressOf(at))
    const byAddress = await server.get(`/v1/properties/by-address?address=${address}`, { key })
    const reso = await server.get(`/v1/properties/${zpidOf(at)}?shape=reso`, { key })
    const texts = [byZpid.text, byAddress.text, reso.text, search]
    const count = (secret: string) => texts.filter((text) => text.includes(secret)).length
    const found = [count(streetOf(at)), count(String(latitudeOf(at)))]
    if (byZpid.status === 404 || byAddress.status === 404) {
      expect([byAddress.status, found]).toEqual([404, [0, 0]])
      if (byZpid.status === 404) return 'gone'
      expect(byZpid.json.data).toMatchObject({ isUndisclosedAddress: true, price: 700_000 + at })
      return 'hidden'
    }
    expect(found).toEqual([4, 4])
    return 'shown'
  }

  function statusesOf(count: number): Promise<number[]> {
    const ask = async (at: number) => (await server.get(`/v1/properties/${zpidOf(at)}`, { key })).status
    return Promise.all(Array.from({ length: count }, (_, at) => ask(at)))
  }

  return {
    test,
    server,
    /** The key of the account that reads. */
    get key() {
      return key
    },
    /** The source of this test. */
    get source() {
      return source
    },
    zpidOf,
    streetOf,
    addressOf,
    latitudeOf,
    begin,
    fileOf,
    importFile,
    shown,
    statusesOf,
  }
}
