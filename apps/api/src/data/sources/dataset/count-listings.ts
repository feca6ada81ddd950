// Counts of the data set.

import { type Database, isTimeout } from '../../../infrastructure/database.ts'

export interface ListingCounts {
  readonly total: number
  /** Records of buildings. They are no homes, and no search finds them. */
  readonly buildings: number
  /** Homes without a position. Only searches by ZIP code or city find them. */
  readonly unplaced: number
  /** The highest generation of a listing: 1 after its first import, 0 if there are no listings. */
  readonly newestGeneration: number
  readonly bySource: Counts
  readonly byKind: Counts
  readonly byHomeType: Counts
  readonly byState: Counts
}

/** The most frequent value first. `unknown` counts listings without a value. */
export type Counts = Readonly<Record<string, number>>

const TOTALS = `
  select count(*) as total, count(*) filter (where is_building) as buildings,
    count(*) filter (where location is null) as unplaced, coalesce(max(generation), 0) as generation
  from listings`

const GROUPS = `
  select source, coalesce(kind, 'unknown') as kind, coalesce(home_type, 'unknown') as home_type,
    coalesce(summary::json #>> '{address,state}', summary::json ->> 'state', 'unknown') as state, count(*) as count
  from listings group by 1, 2, 3, 4`

interface ListingCount {
  source: string
  kind: string
  home_type: string
  state: string
  count: number
}

export async function countListings(database: Database): Promise<ListingCounts> {
  return database.transaction(
    async (tx) => {
      const totals = await tx.query<{
        total: number
        buildings: number
        unplaced: number
        generation: number
      }>(TOTALS)
      const { total, buildings, unplaced, generation } = totals.rows[0]!
      const { rows } = await tx.query<ListingCount>(GROUPS)
      return {
        total,
        buildings,
        unplaced,
        newestGeneration: generation,
        bySource: sum(rows, ({ source }) => source),
        byKind: sum(rows, ({ kind }) => kind),
        byHomeType: sum(rows, ({ home_type }) => home_type),
        byState: sum(rows, ({ state }) => state),
      }
    },
    { readOnly: true, isolation: 'repeatable read', statementTimeoutMs: 0 },
  )
}

function sum(groups: readonly ListingCount[], nameOf: (group: ListingCount) => string): Counts {
  const counts = new Map<string, number>()
  for (const group of groups) counts.set(nameOf(group), (counts.get(nameOf(group)) ?? 0) + group.count)
  const order = ([one, first]: [string, number], [other, second]: [string, number]) =>
    second - first || (one < other ? -1 : 1)
  return Object.fromEntries([...counts].sort(order))
}

/** The console's time limit for a count. */
const QUICK_LIMIT_MS = 5_000

/** Homes by source and kind. `undefined`: there are too many to count quickly. */
export interface QuickCounts {
  readonly bySource:
    | readonly { readonly source: string; readonly kind: string; readonly homes: number }[]
    | undefined
  /** PostgreSQL's estimate of the number of homes. */
  readonly estimate: number
}

/** Counts for a page of the console. It takes at most `limitMs`, however large the data set is. */
export async function countQuickly(database: Database, limitMs = QUICK_LIMIT_MS): Promise<QuickCounts> {
  const { rows } = await database.query<{ estimate: number }>(
    `select greatest(reltuples, 0)::float8 as estimate from pg_class where oid = 'listings'::regclass`,
  )
  const { estimate } = rows[0]!
  try {
    const counted = await database.transaction(
      (tx) =>
        tx.query<{ source: string; kind: string; homes: number }>(
          `select source, coalesce(kind, 'unknown') as kind, count(*) as homes from listings
           group by 1, 2 order by 3 desc, 1, 2`,
        ),
      { readOnly: true, statementTimeoutMs: limitMs },
    )
    return { bySource: counted.rows, estimate }
  } catch (error) {
    if (!isTimeout(error)) throw error
    return { bySource: undefined, estimate }
  }
}

/** Positions of sample homes across the data set, for a map: longitude, latitude, zpid. */
export async function sampleHomes(
  database: Database,
  estimate: number,
  limit: number,
): Promise<(readonly [longitude: number, latitude: number, zpid: string])[]> {
  // PostgreSQL samples pages of the table, so a large data set is not read as a whole. Twice as many rows as needed are read.
  const percent = estimate <= 10 * limit ? 100 : Math.min(100, (200 * limit) / estimate)
  const { rows } = await database.query<{ x: number; y: number; zpid: string }>(
    `select location[0] as x, location[1] as y, zpid from listings tablesample system ($1)
     where location is not null limit $2`,
    [percent, limit],
  )
  return rows.map(({ x, y, zpid }) => [x, y, zpid])
}
