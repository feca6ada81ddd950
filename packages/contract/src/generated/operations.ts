// Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.

import type { Operation } from '../operation.ts'
import type { AnswerOf, BodyOf, HeadersOf, ParamsOf, PatchOf, QueryOf, RefusalOf } from '../wire.ts'

export type OperationId =
  | 'getPropertyByUrl'
  | 'getPropertyByAddress'
  | 'getProperty'
  | 'getPropertyPhotos'
  | 'getPropertyPriceHistory'
  | 'getPropertyTaxHistory'
  | 'getPropertySchools'
  | 'getPropertyNearby'
  | 'getPropertyAgent'
  | 'getPropertyZestimate'
  | 'getPropertyOpenHouses'
  | 'getPropertyFacts'
  | 'createPropertyBatch'
  | 'getBuildingUnits'
  | 'searchListings'
  | 'searchWithDetails'
  | 'listListings'
  | 'searchForSale'
  | 'searchForRent'
  | 'searchSold'
  | 'listJobs'
  | 'getJob'
  | 'abortJob'
  | 'getJobResults'
  | 'createWatch'
  | 'listWatches'
  | 'getWatch'
  | 'updateWatch'
  | 'deleteWatch'
  | 'listWatchEvents'
  | 'createWebhook'
  | 'listWebhooks'
  | 'getWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'testWebhook'
  | 'rotateWebhookSecret'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'redeliverWebhookEvent'
  | 'createKey'
  | 'listKeys'
  | 'getKey'
  | 'updateKey'
  | 'deleteKey'
  | 'rotateKey'
  | 'getAccount'
  | 'estimateCall'
  | 'listUsage'
  | 'summarizeUsage'

/** The methods of the SDKs, one for each operation. */
export type SdkMethod =
  | 'properties.byUrl'
  | 'properties.byAddress'
  | 'properties.get'
  | 'properties.photos'
  | 'properties.priceHistory'
  | 'properties.taxHistory'
  | 'properties.schools'
  | 'properties.nearby'
  | 'properties.agent'
  | 'properties.zestimate'
  | 'properties.openHouses'
  | 'properties.facts'
  | 'properties.batch'
  | 'buildings.units'
  | 'search.run'
  | 'search.withDetails'
  | 'listings.list'
  | 'listings.forSale'
  | 'listings.forRent'
  | 'listings.sold'
  | 'jobs.list'
  | 'jobs.get'
  | 'jobs.abort'
  | 'jobs.results'
  | 'watches.create'
  | 'watches.list'
  | 'watches.get'
  | 'watches.update'
  | 'watches.remove'
  | 'watches.events'
  | 'webhooks.create'
  | 'webhooks.list'
  | 'webhooks.get'
  | 'webhooks.update'
  | 'webhooks.delete'
  | 'webhooks.test'
  | 'webhooks.rotateSecret'
  | 'webhooks.deliveries'
  | 'webhooks.delivery'
  | 'webhooks.redeliver'
  | 'keys.create'
  | 'keys.list'
  | 'keys.get'
  | 'keys.update'
  | 'keys.delete'
  | 'keys.rotate'
  | 'account.me'
  | 'account.estimate'
  | 'account.usage'
  | 'account.usageSummary'

