// A search with areas over the data set. PostgreSQL finds the homes that are certainly in them and those near an edge, and
// the region decides on the latter. All statements see one state of the data.

import type { AreaSearch } from '../../../domain/search.ts'
import type { Database, Queryable } from '../../../infrastructure/database.ts'
import { createWorkQueue } from '../../../infrastructure/platform.ts'
import type { Asking, SearchPage } from '../provider.ts'
import { type AreaOfSearch, type AreaWork, createFirst, openArea } from './area-work.ts'
import {
  type CertainRow,
  certainStatement,
  edgeStatement,
  SUMMARIES,
  type SummaryRow,
} from './search-statement.ts'

interface Found {
  readonly rows: readonly SummaryRow[]
  readonly total: number
}

/**
 * The summaries of a page, and how many homes match. A transaction is taken as it is. When the signal aborts, neither the wait
 * nor the work goes on: work without a client would delay the searches behind it.
 *
 * @throws the signal's reason
 */
export async function searchAreas(
  database: Queryable | Database,
  search: AreaSearch,
  page: SearchPage,
  signal: AbortSignal,
  account?: string,
): Promise<Found> {
  const searchWith = async (work: (search: (tx: Queryable) => Promise<Found>) => Promise<Found>) => {
    const area = await openArea(search, signal, account)
    return work((tx) => searchIn(tx, search, page, area))
  }
  if (!('transaction' in database)) return searchWith((work) => work(database))
  const inTransaction = (work: (tx: Queryable) => Promise<Found>) =>
    database.transaction(work, { readOnly: true, isolation: 'repeatable read' })
  if (isLarge(search)) return large.run(() => searchWith(inTransaction), signal, account)
  return searchWith((work) => small.run(() => inTransaction(work), signal, account))
}

/**
 * For a search in a transaction that `work` opens: takes the place that `searchAreas` would take, so that no connection is held while
 * a large area waits for its turn.
 *
 * @throws the signal's reason
 */
export function inLine<T>(
  search: AreaSearch,
  work: () => Promise<T>,
  { signal, owner }: Pick<Asking, 'signal' | 'owner'>,
): Promise<T> {
  return isLarge(search) ? large.run(work, signal, owner?.account) : work()
}

/** From this number of corners on an area is large. */
const MIN_CORNERS = 200

/** Whether the polygons of a search have many corners together. */
function isLarge({ areas = [] }: AreaOfSearch): boolean {
  const corners = areas.flatMap((area) => {
    if (area.type === 'Polygon') return area.coordinates
    return area.type === 'MultiPolygon' ? area.coordinates.flat() : []
  })
  return corners.reduce((sum, ring) => sum + ring.length, 0) >= MIN_CORNERS
}

/**
 * Searches of large areas take the processor for tens of milliseconds each, here and in the database, in turns. So one at a time, with
 * pauses while others wait, leaves the processor to lookups. No connection is held while one waits in line.
 */
const large = createWorkQueue(1, 4)
/**
 * Searches of other areas that hold a connection at a time. Their areas are worked on one after the other, so two keep the database
 * and this process busy, and more would only take the database's time from lookups.
 */
const small = createWorkQueue(2, 0)

async function searchIn(tx: Queryable, search: AreaSearch, page: SearchPage, area: AreaWork): Promise<Found> {
  const certain = certainStatement(search, area.ranges, page)
  const { rows } = certain ? await tx.query<CertainRow>(certain.text, certain.values) : { rows: [] }
  const first = createFirst(page)
  for (const { zpid, sort_key } of rows) if (zpid !== null) first.add({ value: sort_key, zpid })
  let total = rows[0]?.certain ?? 0
  const edge = edgeStatement(search, area.ranges, page)
  const pieces = await tx.readBytes(edge.text, edge.values)
  if (pieces) {
    const compared = await area.compare(Buffer.concat(pieces), page)
    total += compared.count
    for (const key of compared.first) first.add(key)
  }
  const zpids = first.keys.map(({ zpid }) => zpid)
  const found = zpids.length === 0 ? [] : (await tx.query<SummaryRow>(SUMMARIES, [zpids])).rows
  return { rows: found, total }
}
