// `shape=reso`: every record of the sample, and every operation that takes the parameter, under standard names with standard
// lookups. The names and types are a table of their own (standard-fields.ts), so that a wrong name in the dictionary of the
// service is found here.

import { createHash } from 'node:crypto'
import type { Property } from '@lotline/contract'
import { readSample } from '@lotline/sample'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { lookupKey, standardDictionary } from '../../../src/domain/reso/dictionary.ts'
import { toReso } from '../../../src/domain/reso/from-record.ts'
import { toSearchSummary } from '../../../src/domain/search/search-summary.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'
import { STANDARD_FIELDS, type StandardType } from './standard-fields.ts'

/** Includes every search row of the sample. */
const IS_FULL = Boolean(process.env.LOTLINE_FULL)
const NOW = new Date('2026-11-22T12:00:00Z')
/** Names of estimates. No standard field may have their value. */
const ESTIMATES = ['zestimate', 'rentZestimate', 'homeValues'] as const

const FITS: Readonly<Record<StandardType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string' && value !== '',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  date: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value),
  time: (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value),
  lookup: (value) => typeof value === 'string' && value !== '',
  lookups: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string'),
  objects: (value) => Array.isArray(value) && value.length > 0,
}

/** Closed lists of the standard that the service needs no table for. */
const OTHER_LOOKUPS: Readonly<Record<string, RegExp>> = {
  // ISO 3166, two letters: Lotline’s records are in the United States and its territories.
  Country: /^(?:US|AS|GU|MP|PR|VI|UM)$/,
  StreetDirPrefix: /^(?:N|E|S|W|NE|NW|SE|SW)$/,
  StreetDirSuffix: /^(?:N|E|S|W|NE|NW|SE|SW)$/,
}
/**
 * SHA-256 of the standard’s own list: `Field: Lookup` of each of these fields, sorted, one per line. Made from
 * references/dd/json/dd-2.0.json of github.com/RESOStandards/transport, generated on 2026-06-22.
 */
const LOOKUPS_OF_THE_STANDARD = '108eb64650f8ddffcc157a95907fe36a1de0a95bcc6757936c1238d64468c70a'

/** The faults of a value in RESO Common Format. */
function faultsOf(value: Readonly<Record<string, unknown>>): string[] {
  const { lookups } = standardDictionary()
  return Object.entries(value).flatMap(([name, field]) => {
    if (/^X_[A-Za-z0-9_]+$/.test(name)) return []
    const type = STANDARD_FIELDS[name]
    if (type === undefined) return [`${name} is not a standard name`]
    if (!FITS[type](field)) return [`${name} is no ${type}: ${JSON.stringify(field).slice(0, 60)}`]
    if (OTHER_LOOKUPS[name]?.test(String(field)) === false) return [`${name}: ${field} is no lookup`]
    const known = lookups.get(name)
    if (!known || !type.startsWith('lookup')) return []
    return [field]
      .flat()
      .flatMap((each) =>
        known.get(lookupKey(String(each))) === each ? [] : [`${name}: ${each} is no lookup`],
      )
  })
}

const testDatabase = withTestDatabase()
const server = withTestServer(testDatabase)
let key: string
const sample: Property[] = []

beforeAll(async () => {
  for await (const record of readSample()) sample.push(record as unknown as Property)
  await importListings(testDatabase.database, rowsOf(sample.slice(0, 300)), { source: 'sample-part' })
  key = (await server.openAccount({ credits: 100_000 })).key
})

describe('A record in RESO Common Format', () => {
  it('has only standard names with standard types and lookups, and local names, for the whole sample', () => {
    const faults = new Set<string>()
    for (const [at, record] of sample.entries()) {
      // A summary has fewer fields of the same record.
      const shapes = IS_FULL || at % 10 === 0 ? [record, toSearchSummary(record)] : [record]
      for (const shape of shapes) for (const fault of faultsOf(toReso(shape, NOW))) faults.add(fault)
    }
    expect([...faults].slice(0, 20)).toEqual([])
    expect(sample.length).toBeGreaterThan(5_000)
  })

  it('is checked against all lookups of the standard for its fields, and no others', () => {
    const { lookups } = standardDictionary()
    const all = [...lookups].flatMap(([field, values]) =>
      [...new Set(values.values())].map((value) => `${field}: ${value}`),
    )
    expect([lookups.size, all.length]).toEqual([68, 1_483])
    const digest = createHash('sha256').update(all.sort().join('\n')).digest('hex')
    expect(digest).toBe(LOOKUPS_OF_THE_STANDARD)
    // The other fields with lookups have an empty list in the standard: each MLS has its own cities, schools, statuses.
    const listed = new Set([...lookups.keys(), ...Object.keys(OTHER_LOOKUPS)])
    const open = Object.entries(STANDARD_FIELDS).filter(
      ([name, type]) => type.startsWith('lookup') && !listed.has(name),
    )
    expect(open.map(([name]) => name).sort()).toEqual([
      'BuildingFeatures',
      'City',
      'CountyOrParish',
      'ElementarySchool',
      'ElementarySchoolDistrict',
      'HighSchool',
      'HighSchoolDistrict',
      'ListAOR',
      'MiddleOrJuniorSchool',
      'MiddleOrJuniorSchoolDistrict',
      'MlsStatus',
      'StreetSuffix',
    ])
  })

  it('has each estimate under a local name only', () => {
    const withEstimates = sample.slice(0, 400).filter(({ zestimate }) => typeof zestimate === 'number')
    expect(withEstimates.length).toBeGreaterThan(100)
    for (const record of withEstimates) {
      // A value that no other field can have by chance.
      const value = toReso({ ...record, zestimate: 987_654_321.5, rentZestimate: 123_456.25 }, NOW)
      expect([value.X_Zestimate, value.X_RentZestimate]).toEqual([987_654_321.5, 123_456.25])
      const standard = Object.entries(value).filter(([name]) => !name.startsWith('X_'))
      expect(JSON.stringify(standard)).not.toMatch(/987654321\.5|123456\.25/)
    }
    for (const { paths } of standardDictionary().fields.values())
      for (const path of paths) for (const name of ESTIMATES) expect(path).not.toContain(name)
  })

  it('has every field of the record: under a standard name, or else under a local name', () => {
    const record = {
      zpid: '1',
      zestimate: 5,
      madeUp: 'x',
      resoFacts: { atAGlanceFacts: [1], heating: ['Dragon', 'Baseboard'] },
    }
    expect(toReso(record, NOW)).toEqual({
      ListingKey: '1',
      Heating: ['Baseboard'],
      X_Heating: ['Dragon'],
      X_Zestimate: 5,
      X_MadeUp: 'x',
      X_ResoFacts: { atAGlanceFacts: [1] },
    })
  })
})

