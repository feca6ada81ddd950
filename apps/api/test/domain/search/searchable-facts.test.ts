// Each searchable fact, in every place that uses it. A new filter needs one entry in CASES, which the compiler demands, and all tests below
// run for it.

import type { Input, Property } from '@lotline/contract'
import {
  RANGE_KEYS,
  TIMED_FILTERS as REFUSED_BY_WATCHES,
  SWITCH_KEYS,
  type UrlKey,
} from '@lotline/contract/checks'
import { listParameters } from '@lotline/contract/nodes'
import { beforeAll, describe, expect, it } from 'vitest'
import { importListings } from '../../../src/data/ingest/import-listings.ts'
import { removeListings } from '../../../src/data/ingest/remove-listings.ts'
import { type ListingChange, readChanges } from '../../../src/data/sources/dataset/change-log.ts'
import { LISTING_COLUMNS } from '../../../src/data/sources/dataset/listing-columns.ts'
import { createChecks } from '../../../src/data/sources/resilience/check-result.ts'
import type { AreaSearch } from '../../../src/domain/search/area-search.ts'
import { fromListingsQuery, toAreaSearch } from '../../../src/domain/search/search-filters.ts'
import { fromSearchUrl } from '../../../src/domain/search/search-query-state.ts'
import {
  FACT_COLUMNS,
  FILTER_ENTRIES,
  FILTERS,
  type FilterName,
  readSearchableFacts,
  TIMED_FILTERS,
} from '../../../src/domain/search/searchable-facts.ts'
import { indexSearches } from '../../../src/work/watches/watch-index.ts'
import { rowsOf } from '../../data/sources/dataset/rows.ts'
import { contract as providerContract } from '../../data/sources/http/provider-contract.ts'
import { settingsFor, withReferenceProvider } from '../../setup/reference-provider/start.ts'
import { withTestDatabase } from '../../setup/test-database.ts'
import { withTestServer } from '../../setup/test-server.ts'

type Filters = Input<'searchListings'>['body']['filters'] & {}

interface Case<Name extends FilterName> {
  /** Two homes for sale. A third home does not have the fact. */
  readonly homes: readonly [Property, Property]
  /** Values of the filter, each with the homes that it finds: 0, 1, and 2 for the third. */
  readonly asked: readonly (readonly [value: NonNullable<Filters[Name]>, found: readonly number[]])[]
}

const CASES: { readonly [Name in FilterName]: Case<Name> } = {
  price: between({ price: 300_000 }, { price: 900_000 }, [300_000, 900_000]),
  beds: between({ bedrooms: 0 }, { bedrooms: 4 }, [0, 4]),
  baths: between({ bathrooms: 1 }, { bathrooms: 3 }, [1, 3]),
  sqft: between({ livingArea: 800 }, { livingAreaValue: 2_400 } as Property, [800, 2_400]),
  yearBuilt: between({ yearBuilt: 1925 }, { yearBuilt: 2010 }, [1925, 2010]),
  lotSize: between({ lotSize: 4_000 }, { lotAreaValue: 2, lotAreaUnits: 'Acres' }, [4_000, 87_120]),
  hoa: between({ resoFacts: { hasAssociation: false } }, { monthlyHoaFee: 450 }, [0, 450]),
  homeTypes: {
    homes: [{ homeType: 'CONDO' }, { homeType: 'LOT' }],
    asked: [
      [['condo'], [0]],
      [['house', 'lot'], [1]],
    ],
  },
  daysOnSite: {
    homes: [{ datePosted: daysAgo(3) }, { datePosted: daysAgo(60) }],
    asked: [
      ['7', [0]],
      ['90', [0, 1]],
    ],
  },
  saleTypes: {
    homes: [{ listingSubType: { isFSBO: true } }, { listingSubType: { isForAuction: true } }],
    asked: [
      [['by_owner'], [0]],
      [['auction', 'coming_soon'], [1]],
      [['by_agent'], [2]],
    ],
  },
  hasPool: yesOrNo({ hasPool: true }, { resoFacts: { hasPrivatePool: false } }),
  hasGarage: yesOrNo({ resoFacts: { hasAttachedGarage: true } }, { hasGarage: false }),
  isWaterfront: yesOrNo({ isWaterfront: true }, { resoFacts: { hasWaterfrontView: false } }),
  pending: yesOrNo({ homeStatus: 'PENDING' }, { homeStatus: 'FOR_SALE' }),
  comingSoon: yesOrNo({ homeStatus: 'COMING_SOON' }, { homeStatus: 'FOR_SALE' }),
  openHouse: yesOrNo({ openHouseSchedule: [{ startTime: daysAgo(-3) }] }, { openHouseSchedule: [] }),
  seniorCommunity: yesOrNo(
    { resoFacts: { isSeniorCommunity: true } },
    { resoFacts: { isSeniorCommunity: false } },
  ),
}

