// Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.

/** Every code that `error.code` can have. */
export type ErrorCode =
  | 'missing_api_key'
  | 'invalid_api_key'
  | 'account_suspended'
  | 'plan_not_allowed'
  | 'key_not_allowed'
  | 'out_of_credits'
  | 'max_credits_exceeded'
  | 'key_limit_reached'
  | 'rate_limited'
  | 'lookup_budget_exceeded'
  | 'missing_input'
  | 'invalid_json'
  | 'invalid_url'
  | 'invalid_address'
  | 'invalid_zpid'
  | 'invalid_status'
  | 'invalid_extract_units'
  | 'invalid_filters'
  | 'invalid_search_url'
  | 'unknown_place'
  | 'ambiguous_place'
  | 'invalid_cursor'
  | 'invalid_events'
  | 'invalid_metadata'
  | 'invalid_parameter'
  | 'not_found'
  | 'job_not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'job_not_ready'
  | 'job_ended'
  | 'idempotency_key_reused'
  | 'job_limit'
  | 'key_count_limit'
  | 'key_revoked'
  | 'webhook_limit'
  | 'webhook_inactive'
  | 'delivery_in_progress'
  | 'watch_limit'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'headers_too_large'
  | 'internal_error'
  | 'upstream_error'
  | 'service_unavailable'
  | 'upstream_timeout'

/** The HTTP statuses that each code comes with. */
export const errorStatuses: Readonly<Record<ErrorCode, readonly number[]>> = {
  missing_api_key: [401],
  invalid_api_key: [401],
  account_suspended: [403],
  plan_not_allowed: [403],
  key_not_allowed: [403],
  out_of_credits: [402],
  max_credits_exceeded: [402],
  key_limit_reached: [402],
  rate_limited: [429],
  lookup_budget_exceeded: [429],
  missing_input: [400],
  invalid_json: [400],
  invalid_url: [400],
  invalid_address: [400],
  invalid_zpid: [400],
  invalid_status: [400],
  invalid_extract_units: [400],
  invalid_filters: [400],
  invalid_search_url: [400],
  unknown_place: [400],
  ambiguous_place: [400],
  invalid_cursor: [400],
  invalid_events: [400],
  invalid_metadata: [400],
  invalid_parameter: [400],
  not_found: [404],
  job_not_found: [404],
  method_not_allowed: [405],
  not_acceptable: [406],
  request_timeout: [408],
  job_not_ready: [409],
  job_ended: [409],
  idempotency_key_reused: [409],
  job_limit: [409],
  key_count_limit: [409],
  key_revoked: [409],
  webhook_limit: [409],
  webhook_inactive: [409],
  delivery_in_progress: [409],
  watch_limit: [409],
  payload_too_large: [413],
  uri_too_long: [414],
  unsupported_media_type: [415],
  headers_too_large: [431],
  internal_error: [500],
  upstream_error: [502],
  service_unavailable: [503],
  upstream_timeout: [504],
}

