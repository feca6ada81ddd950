// The calls of the tools through the SDK, by operation.

import type { CallOptions, Lotline } from '@lotline/client'
import type { OperationId } from '@lotline/contract'
import type { ToolCall } from '@lotline/contract/tools'

/** What the SDK returns, as far as results of tools are made of it. */
export interface ApiAnswer {
  readonly data: unknown
  readonly meta?: Readonly<Record<string, unknown>>
  readonly credits: { readonly charged: number; readonly remaining: number }
}

/** The input of a call follows the contract, or the service refuses it: the types of the SDK have nothing to add. */
// biome-ignore lint/suspicious/noExplicitAny: see above
type Unchecked = any
type ApiCall = (lotline: Lotline, input: Unchecked, options: CallOptions) => PromiseLike<unknown>

const part =
  (name: 'photos' | 'priceHistory' | 'taxHistory' | 'schools' | 'nearby' | PartName): ApiCall =>
  ({ properties }, { params }, options) =>
    properties[name](params.zpid, options)
type PartName = 'agent' | 'zestimate' | 'openHouses' | 'facts'

const CALLS: { readonly [Id in OperationId]?: ApiCall } = {
  searchListings: ({ search }, { body }, options) => search.run(body, options),
  searchWithDetails: ({ search }, { body }, options) => search.withDetails(body, options),
  createPropertyBatch: ({ properties }, { body }, options) => properties.batch(body, options),
  getProperty: ({ properties }, { params, query }, options) =>
    properties.get(params.zpid, { ...query, ...options }),
  getPropertyByUrl: ({ properties }, { query: { url, ...query } }, options) =>
    properties.byUrl(url, { ...query, ...options }),
  getPropertyByAddress: ({ properties }, { query: { address, ...query } }, options) =>
    properties.byAddress(address, { ...query, ...options }),
  getPropertyPhotos: part('photos'),
  getPropertyPriceHistory: part('priceHistory'),
  getPropertyTaxHistory: part('taxHistory'),
  getPropertySchools: part('schools'),
  getPropertyNearby: part('nearby'),
  getPropertyAgent: part('agent'),
  getPropertyZestimate: part('zestimate'),
  getPropertyOpenHouses: part('openHouses'),
  getPropertyFacts: part('facts'),
  getBuildingUnits: ({ buildings }, { query: { url, sync: _, ...query } }, options) =>
    buildings.units(url, { ...query, ...options }),
  estimateCall: ({ account }, { body }, options) => account.estimate(body, options),
  getJob: ({ jobs }, { params }, options) => jobs.get(params.id, options),
  getJobResults: ({ jobs }, { params, query: { format: _, ...query } }, options) =>
    jobs.results(params.id, { ...query, ...options }),
  getAccount: ({ account }, _, options) => account.me(options),
  createWatch: ({ watches }, { body }, options) => watches.create(body, options),
  listWatchEvents: ({ watches }, { params, query: { format: _, ...query } }, options) =>
    watches.events(params.id, { ...query, ...options }),
}

/**
 * Makes the call of a tool.
 *
 * @throws LotlineError as the SDK does; the reason of the signal
 */
export async function callApi(
  lotline: Lotline,
  { operation, headers, ...input }: ToolCall,
  signal: AbortSignal | undefined,
): Promise<ApiAnswer> {
  const make = CALLS[operation]
  if (!make) throw new Error(`no tool calls ${operation}`)
  const { 'x-max-credits': maxCredits, 'idempotency-key': idempotencyKey } = headers
  const options = {
    signal,
    ...(maxCredits !== undefined && { maxCredits: Number(maxCredits) }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
  return (await make(lotline, input, options)) as ApiAnswer
}
