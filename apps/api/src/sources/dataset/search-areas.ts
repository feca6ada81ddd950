// A search with areas over the data set. PostgreSQL finds the homes that are certainly in them and those near an edge, and
// the region decides on the latter. Both statements see one state of the data.

import { setImmediate as pollEvents } from 'node:timers/promises'
import type { Database, Queryable } from '../../database/database.ts'
import type { AreaSearch } from '../../search/area-search.ts'
import { type Region, regionOfSearch } from '../../search/region.ts'
import { type AreaRow, areaStatement, SUMMARIES } from './search-statement.ts'

interface Found {
  readonly summaries: readonly string[]
  readonly total: number
}

/** Up to `limit` summaries in the order of every search, and how many homes match. A transaction is taken as it is. */
export function searchAreas(
  database: Queryable | Database,
  search: AreaSearch,
  limit: number,
): Promise<Found> {
  const work = (tx: Queryable) => searchIn(tx, search, limit)
  return 'transaction' in database
    ? database.transaction(work, { readOnly: true, isolation: 'repeatable read' })
    : work(database)
}

async function searchIn(tx: Queryable, search: AreaSearch, limit: number): Promise<Found> {
  const region = regionOfSearch(search)
  const { text, values } = areaStatement(search, region, limit)
  const { rows } = await tx.query<AreaRow>(text, values)
  // Of a home near an edge both numbers are there, of a certain one neither.
  const certain = rows.filter(({ longitude, zpid }) => longitude === null && zpid !== null)
  const near = await keepInside(
    rows.filter(({ longitude }) => longitude !== null),
    region,
  )
  const page = firstByNewest([...certain, ...near], limit)
  const { rows: found } =
    page.length === 0
      ? { rows: [] }
      : await tx.query<{ summary: string }>(SUMMARIES, [page.map(({ zpid }) => zpid)])
  return {
    summaries: found.map(({ summary }) => summary),
    total: (rows[0]?.certain ?? 0) + near.length,
  }
}

/** For so long, in milliseconds, positions are compared without a look at other calls. */
const SLICE_MS = 4

/** The comparison that is under way. Many large areas at once take turns, so together they delay others no longer. */
let last: Promise<unknown> = Promise.resolve()

function keepInside(rows: readonly AreaRow[], region: Region): Promise<AreaRow[]> {
  const mine = last.then(async () => {
    const kept: AreaRow[] = []
    let began = performance.now()
    for (const [at, row] of rows.entries()) {
      if (region.contains(row.longitude!, row.latitude!)) kept.push(row)
      if (at % 64 === 0 && performance.now() - began > SLICE_MS) {
        await pollEvents()
        began = performance.now()
      }
    }
    return kept
  })
  last = mine.catch(() => undefined)
  return mine
}

/** As the statements sort. Listings are dated to the millisecond, so a Date has all of it. */
function firstByNewest(rows: readonly AreaRow[], limit: number): AreaRow[] {
  const dated = rows.map((row) => ({ row, time: row.listed_at?.getTime() ?? Number.NEGATIVE_INFINITY }))
  dated.sort((one, other) => {
    if (one.time !== other.time) return other.time - one.time
    return one.row.zpid! < other.row.zpid! ? -1 : 1
  })
  return dated.slice(0, limit).map(({ row }) => row)
}
