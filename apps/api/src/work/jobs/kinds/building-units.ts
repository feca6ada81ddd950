// `building_units`: returns a building's own record and its units. The building's record is free if it has units; otherwise it is charged
// as a row.

import { type BuildingUnit, formatMessage } from '@lotline/contract'
import { rowsOfBuilding } from '../../../data/sources.ts'
import { toParentRow, toUnitRow } from '../../../domain/search.ts'
import { parseBuildingUrl } from '../../../domain/site-urls.ts'
import { isRefusal } from '../../../infrastructure/refusals.ts'
import { type BuildingRequest, cutBy, type Ending, failed, SUCCEEDED } from '../job.ts'
import type { JobRun } from '../run/run.ts'
import { extendColumns } from '../store/result-columns.ts'

const UNKNOWN = failed('not_found', formatMessage('not_found', 'building_of_job', {}))
const ALL = 'all'

export async function runBuilding(run: JobRun): Promise<Ending | 'unfinished'> {
  // All units arrive in one result and are stored with one checkpoint. A worker that claims the job after that checkpoint only settles it.
  const endingOf = (stored: typeof ALL | 'cut') =>
    stored === ALL ? SUCCEEDED : cutBy(run.shortOf([run.priceOf(null)], run.units))
  if (run.job.checkpoint) return endingOf((run.job.checkpoint as { stored: typeof ALL | 'cut' }).stored)
  const { url, units: kind } = run.job.request as BuildingRequest
  const building = parseBuildingUrl(url, run.tools.sites)
  if (isRefusal(building)) return UNKNOWN
  const found = await run.ask({ essential: true }, () =>
    run.tools.provider.findUnits(building, kind, run.asking),
  )
  if (!found) return UNKNOWN
  const affordable = await run.afford(run.priceOf(null), Math.max(1, found.units.length))
  const parent = found.parent ? [toParentRow(found.parent)] : []
  const units = found.units.slice(0, affordable).map(toUnitRow)
  const stored = units.length < found.units.length ? 'cut' : ALL
  const rows: readonly BuildingUnit[] = run.nameSources(rowsOfBuilding(found), [...parent, ...units])
  await run.store({
    rows: rows.map((row, at) => ({
      body: JSON.stringify(row),
      zpid: row.zpid,
      charged: at >= parent.length || found.units.length === 0,
    })),
    total: parent.length + found.units.length,
    columns: extendColumns([], rows),
    checkpoint: { stored },
  })
  return endingOf(stored)
}
