import { cost, costOfRows } from '@lotline/contract'
import { areaPlaceIn, toAreaSearch } from '../../domain/search.ts'
import { isRefusal } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { planSearchWithDetails, type SearchesDeps } from './searches.ts'
import { type StartJobDeps, startJob } from './start-job.ts'

export type SearchWithDetailsDeps = SearchesDeps & StartJobDeps

export function searchWithDetails(deps: SearchWithDetailsDeps): HandlerOf<'searchWithDetails'> {
  return (input, call) => {
    const { body, headers } = input
    const search = toAreaSearch(body.filters)
    if (isRefusal(search)) return search
    const plan = planSearchWithDetails(body)
    if (isRefusal(plan)) return plan
    return startJob(deps, call, {
      order: {
        type: 'chained_search_detail',
        operation: 'searchWithDetails',
        request: { search, ...plan, prefer: body.propertyStatus, units: body.extractBuildingUnits },
      },
      // A row and a record for each home. Where a building among them has more units, the hold grows with them.
      cost: cost('searchWithDetails', input),
      firstHold: costOfRows('searchWithDetails', plan.maxItems),
      areaPlaceOf: areaPlaceIn(body.filters),
      idempotency: { key: headers['idempotency-key'], input: body },
    })
  }
}
