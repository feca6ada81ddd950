// A search with areas over the data set. PostgreSQL finds the homes that are certainly in them and those near an edge, and
// the region decides on the latter. Both statements see one state of the data.

import type { Database, Queryable } from '../../database/database.ts'
import type { AreaSearch } from '../../search/area-search.ts'
import type { SearchPage } from '../provider.ts'
import { openArea } from './area-thread.ts'
import { type AreaWork, createFirst } from './area-work.ts'
import { type AreaRow, areaStatement, SUMMARIES, type SummaryRow } from './search-statement.ts'

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
): Promise<Found> {
  const area = await openArea(search, signal)
  try {
    const work = (tx: Queryable) => searchIn(tx, search, page, area)
    return 'transaction' in database
      ? await inPlace(
          () => database.transaction(work, { readOnly: true, isolation: 'repeatable read' }),
          signal,
        )
      : await work(database)
  } finally {
    area.close()
  }
}

/**
 * Searches of areas that hold a connection at a time. Areas are worked on one after the other, so two keep the database and this
 * process busy, and more would only take the database's time from lookups.
 */
const MAX_AT_A_TIME = 2
let running = 0
const waiting = new Set<() => void>()

/** Does the work when fewer than `MAX_AT_A_TIME` are under way, in order of arrival. */
async function inPlace<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  if (running < MAX_AT_A_TIME) running++
  else await placeInLine(signal)
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const [next] = waiting
    // The place goes from one to the next without being free in between.
    if (next) next()
    else running--
  }
}

/** Those that wait are bounded by the calls under way: each leaves the line when its client or its time does. */
function placeInLine(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      waiting.delete(enter)
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      waiting.delete(enter)
      reject(signal.reason)
    }
    waiting.add(enter)
    signal.addEventListener('abort', leave, { once: true })
  })
}

async function searchIn(tx: Queryable, search: AreaSearch, page: SearchPage, area: AreaWork): Promise<Found> {
  const { text, values } = areaStatement(search, area.ranges, page)
  const { rows } = await tx.query<AreaRow>(text, values)
  const first = createFirst(page)
  for (const { zpid, sort_key } of rows) if (zpid !== null) first.add({ value: sort_key, zpid })
  let total = rows.find(({ certain }) => certain !== null)?.certain ?? 0
  const edge = rows.find((row) => row.edge !== null)?.edge
  if (edge) {
    const compared = await area.compare(edge, page)
    total += compared.count
    for (const key of compared.first) first.add(key)
  }
  const zpids = first.keys.map(({ zpid }) => zpid)
  const found = zpids.length === 0 ? [] : (await tx.query<SummaryRow>(SUMMARIES, [zpids])).rows
  return { rows: found, total }
}
