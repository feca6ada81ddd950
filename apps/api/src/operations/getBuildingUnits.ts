import { cost } from '@lotline/contract'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { isRefusal, refuseFor } from '../platform/refusal.ts'
import { toParentRow, toUnitRow } from '../search/unit-row.ts'
import { parseBuildingUrl } from '../site-urls/listing-url.ts'
import { startJob } from './start-job.ts'

export function getBuildingUnits(app: App): HandlerOf<'getBuildingUnits'> {
  const { provider, sites } = app
  return (input, call) => {
    const { query } = input
    const building = parseBuildingUrl(query.url, sites)
    if (isRefusal(building)) return building
    if (!query.sync) {
      return startJob(app, call, {
        order: {
          type: 'building_units',
          operation: 'getBuildingUnits',
          request: { url: query.url, units: query.include_units },
        },
        cost: cost('getBuildingUnits', input),
      })
    }
    return async () => {
      const found = await provider.findUnits(building, query.include_units, call)
      if (!found) return refuseFor('not_found', 'building_url', {})
      // The building's own record comes first where there is one. It is no unit and not counted; it is free beside units,
      // and charged as a row where there are none.
      const parent = found.parent ? [toParentRow(found.parent)] : []
      const units = found.units.map(toUnitRow)
      return {
        status: 200,
        units: units.length || parent.length,
        body: (granted) => ({
          data: { units: [...parent, ...units.slice(0, granted)] },
          meta: { count: Math.min(granted, units.length), include_units: query.include_units },
        }),
      }
    }
  }
}
