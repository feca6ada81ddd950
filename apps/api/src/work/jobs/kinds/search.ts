// `search`: the rows of one or several areas, by any of the three methods. All methods search by tiles. A source that returns a whole area
// at once is queried once.

import { affordableRows, type Property } from '@lotline/contract'
import { prepareSearches } from '../../../data/places.ts'
import type { Survey } from '../../../data/sources.ts'
import { zpidText } from '../../../domain/record.ts'
import { toMapMarker, toSearchRow } from '../../../domain/search.ts'
import { cutBy, type Ending, type SearchJobRequest, SUCCEEDED } from '../job.ts'
import type { JobRun } from '../run/run.ts'
import { countNew, type NewRow } from '../store/checkpoint.ts'
import { extendColumns } from '../store/result-columns.ts'
import { coverageOf, type JobSearchPage, searchPages } from './search-pages.ts'

/**
 * Maximum homes that this worker remembers of a search, so that rows of a split tile are not built again; they are half of all rows found.
 * About 80 bytes each, 20 MB in total. The database removes the remaining duplicates.
 */
const MAX_REMEMBERED = 250_000

export async function runSearch(run: JobRun): Promise<Ending | 'unfinished'> {
  const { searches, method, maxItems = Number.POSITIVE_INFINITY } = run.job.request as SearchJobRequest
  await prepareSearches(run.tools.database, searches)
  const isExhaustive = method === 'PAGINATION_WITH_ZOOM_IN'
  const toRow = rowMaker(run, method === 'MAP_MARKERS')
  const wanted = () => maxItems - run.rowCount
  let columns = run.job.columns ?? []
  const remembered = new Set<string>()

  /** The rows of a page, prepared while the rows before them are stored. Preparing does not change that checkpoint. */
  function prepare({ records }: JobSearchPage) {
    const fresh = records.filter((record) => !remembered.has(zpidText(record)))
    const plain = fresh.map(toRow)
    // If some areas have no room left, the search needs no more rows.
    if (remembered.size < MAX_REMEMBERED) for (const { zpid } of plain) remembered.add(zpid)
    return { fresh, plain, newRows: plain.map(newRow) }
  }

  const mayBeUnpaid =
    !run.tools.provider.knowsAreas &&
    searches.some(({ areas, zips, cities }) => (areas ?? zips ?? cities) !== undefined)
  let queries = 0

  for await (const { prepared, found, survey } of searchPages(
    run,
    searches,
    run.job.checkpoint as Survey | null,
    wanted,
    prepare,
    // The minimum price of a job pays for one query without results. A remote provider may need thousands of queries.
    mayBeUnpaid ? ({ records, isUnasked }) => !isUnasked && records.length === 0 && queries++ > 0 : undefined,
  )) {
    const { fresh, plain, newRows } = prepared
    const rows = run.nameSources({ ...found, records: fresh }, plain)
    columns = extendColumns(columns, rows)
    const { room, isCut } = await findRoom(run, rows, Math.min(rows.length, wanted()), maxItems)
    await run.store({
      rows: rows === plain ? newRows : rows.map(newRow),
      distinct: true,
      room,
      // A search that was cut is not continued. A worker that claims the job before it is settled gets the same result.
      ...(!isCut && { checkpoint: survey }),
      columns,
      ...(isExhaustive && { coverage: coverageOf(survey) }),
      ...(!isExhaustive && searches.length === 1 && { total: Math.min(survey.total, maxItems) }),
    })
    if (isCut) return cutBy(run.shortOf([run.priceOf(null)], run.units))
    if (run.stopping && survey.pending.length > 0 && wanted() > 0) return 'unfinished'
  }
  return SUCCEEDED
}

/** How many new rows fit after their credits are held. The database counts them only if the limit is near. */
async function findRoom(
  run: JobRun,
  rows: readonly { readonly zpid: string }[],
  wanted: number,
  maxItems: number,
): Promise<{ readonly room: number; readonly isCut: boolean }> {
  const price = run.priceOf(null)
  if (run.units + wanted <= affordableRows([price], run.held)) return { room: wanted, isCut: false }
  const zpids = rows.map(({ zpid }) => zpid)
  const fresh = Math.min(wanted, await countNew(run.tools.database, run.job, zpids))
  const affordable = await run.afford(price, run.units + fresh, { most: maxItems })
  const room = Math.min(wanted, affordable - run.units)
  return { room, isCut: fresh > room }
}

function newRow(row: object & { readonly zpid: string }): NewRow {
  return { body: JSON.stringify(row), zpid: row.zpid, charged: true }
}

function rowMaker({ tools: { sites } }: JobRun, isShort: boolean) {
  const now = new Date()
  return (record: Property) => (isShort ? toMapMarker(record, sites) : toSearchRow(record, now, sites))
}