/** A range, tested with bounds that the two homes meet exactly. */
function between(less: Property, more: Property, [min, max]: readonly [number, number]) {
  return {
    homes: [less, more],
    asked: [
      [{ max: min }, [0]],
      [{ min: max }, [1]],
      [{ min, max }, [0, 1]],
    ],
  } as const
}

/** A home without the fact counts as no. */
function yesOrNo(yes: Property, no: Property) {
  return {
    homes: [yes, no],
    asked: [
      [true, [0]],
      [false, [1, 2]],
    ],
  } as const
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString()
}

/** A filter with its homes, which no box of another filter contains. */
const SCENES = Object.entries(CASES).map(([name, { homes, asked }], at) => {
  const latitude = 30 + at / 2
  const bbox = { west: -100.1, south: latitude - 0.1, east: -99.9, north: latitude + 0.1 }
  const records = [...homes, {}].map(
    (said: Property, home): Property => ({
      zpid: String(1_000 * (at + 1) + home),
      homeStatus: 'FOR_SALE',
      latitude,
      longitude: -100,
      ...said,
    }),
  )
  const values = asked.map(([value, found]) => ({
    value: value as unknown,
    zpids: found.map((home) => records[home]!.zpid!),
  }))
  return { name: name as FilterName, bbox, records, values }
})
type Scene = (typeof SCENES)[number]
const RECORDS = SCENES.flatMap(({ records }) => records)
const isTimed = (name: FilterName) => TIMED_FILTERS.includes(name)

const filtersOf = ({ name, bbox }: Scene, value: unknown) =>
  ({ status: 'for_sale', bbox, [name]: value }) as Filters
const searchOf = (scene: Scene, value: unknown) => toAreaSearch(filtersOf(scene, value)) as AreaSearch

const PARAMETERS = listParameters('listListings').map(({ name }) => name)

/** The same search as a query. undefined: the contract has no parameter for the filter. */
function queryOf({ name, bbox: { west, south, east, north } }: Scene, value: unknown) {
  const parameter = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const isRange = typeof value === 'object' && !Array.isArray(value)
  const sent: Record<string, unknown> = isRange
    ? Object.fromEntries(Object.entries(value!).map(([end, bound]) => [`${parameter}_${end}`, bound]))
    : { [parameter]: Array.isArray(value) ? value.join() : value }
  if (!Object.keys(sent).every((one) => PARAMETERS.includes(one))) return undefined
  return { bbox: [west, south, east, north].join(), status: 'for_sale', ...sent } as const
}

const testDatabase = withTestDatabase()
const reference = withReferenceProvider({ records: RECORDS })

beforeAll(async () => {
  await importListings(testDatabase.database, rowsOf(RECORDS))
})
const changesAfter = (after: number) => readChanges(testDatabase.database, { after, limit: 1_000 })

describe('the cases', () => {
  it.each(SCENES)('test $name with values that find some of its homes, and never the same', ({ values }) => {
    const answers = values.map(({ zpids }) => zpids.join())
    expect(new Set(answers).size).toBe(values.length)
    expect(values.length).toBeGreaterThan(1)
    for (const { zpids } of values) expect([1, 2]).toContain(zpids.length)
  })
})

