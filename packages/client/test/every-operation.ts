// Each operation of the contract as a call of the SDK. The compiler holds the list complete.

import type { OperationId } from '@lotline/contract'
import type { CallOptions, Lotline } from '../src/index.ts'

const ZPID = '48749425'
const HOME = `https://www.zillow.com/homedetails/${ZPID}_zpid/`
const BUILDING = 'https://www.zillow.com/b/the-ashford-seattle-wa-5XkR7n/'
const ADDRESS = '2114 Bigelow Ave N, Seattle, WA 98109'
const ID = '2b7f4c90-6e1d-4a83-9c5f-d80e3b6a1f47'
const SEARCH = {
  filters: { bbox: { west: -122.36, south: 47.63, east: -122.34, north: 47.645 } },
  maxItems: 10,
} as const

export const calls: Readonly<
  Record<OperationId, (lotline: Lotline, options: CallOptions) => Promise<unknown>>
> = {
  getPropertyByUrl: ({ properties }, options) => properties.byUrl(HOME, options),
  getPropertyByAddress: ({ properties }, options) => properties.byAddress(ADDRESS, options),
  getProperty: ({ properties }, options) => properties.get(ZPID, options),
  getPropertyPhotos: ({ properties }, options) => properties.photos(ZPID, options),
  getPropertyPriceHistory: ({ properties }, options) => properties.priceHistory(ZPID, options),
  getPropertyTaxHistory: ({ properties }, options) => properties.taxHistory(ZPID, options),
  getPropertySchools: ({ properties }, options) => properties.schools(ZPID, options),
  getPropertyNearby: ({ properties }, options) => properties.nearby(ZPID, options),
  getPropertyAgent: ({ properties }, options) => properties.agent(ZPID, options),
  getPropertyZestimate: ({ properties }, options) => properties.zestimate(ZPID, options),
  getPropertyOpenHouses: ({ properties }, options) => properties.openHouses(ZPID, options),
  getPropertyFacts: ({ properties }, options) => properties.facts(ZPID, options),
  createPropertyBatch: ({ properties }, options) => properties.batch({ urls: [HOME] }, options),
  getBuildingUnits: ({ buildings }, options) => buildings.units(BUILDING, options),
  searchListings: ({ search }, options) => search.run(SEARCH, options),
  searchWithDetails: ({ search }, options) => search.withDetails({ filters: SEARCH.filters }, options),
  listListings: ({ listings }, options) => listings.list({ ...options, bbox: SEARCH.filters.bbox }),
  searchForSale: ({ listings }, options) => listings.forSale(SEARCH, options),
  searchForRent: ({ listings }, options) => listings.forRent(SEARCH, options),
  searchSold: ({ listings }, options) => listings.sold(SEARCH, options),
  listJobs: ({ jobs }, options) => jobs.list(options),
  getJob: ({ jobs }, options) => jobs.get(ID, options),
  abortJob: ({ jobs }, options) => jobs.abort(ID, options),
  getJobResults: ({ jobs }, options) => jobs.results(ID, options),
  createWatch: ({ watches }, options) => watches.create({ name: 'Favorites', zpids: [ZPID] }, options),
  listWatches: ({ watches }, options) => watches.list(options),
  getWatch: ({ watches }, options) => watches.get(ID, options),
  updateWatch: ({ watches }, options) => watches.update(ID, { paused: true }, options),
  deleteWatch: ({ watches }, options) => watches.remove(ID, options),
  listWatchEvents: ({ watches }, options) => watches.events(ID, options),
  createWebhook: ({ webhooks }, options) => webhooks.create({ url: 'https://example.com/hook' }, options),
  listWebhooks: ({ webhooks }, options) => webhooks.list(options),
  getWebhook: ({ webhooks }, options) => webhooks.get(ID, options),
  updateWebhook: ({ webhooks }, options) => webhooks.update(ID, { active: false }, options),
  testWebhook: ({ webhooks }, options) => webhooks.test(ID, options),
  rotateWebhookSecret: ({ webhooks }, options) => webhooks.rotateSecret(ID, options),
  getWebhookDelivery: ({ webhooks }, options) => webhooks.delivery(ID, 90398, options),
  redeliverWebhookEvent: ({ webhooks }, options) => webhooks.redeliver(ID, 90398, options),
  deleteWebhook: ({ webhooks }, options) => webhooks.delete(ID, options),
  listWebhookDeliveries: ({ webhooks }, options) => webhooks.deliveries(ID, options),
  listKeys: ({ keys }, options) => keys.list(options),
  createKey: ({ keys }, options) => keys.create({ name: 'Production' }, options),
  getKey: ({ keys }, options) => keys.get(ID, options),
  updateKey: ({ keys }, options) => keys.update(ID, { name: 'Production' }, options),
  rotateKey: ({ keys }, options) => keys.rotate(ID, options),
  deleteKey: ({ keys }, options) => keys.delete(ID, options),
  getAccount: ({ account }, options) => account.me(options),
  estimateCall: ({ account }, options) => account.estimate({ operation: 'listUsage' }, options),
  listUsage: ({ account }, options) => account.usage(options),
  summarizeUsage: ({ account }, options) => account.usageSummary({ by: 'key', ...options }),
}
