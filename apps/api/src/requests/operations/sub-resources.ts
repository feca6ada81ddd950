// The nine parts of a record, GET /v1/properties/{zpid}/photos and so on: the same lookup and the same cache as the
// record itself, one credit each. Eight of them are taken out of the record; `nearby` also searches around the home.

import type { Property } from '@lotline/contract'
import { parseRecord, type RecordCache } from '../../data/record-cache.ts'
import {
  agent,
  facts,
  openHouses,
  photos,
  priceHistory,
  schools,
  taxHistory,
  zestimate,
} from '../../domain/record.ts'
import { refuseFor } from '../../infrastructure/refusals.ts'
import type { Call } from '../engine/call.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { presentPart } from '../presentation/home.ts'
import { type GetPropertyNearbyDeps, getPropertyNearby } from './getPropertyNearby.ts'

export type SubResourcesDeps = GetPropertyNearbyDeps & {
  readonly records: RecordCache
}

type SubResources = {
  readonly [K in
    | 'getPropertyPhotos'
    | 'getPropertyPriceHistory'
    | 'getPropertyTaxHistory'
    | 'getPropertySchools'
    | 'getPropertyNearby'
    | 'getPropertyAgent'
    | 'getPropertyZestimate'
    | 'getPropertyOpenHouses'
    | 'getPropertyFacts']: HandlerOf<K>
}

/** The handler of each by its operationId. */
export function createSubResources(deps: SubResourcesDeps): SubResources {
  return {
    getPropertyPhotos: subResourceHandler(deps, photos),
    getPropertyPriceHistory: subResourceHandler(deps, priceHistory),
    getPropertyTaxHistory: subResourceHandler(deps, taxHistory),
    getPropertySchools: subResourceHandler(deps, schools),
    getPropertyNearby: getPropertyNearby(deps),
    getPropertyAgent: subResourceHandler(deps, agent),
    getPropertyZestimate: subResourceHandler(deps, zestimate),
    getPropertyOpenHouses: subResourceHandler(deps, openHouses),
    getPropertyFacts: subResourceHandler(deps, facts),
  }
}

/** A handler that answers with `part` of the record. */
function subResourceHandler<Data, Meta extends object>(
  deps: SubResourcesDeps,
  part: (record: Property) => { readonly data: Data; readonly meta: Meta },
) {
  return ({ params }: { readonly params: { readonly zpid: string } }, call: Call) =>
    async () => {
      const found = await deps.records.find(params.zpid, call)
      if (!found) return refuseFor('not_found', 'zpid', { value: params.zpid })
      return presentPart(deps, found, call, part(parseRecord(found)))
    }
}
