import { HOLD_STEP } from '../credits/holds.ts'
import type { House } from '../house.ts'
import { planSearchWithDetails } from '../listings/limits.ts'
import { toAreaSearch } from '../listings/search-filters.ts'
import { isRefusal } from '../refusal.ts'
import type { HandlerOf } from './handler.ts'
import { startJob } from './start-job.ts'

export function searchWithDetails(house: House): HandlerOf<'searchWithDetails'> {
  return ({ body, headers }, call) => {
    const search = toAreaSearch(body.filters)
    if (isRefusal(search)) return search
    const plan = planSearchWithDetails(body)
    if (isRefusal(plan)) return plan
    const units = body.extractBuildingUnits
    const worstCase = 2 * plan.maxItems
    return startJob(house, call, {
      order: {
        type: 'chained_search_detail',
        operation: 'searchWithDetails',
        request: { search, ...plan, prefer: body.propertyStatus, units },
      },
      wanted: units === 'disabled' ? worstCase : Math.max(worstCase, HOLD_STEP),
      idempotency: { key: headers['idempotency-key'], input: body },
    })
  }
}