describe.each([
  ['the data set', () => ({})],
  ['a remote provider', () => settingsFor(reference)],
] as const)('a search over %s', (_, env) => {
  const server = withTestServer(testDatabase, {
    get env() {
      return env()
    },
  })
  let key = ''
  beforeAll(async () => {
    key = (await server.openAccount({ credits: 10_000, plan: 'annual' })).key
  })

  it.each(SCENES)('finds exactly the homes that pass $name, by a body and by a query', async (scene) => {
    for (const { value, zpids } of scene.values) {
      const posted = await server.post('/v1/search', { filters: filtersOf(scene, value) }, { key })
      expect([zpidsOf(posted.json.data), posted.charged]).toEqual([zpids, zpids.length])
      expect(posted.json.meta).not.toHaveProperty('ignored')
      const query = queryOf(scene, value)
      if (!query) continue
      const sent = Object.entries(query).map(([name, one]) => [name, String(one)])
      const got = await server.get(`/v1/listings?${new URLSearchParams(sent)}`, { key })
      expect(zpidsOf(got.json.data)).toEqual(zpids)
      expect(got.json.meta).not.toHaveProperty('ignored')
    }
  })
})

const zpidsOf = (rows: readonly { readonly zpid?: unknown }[]) => rows.map(({ zpid }) => String(zpid)).sort()

describe('a body and a query', () => {
  it.each(SCENES)('with $name become the same search', (scene) => {
    for (const { value } of scene.values) {
      const query = queryOf(scene, value)
      if (query) expect(fromListingsQuery(query)).toEqual(searchOf(scene, value))
      expect(FILTERS[scene.name].query === null).toBe(query === undefined)
    }
  })
})

const URL_KEYS: Readonly<Record<string, UrlKey>> = { ...RANGE_KEYS, ...SWITCH_KEYS }

describe('a search URL', () => {
  it.each(SCENES.filter(({ name }) => name in URL_KEYS))('with $name becomes the same search', (scene) => {
    for (const key of URL_KEYS[scene.name]!) {
      for (const { value } of scene.values) {
        const filterState = { [key!]: typeof value === 'boolean' ? { value } : value }
        const state = encodeURIComponent(JSON.stringify({ mapBounds: scene.bbox, filterState }))
        const read = fromSearchUrl(`https://zillow.com/?searchQueryState=${state}`, ['zillow.com'])
        // An unchecked box restricts nothing.
        const asked = value === false ? undefined : value
        expect(read).toEqual({ search: searchOf(scene, asked), ignored: [] })
      }
    }
  })
})

describe('the rows of a provider', () => {
  it.each(SCENES)('that contradict $name are dropped, and rows without the fact are kept', (scene) => {
    const { homeStatus: _, ...silent } = scene.records[2]!
    const records = [...scene.records.slice(0, 2), silent] as Property[]
    for (const { value, zpids } of scene.values) {
      const dropped: string[] = []
      const { checkArea } = createChecks('test', (_count, fault) => dropped.push(fault))
      const area = checkArea({ records, total: 3 }, searchOf(scene, value), 100)
      const expected = records.filter(({ zpid }) => zpids.includes(zpid!) || zpid === silent.zpid)
      expect(zpidsOf(area.records)).toEqual(zpidsOf(expected))
      expect(dropped).toEqual(expected.length < 3 ? [`does not match the filter ${scene.name}`] : [])
    }
  })
})

describe('a watch', () => {
  const server = withTestServer(testDatabase)
  let key = ''
  beforeAll(async () => {
    key = (await server.openAccount({ credits: 1_000, plan: 'annual' })).key
  })
  const create = (scene: Scene, value: unknown) =>
    server.post('/v1/watches', { name: 'test', filters: filtersOf(scene, value) }, { key })

  it.each(SCENES.filter(({ name }) => !isTimed(name)))(
    'with $name matches what a search finds',
    async (scene) => {
      const { database } = testDatabase
      for (const { value, zpids } of scene.values) {
        const { json } = await create(scene, value)
        const { rows } = await database.query<{ hash: string }>(
          'select search_hash as hash from watches where id = $1',
          [json.data.id],
        )
        expect(json.data.count).toBe(zpids.length)
        const changes = await changesAfter(0)
        const hits = await database.transaction(async (tx) => {
          const index = await indexSearches(tx, [rows[0]!.hash])
          return index.findHits(tx, changes)
        })
        expect(zpidsOf(changes.filter((_, at) => hits[at]!.some(({ matches }) => matches)))).toEqual(zpids)
      }
    },
  )

  it.each(SCENES.filter(({ name }) => isTimed(name)))(
    'is refused with $name, which time changes',
    async (scene) => {
      for (const { value } of scene.values) expect((await create(scene, value)).code).toBe('invalid_filters')
    },
  )
})

