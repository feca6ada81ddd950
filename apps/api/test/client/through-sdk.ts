// Each operation of the contract as the SDK calls it.

import type { CallOptions, Lotline } from '@lotline/client'
import type { OperationId } from '@lotline/contract'
import type { ExampleCall } from '@lotline/contract/example-calls'

type SdkCall = (lotline: Lotline, call: Omit<ExampleCall, 'id'>, options: CallOptions) => Promise<unknown>

/** The calls of an SDK are typed; examples are not. */
type Unchecked = never

function byZpid(
  name:
    | 'photos'
    | 'priceHistory'
    | 'taxHistory'
    | 'schools'
    | 'nearby'
    | 'agent'
    | 'zestimate'
    | 'openHouses'
    | 'facts',
): SdkCall {
  return ({ properties }, { params }, options) => properties[name](params.zpid!, options)
}

export const throughSdk: Readonly<Record<OperationId, SdkCall>> = {
  getPropertyByUrl({ properties }, { query: { url, ...query } }, options) {
    return properties.byUrl(url as string, { ...query, ...options } as Unchecked)
  },
  getPropertyByAddress({ properties }, { query: { address, ...query } }, options) {
    return properties.byAddress(address as string, { ...query, ...options } as Unchecked)
  },
  getProperty({ properties }, { params, query }, options) {
    return properties.get(params.zpid!, { ...query, ...options } as Unchecked)
  },
  getPropertyPhotos: byZpid('photos'),
  getPropertyPriceHistory: byZpid('priceHistory'),
  getPropertyTaxHistory: byZpid('taxHistory'),
  getPropertySchools: byZpid('schools'),
  getPropertyNearby: byZpid('nearby'),
  getPropertyAgent: byZpid('agent'),
  getPropertyZestimate: byZpid('zestimate'),
  getPropertyOpenHouses: byZpid('openHouses'),
  getPropertyFacts: byZpid('facts'),
  createPropertyBatch: ({ properties }, { body }, options) => properties.batch(body as Unchecked, options),
  getBuildingUnits({ buildings }, { query: { url, sync, ...query } }, options) {
    const asked = { ...query, ...options, ...(sync !== undefined && { sync: sync === 'true' }) }
    return buildings.units(url as string, asked as Unchecked)
  },
  searchListings: ({ search }, { body, query }, options) =>
    search.run(body as Unchecked, { ...query, ...options }),
  searchWithDetails: ({ search }, { body }, options) => search.withDetails(body as Unchecked, options),
  listListings: ({ listings }, { query }, options) => listings.list({ ...query, ...options } as Unchecked),
  searchForSale({ listings }, { body, query }, options) {
    return listings.forSale(body as Unchecked, { ...query, ...options })
  },
  searchForRent({ listings }, { body, query }, options) {
    return listings.forRent(body as Unchecked, { ...query, ...options })
  },
  searchSold: ({ listings }, { body, query }, options) =>
    listings.sold(body as Unchecked, { ...query, ...options }),
  listJobs: ({ jobs }, { query }, options) => jobs.list({ ...query, ...options } as Unchecked),
  getJob: ({ jobs }, { params }, options) => jobs.get(params.id!, options),
  abortJob: ({ jobs }, { params }, options) => jobs.abort(params.id!, options),
  getJobResults({ jobs }, { params, query }, options) {
    return jobs.results(params.id!, { ...query, ...options } as Unchecked)
  },
  createWatch: ({ watches }, { body }, options) => watches.create(body as Unchecked, options),
  listWatches: ({ watches }, _call, options) => watches.list(options),
  getWatch: ({ watches }, { params }, options) => watches.get(params.id!, options),
  updateWatch: ({ watches }, { params, body }, options) =>
    watches.update(params.id!, body as Unchecked, options),
  deleteWatch: ({ watches }, { params }, options) => watches.remove(params.id!, options),
  listWatchEvents({ watches }, { params, query }, options) {
    return watches.events(params.id!, { ...query, ...options } as Unchecked)
  },
  createWebhook: ({ webhooks }, { body }, options) => webhooks.create(body as Unchecked, options),
  listWebhooks: ({ webhooks }, _call, options) => webhooks.list(options),
  getWebhook: ({ webhooks }, { params }, options) => webhooks.get(params.id!, options),
  updateWebhook: ({ webhooks }, { params, body }, options) =>
    webhooks.update(params.id!, body as Unchecked, options),
  testWebhook: ({ webhooks }, { params }, options) => webhooks.test(params.id!, options),
  rotateWebhookSecret({ webhooks }, { params, query }, options) {
    return webhooks.rotateSecret(params.id!, { ...query, ...options } as Unchecked)
  },
  getWebhookDelivery: ({ webhooks }, { params }, options) =>
    webhooks.delivery(params.id!, params.delivery_id!, options),
  redeliverWebhookEvent: ({ webhooks }, { params }, options) =>
    webhooks.redeliver(params.id!, params.delivery_id!, options),
  deleteWebhook: ({ webhooks }, { params }, options) => webhooks.delete(params.id!, options),
  listWebhookDeliveries({ webhooks }, { params, query }, options) {
    return webhooks.deliveries(params.id!, { ...query, ...options } as Unchecked)
  },
  listKeys: ({ keys }, _call, options) => keys.list(options),
  createKey: ({ keys }, { body }, options) => keys.create(body as Unchecked, options),
  getKey: ({ keys }, { params }, options) => keys.get(params.id!, options),
  updateKey: ({ keys }, { params, body }, options) => keys.update(params.id!, body as Unchecked, options),
  rotateKey({ keys }, { params, query }, options) {
    return keys.rotate(params.id!, { ...query, ...options } as Unchecked)
  },
  deleteKey: ({ keys }, { params }, options) => keys.delete(params.id!, options),
  getAccount: ({ account }, _call, options) => account.me(options),
  estimateCall: ({ account }, { body }, options) => account.estimate(body as Unchecked, options),
  listUsage: ({ account }, { query }, options) => account.usage({ ...query, ...options } as Unchecked),
  summarizeUsage: ({ account }, { query }, options) =>
    account.usageSummary({ ...query, ...options } as Unchecked),
}