/** What the contract states about each operation, in the order of the contract. */
export const operations: { readonly [Id in OperationId]: Operation } = {
  getPropertyByUrl: {
    method: 'GET',
    path: '/v1/properties/by-url',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['missing_input', 'invalid_url', 'invalid_status', 'invalid_extract_units', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['url', 'status', 'extract_units', 'fields', 'shape', 'max_credits'],
    sdk: { method: 'properties.byUrl', positional: ['url'] },
    sample: { parameters: ['fields'], rows: false },
  },
  getPropertyByAddress: {
    method: 'GET',
    path: '/v1/properties/by-address',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 3, per: 'call', minimum: 3 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['missing_input', 'invalid_address', 'invalid_status', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['address', 'status', 'fields', 'shape', 'max_credits'],
    sdk: { method: 'properties.byAddress', positional: ['address'] },
    sample: { parameters: ['fields'], rows: false },
  },
  getProperty: {
    method: 'GET',
    path: '/v1/properties/{zpid}',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['fields', 'shape', 'max_credits'],
    sdk: { method: 'properties.get', positional: ['zpid'] },
    sample: { parameters: ['fields'], rows: false },
  },
  getPropertyPhotos: {
    method: 'GET',
    path: '/v1/properties/{zpid}/photos',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.photos', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyPriceHistory: {
    method: 'GET',
    path: '/v1/properties/{zpid}/price-history',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.priceHistory', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyTaxHistory: {
    method: 'GET',
    path: '/v1/properties/{zpid}/tax-history',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.taxHistory', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertySchools: {
    method: 'GET',
    path: '/v1/properties/{zpid}/schools',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.schools', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyNearby: {
    method: 'GET',
    path: '/v1/properties/{zpid}/nearby',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.nearby', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyAgent: {
    method: 'GET',
    path: '/v1/properties/{zpid}/agent',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.agent', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyZestimate: {
    method: 'GET',
    path: '/v1/properties/{zpid}/zestimate',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.zestimate', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyOpenHouses: {
    method: 'GET',
    path: '/v1/properties/{zpid}/open-houses',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.openHouses', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  getPropertyFacts: {
    method: 'GET',
    path: '/v1/properties/{zpid}/facts',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'call', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_zpid', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.facts', positional: ['zpid'] },
    sample: { parameters: [], rows: false },
  },
  createPropertyBatch: {
    method: 'POST',
    path: '/v1/properties/batch',
    tag: 'Properties',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 0 }] },
    statuses: {
      202: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_url', 'invalid_address', 'invalid_status', 'invalid_extract_units', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['idempotency_key_reused', 'job_limit'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: ['max_credits'],
    sdk: { method: 'properties.batch', positional: [] },
    sample: { parameters: [], rows: true },
  },
  getBuildingUnits: {
    method: 'GET',
    path: '/v1/buildings/by-url',
    tag: 'Buildings',
    actor: 'detail',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      202: { errors: [], formats: ['application/json'] },
      304: { errors: [], formats: [] },
      400: { errors: ['missing_input', 'invalid_url', 'invalid_extract_units', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['job_limit'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['url', 'include_units', 'sync', 'cursor', 'max_credits'],
    sdk: { method: 'buildings.units', positional: ['url'] },
    sample: { parameters: ['include_units'], rows: true },
  },
  searchListings: {
    method: 'POST',
    path: '/v1/search',
    tag: 'Search',
    actor: 'search',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      202: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'invalid_search_url', 'unknown_place', 'ambiguous_place', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['idempotency_key_reused', 'job_limit'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: true,
    queryParameters: ['format', 'shape', 'max_credits'],
    sdk: { method: 'search.run', positional: [] },
    sample: { parameters: [], rows: true },
  },
  searchWithDetails: {
    method: 'POST',
    path: '/v1/search/with-details',
    tag: 'Search',
    actor: 'search',
    price: { stages: [{ stage: 'search', price: 1, per: 'row', minimum: 0 }, { stage: 'detail', price: 1, per: 'row', minimum: 0 }] },
    statuses: {
      202: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'unknown_place', 'ambiguous_place', 'invalid_status', 'invalid_extract_units', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['idempotency_key_reused', 'job_limit'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: ['max_credits'],
    sdk: { method: 'search.withDetails', positional: [] },
    sample: { parameters: [], rows: true },
  },
  listListings: {
    method: 'GET',
    path: '/v1/listings',
    tag: 'Listings',
    actor: 'search',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      304: { errors: [], formats: [] },
      400: { errors: ['missing_input', 'invalid_filters', 'unknown_place', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: false,
    queryParameters: ['status', 'bbox', 'polygon', 'near', 'radius_m', 'place', 'zip', 'city', 'location', 'price_min', 'price_max', 'beds_min', 'beds_max', 'baths_min', 'baths_max', 'sqft_min', 'sqft_max', 'year_built_min', 'year_built_max', 'home_types', 'days_on_site', 'lot_size_min', 'lot_size_max', 'hoa_min', 'hoa_max', 'sale_types', 'pending', 'coming_soon', 'open_house', 'senior_community', 'sort', 'cursor', 'max_items', 'format', 'shape', 'max_credits'],
    sdk: { method: 'listings.list', positional: [] },
    sample: { parameters: ['bbox', 'price_max', 'home_types'], rows: false },
  },
  searchForSale: {
    method: 'POST',
    path: '/v1/listings/for-sale',
    tag: 'Listings',
    actor: 'search',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      202: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'invalid_search_url', 'unknown_place', 'ambiguous_place', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['idempotency_key_reused', 'job_limit'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: true,
    queryParameters: ['format', 'shape', 'max_credits'],
    sdk: { method: 'listings.forSale', positional: [] },
    sample: { parameters: [], rows: true },
  },
  searchForRent: {
    method: 'POST',
    path: '/v1/listings/for-rent',
    tag: 'Listings',
    actor: 'search',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      202: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'invalid_search_url', 'unknown_place', 'ambiguous_place', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['idempotency_key_reused', 'job_limit'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: true,
    queryParameters: ['format', 'shape', 'max_credits'],
    sdk: { method: 'listings.forRent', positional: [] },
    sample: { parameters: [], rows: true },
  },
  searchSold: {
    method: 'POST',
    path: '/v1/listings/sold',
    tag: 'Listings',
    actor: 'search',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 1 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      202: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'invalid_search_url', 'unknown_place', 'ambiguous_place', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits', 'max_credits_exceeded', 'key_limit_reached'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['idempotency_key_reused', 'job_limit'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited', 'lookup_budget_exceeded'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: true,
    queryParameters: ['format', 'shape', 'max_credits'],
    sdk: { method: 'listings.sold', positional: [] },
    sample: { parameters: [], rows: true },
  },
  listJobs: {
    method: 'GET',
    path: '/v1/jobs',
    tag: 'Jobs',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_status', 'invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['status', 'type', 'since', 'limit', 'offset', 'cursor'],
    sdk: { method: 'jobs.list', positional: [] },
    sample: { parameters: ['status'], rows: true },
  },
  getJob: {
    method: 'GET',
    path: '/v1/jobs/{id}',
    tag: 'Jobs',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['job_not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'jobs.get', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  abortJob: {
    method: 'POST',
    path: '/v1/jobs/{id}/abort',
    tag: 'Jobs',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['job_not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['job_ended'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'jobs.abort', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  getJobResults: {
    method: 'GET',
    path: '/v1/jobs/{id}/results',
    tag: 'Jobs',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      304: { errors: [], formats: [] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['job_not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['job_not_ready'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      502: { errors: ['upstream_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: false,
    queryParameters: ['limit', 'offset', 'cursor', 'format'],
    sdk: { method: 'jobs.results', positional: ['id'] },
    sample: { parameters: [], rows: true },
  },
  createWatch: {
    method: 'POST',
    path: '/v1/watches',
    tag: 'Watches',
    actor: 'search',
    price: { stages: [{ stage: null, price: 1, per: 'row', minimum: 0 }], chargedFor: 'listing event' },
    statuses: {
      201: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'unknown_place', 'ambiguous_place', 'invalid_events', 'invalid_zpid', 'invalid_metadata', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['watch_limit', 'idempotency_key_reused'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'watches.create', positional: [] },
    sample: { parameters: [], rows: false },
  },
  listWatches: {
    method: 'GET',
    path: '/v1/watches',
    tag: 'Watches',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['limit', 'cursor'],
    sdk: { method: 'watches.list', positional: [] },
    sample: { parameters: [], rows: false },
  },
  getWatch: {
    method: 'GET',
    path: '/v1/watches/{id}',
    tag: 'Watches',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'watches.get', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  updateWatch: {
    method: 'PATCH',
    path: '/v1/watches/{id}',
    tag: 'Watches',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_filters', 'unknown_place', 'ambiguous_place', 'invalid_events', 'invalid_zpid', 'invalid_metadata', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'watches.update', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  deleteWatch: {
    method: 'DELETE',
    path: '/v1/watches/{id}',
    tag: 'Watches',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      204: { errors: [], formats: [] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: [],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'watches.remove', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  listWatchEvents: {
    method: 'GET',
    path: '/v1/watches/{id}/events',
    tag: 'Watches',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: false,
    queryParameters: ['after', 'limit', 'cursor', 'format'],
    sdk: { method: 'watches.events', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      201: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_url', 'invalid_events', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['webhook_limit', 'idempotency_key_reused'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'webhooks.create', positional: [] },
    sample: { parameters: [], rows: false },
  },
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['limit', 'cursor'],
    sdk: { method: 'webhooks.list', positional: [] },
    sample: { parameters: [], rows: false },
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'webhooks.get', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_url', 'invalid_events', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['webhook_inactive'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'webhooks.update', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      204: { errors: [], formats: [] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: [],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'webhooks.delete', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['webhook_inactive'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'webhooks.test', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate-secret',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['webhook_inactive', 'idempotency_key_reused'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['overlap_hours'],
    sdk: { method: 'webhooks.rotateSecret', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['limit', 'cursor'],
    sdk: { method: 'webhooks.deliveries', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'webhooks.delivery', positional: ['id', 'delivery_id'] },
    sample: { parameters: [], rows: false },
  },
  redeliverWebhookEvent: {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    tag: 'Webhooks',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['webhook_inactive', 'delivery_in_progress', 'idempotency_key_reused'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'webhooks.redeliver', positional: ['id', 'delivery_id'] },
    sample: { parameters: [], rows: false },
  },
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    tag: 'Keys',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      201: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['key_count_limit', 'idempotency_key_reused'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'keys.create', positional: [] },
    sample: { parameters: [], rows: false },
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    tag: 'Keys',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['limit', 'cursor'],
    sdk: { method: 'keys.list', positional: [] },
    sample: { parameters: [], rows: false },
  },
  getKey: {
    method: 'GET',
    path: '/v1/keys/{id}',
    tag: 'Keys',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'keys.get', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  updateKey: {
    method: 'PATCH',
    path: '/v1/keys/{id}',
    tag: 'Keys',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      409: { errors: ['key_revoked'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'keys.update', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  deleteKey: {
    method: 'DELETE',
    path: '/v1/keys/{id}',
    tag: 'Keys',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      204: { errors: [], formats: [] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: [],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'keys.delete', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  rotateKey: {
    method: 'POST',
    path: '/v1/keys/{id}/rotate',
    tag: 'Keys',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      404: { errors: ['not_found'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      409: { errors: ['key_revoked', 'key_count_limit', 'idempotency_key_reused'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['grace_minutes'],
    sdk: { method: 'keys.rotate', positional: ['id'] },
    sample: { parameters: [], rows: false },
  },
  getAccount: {
    method: 'GET',
    path: '/v1/me',
    tag: 'Account',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: [],
    sdk: { method: 'account.me', positional: [] },
    sample: { parameters: [], rows: false },
  },
  estimateCall: {
    method: 'POST',
    path: '/v1/estimate',
    tag: 'Account',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['missing_input', 'invalid_json', 'invalid_url', 'invalid_address', 'invalid_zpid', 'invalid_status', 'invalid_extract_units', 'invalid_filters', 'invalid_search_url', 'invalid_events', 'invalid_metadata', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      408: { errors: ['request_timeout'], formats: ['application/json'] },
      413: { errors: ['payload_too_large'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      415: { errors: ['unsupported_media_type'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: true,
    queryParameters: [],
    sdk: { method: 'account.estimate', positional: [] },
    sample: { parameters: [], rows: false },
  },
  listUsage: {
    method: 'GET',
    path: '/v1/usage',
    tag: 'Account',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json'],
    hasBody: false,
    queryParameters: ['since', 'limit', 'offset', 'cursor'],
    sdk: { method: 'account.usage', positional: [] },
    sample: { parameters: ['since'], rows: true },
  },
  summarizeUsage: {
    method: 'GET',
    path: '/v1/usage/summary',
    tag: 'Account',
    actor: 'account',
    price: { stages: [{ stage: null, price: 0, per: 'call', minimum: 0 }] },
    statuses: {
      200: { errors: [], formats: ['application/json', 'text/csv', 'application/x-ndjson'] },
      400: { errors: ['invalid_cursor', 'invalid_parameter'], formats: ['application/json'] },
      401: { errors: ['missing_api_key', 'invalid_api_key'], formats: ['application/json'] },
      402: { errors: ['out_of_credits'], formats: ['application/json'] },
      403: { errors: ['account_suspended', 'plan_not_allowed', 'key_not_allowed'], formats: ['application/json'] },
      406: { errors: ['not_acceptable'], formats: ['application/json'] },
      414: { errors: ['uri_too_long'], formats: ['application/json'] },
      429: { errors: ['rate_limited'], formats: ['application/json'] },
      431: { errors: ['headers_too_large'], formats: ['application/json'] },
      500: { errors: ['internal_error'], formats: ['application/json'] },
      503: { errors: ['service_unavailable'], formats: ['application/json'] },
      504: { errors: ['upstream_timeout'], formats: ['application/json'] },
    },
    acceptsFormats: ['application/json', 'text/csv', 'application/x-ndjson'],
    hasBody: false,
    queryParameters: ['by', 'since', 'until', 'format', 'limit', 'cursor'],
    sdk: { method: 'account.usageSummary', positional: [] },
    sample: { parameters: [], rows: false },
  },
}

/** The ids of all operations, in the order of the contract. */
export const operationIds = Object.keys(operations) as readonly OperationId[]

/** What goes into and comes out of each operation, as its handler sees it: validated, with defaults filled in. */
export interface Operations {
  getPropertyByUrl: {
    params: ParamsOf<'getPropertyByUrl'>
    query: QueryOf<'getPropertyByUrl', 'status' | 'extract_units'>
    headers: HeadersOf<'getPropertyByUrl'>
    body: BodyOf<'getPropertyByUrl'>
    responses: {
      200: AnswerOf<'getPropertyByUrl', 200>
      304: AnswerOf<'getPropertyByUrl', 304>
      400: RefusalOf<'getPropertyByUrl', 400, 'missing_input' | 'invalid_url' | 'invalid_status' | 'invalid_extract_units' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyByUrl', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyByUrl', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyByUrl', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyByUrl', 404, 'not_found'>
      406: RefusalOf<'getPropertyByUrl', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyByUrl', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyByUrl', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyByUrl', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyByUrl', 500, 'internal_error'>
      502: RefusalOf<'getPropertyByUrl', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyByUrl', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyByUrl', 504, 'upstream_timeout'>
    }
  }
  getPropertyByAddress: {
    params: ParamsOf<'getPropertyByAddress'>
    query: QueryOf<'getPropertyByAddress', 'status'>
    headers: HeadersOf<'getPropertyByAddress'>
    body: BodyOf<'getPropertyByAddress'>
    responses: {
      200: AnswerOf<'getPropertyByAddress', 200>
      304: AnswerOf<'getPropertyByAddress', 304>
      400: RefusalOf<'getPropertyByAddress', 400, 'missing_input' | 'invalid_address' | 'invalid_status' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyByAddress', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyByAddress', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyByAddress', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyByAddress', 404, 'not_found'>
      406: RefusalOf<'getPropertyByAddress', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyByAddress', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyByAddress', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyByAddress', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyByAddress', 500, 'internal_error'>
      502: RefusalOf<'getPropertyByAddress', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyByAddress', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyByAddress', 504, 'upstream_timeout'>
    }
  }
  getProperty: {
    params: ParamsOf<'getProperty'>
    query: QueryOf<'getProperty'>
    headers: HeadersOf<'getProperty'>
    body: BodyOf<'getProperty'>
    responses: {
      200: AnswerOf<'getProperty', 200>
      304: AnswerOf<'getProperty', 304>
      400: RefusalOf<'getProperty', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getProperty', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getProperty', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getProperty', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getProperty', 404, 'not_found'>
      406: RefusalOf<'getProperty', 406, 'not_acceptable'>
      414: RefusalOf<'getProperty', 414, 'uri_too_long'>
      429: RefusalOf<'getProperty', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getProperty', 431, 'headers_too_large'>
      500: RefusalOf<'getProperty', 500, 'internal_error'>
      502: RefusalOf<'getProperty', 502, 'upstream_error'>
      503: RefusalOf<'getProperty', 503, 'service_unavailable'>
      504: RefusalOf<'getProperty', 504, 'upstream_timeout'>
    }
  }
  getPropertyPhotos: {
    params: ParamsOf<'getPropertyPhotos'>
    query: QueryOf<'getPropertyPhotos'>
    headers: HeadersOf<'getPropertyPhotos'>
    body: BodyOf<'getPropertyPhotos'>
    responses: {
      200: AnswerOf<'getPropertyPhotos', 200>
      304: AnswerOf<'getPropertyPhotos', 304>
      400: RefusalOf<'getPropertyPhotos', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyPhotos', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyPhotos', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyPhotos', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyPhotos', 404, 'not_found'>
      406: RefusalOf<'getPropertyPhotos', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyPhotos', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyPhotos', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyPhotos', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyPhotos', 500, 'internal_error'>
      502: RefusalOf<'getPropertyPhotos', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyPhotos', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyPhotos', 504, 'upstream_timeout'>
    }
  }
  getPropertyPriceHistory: {
    params: ParamsOf<'getPropertyPriceHistory'>
    query: QueryOf<'getPropertyPriceHistory'>
    headers: HeadersOf<'getPropertyPriceHistory'>
    body: BodyOf<'getPropertyPriceHistory'>
    responses: {
      200: AnswerOf<'getPropertyPriceHistory', 200>
      304: AnswerOf<'getPropertyPriceHistory', 304>
      400: RefusalOf<'getPropertyPriceHistory', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyPriceHistory', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyPriceHistory', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyPriceHistory', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyPriceHistory', 404, 'not_found'>
      406: RefusalOf<'getPropertyPriceHistory', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyPriceHistory', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyPriceHistory', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyPriceHistory', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyPriceHistory', 500, 'internal_error'>
      502: RefusalOf<'getPropertyPriceHistory', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyPriceHistory', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyPriceHistory', 504, 'upstream_timeout'>
    }
  }
  getPropertyTaxHistory: {
    params: ParamsOf<'getPropertyTaxHistory'>
    query: QueryOf<'getPropertyTaxHistory'>
    headers: HeadersOf<'getPropertyTaxHistory'>
    body: BodyOf<'getPropertyTaxHistory'>
    responses: {
      200: AnswerOf<'getPropertyTaxHistory', 200>
      304: AnswerOf<'getPropertyTaxHistory', 304>
      400: RefusalOf<'getPropertyTaxHistory', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyTaxHistory', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyTaxHistory', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyTaxHistory', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyTaxHistory', 404, 'not_found'>
      406: RefusalOf<'getPropertyTaxHistory', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyTaxHistory', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyTaxHistory', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyTaxHistory', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyTaxHistory', 500, 'internal_error'>
      502: RefusalOf<'getPropertyTaxHistory', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyTaxHistory', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyTaxHistory', 504, 'upstream_timeout'>
    }
  }
  getPropertySchools: {
    params: ParamsOf<'getPropertySchools'>
    query: QueryOf<'getPropertySchools'>
    headers: HeadersOf<'getPropertySchools'>
    body: BodyOf<'getPropertySchools'>
    responses: {
      200: AnswerOf<'getPropertySchools', 200>
      304: AnswerOf<'getPropertySchools', 304>
      400: RefusalOf<'getPropertySchools', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertySchools', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertySchools', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertySchools', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertySchools', 404, 'not_found'>
      406: RefusalOf<'getPropertySchools', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertySchools', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertySchools', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertySchools', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertySchools', 500, 'internal_error'>
      502: RefusalOf<'getPropertySchools', 502, 'upstream_error'>
      503: RefusalOf<'getPropertySchools', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertySchools', 504, 'upstream_timeout'>
    }
  }
  getPropertyNearby: {
    params: ParamsOf<'getPropertyNearby'>
    query: QueryOf<'getPropertyNearby'>
    headers: HeadersOf<'getPropertyNearby'>
    body: BodyOf<'getPropertyNearby'>
    responses: {
      200: AnswerOf<'getPropertyNearby', 200>
      304: AnswerOf<'getPropertyNearby', 304>
      400: RefusalOf<'getPropertyNearby', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyNearby', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyNearby', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyNearby', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyNearby', 404, 'not_found'>
      406: RefusalOf<'getPropertyNearby', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyNearby', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyNearby', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyNearby', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyNearby', 500, 'internal_error'>
      502: RefusalOf<'getPropertyNearby', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyNearby', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyNearby', 504, 'upstream_timeout'>
    }
  }
  getPropertyAgent: {
    params: ParamsOf<'getPropertyAgent'>
    query: QueryOf<'getPropertyAgent'>
    headers: HeadersOf<'getPropertyAgent'>
    body: BodyOf<'getPropertyAgent'>
    responses: {
      200: AnswerOf<'getPropertyAgent', 200>
      304: AnswerOf<'getPropertyAgent', 304>
      400: RefusalOf<'getPropertyAgent', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyAgent', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyAgent', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyAgent', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyAgent', 404, 'not_found'>
      406: RefusalOf<'getPropertyAgent', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyAgent', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyAgent', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyAgent', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyAgent', 500, 'internal_error'>
      502: RefusalOf<'getPropertyAgent', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyAgent', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyAgent', 504, 'upstream_timeout'>
    }
  }
  getPropertyZestimate: {
    params: ParamsOf<'getPropertyZestimate'>
    query: QueryOf<'getPropertyZestimate'>
    headers: HeadersOf<'getPropertyZestimate'>
    body: BodyOf<'getPropertyZestimate'>
    responses: {
      200: AnswerOf<'getPropertyZestimate', 200>
      304: AnswerOf<'getPropertyZestimate', 304>
      400: RefusalOf<'getPropertyZestimate', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyZestimate', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyZestimate', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyZestimate', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyZestimate', 404, 'not_found'>
      406: RefusalOf<'getPropertyZestimate', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyZestimate', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyZestimate', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyZestimate', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyZestimate', 500, 'internal_error'>
      502: RefusalOf<'getPropertyZestimate', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyZestimate', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyZestimate', 504, 'upstream_timeout'>
    }
  }
  getPropertyOpenHouses: {
    params: ParamsOf<'getPropertyOpenHouses'>
    query: QueryOf<'getPropertyOpenHouses'>
    headers: HeadersOf<'getPropertyOpenHouses'>
    body: BodyOf<'getPropertyOpenHouses'>
    responses: {
      200: AnswerOf<'getPropertyOpenHouses', 200>
      304: AnswerOf<'getPropertyOpenHouses', 304>
      400: RefusalOf<'getPropertyOpenHouses', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyOpenHouses', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyOpenHouses', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyOpenHouses', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyOpenHouses', 404, 'not_found'>
      406: RefusalOf<'getPropertyOpenHouses', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyOpenHouses', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyOpenHouses', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyOpenHouses', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyOpenHouses', 500, 'internal_error'>
      502: RefusalOf<'getPropertyOpenHouses', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyOpenHouses', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyOpenHouses', 504, 'upstream_timeout'>
    }
  }
  getPropertyFacts: {
    params: ParamsOf<'getPropertyFacts'>
    query: QueryOf<'getPropertyFacts'>
    headers: HeadersOf<'getPropertyFacts'>
    body: BodyOf<'getPropertyFacts'>
    responses: {
      200: AnswerOf<'getPropertyFacts', 200>
      304: AnswerOf<'getPropertyFacts', 304>
      400: RefusalOf<'getPropertyFacts', 400, 'invalid_zpid' | 'invalid_parameter'>
      401: RefusalOf<'getPropertyFacts', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getPropertyFacts', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getPropertyFacts', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getPropertyFacts', 404, 'not_found'>
      406: RefusalOf<'getPropertyFacts', 406, 'not_acceptable'>
      414: RefusalOf<'getPropertyFacts', 414, 'uri_too_long'>
      429: RefusalOf<'getPropertyFacts', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getPropertyFacts', 431, 'headers_too_large'>
      500: RefusalOf<'getPropertyFacts', 500, 'internal_error'>
      502: RefusalOf<'getPropertyFacts', 502, 'upstream_error'>
      503: RefusalOf<'getPropertyFacts', 503, 'service_unavailable'>
      504: RefusalOf<'getPropertyFacts', 504, 'upstream_timeout'>
    }
  }
  createPropertyBatch: {
    params: ParamsOf<'createPropertyBatch'>
    query: QueryOf<'createPropertyBatch'>
    headers: HeadersOf<'createPropertyBatch'>
    body: BodyOf<'createPropertyBatch', 'propertyStatus' | 'extractBuildingUnits'>
    responses: {
      202: AnswerOf<'createPropertyBatch', 202>
      400: RefusalOf<'createPropertyBatch', 400, 'missing_input' | 'invalid_json' | 'invalid_url' | 'invalid_address' | 'invalid_status' | 'invalid_extract_units' | 'invalid_parameter'>
      401: RefusalOf<'createPropertyBatch', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'createPropertyBatch', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'createPropertyBatch', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'createPropertyBatch', 406, 'not_acceptable'>
      408: RefusalOf<'createPropertyBatch', 408, 'request_timeout'>
      409: RefusalOf<'createPropertyBatch', 409, 'idempotency_key_reused' | 'job_limit'>
      413: RefusalOf<'createPropertyBatch', 413, 'payload_too_large'>
      414: RefusalOf<'createPropertyBatch', 414, 'uri_too_long'>
      415: RefusalOf<'createPropertyBatch', 415, 'unsupported_media_type'>
      429: RefusalOf<'createPropertyBatch', 429, 'rate_limited'>
      431: RefusalOf<'createPropertyBatch', 431, 'headers_too_large'>
      500: RefusalOf<'createPropertyBatch', 500, 'internal_error'>
      503: RefusalOf<'createPropertyBatch', 503, 'service_unavailable'>
      504: RefusalOf<'createPropertyBatch', 504, 'upstream_timeout'>
    }
  }
  getBuildingUnits: {
    params: ParamsOf<'getBuildingUnits'>
    query: QueryOf<'getBuildingUnits', 'include_units' | 'sync'>
    headers: HeadersOf<'getBuildingUnits'>
    body: BodyOf<'getBuildingUnits'>
    responses: {
      200: AnswerOf<'getBuildingUnits', 200>
      202: AnswerOf<'getBuildingUnits', 202>
      304: AnswerOf<'getBuildingUnits', 304>
      400: RefusalOf<'getBuildingUnits', 400, 'missing_input' | 'invalid_url' | 'invalid_extract_units' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'getBuildingUnits', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getBuildingUnits', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'getBuildingUnits', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getBuildingUnits', 404, 'not_found'>
      406: RefusalOf<'getBuildingUnits', 406, 'not_acceptable'>
      409: RefusalOf<'getBuildingUnits', 409, 'job_limit'>
      414: RefusalOf<'getBuildingUnits', 414, 'uri_too_long'>
      429: RefusalOf<'getBuildingUnits', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'getBuildingUnits', 431, 'headers_too_large'>
      500: RefusalOf<'getBuildingUnits', 500, 'internal_error'>
      502: RefusalOf<'getBuildingUnits', 502, 'upstream_error'>
      503: RefusalOf<'getBuildingUnits', 503, 'service_unavailable'>
      504: RefusalOf<'getBuildingUnits', 504, 'upstream_timeout'>
    }
  }
  searchListings: {
    params: ParamsOf<'searchListings'>
    query: QueryOf<'searchListings'>
    headers: HeadersOf<'searchListings'>
    body: BodyOf<'searchListings', 'filters.status' | 'extractionMethod' | 'async'>
    responses: {
      200: AnswerOf<'searchListings', 200>
      202: AnswerOf<'searchListings', 202>
      400: RefusalOf<'searchListings', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'invalid_search_url' | 'unknown_place' | 'ambiguous_place' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'searchListings', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'searchListings', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'searchListings', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'searchListings', 406, 'not_acceptable'>
      408: RefusalOf<'searchListings', 408, 'request_timeout'>
      409: RefusalOf<'searchListings', 409, 'idempotency_key_reused' | 'job_limit'>
      413: RefusalOf<'searchListings', 413, 'payload_too_large'>
      414: RefusalOf<'searchListings', 414, 'uri_too_long'>
      415: RefusalOf<'searchListings', 415, 'unsupported_media_type'>
      429: RefusalOf<'searchListings', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'searchListings', 431, 'headers_too_large'>
      500: RefusalOf<'searchListings', 500, 'internal_error'>
      502: RefusalOf<'searchListings', 502, 'upstream_error'>
      503: RefusalOf<'searchListings', 503, 'service_unavailable'>
      504: RefusalOf<'searchListings', 504, 'upstream_timeout'>
    }
  }
  searchWithDetails: {
    params: ParamsOf<'searchWithDetails'>
    query: QueryOf<'searchWithDetails'>
    headers: HeadersOf<'searchWithDetails'>
    body: BodyOf<'searchWithDetails', 'filters.status' | 'extractionMethod' | 'propertyStatus' | 'extractBuildingUnits'>
    responses: {
      202: AnswerOf<'searchWithDetails', 202>
      400: RefusalOf<'searchWithDetails', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'unknown_place' | 'ambiguous_place' | 'invalid_status' | 'invalid_extract_units' | 'invalid_parameter'>
      401: RefusalOf<'searchWithDetails', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'searchWithDetails', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'searchWithDetails', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'searchWithDetails', 406, 'not_acceptable'>
      408: RefusalOf<'searchWithDetails', 408, 'request_timeout'>
      409: RefusalOf<'searchWithDetails', 409, 'idempotency_key_reused' | 'job_limit'>
      413: RefusalOf<'searchWithDetails', 413, 'payload_too_large'>
      414: RefusalOf<'searchWithDetails', 414, 'uri_too_long'>
      415: RefusalOf<'searchWithDetails', 415, 'unsupported_media_type'>
      429: RefusalOf<'searchWithDetails', 429, 'rate_limited'>
      431: RefusalOf<'searchWithDetails', 431, 'headers_too_large'>
      500: RefusalOf<'searchWithDetails', 500, 'internal_error'>
      503: RefusalOf<'searchWithDetails', 503, 'service_unavailable'>
      504: RefusalOf<'searchWithDetails', 504, 'upstream_timeout'>
    }
  }
  listListings: {
    params: ParamsOf<'listListings'>
    query: QueryOf<'listListings', 'status' | 'max_items'>
    headers: HeadersOf<'listListings'>
    body: BodyOf<'listListings'>
    responses: {
      200: AnswerOf<'listListings', 200>
      304: AnswerOf<'listListings', 304>
      400: RefusalOf<'listListings', 400, 'missing_input' | 'invalid_filters' | 'unknown_place' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listListings', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listListings', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'listListings', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'listListings', 406, 'not_acceptable'>
      414: RefusalOf<'listListings', 414, 'uri_too_long'>
      429: RefusalOf<'listListings', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'listListings', 431, 'headers_too_large'>
      500: RefusalOf<'listListings', 500, 'internal_error'>
      502: RefusalOf<'listListings', 502, 'upstream_error'>
      503: RefusalOf<'listListings', 503, 'service_unavailable'>
      504: RefusalOf<'listListings', 504, 'upstream_timeout'>
    }
  }
  searchForSale: {
    params: ParamsOf<'searchForSale'>
    query: QueryOf<'searchForSale'>
    headers: HeadersOf<'searchForSale'>
    body: BodyOf<'searchForSale', 'filters.status' | 'extractionMethod' | 'async'>
    responses: {
      200: AnswerOf<'searchForSale', 200>
      202: AnswerOf<'searchForSale', 202>
      400: RefusalOf<'searchForSale', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'invalid_search_url' | 'unknown_place' | 'ambiguous_place' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'searchForSale', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'searchForSale', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'searchForSale', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'searchForSale', 406, 'not_acceptable'>
      408: RefusalOf<'searchForSale', 408, 'request_timeout'>
      409: RefusalOf<'searchForSale', 409, 'idempotency_key_reused' | 'job_limit'>
      413: RefusalOf<'searchForSale', 413, 'payload_too_large'>
      414: RefusalOf<'searchForSale', 414, 'uri_too_long'>
      415: RefusalOf<'searchForSale', 415, 'unsupported_media_type'>
      429: RefusalOf<'searchForSale', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'searchForSale', 431, 'headers_too_large'>
      500: RefusalOf<'searchForSale', 500, 'internal_error'>
      502: RefusalOf<'searchForSale', 502, 'upstream_error'>
      503: RefusalOf<'searchForSale', 503, 'service_unavailable'>
      504: RefusalOf<'searchForSale', 504, 'upstream_timeout'>
    }
  }
  searchForRent: {
    params: ParamsOf<'searchForRent'>
    query: QueryOf<'searchForRent'>
    headers: HeadersOf<'searchForRent'>
    body: BodyOf<'searchForRent', 'filters.status' | 'extractionMethod' | 'async'>
    responses: {
      200: AnswerOf<'searchForRent', 200>
      202: AnswerOf<'searchForRent', 202>
      400: RefusalOf<'searchForRent', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'invalid_search_url' | 'unknown_place' | 'ambiguous_place' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'searchForRent', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'searchForRent', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'searchForRent', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'searchForRent', 406, 'not_acceptable'>
      408: RefusalOf<'searchForRent', 408, 'request_timeout'>
      409: RefusalOf<'searchForRent', 409, 'idempotency_key_reused' | 'job_limit'>
      413: RefusalOf<'searchForRent', 413, 'payload_too_large'>
      414: RefusalOf<'searchForRent', 414, 'uri_too_long'>
      415: RefusalOf<'searchForRent', 415, 'unsupported_media_type'>
      429: RefusalOf<'searchForRent', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'searchForRent', 431, 'headers_too_large'>
      500: RefusalOf<'searchForRent', 500, 'internal_error'>
      502: RefusalOf<'searchForRent', 502, 'upstream_error'>
      503: RefusalOf<'searchForRent', 503, 'service_unavailable'>
      504: RefusalOf<'searchForRent', 504, 'upstream_timeout'>
    }
  }
  searchSold: {
    params: ParamsOf<'searchSold'>
    query: QueryOf<'searchSold'>
    headers: HeadersOf<'searchSold'>
    body: BodyOf<'searchSold', 'filters.status' | 'extractionMethod' | 'async'>
    responses: {
      200: AnswerOf<'searchSold', 200>
      202: AnswerOf<'searchSold', 202>
      400: RefusalOf<'searchSold', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'invalid_search_url' | 'unknown_place' | 'ambiguous_place' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'searchSold', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'searchSold', 402, 'out_of_credits' | 'max_credits_exceeded' | 'key_limit_reached'>
      403: RefusalOf<'searchSold', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'searchSold', 406, 'not_acceptable'>
      408: RefusalOf<'searchSold', 408, 'request_timeout'>
      409: RefusalOf<'searchSold', 409, 'idempotency_key_reused' | 'job_limit'>
      413: RefusalOf<'searchSold', 413, 'payload_too_large'>
      414: RefusalOf<'searchSold', 414, 'uri_too_long'>
      415: RefusalOf<'searchSold', 415, 'unsupported_media_type'>
      429: RefusalOf<'searchSold', 429, 'rate_limited' | 'lookup_budget_exceeded'>
      431: RefusalOf<'searchSold', 431, 'headers_too_large'>
      500: RefusalOf<'searchSold', 500, 'internal_error'>
      502: RefusalOf<'searchSold', 502, 'upstream_error'>
      503: RefusalOf<'searchSold', 503, 'service_unavailable'>
      504: RefusalOf<'searchSold', 504, 'upstream_timeout'>
    }
  }
  listJobs: {
    params: ParamsOf<'listJobs'>
    query: QueryOf<'listJobs', 'limit' | 'offset'>
    headers: HeadersOf<'listJobs'>
    body: BodyOf<'listJobs'>
    responses: {
      200: AnswerOf<'listJobs', 200>
      400: RefusalOf<'listJobs', 400, 'invalid_status' | 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listJobs', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listJobs', 402, 'out_of_credits'>
      403: RefusalOf<'listJobs', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'listJobs', 406, 'not_acceptable'>
      414: RefusalOf<'listJobs', 414, 'uri_too_long'>
      429: RefusalOf<'listJobs', 429, 'rate_limited'>
      431: RefusalOf<'listJobs', 431, 'headers_too_large'>
      500: RefusalOf<'listJobs', 500, 'internal_error'>
      503: RefusalOf<'listJobs', 503, 'service_unavailable'>
      504: RefusalOf<'listJobs', 504, 'upstream_timeout'>
    }
  }
  getJob: {
    params: ParamsOf<'getJob'>
    query: QueryOf<'getJob'>
    headers: HeadersOf<'getJob'>
    body: BodyOf<'getJob'>
    responses: {
      200: AnswerOf<'getJob', 200>
      401: RefusalOf<'getJob', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getJob', 402, 'out_of_credits'>
      403: RefusalOf<'getJob', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getJob', 404, 'job_not_found'>
      406: RefusalOf<'getJob', 406, 'not_acceptable'>
      414: RefusalOf<'getJob', 414, 'uri_too_long'>
      429: RefusalOf<'getJob', 429, 'rate_limited'>
      431: RefusalOf<'getJob', 431, 'headers_too_large'>
      500: RefusalOf<'getJob', 500, 'internal_error'>
      503: RefusalOf<'getJob', 503, 'service_unavailable'>
      504: RefusalOf<'getJob', 504, 'upstream_timeout'>
    }
  }
  abortJob: {
    params: ParamsOf<'abortJob'>
    query: QueryOf<'abortJob'>
    headers: HeadersOf<'abortJob'>
    body: BodyOf<'abortJob'>
    responses: {
      200: AnswerOf<'abortJob', 200>
      401: RefusalOf<'abortJob', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'abortJob', 402, 'out_of_credits'>
      403: RefusalOf<'abortJob', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'abortJob', 404, 'job_not_found'>
      406: RefusalOf<'abortJob', 406, 'not_acceptable'>
      409: RefusalOf<'abortJob', 409, 'job_ended'>
      414: RefusalOf<'abortJob', 414, 'uri_too_long'>
      429: RefusalOf<'abortJob', 429, 'rate_limited'>
      431: RefusalOf<'abortJob', 431, 'headers_too_large'>
      500: RefusalOf<'abortJob', 500, 'internal_error'>
      503: RefusalOf<'abortJob', 503, 'service_unavailable'>
      504: RefusalOf<'abortJob', 504, 'upstream_timeout'>
    }
  }
  getJobResults: {
    params: ParamsOf<'getJobResults'>
    query: QueryOf<'getJobResults', 'limit' | 'offset'>
    headers: HeadersOf<'getJobResults'>
    body: BodyOf<'getJobResults'>
    responses: {
      200: AnswerOf<'getJobResults', 200>
      304: AnswerOf<'getJobResults', 304>
      400: RefusalOf<'getJobResults', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'getJobResults', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getJobResults', 402, 'out_of_credits'>
      403: RefusalOf<'getJobResults', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getJobResults', 404, 'job_not_found'>
      406: RefusalOf<'getJobResults', 406, 'not_acceptable'>
      409: RefusalOf<'getJobResults', 409, 'job_not_ready'>
      414: RefusalOf<'getJobResults', 414, 'uri_too_long'>
      429: RefusalOf<'getJobResults', 429, 'rate_limited'>
      431: RefusalOf<'getJobResults', 431, 'headers_too_large'>
      500: RefusalOf<'getJobResults', 500, 'internal_error'>
      502: RefusalOf<'getJobResults', 502, 'upstream_error'>
      503: RefusalOf<'getJobResults', 503, 'service_unavailable'>
      504: RefusalOf<'getJobResults', 504, 'upstream_timeout'>
    }
  }
  createWatch: {
    params: ParamsOf<'createWatch'>
    query: QueryOf<'createWatch'>
    headers: HeadersOf<'createWatch'>
    body: BodyOf<'createWatch', 'filters.status'>
    responses: {
      201: AnswerOf<'createWatch', 201>
      400: RefusalOf<'createWatch', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'unknown_place' | 'ambiguous_place' | 'invalid_events' | 'invalid_zpid' | 'invalid_metadata' | 'invalid_parameter'>
      401: RefusalOf<'createWatch', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'createWatch', 402, 'out_of_credits'>
      403: RefusalOf<'createWatch', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'createWatch', 406, 'not_acceptable'>
      408: RefusalOf<'createWatch', 408, 'request_timeout'>
      409: RefusalOf<'createWatch', 409, 'watch_limit' | 'idempotency_key_reused'>
      413: RefusalOf<'createWatch', 413, 'payload_too_large'>
      414: RefusalOf<'createWatch', 414, 'uri_too_long'>
      415: RefusalOf<'createWatch', 415, 'unsupported_media_type'>
      429: RefusalOf<'createWatch', 429, 'rate_limited'>
      431: RefusalOf<'createWatch', 431, 'headers_too_large'>
      500: RefusalOf<'createWatch', 500, 'internal_error'>
      503: RefusalOf<'createWatch', 503, 'service_unavailable'>
      504: RefusalOf<'createWatch', 504, 'upstream_timeout'>
    }
  }
  listWatches: {
    params: ParamsOf<'listWatches'>
    query: QueryOf<'listWatches', 'limit'>
    headers: HeadersOf<'listWatches'>
    body: BodyOf<'listWatches'>
    responses: {
      200: AnswerOf<'listWatches', 200>
      400: RefusalOf<'listWatches', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listWatches', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listWatches', 402, 'out_of_credits'>
      403: RefusalOf<'listWatches', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'listWatches', 406, 'not_acceptable'>
      414: RefusalOf<'listWatches', 414, 'uri_too_long'>
      429: RefusalOf<'listWatches', 429, 'rate_limited'>
      431: RefusalOf<'listWatches', 431, 'headers_too_large'>
      500: RefusalOf<'listWatches', 500, 'internal_error'>
      503: RefusalOf<'listWatches', 503, 'service_unavailable'>
      504: RefusalOf<'listWatches', 504, 'upstream_timeout'>
    }
  }
  getWatch: {
    params: ParamsOf<'getWatch'>
    query: QueryOf<'getWatch'>
    headers: HeadersOf<'getWatch'>
    body: BodyOf<'getWatch'>
    responses: {
      200: AnswerOf<'getWatch', 200>
      401: RefusalOf<'getWatch', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getWatch', 402, 'out_of_credits'>
      403: RefusalOf<'getWatch', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getWatch', 404, 'not_found'>
      406: RefusalOf<'getWatch', 406, 'not_acceptable'>
      414: RefusalOf<'getWatch', 414, 'uri_too_long'>
      429: RefusalOf<'getWatch', 429, 'rate_limited'>
      431: RefusalOf<'getWatch', 431, 'headers_too_large'>
      500: RefusalOf<'getWatch', 500, 'internal_error'>
      503: RefusalOf<'getWatch', 503, 'service_unavailable'>
      504: RefusalOf<'getWatch', 504, 'upstream_timeout'>
    }
  }
  updateWatch: {
    params: ParamsOf<'updateWatch'>
    query: QueryOf<'updateWatch'>
    headers: HeadersOf<'updateWatch'>
    body: PatchOf<'updateWatch', 'filters.status'>
    responses: {
      200: AnswerOf<'updateWatch', 200>
      400: RefusalOf<'updateWatch', 400, 'missing_input' | 'invalid_json' | 'invalid_filters' | 'unknown_place' | 'ambiguous_place' | 'invalid_events' | 'invalid_zpid' | 'invalid_metadata' | 'invalid_parameter'>
      401: RefusalOf<'updateWatch', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'updateWatch', 402, 'out_of_credits'>
      403: RefusalOf<'updateWatch', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'updateWatch', 404, 'not_found'>
      406: RefusalOf<'updateWatch', 406, 'not_acceptable'>
      408: RefusalOf<'updateWatch', 408, 'request_timeout'>
      413: RefusalOf<'updateWatch', 413, 'payload_too_large'>
      414: RefusalOf<'updateWatch', 414, 'uri_too_long'>
      415: RefusalOf<'updateWatch', 415, 'unsupported_media_type'>
      429: RefusalOf<'updateWatch', 429, 'rate_limited'>
      431: RefusalOf<'updateWatch', 431, 'headers_too_large'>
      500: RefusalOf<'updateWatch', 500, 'internal_error'>
      503: RefusalOf<'updateWatch', 503, 'service_unavailable'>
      504: RefusalOf<'updateWatch', 504, 'upstream_timeout'>
    }
  }
  deleteWatch: {
    params: ParamsOf<'deleteWatch'>
    query: QueryOf<'deleteWatch'>
    headers: HeadersOf<'deleteWatch'>
    body: BodyOf<'deleteWatch'>
    responses: {
      204: AnswerOf<'deleteWatch', 204>
      401: RefusalOf<'deleteWatch', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'deleteWatch', 402, 'out_of_credits'>
      403: RefusalOf<'deleteWatch', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'deleteWatch', 404, 'not_found'>
      414: RefusalOf<'deleteWatch', 414, 'uri_too_long'>
      429: RefusalOf<'deleteWatch', 429, 'rate_limited'>
      431: RefusalOf<'deleteWatch', 431, 'headers_too_large'>
      500: RefusalOf<'deleteWatch', 500, 'internal_error'>
      503: RefusalOf<'deleteWatch', 503, 'service_unavailable'>
      504: RefusalOf<'deleteWatch', 504, 'upstream_timeout'>
    }
  }
  listWatchEvents: {
    params: ParamsOf<'listWatchEvents'>
    query: QueryOf<'listWatchEvents', 'after' | 'limit'>
    headers: HeadersOf<'listWatchEvents'>
    body: BodyOf<'listWatchEvents'>
    responses: {
      200: AnswerOf<'listWatchEvents', 200>
      400: RefusalOf<'listWatchEvents', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listWatchEvents', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listWatchEvents', 402, 'out_of_credits'>
      403: RefusalOf<'listWatchEvents', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'listWatchEvents', 404, 'not_found'>
      406: RefusalOf<'listWatchEvents', 406, 'not_acceptable'>
      414: RefusalOf<'listWatchEvents', 414, 'uri_too_long'>
      429: RefusalOf<'listWatchEvents', 429, 'rate_limited'>
      431: RefusalOf<'listWatchEvents', 431, 'headers_too_large'>
      500: RefusalOf<'listWatchEvents', 500, 'internal_error'>
      503: RefusalOf<'listWatchEvents', 503, 'service_unavailable'>
      504: RefusalOf<'listWatchEvents', 504, 'upstream_timeout'>
    }
  }
  createWebhook: {
    params: ParamsOf<'createWebhook'>
    query: QueryOf<'createWebhook'>
    headers: HeadersOf<'createWebhook'>
    body: BodyOf<'createWebhook'>
    responses: {
      201: AnswerOf<'createWebhook', 201>
      400: RefusalOf<'createWebhook', 400, 'missing_input' | 'invalid_json' | 'invalid_url' | 'invalid_events' | 'invalid_parameter'>
      401: RefusalOf<'createWebhook', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'createWebhook', 402, 'out_of_credits'>
      403: RefusalOf<'createWebhook', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'createWebhook', 406, 'not_acceptable'>
      408: RefusalOf<'createWebhook', 408, 'request_timeout'>
      409: RefusalOf<'createWebhook', 409, 'webhook_limit' | 'idempotency_key_reused'>
      413: RefusalOf<'createWebhook', 413, 'payload_too_large'>
      414: RefusalOf<'createWebhook', 414, 'uri_too_long'>
      415: RefusalOf<'createWebhook', 415, 'unsupported_media_type'>
      429: RefusalOf<'createWebhook', 429, 'rate_limited'>
      431: RefusalOf<'createWebhook', 431, 'headers_too_large'>
      500: RefusalOf<'createWebhook', 500, 'internal_error'>
      503: RefusalOf<'createWebhook', 503, 'service_unavailable'>
      504: RefusalOf<'createWebhook', 504, 'upstream_timeout'>
    }
  }
  listWebhooks: {
    params: ParamsOf<'listWebhooks'>
    query: QueryOf<'listWebhooks', 'limit'>
    headers: HeadersOf<'listWebhooks'>
    body: BodyOf<'listWebhooks'>
    responses: {
      200: AnswerOf<'listWebhooks', 200>
      400: RefusalOf<'listWebhooks', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listWebhooks', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listWebhooks', 402, 'out_of_credits'>
      403: RefusalOf<'listWebhooks', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'listWebhooks', 406, 'not_acceptable'>
      414: RefusalOf<'listWebhooks', 414, 'uri_too_long'>
      429: RefusalOf<'listWebhooks', 429, 'rate_limited'>
      431: RefusalOf<'listWebhooks', 431, 'headers_too_large'>
      500: RefusalOf<'listWebhooks', 500, 'internal_error'>
      503: RefusalOf<'listWebhooks', 503, 'service_unavailable'>
      504: RefusalOf<'listWebhooks', 504, 'upstream_timeout'>
    }
  }
  getWebhook: {
    params: ParamsOf<'getWebhook'>
    query: QueryOf<'getWebhook'>
    headers: HeadersOf<'getWebhook'>
    body: BodyOf<'getWebhook'>
    responses: {
      200: AnswerOf<'getWebhook', 200>
      401: RefusalOf<'getWebhook', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getWebhook', 402, 'out_of_credits'>
      403: RefusalOf<'getWebhook', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getWebhook', 404, 'not_found'>
      406: RefusalOf<'getWebhook', 406, 'not_acceptable'>
      414: RefusalOf<'getWebhook', 414, 'uri_too_long'>
      429: RefusalOf<'getWebhook', 429, 'rate_limited'>
      431: RefusalOf<'getWebhook', 431, 'headers_too_large'>
      500: RefusalOf<'getWebhook', 500, 'internal_error'>
      503: RefusalOf<'getWebhook', 503, 'service_unavailable'>
      504: RefusalOf<'getWebhook', 504, 'upstream_timeout'>
    }
  }
  updateWebhook: {
    params: ParamsOf<'updateWebhook'>
    query: QueryOf<'updateWebhook'>
    headers: HeadersOf<'updateWebhook'>
    body: PatchOf<'updateWebhook'>
    responses: {
      200: AnswerOf<'updateWebhook', 200>
      400: RefusalOf<'updateWebhook', 400, 'missing_input' | 'invalid_json' | 'invalid_url' | 'invalid_events' | 'invalid_parameter'>
      401: RefusalOf<'updateWebhook', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'updateWebhook', 402, 'out_of_credits'>
      403: RefusalOf<'updateWebhook', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'updateWebhook', 404, 'not_found'>
      406: RefusalOf<'updateWebhook', 406, 'not_acceptable'>
      408: RefusalOf<'updateWebhook', 408, 'request_timeout'>
      409: RefusalOf<'updateWebhook', 409, 'webhook_inactive'>
      413: RefusalOf<'updateWebhook', 413, 'payload_too_large'>
      414: RefusalOf<'updateWebhook', 414, 'uri_too_long'>
      415: RefusalOf<'updateWebhook', 415, 'unsupported_media_type'>
      429: RefusalOf<'updateWebhook', 429, 'rate_limited'>
      431: RefusalOf<'updateWebhook', 431, 'headers_too_large'>
      500: RefusalOf<'updateWebhook', 500, 'internal_error'>
      503: RefusalOf<'updateWebhook', 503, 'service_unavailable'>
      504: RefusalOf<'updateWebhook', 504, 'upstream_timeout'>
    }
  }
  deleteWebhook: {
    params: ParamsOf<'deleteWebhook'>
    query: QueryOf<'deleteWebhook'>
    headers: HeadersOf<'deleteWebhook'>
    body: BodyOf<'deleteWebhook'>
    responses: {
      204: AnswerOf<'deleteWebhook', 204>
      401: RefusalOf<'deleteWebhook', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'deleteWebhook', 402, 'out_of_credits'>
      403: RefusalOf<'deleteWebhook', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'deleteWebhook', 404, 'not_found'>
      414: RefusalOf<'deleteWebhook', 414, 'uri_too_long'>
      429: RefusalOf<'deleteWebhook', 429, 'rate_limited'>
      431: RefusalOf<'deleteWebhook', 431, 'headers_too_large'>
      500: RefusalOf<'deleteWebhook', 500, 'internal_error'>
      503: RefusalOf<'deleteWebhook', 503, 'service_unavailable'>
      504: RefusalOf<'deleteWebhook', 504, 'upstream_timeout'>
    }
  }
  testWebhook: {
    params: ParamsOf<'testWebhook'>
    query: QueryOf<'testWebhook'>
    headers: HeadersOf<'testWebhook'>
    body: BodyOf<'testWebhook'>
    responses: {
      200: AnswerOf<'testWebhook', 200>
      401: RefusalOf<'testWebhook', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'testWebhook', 402, 'out_of_credits'>
      403: RefusalOf<'testWebhook', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'testWebhook', 404, 'not_found'>
      406: RefusalOf<'testWebhook', 406, 'not_acceptable'>
      409: RefusalOf<'testWebhook', 409, 'webhook_inactive'>
      414: RefusalOf<'testWebhook', 414, 'uri_too_long'>
      429: RefusalOf<'testWebhook', 429, 'rate_limited'>
      431: RefusalOf<'testWebhook', 431, 'headers_too_large'>
      500: RefusalOf<'testWebhook', 500, 'internal_error'>
      503: RefusalOf<'testWebhook', 503, 'service_unavailable'>
      504: RefusalOf<'testWebhook', 504, 'upstream_timeout'>
    }
  }
  rotateWebhookSecret: {
    params: ParamsOf<'rotateWebhookSecret'>
    query: QueryOf<'rotateWebhookSecret', 'overlap_hours'>
    headers: HeadersOf<'rotateWebhookSecret'>
    body: BodyOf<'rotateWebhookSecret'>
    responses: {
      200: AnswerOf<'rotateWebhookSecret', 200>
      400: RefusalOf<'rotateWebhookSecret', 400, 'invalid_parameter'>
      401: RefusalOf<'rotateWebhookSecret', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'rotateWebhookSecret', 402, 'out_of_credits'>
      403: RefusalOf<'rotateWebhookSecret', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'rotateWebhookSecret', 404, 'not_found'>
      406: RefusalOf<'rotateWebhookSecret', 406, 'not_acceptable'>
      409: RefusalOf<'rotateWebhookSecret', 409, 'webhook_inactive' | 'idempotency_key_reused'>
      414: RefusalOf<'rotateWebhookSecret', 414, 'uri_too_long'>
      429: RefusalOf<'rotateWebhookSecret', 429, 'rate_limited'>
      431: RefusalOf<'rotateWebhookSecret', 431, 'headers_too_large'>
      500: RefusalOf<'rotateWebhookSecret', 500, 'internal_error'>
      503: RefusalOf<'rotateWebhookSecret', 503, 'service_unavailable'>
      504: RefusalOf<'rotateWebhookSecret', 504, 'upstream_timeout'>
    }
  }
  listWebhookDeliveries: {
    params: ParamsOf<'listWebhookDeliveries'>
    query: QueryOf<'listWebhookDeliveries', 'limit'>
    headers: HeadersOf<'listWebhookDeliveries'>
    body: BodyOf<'listWebhookDeliveries'>
    responses: {
      200: AnswerOf<'listWebhookDeliveries', 200>
      400: RefusalOf<'listWebhookDeliveries', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listWebhookDeliveries', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listWebhookDeliveries', 402, 'out_of_credits'>
      403: RefusalOf<'listWebhookDeliveries', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'listWebhookDeliveries', 404, 'not_found'>
      406: RefusalOf<'listWebhookDeliveries', 406, 'not_acceptable'>
      414: RefusalOf<'listWebhookDeliveries', 414, 'uri_too_long'>
      429: RefusalOf<'listWebhookDeliveries', 429, 'rate_limited'>
      431: RefusalOf<'listWebhookDeliveries', 431, 'headers_too_large'>
      500: RefusalOf<'listWebhookDeliveries', 500, 'internal_error'>
      503: RefusalOf<'listWebhookDeliveries', 503, 'service_unavailable'>
      504: RefusalOf<'listWebhookDeliveries', 504, 'upstream_timeout'>
    }
  }
  getWebhookDelivery: {
    params: ParamsOf<'getWebhookDelivery'>
    query: QueryOf<'getWebhookDelivery'>
    headers: HeadersOf<'getWebhookDelivery'>
    body: BodyOf<'getWebhookDelivery'>
    responses: {
      200: AnswerOf<'getWebhookDelivery', 200>
      401: RefusalOf<'getWebhookDelivery', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getWebhookDelivery', 402, 'out_of_credits'>
      403: RefusalOf<'getWebhookDelivery', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getWebhookDelivery', 404, 'not_found'>
      406: RefusalOf<'getWebhookDelivery', 406, 'not_acceptable'>
      414: RefusalOf<'getWebhookDelivery', 414, 'uri_too_long'>
      429: RefusalOf<'getWebhookDelivery', 429, 'rate_limited'>
      431: RefusalOf<'getWebhookDelivery', 431, 'headers_too_large'>
      500: RefusalOf<'getWebhookDelivery', 500, 'internal_error'>
      503: RefusalOf<'getWebhookDelivery', 503, 'service_unavailable'>
      504: RefusalOf<'getWebhookDelivery', 504, 'upstream_timeout'>
    }
  }
  redeliverWebhookEvent: {
    params: ParamsOf<'redeliverWebhookEvent'>
    query: QueryOf<'redeliverWebhookEvent'>
    headers: HeadersOf<'redeliverWebhookEvent'>
    body: BodyOf<'redeliverWebhookEvent'>
    responses: {
      200: AnswerOf<'redeliverWebhookEvent', 200>
      400: RefusalOf<'redeliverWebhookEvent', 400, 'invalid_parameter'>
      401: RefusalOf<'redeliverWebhookEvent', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'redeliverWebhookEvent', 402, 'out_of_credits'>
      403: RefusalOf<'redeliverWebhookEvent', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'redeliverWebhookEvent', 404, 'not_found'>
      406: RefusalOf<'redeliverWebhookEvent', 406, 'not_acceptable'>
      409: RefusalOf<'redeliverWebhookEvent', 409, 'webhook_inactive' | 'delivery_in_progress' | 'idempotency_key_reused'>
      414: RefusalOf<'redeliverWebhookEvent', 414, 'uri_too_long'>
      429: RefusalOf<'redeliverWebhookEvent', 429, 'rate_limited'>
      431: RefusalOf<'redeliverWebhookEvent', 431, 'headers_too_large'>
      500: RefusalOf<'redeliverWebhookEvent', 500, 'internal_error'>
      503: RefusalOf<'redeliverWebhookEvent', 503, 'service_unavailable'>
      504: RefusalOf<'redeliverWebhookEvent', 504, 'upstream_timeout'>
    }
  }
  createKey: {
    params: ParamsOf<'createKey'>
    query: QueryOf<'createKey'>
    headers: HeadersOf<'createKey'>
    body: BodyOf<'createKey'>
    responses: {
      201: AnswerOf<'createKey', 201>
      400: RefusalOf<'createKey', 400, 'missing_input' | 'invalid_json' | 'invalid_parameter'>
      401: RefusalOf<'createKey', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'createKey', 402, 'out_of_credits'>
      403: RefusalOf<'createKey', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'createKey', 406, 'not_acceptable'>
      408: RefusalOf<'createKey', 408, 'request_timeout'>
      409: RefusalOf<'createKey', 409, 'key_count_limit' | 'idempotency_key_reused'>
      413: RefusalOf<'createKey', 413, 'payload_too_large'>
      414: RefusalOf<'createKey', 414, 'uri_too_long'>
      415: RefusalOf<'createKey', 415, 'unsupported_media_type'>
      429: RefusalOf<'createKey', 429, 'rate_limited'>
      431: RefusalOf<'createKey', 431, 'headers_too_large'>
      500: RefusalOf<'createKey', 500, 'internal_error'>
      503: RefusalOf<'createKey', 503, 'service_unavailable'>
      504: RefusalOf<'createKey', 504, 'upstream_timeout'>
    }
  }
  listKeys: {
    params: ParamsOf<'listKeys'>
    query: QueryOf<'listKeys', 'limit'>
    headers: HeadersOf<'listKeys'>
    body: BodyOf<'listKeys'>
    responses: {
      200: AnswerOf<'listKeys', 200>
      400: RefusalOf<'listKeys', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listKeys', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listKeys', 402, 'out_of_credits'>
      403: RefusalOf<'listKeys', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'listKeys', 406, 'not_acceptable'>
      414: RefusalOf<'listKeys', 414, 'uri_too_long'>
      429: RefusalOf<'listKeys', 429, 'rate_limited'>
      431: RefusalOf<'listKeys', 431, 'headers_too_large'>
      500: RefusalOf<'listKeys', 500, 'internal_error'>
      503: RefusalOf<'listKeys', 503, 'service_unavailable'>
      504: RefusalOf<'listKeys', 504, 'upstream_timeout'>
    }
  }
  getKey: {
    params: ParamsOf<'getKey'>
    query: QueryOf<'getKey'>
    headers: HeadersOf<'getKey'>
    body: BodyOf<'getKey'>
    responses: {
      200: AnswerOf<'getKey', 200>
      401: RefusalOf<'getKey', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getKey', 402, 'out_of_credits'>
      403: RefusalOf<'getKey', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'getKey', 404, 'not_found'>
      406: RefusalOf<'getKey', 406, 'not_acceptable'>
      414: RefusalOf<'getKey', 414, 'uri_too_long'>
      429: RefusalOf<'getKey', 429, 'rate_limited'>
      431: RefusalOf<'getKey', 431, 'headers_too_large'>
      500: RefusalOf<'getKey', 500, 'internal_error'>
      503: RefusalOf<'getKey', 503, 'service_unavailable'>
      504: RefusalOf<'getKey', 504, 'upstream_timeout'>
    }
  }
  updateKey: {
    params: ParamsOf<'updateKey'>
    query: QueryOf<'updateKey'>
    headers: HeadersOf<'updateKey'>
    body: PatchOf<'updateKey'>
    responses: {
      200: AnswerOf<'updateKey', 200>
      400: RefusalOf<'updateKey', 400, 'missing_input' | 'invalid_json' | 'invalid_parameter'>
      401: RefusalOf<'updateKey', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'updateKey', 402, 'out_of_credits'>
      403: RefusalOf<'updateKey', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'updateKey', 404, 'not_found'>
      406: RefusalOf<'updateKey', 406, 'not_acceptable'>
      408: RefusalOf<'updateKey', 408, 'request_timeout'>
      409: RefusalOf<'updateKey', 409, 'key_revoked'>
      413: RefusalOf<'updateKey', 413, 'payload_too_large'>
      414: RefusalOf<'updateKey', 414, 'uri_too_long'>
      415: RefusalOf<'updateKey', 415, 'unsupported_media_type'>
      429: RefusalOf<'updateKey', 429, 'rate_limited'>
      431: RefusalOf<'updateKey', 431, 'headers_too_large'>
      500: RefusalOf<'updateKey', 500, 'internal_error'>
      503: RefusalOf<'updateKey', 503, 'service_unavailable'>
      504: RefusalOf<'updateKey', 504, 'upstream_timeout'>
    }
  }
  deleteKey: {
    params: ParamsOf<'deleteKey'>
    query: QueryOf<'deleteKey'>
    headers: HeadersOf<'deleteKey'>
    body: BodyOf<'deleteKey'>
    responses: {
      204: AnswerOf<'deleteKey', 204>
      401: RefusalOf<'deleteKey', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'deleteKey', 402, 'out_of_credits'>
      403: RefusalOf<'deleteKey', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'deleteKey', 404, 'not_found'>
      414: RefusalOf<'deleteKey', 414, 'uri_too_long'>
      429: RefusalOf<'deleteKey', 429, 'rate_limited'>
      431: RefusalOf<'deleteKey', 431, 'headers_too_large'>
      500: RefusalOf<'deleteKey', 500, 'internal_error'>
      503: RefusalOf<'deleteKey', 503, 'service_unavailable'>
      504: RefusalOf<'deleteKey', 504, 'upstream_timeout'>
    }
  }
  rotateKey: {
    params: ParamsOf<'rotateKey'>
    query: QueryOf<'rotateKey', 'grace_minutes'>
    headers: HeadersOf<'rotateKey'>
    body: BodyOf<'rotateKey'>
    responses: {
      200: AnswerOf<'rotateKey', 200>
      400: RefusalOf<'rotateKey', 400, 'invalid_parameter'>
      401: RefusalOf<'rotateKey', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'rotateKey', 402, 'out_of_credits'>
      403: RefusalOf<'rotateKey', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      404: RefusalOf<'rotateKey', 404, 'not_found'>
      406: RefusalOf<'rotateKey', 406, 'not_acceptable'>
      409: RefusalOf<'rotateKey', 409, 'key_revoked' | 'key_count_limit' | 'idempotency_key_reused'>
      414: RefusalOf<'rotateKey', 414, 'uri_too_long'>
      429: RefusalOf<'rotateKey', 429, 'rate_limited'>
      431: RefusalOf<'rotateKey', 431, 'headers_too_large'>
      500: RefusalOf<'rotateKey', 500, 'internal_error'>
      503: RefusalOf<'rotateKey', 503, 'service_unavailable'>
      504: RefusalOf<'rotateKey', 504, 'upstream_timeout'>
    }
  }
  getAccount: {
    params: ParamsOf<'getAccount'>
    query: QueryOf<'getAccount'>
    headers: HeadersOf<'getAccount'>
    body: BodyOf<'getAccount'>
    responses: {
      200: AnswerOf<'getAccount', 200>
      401: RefusalOf<'getAccount', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'getAccount', 402, 'out_of_credits'>
      403: RefusalOf<'getAccount', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'getAccount', 406, 'not_acceptable'>
      414: RefusalOf<'getAccount', 414, 'uri_too_long'>
      429: RefusalOf<'getAccount', 429, 'rate_limited'>
      431: RefusalOf<'getAccount', 431, 'headers_too_large'>
      500: RefusalOf<'getAccount', 500, 'internal_error'>
      503: RefusalOf<'getAccount', 503, 'service_unavailable'>
      504: RefusalOf<'getAccount', 504, 'upstream_timeout'>
    }
  }
  estimateCall: {
    params: ParamsOf<'estimateCall'>
    query: QueryOf<'estimateCall'>
    headers: HeadersOf<'estimateCall'>
    body: BodyOf<'estimateCall'>
    responses: {
      200: AnswerOf<'estimateCall', 200>
      400: RefusalOf<'estimateCall', 400, 'missing_input' | 'invalid_json' | 'invalid_url' | 'invalid_address' | 'invalid_zpid' | 'invalid_status' | 'invalid_extract_units' | 'invalid_filters' | 'invalid_search_url' | 'invalid_events' | 'invalid_metadata' | 'invalid_parameter'>
      401: RefusalOf<'estimateCall', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'estimateCall', 402, 'out_of_credits'>
      403: RefusalOf<'estimateCall', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'estimateCall', 406, 'not_acceptable'>
      408: RefusalOf<'estimateCall', 408, 'request_timeout'>
      413: RefusalOf<'estimateCall', 413, 'payload_too_large'>
      414: RefusalOf<'estimateCall', 414, 'uri_too_long'>
      415: RefusalOf<'estimateCall', 415, 'unsupported_media_type'>
      429: RefusalOf<'estimateCall', 429, 'rate_limited'>
      431: RefusalOf<'estimateCall', 431, 'headers_too_large'>
      500: RefusalOf<'estimateCall', 500, 'internal_error'>
      503: RefusalOf<'estimateCall', 503, 'service_unavailable'>
      504: RefusalOf<'estimateCall', 504, 'upstream_timeout'>
    }
  }
  listUsage: {
    params: ParamsOf<'listUsage'>
    query: QueryOf<'listUsage', 'limit' | 'offset'>
    headers: HeadersOf<'listUsage'>
    body: BodyOf<'listUsage'>
    responses: {
      200: AnswerOf<'listUsage', 200>
      400: RefusalOf<'listUsage', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'listUsage', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'listUsage', 402, 'out_of_credits'>
      403: RefusalOf<'listUsage', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'listUsage', 406, 'not_acceptable'>
      414: RefusalOf<'listUsage', 414, 'uri_too_long'>
      429: RefusalOf<'listUsage', 429, 'rate_limited'>
      431: RefusalOf<'listUsage', 431, 'headers_too_large'>
      500: RefusalOf<'listUsage', 500, 'internal_error'>
      503: RefusalOf<'listUsage', 503, 'service_unavailable'>
      504: RefusalOf<'listUsage', 504, 'upstream_timeout'>
    }
  }
  summarizeUsage: {
    params: ParamsOf<'summarizeUsage'>
    query: QueryOf<'summarizeUsage', 'by' | 'limit'>
    headers: HeadersOf<'summarizeUsage'>
    body: BodyOf<'summarizeUsage'>
    responses: {
      200: AnswerOf<'summarizeUsage', 200>
      400: RefusalOf<'summarizeUsage', 400, 'invalid_cursor' | 'invalid_parameter'>
      401: RefusalOf<'summarizeUsage', 401, 'missing_api_key' | 'invalid_api_key'>
      402: RefusalOf<'summarizeUsage', 402, 'out_of_credits'>
      403: RefusalOf<'summarizeUsage', 403, 'account_suspended' | 'plan_not_allowed' | 'key_not_allowed'>
      406: RefusalOf<'summarizeUsage', 406, 'not_acceptable'>
      414: RefusalOf<'summarizeUsage', 414, 'uri_too_long'>
      429: RefusalOf<'summarizeUsage', 429, 'rate_limited'>
      431: RefusalOf<'summarizeUsage', 431, 'headers_too_large'>
      500: RefusalOf<'summarizeUsage', 500, 'internal_error'>
      503: RefusalOf<'summarizeUsage', 503, 'service_unavailable'>
      504: RefusalOf<'summarizeUsage', 504, 'upstream_timeout'>
    }
  }
}
