// The calls of the tests of limits, and a source that has the same homes everywhere.

import { isCharged, type OperationId, operationIds, operations, type Property } from '@lotline/contract'
import type { Provider } from '../../../src/data/sources/provider.ts'
import { minimalCall } from '../../setup/example-calls.ts'
import { BOX } from '../../work/jobs/job-calls.ts'

/** Homes that the source has everywhere. */
export const HOMES = 60
export const TOWER = 'https://www.zillow.com/b/tower-seattle-wa-TowErX/'

const home = (zpid: number): Property => ({
  zpid: String(zpid),
  homeStatus: 'FOR_SALE',
  unitNumber: String(zpid),
  latitude: 47,
  longitude: -122,
})
const homes = Array.from({ length: HOMES }, (_, at) => home(at + 1))
export const provider: Provider = {
  name: 'limits',
  searchCap: 1000,
  findByZpid: async (zpid) => ({ record: home(Number(zpid)), generation: null }),
  findByUrl: async () => ({ record: home(1), generation: null }),
  findByAddress: async () => ({ found: 'one', listing: { record: home(1), generation: null } }),
  findUnits: async () => ({ units: homes.slice(0, 7) }),
  search: async ({ status, bbox: { south, west } }, { limit }) => {
    const place = { homeStatus: status.toUpperCase(), latitude: south, longitude: west }
    return { records: homes.slice(0, limit).map((row) => ({ ...row, ...place })), total: HOMES }
  },
}
export const filters = { status: 'for_sale', bbox: BOX }
export const urls = homes.slice(0, 20).map(({ zpid }) => `https://www.zillow.com/homedetails/${zpid}_zpid/`)
/** Operations that are charged with the call, and so obey limits. The events of a watch are charged later. */
export const LIMITED = operationIds.filter((id) => isCharged(operations[id]) && id !== 'createWatch')
const BODIES: Partial<Record<OperationId, object>> = {
  createPropertyBatch: { urls },
  searchWithDetails: { filters, maxItems: 15 },
  searchListings: { filters },
  searchForSale: { filters },
  searchForRent: { filters },
  searchSold: { filters },
}
export const callOf = (id: OperationId) => ({ ...minimalCall(id), ...(BODIES[id] && { body: BODIES[id] }) })