describe('shape=reso', () => {
  const find = (status: string) =>
    sample.slice(0, 300).find((home) => home.homeStatus === status && home.hdpUrl)!

  function expectReso(answer: { status: number; text: string; headers: Headers }) {
    expect(answer.status, answer.text.slice(0, 300)).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/vnd.reso+json')
    const body = JSON.parse(answer.text)
    expect(body['@reso.context']).toBe('urn:reso:metadata:2.0:resource:property')
    expect(body.value.flatMap(faultsOf)).toEqual([])
    expect(body.meta.count).toBe(body.value.length)
    return body
  }

  it('is accepted by lookups by zpid, address, and URL, at the same price, with a tag of its own', async () => {
    const home = find('FOR_SALE')
    const plain = await server.get(`/v1/properties/${home.zpid}`, { key })
    const byZpid = await server.get(`/v1/properties/${home.zpid}?shape=reso`, { key })
    const body = expectReso(byZpid)
    expect(body.value[0]).toMatchObject({
      ListingKey: home.zpid,
      StandardStatus: 'Active',
      ListPrice: home.price,
    })
    expect(body.meta.source.name).toBe('sample-part')
    expect(byZpid.charged).toBe(1)
    expect(byZpid.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    const { address } = home
    const line = `${address?.streetAddress}, ${address?.city}, ${address?.state} ${address?.zipcode}`
    expectReso(
      await server.get(`/v1/properties/by-address?shape=reso&address=${encodeURIComponent(line)}`, { key }),
    )
    const url = encodeURIComponent(`https://homes.example.com/homedetails/${home.zpid}_zpid/`)
    expectReso(await server.get(`/v1/properties/by-url?shape=reso&url=${url}`, { key }))
  })

  it('is accepted by searches and presets, with the same names in CSV and NDJSON', async () => {
    const bbox = { west: -180, south: 0, east: 0, north: 80 }
    for (const [path, status] of [
      ['/v1/search', 'for_sale'],
      ['/v1/listings/for-sale', undefined],
      ['/v1/listings/for-rent', undefined],
      ['/v1/listings/sold', undefined],
    ] as const) {
      const request = { filters: { ...(status && { status }), bbox }, maxItems: 5 }
      const answer = await server.post(`${path}?shape=reso`, request, { key })
      const { value } = expectReso(answer)
      expect(answer.charged).toBe(value.length)
      expect(value.length).toBeGreaterThan(0)
    }
    const list = `/v1/listings?status=for_sale&bbox=-180,0,0,80&max_items=5&shape=reso`
    expectReso(await server.get(list, { key }))
    const ndjson = await server.get(`${list}&format=ndjson`, { key })
    const rows = ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.flatMap(faultsOf)).toEqual([])
    expect(rows).toHaveLength(5)
    const csv = await server.get(`${list}&format=csv`, { key })
    const names = csv.text.split('\r\n')[0]!.split(',')
    expect(names).toContain('ListPrice')
    expect(
      names.filter((name) => !name.startsWith('X_') && !(name.split('.')[0]! in STANDARD_FIELDS)),
    ).toEqual([])
  })

  it('is listed in meta.ignored by a search that runs as a job', async () => {
    const bbox = { west: -180, south: 0, east: 0, north: 80 }
    const { json, status } = await server.post(
      '/v1/search?shape=reso',
      { filters: { bbox }, async: true },
      { key },
    )
    expect(status).toBe(202)
    expect(json.meta.ignored).toContain('shape')
  })
})
