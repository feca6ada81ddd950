import type { RecordCache } from '../../data/record-cache.ts'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { readForm } from '../presentation/form.ts'
import { presentCachedHome } from '../presentation/home.ts'

export interface GetPropertyDeps {
  readonly records: RecordCache
}

export function getProperty(deps: GetPropertyDeps): HandlerOf<'getProperty'> {
  return ({ params, query }, call) => {
    const form = readForm(query)
    if (isRefusal(form)) return form
    return async () => {
      const found = await deps.records.find(params.zpid, call)
      if (!found) return refuseFor('not_found', 'zpid', { value: params.zpid })
      return presentCachedHome(deps, found, form, call)
    }
  }
}
