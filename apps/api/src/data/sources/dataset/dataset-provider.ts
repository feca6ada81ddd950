// The provider over our own data: listings that were imported into PostgreSQL. Its results are exact, and its totals are counted.

import type { Property } from '@lotline/contract'
import { matchAddress } from '../../../domain/address.ts'
import type { ListingKind, SourceRecord } from '../../../domain/record.ts'
import { type BuildingReference, referenceKey } from '../../../domain/site-urls.ts'
import type { Queryable } from '../../../infrastructure/database.ts'
import type { AreaListings, Provider, RowSource } from '../provider.ts'
import { searchAreas } from './search-areas.ts'
import { type HomeSummary, searchStatement } from './search-statement.ts'

const SEARCH_CAP = 10_000

interface RecordRow {
  generation: number
  source: string
  record: string
}

const BY_ZPID = 'select generation, source, record from listings where zpid = $1'

const BUILDING_RECORD = `
  select generation, source, record from listings where building = $1 and is_building order by zpid limit 1`

// The statement already excludes homes that contradict the address, because one premise may have a thousand homes. The building's own
// record comes first: an address without a unit may mean the building.
const AT_DOOR = `
  select generation, source, summary as record from listings
  where street_key = $1 and ($2::text is null or zip is null or zip = $2) and ($3::text is null or unit = $3)
  order by unit nulls first, zpid limit 2000`

const BUILDING = `
  select record, kind, unit, zpid, is_building, source, source_updated_at from listings where building = $1`

interface BuildingRow {
  record: string
  kind: ListingKind
  unit: string | null
  zpid: string
  is_building: boolean
  source: string
  source_updated_at: Date | null
}

/** 2 comes before 10, and 10A before 10B. */
const unitOrder = new Intl.Collator('en', { numeric: true })

/** Given a transaction, the provider answers from the snapshot of that transaction. */
export function createDatasetProvider(database: Queryable): Provider {
  async function findByZpid(zpid: string): Promise<SourceRecord | undefined> {
    const { rows } = await database.query<RecordRow>(BY_ZPID, [zpid], { name: 'listing_by_zpid' })
    return rows[0] && sourceRecordOf(rows[0])
  }

  /** The building's own record. The URL of a community may name it by its zpid. */
  async function findBuilding(building: BuildingReference): Promise<SourceRecord | undefined> {
    const { rows } = await database.query<RecordRow>(BUILDING_RECORD, [referenceKey(building)])
    if (rows[0]) return sourceRecordOf(rows[0])
    return building.key.by === 'zpid' ? findByZpid(building.key.zpid) : undefined
  }

  return {
    name: 'dataset',
    searchCap: SEARCH_CAP,
    knowsAreas: true,

    findByZpid: (zpid, asking) => unlessAborted(asking, () => findByZpid(zpid)),

    // The URL of a home contains its zpid, and a zpid has one listing in the data set, so no preference applies.
    findByUrl: (listing, _prefer, asking) =>
      unlessAborted(asking, () =>
        listing.kind === 'building' ? findBuilding(listing) : findByZpid(listing.zpid),
      ),

    findByAddress: (address, prefer, asking) =>
      unlessAborted(asking, async () => {
        const { rows } = await database.query<RecordRow>(
          AT_DOOR,
          [address.key, address.zip ?? null, address.unit ?? null],
          { name: 'listings_at_door' },
        )
        // Summaries are enough for the match, and a tenth as long as records.
        const match = matchAddress(address, rows.map(sourceRecordOf), prefer)
        if (match.found !== 'one') return match
        const listing = await findByZpid(String(match.listing.record.zpid))
        return listing ? { found: 'one', listing } : { found: 'none' }
      }),

    findUnits: (building, kind, asking) =>
      unlessAborted(asking, async () => {
        const { rows } = await database.query<BuildingRow>(BUILDING, [referenceKey(building)])
        if (rows.length === 0) return undefined
        const parent = rows.find((row) => row.is_building)
        const units = rows
          .filter((row) => !row.is_building && (kind === 'all' || row.kind === kind))
          .sort(
            (one, other) =>
              Number(one.unit === null) - Number(other.unit === null) ||
              unitOrder.compare(one.unit ?? '', other.unit ?? '') ||
              unitOrder.compare(one.zpid, other.zpid),
          )
        return {
          ...(parent && { parent: parse(parent.record) }),
          units: units.map((row) => parse(row.record)),
          sources: sourcesOf(rows),
        }
      }),

    search: (search, page, asking) =>
      unlessAborted(asking, async () => {
        if (search.areas) {
          const { signal, owner } = asking
          const { rows, total } = await searchAreas(database, search, page, signal, owner?.account)
          return { ...listingsOf(rows), total }
        }
        const { text, values } = searchStatement(search, page)
        const { rows } = await database.query<TotalRow>(text, values)
        return { ...listingsOf(rows.filter(isHome)), total: rows[0]?.total ?? 0 }
      }),
  }
}

/** One home of the page. Everything except `total` is null if the page is empty. */
type TotalRow = { readonly total: number } & (HomeSummary | { readonly summary: null })

function isHome(row: TotalRow): row is TotalRow & HomeSummary {
  return row.summary !== null
}

function listingsOf(rows: readonly HomeSummary[]): Pick<AreaListings, 'records' | 'sources'> {
  const sources = sourcesOf(rows)
  const records = rows.map(({ summary }) => parse(summary))
  return sources.size > 0 ? { records, sources } : { records }
}

function sourcesOf(
  rows: readonly Pick<BuildingRow, 'zpid' | 'source' | 'source_updated_at'>[],
): ReadonlyMap<string, RowSource> {
  return new Map(
    rows.map(({ zpid, source, source_updated_at: updatedAt }) => [zpid, { name: source, updatedAt }]),
  )
}

/** Does not abort a running statement: statements are short, and the database has its own time limit. */
async function unlessAborted<T>({ signal }: { signal: AbortSignal }, ask: () => Promise<T>): Promise<T> {
  signal.throwIfAborted()
  const answer = await ask()
  signal.throwIfAborted()
  return answer
}

function sourceRecordOf(row: RecordRow): SourceRecord {
  return { record: parse(row.record), generation: row.generation, source: row.source }
}

function parse(json: string): Property {
  return JSON.parse(json) as Property
}