/** What each code means, and what a caller does about it, as the reference says it (Markdown). */
export const errorMeanings: Readonly<Record<ErrorCode, { readonly meaning: string; readonly remedy: string }>> = {
  missing_api_key: { meaning: 'The call has no `Authorization` header.', remedy: 'Send `Authorization: Bearer <key>`.' },
  invalid_api_key: { meaning: 'The key is malformed, unknown or revoked.', remedy: 'Check that the whole key is sent, or use another key.' },
  account_suspended: { meaning: 'The account of the key is suspended.', remedy: 'Contact the operator of the service.' },
  plan_not_allowed: { meaning: 'The plan does not include this operation.', remedy: 'Change the plan, or use another operation.' },
  key_not_allowed: { meaning: 'The key may not use this operation, or the call would give a key more than the key of the call has. Or an access token is the first of its client, and the account has as many live keys as its plan allows.', remedy: 'Use another key of the account, or revoke a key.' },
  out_of_credits: { meaning: 'The balance is 0, or fewer credits are available than the minimum cost of the call.', remedy: 'Top up, change the plan, wait for the next cycle, or wait for running jobs to release credits.' },
  max_credits_exceeded: { meaning: 'The call costs more than the limit that you set with `X-Max-Credits`, `maxCredits` or `max_credits`.', remedy: 'Raise the limit or leave it out, or ask for less.' },
  key_limit_reached: { meaning: 'The call costs more than the credit limit of its key leaves. Free calls still work.', remedy: 'Use another key, have the limit raised, or wait until it is reset.' },
  rate_limited: { meaning: 'The key used up its requests of the last 60 seconds; or too many calls without a valid key came from one address.', remedy: 'Wait for the seconds in `Retry-After`; back off exponentially with jitter. Without a valid key, correct the key first.' },
  lookup_budget_exceeded: { meaning: 'Too many lookups of the account found nothing, or too many of its calls were disconnected before they were charged: the plan\'s budget of failed lookups for the minute or the day is used up. Homes that are cached are still found.', remedy: 'Wait for the seconds in `Retry-After`; check the ids, URLs and addresses that you send, and let calls end.' },
  missing_input: { meaning: 'A required parameter or body field is absent.', remedy: 'Add what the message names.' },
  invalid_json: { meaning: 'The body cannot be parsed as JSON, or is not valid UTF-8.', remedy: 'Correct the body.' },
  invalid_url: { meaning: 'The URL is of the wrong host, kind or shape: a listing or building URL, or the target of a webhook.', remedy: 'Correct the URL.' },
  invalid_address: { meaning: 'The address is shorter than 6 characters, has no street, or has neither a city nor a ZIP code.', remedy: 'Send street, city, state and ZIP code.' },
  invalid_zpid: { meaning: 'The zpid does not consist of digits.', remedy: 'Send the digits only.' },
  invalid_status: { meaning: 'A `status` or `propertyStatus` is not one of its values.', remedy: 'Use one of the listed values.' },
  invalid_extract_units: { meaning: 'An `extract_units`, `extractBuildingUnits` or `include_units` is not one of its values.', remedy: 'Use one of the listed values.' },
  invalid_filters: { meaning: 'The search filters cannot be used: most often nothing says where to search, a box or an area is malformed, or the minimum of a range exceeds its maximum.', remedy: 'Correct what the message names.' },
  invalid_search_url: { meaning: 'A search URL has no `searchQueryState` with map bounds.', remedy: 'Copy the URL again after moving the map, or search by `filters`.' },
  unknown_place: { meaning: 'The service knows no place of this kind with this id or name.', remedy: 'Check the kind and the id or name, or send the area itself.' },
  ambiguous_place: { meaning: 'Several places of this kind have the name. `details.places` has up to 10 of them.', remedy: 'Send the `id` of one of them.' },
  invalid_cursor: { meaning: 'The cursor of a search or a list is not one of this service, or belongs to another search or list.', remedy: 'Repeat the call unchanged with `meta.next_cursor` of the page before, or start without a cursor.' },
  invalid_events: { meaning: 'The events of a webhook or a watch are unknown or named twice.', remedy: 'Send known events, or leave the field out to get all.' },
  invalid_metadata: { meaning: 'The `metadata` of a watch has more than 16 values, a value or a name that is too long, or a value that is no string.', remedy: 'Send at most 16 strings of up to 500 characters, with names of 1 to 100 characters.' },
  invalid_parameter: { meaning: 'Any other parameter or field has the wrong type, is out of its bounds, was given twice, or has the character U+0000 or half of a surrogate pair (`\\ud800`) in a string; or the request is not well-formed HTTP.', remedy: 'Correct what the message names. Values are never clamped.' },
  not_found: { meaning: 'There is no such home, building, watch, webhook, delivery, key or path.', remedy: 'Check the id, URL or address.' },
  job_not_found: { meaning: 'No job of this account has the id, or the job ended more than 30 days ago.', remedy: 'List the jobs with GET /v1/jobs.' },
  method_not_allowed: { meaning: 'The path exists, but not with this method.', remedy: 'Use the method of this reference.' },
  not_acceptable: { meaning: 'The header `Accept` names no media type of the responses of this call.', remedy: 'Leave the header out, or include `application/json`.' },
  request_timeout: { meaning: 'The request did not arrive completely in time.', remedy: 'Send it without pauses.' },
  job_not_ready: { meaning: 'The job has not succeeded, so it has no results.', remedy: 'Wait until its status is `succeeded`.' },
  job_ended: { meaning: 'The job has ended as `succeeded`, `failed` or `timed_out`, so it cannot be aborted.', remedy: 'Read the job.' },
  idempotency_key_reused: { meaning: 'The `Idempotency-Key` was used within 24 hours, for a different request, or for one whose response cannot be returned any more.', remedy: 'Use a new key for a new request.' },
  job_limit: { meaning: 'The account has as many open jobs, stored rows or stored bytes as its plan allows.', remedy: 'Wait until jobs end or until older results are removed, 30 days after their job ended; or change the plan.' },
  key_count_limit: { meaning: 'The account has as many live keys as its plan allows.', remedy: 'Revoke one first, or change the plan.' },
  key_revoked: { meaning: 'The key is revoked, has expired, or has been rotated already, so it cannot be rotated.', remedy: 'Create another one.' },
  webhook_limit: { meaning: 'The account has as many live webhooks as its plan allows.', remedy: 'Revoke one first, or change the plan.' },
  webhook_inactive: { meaning: 'The webhook is revoked, or it is paused and the call needs an active one.', remedy: 'Resume it with PATCH /v1/webhooks/{id}, or create another one.' },
  delivery_in_progress: { meaning: 'An attempt of the event is due or under way, so it cannot be sent again now.', remedy: 'Wait for the result of the attempt.' },
  watch_limit: { meaning: 'The account has as many watches as its plan allows.', remedy: 'Delete one first, or change the plan.' },
  payload_too_large: { meaning: 'The body is larger than 1 MiB.', remedy: 'Split the work into several calls.' },
  uri_too_long: { meaning: 'The URL of the request is too long.', remedy: 'Shorten it.' },
  unsupported_media_type: { meaning: 'The body is not declared as JSON.', remedy: 'Send `Content-Type: application/json`.' },
  headers_too_large: { meaning: 'The header fields are too large.', remedy: 'Send fewer or shorter headers.' },
  internal_error: { meaning: 'Something failed inside the service.', remedy: 'Repeat the call; report the `request_id` if it fails again.' },
  upstream_error: { meaning: 'The data source failed.', remedy: 'Repeat the call later.' },
  service_unavailable: { meaning: 'The service is starting, stopping or overloaded.', remedy: 'Wait for the seconds in `Retry-After`.' },
  upstream_timeout: { meaning: 'The data source, or the queue of the key, took too long.', remedy: 'Repeat the call later.' },
}

