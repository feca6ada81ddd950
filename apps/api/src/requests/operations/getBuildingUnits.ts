import { cost } from '@lotline/contract'
import type { SourceDirectory, StandInProvider } from '../../data/sources.ts'
import { type ListingSites, parseBuildingUrl, referenceKey } from '../../domain/site-urls.ts'
import type { SignedCursors } from '../../infrastructure/database.ts'
import { isRefusal, refuseAt, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { presentUnitRows } from '../presentation/building.ts'
import { type StartJobDeps, startJob } from './start-job.ts'

export type GetBuildingUnitsDeps = StartJobDeps & {
  readonly listCursors: SignedCursors
  readonly provider: StandInProvider
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

export function getBuildingUnits(deps: GetBuildingUnitsDeps): HandlerOf<'getBuildingUnits'> {
  const { provider, sites, listCursors } = deps
  return (input, call) => {
    const { query } = input
    const building = parseBuildingUrl(query.url, sites)
    if (isRefusal(building)) return building
    if (!query.sync) {
      if (query.cursor !== undefined) call.ignore(['cursor'])
      return startJob(deps, call, {
        order: {
          type: 'building_units',
          operation: 'getBuildingUnits',
          request: { url: query.url, units: query.include_units },
        },
        cost: cost('getBuildingUnits', input),
      })
    }
    return async () => {
      const own = await listCursors.of(['units', referenceKey(building), query.include_units])
      const after = query.cursor === undefined ? undefined : own.read(query.cursor)
      if (typeof after === 'string')
        return refuseAt('invalid_cursor', after === 'other' ? 'other_list' : after, 'cursor', {})
      const found = await provider.findUnits(building, query.include_units, call)
      if (!found) return refuseFor('not_found', 'building_url', {})
      return presentUnitRows(deps, found, {
        kind: query.include_units,
        begin: after ? beginAfter(after, found.units) : 0,
        isFirst: !after,
        cursorBehind: (sent) => own.write(placeBehind(found.units, sent)),
      })
    }
  }
}

type Units = readonly { readonly zpid?: unknown }[]
type CursorValues = readonly (string | number | null)[]

/** Units that a cursor names. More of them could make it longer than the contract allows. */
const NAMED_UNITS = 4

/** How many units have been sent, and the zpids of the last ones, the very last first. */
function placeBehind(units: Units, place: number): CursorValues {
  const sent = units.slice(Math.max(0, place - NAMED_UNITS), place)
  return [place, ...sent.map(({ zpid }) => String(zpid)).reverse()]
}

/**
 * Behind the last unit that was sent and is still in the building. If all that the cursor names have left, the others have moved
 * up by as many places.
 */
function beginAfter([place, ...sent]: CursorValues, units: Units): number {
  for (const zpid of sent) {
    const at = units.findIndex((unit) => String(unit.zpid) === zpid)
    if (at !== -1) return at + 1
  }
  return Math.max(0, Number(place) - sent.length)
}
