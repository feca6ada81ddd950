// Generated from spec/ by `pnpm generate`. Edits are lost: change the contract instead.

/** The templates of `error.message`, by code and cause; those of `input` are shared by the codes of wrong input. */
export const messageTemplates = {
  input: {
    repeated: '{place} can be given only once. Send one value.',
  },
  missing_api_key: {
    absent: 'The call has no API key. Send it in the header: Authorization: Bearer <key>.',
  },
  invalid_api_key: {
    malformed: 'The API key is malformed. Keys start with lot_ and are sent in the header: Authorization: Bearer <key>. Check that you sent the whole key.',
    unknown: 'The API key is unknown or has been revoked. Check that you sent the whole key, or use another key.',
    revoked: 'The API key has been revoked. Use another key.',
  },
  account_suspended: {
    suspended: 'The account of this key is suspended. Contact the operator of the service.',
  },
  plan_not_allowed: {
    operation: 'The {plan} plan of this account does not include the operation {operation}. Change the plan, or use another operation.',
  },
  out_of_credits: {
    empty: 'The account has no credits left. Top up, change the plan, or wait for the next cycle, then repeat the call.',
    call: 'This call needs at least {required:available credit}. You have {available}. Top up, or wait for running jobs to release credits.',
    job: 'This job needs at least {required:available credit} (1 is reserved so you can read the results). You have {available}. Top up, or wait for running jobs to release credits.',
  },
  rate_limited: {
    key: 'The {plan} plan allows {limit:request} per minute for each key. Wait for the seconds in Retry-After, then repeat the call.',
    address: 'More than {limit:call} per minute without a valid API key came from your address. Correct the key, then wait for the seconds in Retry-After.',
  },
  lookup_budget_exceeded: {
    window: 'The {plan} plan allows {limit:failed lookup} per {window}, and the account has used them up. Wait {seconds:second}, then repeat the call.',
  },
  missing_input: {
    body: 'The call has no body. Send a JSON object as the body of the request.',
  },
  invalid_json: {
    syntax: 'The body cannot be parsed as JSON. Correct it and repeat the call.',
  },
  invalid_url: {},
  invalid_address: {
    nul: 'The address contains the character U+0000. Remove it and repeat the call.',
  },
  invalid_zpid: {},
  invalid_status: {},
  invalid_extract_units: {},
  invalid_filters: {},
  invalid_search_url: {},
  invalid_events: {},
  invalid_parameter: {
    too_many_entries: 'The batch has {value:entry}; urls and addresses can have {bound} together. Split it and repeat the call.',
    not_http: 'The request is not valid HTTP. Correct the client that sends it.',
    no_host: 'The request is not valid HTTP: it has no header Host. Send the host of the service in it.',
  },
  not_found: {
    path: 'There is nothing at this path. Check it against the reference.',
    jobs_process: 'This process runs jobs and does not serve the API. Call a process that does.',
    zpid: 'No home has the zpid {value}. Check it, or look the home up by its URL or address.',
    building_of_job: 'No building is known by the URL of the job. Nothing was charged; check the URL and start a new job.',
    zpid_of_entry: 'No home has this zpid. Check it, or look the home up by its URL or address.',
    home_url: 'No home is known by this URL. Check it, or look the home up by its address.',
    building_url: 'No building is known by this URL. Check it against the address bar of the site.',
    building_record: 'No record of its own is known for the building at this URL. To get its units, repeat the call with extract_units=all, or call GET /v1/buildings/by-url with the same url.',
    building_record_in_job: 'No record of its own is known for the building at this URL. To get its units, set extractBuildingUnits to all, or call GET /v1/buildings/by-url.',
    home_or_building_url: 'No home or building is known by this URL. Check it against the address bar of the site.',
    address: 'No home is known at this address. Check the address, or look the home up by its URL.',
    several_homes: 'Several homes fit this address. Add the unit or the ZIP code.',
    unreadable_entry: 'This entry can no longer be read as a listing URL or an address. Correct it and start a new job.',
    webhook: 'The account has no webhook with this id. List your webhooks with GET /v1/webhooks.',
  },
  job_not_found: {
    unknown: 'The account has no job with this id. Jobs are kept for {days:day} after they end. List your jobs with GET /v1/jobs.',
  },
  method_not_allowed: {
    method: 'This path does not allow {method}. Use {allowed}.',
  },
  request_timeout: {
    slow: 'The request did not arrive completely in time. Send headers and body without pauses.',
  },
  job_not_ready: {
    status: 'The job is {status}; its results can be read once its status is succeeded. Follow it with GET /v1/jobs/<id>, or register a webhook.',
    ended: 'The job is {status}, so it has no results. Start a new job.',
  },
  idempotency_key_reused: {
    reused: 'This Idempotency-Key was used for a different request within the last 24 hours. Use a new key for a new request.',
  },
  job_limit: {
    open_jobs: 'The {plan} plan allows {limit:open job}, and the account has {value}. Wait until one of them ends, then repeat the call.',
    stored_rows: 'The {plan} plan allows {limit:stored result row}, and the account has {value}. Rows are removed 30 days after their job ended; change the plan to store more.',
    stored_bytes: 'The {plan} plan allows {limit:byte} of stored results, and the account has {value}. Results are removed 30 days after their job ended; change the plan to store more.',
  },
  webhook_limit: {
    live: 'The account has {bound:live webhook}, which is the limit. Delete one with DELETE /v1/webhooks/<id> before you create another.',
  },
  payload_too_large: {
    body: 'The body is larger than {bound:byte}. Split the work into several calls.',
  },
  uri_too_long: {
    url: 'The URL of the request is longer than {bound:byte}. Shorten its query, or use the POST form of the operation.',
  },
  unsupported_media_type: {
    not_json: 'The body must be JSON. Send it with the header Content-Type: application/json, and without Content-Encoding.',
  },
  headers_too_large: {
    headers: 'The request line and headers are larger than {bound:byte} together. Send fewer or shorter headers.',
  },
  internal_error: {
    job: 'Every entry failed inside the service. Nothing was charged; start the job again, and report its id if it fails again.',
    failed: 'Something failed inside the service. The call was free; repeat it, and report the request_id if it fails again.',
    entry: 'Something failed inside the service. Nothing was charged; start a new job for this entry.',
  },
  upstream_error: {
    job: 'The data source failed. Nothing was charged; start the job again later.',
    failed: 'The data source failed. The call was free; repeat it later.',
    entry: 'The data source failed. Nothing was charged; start a new job for this entry.',
  },
  service_unavailable: {
    charge_unknown: 'The service was interrupted while it charged for this call and cannot tell whether it did. Before you repeat the call, look for its request_id in GET /v1/usage.',
    unavailable: 'The service is starting, stopping or overloaded. The call was free; wait for the seconds in Retry-After, then repeat it.',
    waiting_too_large: 'Too many large calls are waiting for their turn. The call was free; wait for the seconds in Retry-After, then repeat it.',
  },
  upstream_timeout: {
    job: 'The data source did not answer in time. Nothing was charged; start the job again later.',
    upstream: 'The data source did not answer in time. The call was free; repeat it later.',
    queue: 'This call waited too long behind earlier calls of the same key. The call was free; repeat it when they have ended.',
    entry: 'The data source did not answer in time. Nothing was charged; start a new job for this entry.',
  },
} as const
