// Why: decisions/data/ambiguous-address-candidates.md

import type { RecordCache } from '../../data/record-cache.ts'
import type { StandInProvider } from '../../data/sources.ts'
import { parseLookupAddress } from '../../domain/address.ts'
import { isRefusal, refuseFor } from '../../infrastructure/refusals.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { readForm } from '../presentation/form.ts'
import { presentHome } from '../presentation/home.ts'

export interface GetPropertyByAddressDeps {
  readonly provider: StandInProvider
  readonly records: RecordCache
}

export function getPropertyByAddress(deps: GetPropertyByAddressDeps): HandlerOf<'getPropertyByAddress'> {
  const { provider, records } = deps
  return ({ query }, call) => {
    const address = parseLookupAddress(query.address)
    if (isRefusal(address)) return address
    const form = readForm(query)
    if (isRefusal(form)) return form
    return async () => {
      const match = await provider.findByAddress(address, query.status, call)
      if (match.found === 'none') return refuseFor('not_found', 'address', {})
      if (match.found === 'several')
        return refuseFor('not_found', 'several_homes', {}, { candidates: [...match.candidates] })
      const found = await records.keep(match.listing, query.status, call)
      return presentHome(deps, found, form, call)
    }
  }
}
