// Runs a search with areas over the data set. PostgreSQL finds the homes that are certainly in the areas and those near an edge, and the
// region decides on the latter. All statements see one state of the data.
// Why: decisions/data/edge-homes-by-copy.md

import type { AreaSearch } from '../../../domain/search.ts'
import type { Database, Queryable } from '../../../infrastructure/database.ts'
import { createWorkQueue } from '../../../infrastructure/platform.ts'
import type { PageRequest, QueryContext } from '../provider.ts'
import { type AreaOfSearch, type AreaWork, createFirst, openArea } from './area-work.ts'
import {
  type CertainRow,
  certainStatement,
  edgeStatement,
  type HomeSummary,
  SUMMARIES,
} from './search-statement.ts'

interface AreaRows {
  readonly rows: readonly HomeSummary[]
  readonly total: number
}

/**
 * The summaries of a page, and the number of homes that match. It uses the caller's transaction, if it gets one. When the signal aborts, it
 * stops waiting and working: work for a client that has disconnected would delay the searches behind it.
 *
 * @throws the signal's reason
 */
export async function searchAreas(
  database: Queryable | Database,
  search: AreaSearch,
  page: PageRequest,
  signal: AbortSignal,
  account?: string,
): Promise<AreaRows> {
  const searchWith = async (work: (search: (tx: Queryable) => Promise<AreaRows>) => Promise<AreaRows>) => {
    const area = await openArea(search, signal, account)
    return work((tx) => searchIn(tx, search, page, area))
  }
  if (!('transaction' in database)) return searchWith((work) => work(database))
  const inTransaction = (work: (tx: Queryable) => Promise<AreaRows>) =>
    database.transaction(work, { readOnly: true, isolation: 'repeatable read' })
  if (isLarge(search)) return large.run(() => searchWith(inTransaction), signal, account)
  return searchWith((work) => small.run(() => inTransaction(work), signal, account))
}

/**
 * For a search in a transaction that `work` opens: waits for the same turn as `searchAreas`, so that no connection is held while a large
 * area waits.
 *
 * @throws the signal's reason
 */
export function inLine<T>(
  search: AreaSearch,
  work: () => Promise<T>,
  { signal, owner }: Pick<QueryContext, 'signal' | 'owner'>,
): Promise<T> {
  return isLarge(search) ? large.run(work, signal, owner?.account) : work()
}

/** An area with at least this many corners is large. */
const MIN_CORNERS = 200

/** Whether the polygons of a search have many corners in total. */
function isLarge({ areas = [] }: AreaOfSearch): boolean {
  const corners = areas.flatMap((area) => {
    if (area.type === 'Polygon') return area.coordinates
    return area.type === 'MultiPolygon' ? area.coordinates.flat() : []
  })
  return corners.reduce((sum, ring) => sum + ring.length, 0) >= MIN_CORNERS
}

/**
 * A search of a large area needs the processor for tens of milliseconds, here and in the database. So one runs at a time, with pauses while
 * others wait, and lookups get the rest of the processor. A search that waits holds no connection.
 */
const large = createWorkQueue(1, 4)
/**
 * The number of searches of small areas that hold a connection at a time. They take turns in this process, so two are enough to keep the
 * database and this process busy. More would only take the database's time from lookups.
 */
const small = createWorkQueue(2, 0)

async function searchIn(
  tx: Queryable,
  search: AreaSearch,
  page: PageRequest,
  area: AreaWork,
): Promise<AreaRows> {
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
  const found = zpids.length === 0 ? [] : (await tx.query<HomeSummary>(SUMMARIES, [zpids])).rows
  return { rows: found, total }
}
