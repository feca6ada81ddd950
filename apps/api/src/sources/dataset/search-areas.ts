// A search with areas over the data set. PostgreSQL finds the homes that are certainly in them and those near an edge, and
// the region decides on the latter. Both statements see one state of the data.

import type { Database } from '../../database/database.ts'
import type { AreaSearch } from '../../search/area-search.ts'
import { regionOfSearch } from '../../search/region.ts'
import { type AreaRow, areaStatement, SUMMARIES } from './search-statement.ts'

interface Found {
  readonly summaries: readonly string[]
  readonly total: number
}

/** Up to `limit` summaries in the order of every search, and how many homes match. */
export async function searchAreas(database: Database, search: AreaSearch, limit: number): Promise<Found> {
  const region = regionOfSearch(search)
  const { text, values } = areaStatement(search, region, limit)
  return database.transaction(
    async (tx) => {
      const { rows } = await tx.query<AreaRow>(text, values)
      const certain = rows[0]?.certain ?? 0
      // Of a home near an edge both numbers are there, of a certain one neither.
      const homes = rows.filter(({ longitude, latitude, zpid }) =>
        longitude === null || latitude === null ? zpid !== null : region.contains(longitude, latitude),
      )
      const near = homes.filter(({ longitude }) => longitude !== null).length
      const page = homes.sort(byNewest).slice(0, limit)
      const summaries =
        page.length === 0
          ? []
          : (await tx.query<{ summary: string }>(SUMMARIES, [page.map(({ zpid }) => zpid)])).rows
      return { summaries: summaries.map(({ summary }) => summary), total: certain + near }
    },
    { readOnly: true, isolation: 'repeatable read' },
  )
}

/** As the statements sort. Listings are dated to the millisecond, so a Date has all of it. */
function byNewest(one: AreaRow, other: AreaRow): number {
  const [first, second] = [timeOf(one), timeOf(other)]
  if (first !== second) return second - first
  return one.zpid! < other.zpid! ? -1 : 1
}

function timeOf({ listed_at }: AreaRow): number {
  return listed_at === null ? Number.NEGATIVE_INFINITY : listed_at.getTime()
}