/** The fields that `error.details` can have with each code. */
export const errorDetails = {
  missing_api_key: [],
  invalid_api_key: [],
  account_suspended: [],
  plan_not_allowed: [],
  key_not_allowed: ['operation', 'exceeds', 'live_keys'],
  out_of_credits: ['balance', 'held', 'required'],
  max_credits_exceeded: ['required', 'max_credits'],
  key_limit_reached: ['required', 'limit', 'per', 'remaining', 'resets_at'],
  rate_limited: ['plan', 'limit_per_minute'],
  lookup_budget_exceeded: ['plan', 'window', 'limit'],
  missing_input: ['parameter'],
  invalid_json: [],
  invalid_url: ['parameter'],
  invalid_address: ['parameter'],
  invalid_zpid: ['parameter'],
  invalid_status: ['parameter'],
  invalid_extract_units: ['parameter'],
  invalid_filters: ['parameter', 'path', 'position', 'hint', 'count', 'limit'],
  invalid_search_url: ['parameter', 'index'],
  unknown_place: ['parameter'],
  ambiguous_place: ['parameter', 'candidates', 'places'],
  invalid_cursor: ['parameter'],
  invalid_events: ['parameter'],
  invalid_metadata: ['parameter'],
  invalid_parameter: ['parameter', 'minimum', 'maximum'],
  not_found: ['parameter', 'candidates'],
  job_not_found: ['parameter'],
  method_not_allowed: [],
  not_acceptable: [],
  request_timeout: [],
  job_not_ready: ['status'],
  job_ended: ['status'],
  idempotency_key_reused: [],
  job_limit: ['plan', 'bound', 'value', 'limit'],
  key_count_limit: [],
  key_revoked: [],
  webhook_limit: [],
  webhook_inactive: [],
  delivery_in_progress: [],
  watch_limit: [],
  payload_too_large: [],
  uri_too_long: [],
  unsupported_media_type: [],
  headers_too_large: [],
  internal_error: [],
  upstream_error: [],
  service_unavailable: ['charge'],
  upstream_timeout: ['phase'],
} as const satisfies Readonly<Record<ErrorCode, readonly string[]>>