it('the contract lists the filters whose result changes with time', () => {
  expect(TIMED_FILTERS).toEqual(REFUSED_BY_WATCHES)
})

describe('the table of listings', () => {
  it('has a column for each fact, of its type', async () => {
    const { rows } = await testDatabase.database.query<{ column: string; type: string }>(`
      select attname as column, format_type(atttypid, null) as type from pg_attribute
      where attrelid = 'listings'::regclass and attnum > 0 and not attisdropped`)
    const types = new Map(
      rows.map(({ column, type }) => [column, type.replace(/^timestamp.*/, 'timestamptz')]),
    )
    for (const { column, type } of FACT_COLUMNS) expect([column, types.get(column)]).toEqual([column, type])
    const written = LISTING_COLUMNS.map(({ column }) => column)
    const stored = [...types.keys()].map((column) => (column === 'location' ? 'longitude' : column))
    expect(new Set(written)).toEqual(new Set([...stored, 'latitude'].filter((name) => name !== 'generation')))
  })

  it('has the indexed facts in the indexes of areas', async () => {
    const { rows } = await testDatabase.database.query<{ columns: string[] }>(`
      select array_agg(attname::text) as columns from pg_attribute
      where attrelid in ('listings_for_sale'::regclass, 'listings_for_rent'::regclass, 'listings_sold'::regclass)
      group by attrelid`)
    const marked = FACT_COLUMNS.flatMap(({ column, indexed }) => (indexed ? [column] : []))
    expect(rows).toHaveLength(3)
    for (const { columns } of rows)
      expect(new Set(columns)).toEqual(new Set(['cell', 'zpid', 'location', ...marked]))
  })

  it('gets all facts from an import', async () => {
    const { rows } = await testDatabase.database.query<Record<string, unknown>>(
      'select * from listings order by zpid::integer',
    )
    for (const [at, record] of RECORDS.entries()) {
      const facts = readSearchableFacts(record)
      for (const { column, field } of FACT_COLUMNS) {
        const stored = rows[at]![column]
        expect([column, stored instanceof Date ? stored.toISOString() : stored]).toEqual([
          column,
          facts[field],
        ])
      }
    }
    for (const { column } of FACT_COLUMNS)
      expect(new Set(rows.map((row) => String(row[column]))).size, column).toBeGreaterThan(1)
  })
})

describe('the change log', () => {
  it('has the declared facts in addition to the status and the place', async () => {
    const { rows } = await testDatabase.database.query<{ column: string }>(`
      select attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relname = 'listing_facts' and attnum > 0 and not attisdropped`)
    const places = ['kind', 'longitude', 'latitude', 'zip', 'city']
    expect(new Set(rows.map(({ column }) => column))).toEqual(
      new Set([...places, ...FACT_COLUMNS.map(({ column }) => column)]),
    )
  })

  it.each(SCENES)('reports a new home, a change, and a removal with the facts of $name', async (scene) => {
    const { database } = testDatabase
    const { column } = FILTERS[scene.name]
    const [one, other] = scene.records
    const zpid = String(900_000 + Number(one!.zpid))
    const from = (await changesAfter(0)).at(-1)!.seq
    const factOf = (change: ListingChange, side: 'before' | 'after') => change[side]?.[column]
    await importListings(database, rowsOf([{ ...one, zpid }]))
    await importListings(database, rowsOf([{ ...other, zpid }]))
    await removeListings(database, { zpids: [zpid] })
    const [added, changed, removed, ...more] = await changesAfter(from)
    expect(more).toEqual([])
    const [first, second] = [factOf(added!, 'after'), factOf(changed!, 'after')]
    expect(first).not.toEqual(second)
    expect([added!.before, factOf(changed!, 'before')]).toEqual([null, first])
    expect([factOf(removed!, 'before'), removed!.after]).toEqual([second, null])
  })
})

describe('the contract of providers', () => {
  it('has each filter', () => {
    const { requestBody } = providerContract.paths['/search']!.post!
    const { properties } = requestBody!.content!['application/json'].schema as { properties: object }
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(FILTER_ENTRIES.map(([name]) => name)))
  })
})
