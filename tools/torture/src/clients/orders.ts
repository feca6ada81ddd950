// The jobs that clients start, each with what its result must hold.

import type { OperationId } from '@lotline/contract'
import { boxAround, COUNTRY, diamondAround, polygonOf } from '../provider/areas.ts'
import { homeUrl } from '../provider/truth.ts'
import type { Random } from '../random.ts'
import type { World } from './world.ts'

export interface JobOrder {
  readonly operation: OperationId
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  /** X-Max-Credits. */
  readonly maxCredits?: number
  /** The ids that its rows and failures carry, each once; where the source fails for none of them. */
  readonly expected?: readonly string[]
}

/**
 * Some orders with a limit of credits, in the body of a search or in the header. It may cut the result: then it is not known which
 * rows it has.
 */
export function chooseOrder(world: World, random: Random): JobOrder {
  const { expected, ...order } = chooseWhole(world, random)
  if (random.chance(0.15)) return { ...order, maxCredits: random.int(1, 40) }
  const isSearch = order.method === 'POST' && order.operation !== 'createPropertyBatch'
  if (!isSearch || !random.chance(0.3)) return { ...order, ...(expected && { expected }) }
  return { ...order, body: { ...(order.body as object), maxCredits: random.int(2, 40) } }
}

function chooseWhole(world: World, random: Random): JobOrder {
  const { truth } = world
  const bbox = random.chance(0.2) ? COUNTRY : boxAround(random.pick(truth.homes), random)
  const status = random.pick(['for_sale', 'for_rent', 'sold'] as const)
  switch (random.int(1, 6)) {
    case 1: {
      const homes = Array.from({ length: random.int(1, 60) }, () => homeUrl(world.newZpid()))
      const unknown = Array.from({ length: random.int(0, 3) }, (_, at) => homeUrl(String(at + 1)))
      const urls = [...homes, ...unknown]
      return { ...post('createPropertyBatch', '/v1/properties/batch', { urls }), expected: urls }
    }
    case 2: {
      const maxItems = random.int(51, 300)
      const expected = truth.search(status, bbox).slice(0, maxItems)
      return { ...post('searchListings', '/v1/search', { filters: { bbox, status }, maxItems }), expected }
    }
    case 3: {
      const body = { filters: { bbox, status }, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
      return { ...post('searchListings', '/v1/search', body), expected: truth.search(status, bbox) }
    }
    case 4: {
      const diamond = diamondAround(random.pick(truth.homes), random)
      const filters = { area: polygonOf(diamond), status }
      const body = { filters, extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }
      return { ...post('searchListings', '/v1/search', body), expected: truth.searchIn(status, diamond) }
    }
    case 5: {
      const maxItems = random.int(1, 40)
      const expected = truth.search(status, bbox).slice(0, maxItems)
      return {
        ...post('searchWithDetails', '/v1/search/with-details', { filters: { bbox, status }, maxItems }),
        expected,
      }
    }
    default: {
      const { url, parent, units } = random.pick(truth.buildings)
      return {
        operation: 'getBuildingUnits',
        method: 'GET',
        path: `/v1/buildings/by-url?sync=false&url=${encodeURIComponent(url)}`,
        expected: [...(parent === undefined ? [] : [parent]), ...units],
      }
    }
  }
}

function post(operation: OperationId, path: string, body: unknown): JobOrder {
  return { operation, method: 'POST', path, body }
}
