// Tools of jobs, the account, and watches.

import { createHash } from 'node:crypto'
import { operations } from '../generated/operations.ts'
import { priceInWords } from '../price-in-words.ts'
import { type Arguments, DEFAULT_MAX_CREDITS, type Tool } from './tool.ts'
import {
  call,
  choose,
  continueAt,
  countSchema,
  describePrice,
  FREE_PRICE_TEXT,
  fieldsInput,
  fromMeta,
  given,
  inputSchema,
  limitInput,
  maxCredits,
  offsetInput,
  outputSchema,
  READ_ONLY_HINTS,
  RECORD_SCHEMA,
  ROW_SCHEMA,
  SOURCE_SCHEMA,
  UNIT_SCHEMA,
} from './tool-parts.ts'
import { pickProperties, resultSchema } from './tool-schemas.ts'

const JOB_SCHEMA = [
  'id',
  'type',
  'status',
  'chain_stage',
  'progress',
  'result_count',
  'failure_count',
  'failures',
  'skipped_count',
  'error',
  'coverage',
  'credits_held',
  'credits_charged',
  'truncated_by',
  'created_at',
  'started_at',
  'completed_at',
]
const EVENT_SCHEMA = [
  'id',
  'seq',
  'watch_id',
  'type',
  'zpid',
  'reason',
  'changed',
  'previous',
  'current',
  'change',
  'observed_at',
  'source',
  'withheld',
]
/** Failed entries that a job shows. GET /v1/jobs/{id} lists all. */
const MAX_FAILURES = 20

export const startJob: Tool = {
  name: 'start_job',
  title: 'Start a job',
  description: `Starts work that takes longer than a call: a search of up to 1,000,000 homes (type search), one that also returns the full records (search_with_details), or up to 500 lookups (lookups). The same call within 24 hours returns the same job, unless idempotency_key differs. Charged when it succeeds: search: ${describePrice('searchListings')} search_with_details: ${describePrice('searchWithDetails')} lookups: ${describePrice('createPropertyBatch')}`,
  inputSchema: inputSchema(
    {
      type: {
        type: 'string',
        enum: ['search', 'search_with_details', 'lookups'],
        description: 'The work to do.',
      },
      filters: { type: 'object', description: 'For both searches: the filters, as for search_listings.' },
      limit: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'The most rows to return.' },
      all_listings: {
        type: 'boolean',
        default: false,
        description: 'For both searches: true splits the map until every listing of the area is found.',
      },
      urls: {
        type: 'array',
        maxItems: 500,
        items: { type: 'string' },
        description: 'For lookups: URLs of listings.',
      },
      addresses: {
        type: 'array',
        maxItems: 500,
        items: { type: 'string' },
        description: 'For lookups: addresses.',
      },
      extract_units: {
        type: 'string',
        enum: ['disabled', 'all', 'for_sale', 'for_rent', 'recently_sold', 'off_market'],
        description: 'For lookups: which units of buildings to return.',
      },
      idempotency_key: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        pattern: '^[\\x21-\\x7e]+$',
        description: 'Send a new one to start the same work again.',
      },
      max_credits: maxCredits,
    },
    ['type'],
  ),
  outputSchema: outputSchema({ job: resultSchema('AcceptedJob') }, ['job', 'credits_charged']),
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: true },
  judgedByApi: ['filters', 'urls', 'addresses', 'extract_units'],
  target({ type }) {
    if (type === 'search') return { operation: 'searchListings' }
    if (type === 'search_with_details') return { operation: 'searchWithDetails' }
    return { operation: type === 'lookups' ? 'createPropertyBatch' : undefined }
  },
  toCall(args) {
    const { type, idempotency_key: own, ...asked } = args
    const key = own ?? `mcp-${createHash('sha256').update(toJsonText(args)).digest('hex').slice(0, 32)}`
    const headers = { 'idempotency-key': String(key) }
    if (type === 'lookups') {
      const body = {
        urls: asked.urls,
        addresses: asked.addresses,
        maxItems: asked.limit,
        extractBuildingUnits: asked.extract_units,
      }
      return call('createPropertyBatch', args, { headers, body: given(body) })
    }
    const body = {
      filters: asked.filters,
      maxItems: asked.limit,
      ...(asked.all_listings === true && { extractionMethod: 'PAGINATION_WITH_ZOOM_IN' }),
    }
    return type === 'search'
      ? call('searchListings', args, { headers, body: given({ ...body, async: true }) })
      : call('searchWithDetails', args, { headers, body: given(body) })
  },
  toContent: ({ data }) => ({ job: data }),
}

/** The same text for the same arguments, in whatever order their names were sent, and with or without the defaults. */
function toJsonText(args: Arguments): string {
  const { all_listings: all = false, max_credits: credits = DEFAULT_MAX_CREDITS, ...rest } = args
  return JSON.stringify({ ...rest, all_listings: all, max_credits: credits }, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

const jobId = { type: 'string', maxLength: 100, description: 'job_id of start_job.' }

export const getJob: Tool = {
  name: 'get_job',
  title: 'Get a job',
  description: `Returns the status of a job. Ask again every few seconds until status is succeeded, failed, timed_out, or aborted. ${FREE_PRICE_TEXT}`,
  inputSchema: inputSchema({ job_id: jobId }, ['job_id']),
  outputSchema: outputSchema({ job: pickProperties('Job', JOB_SCHEMA) }, ['job', 'credits_charged']),
  annotations: { ...READ_ONLY_HINTS, openWorldHint: false },
  judgedByApi: ['job_id'],
  target: (args) => ({ operation: 'getJob', params: { id: args.job_id } }),
  toCall: (args) => call('getJob', {}, { params: { id: String(args.job_id) } }),
  toContent({ data }) {
    const job = choose(data, JOB_SCHEMA, {})
    return { job: { ...job, failures: (job.failures as unknown[]).slice(0, MAX_FAILURES) } }
  },
}

export const readResults: Tool = {
  name: 'read_results',
  title: 'Read the results of a job',
  description: `Returns rows of a job that succeeded, with the main facts; fields adds more. next_offset leads to the next rows. ${FREE_PRICE_TEXT}`,
  inputSchema: inputSchema(
    { job_id: jobId, limit: limitInput(200, 25), offset: offsetInput, fields: fieldsInput('a row') },
    ['job_id'],
  ),
  outputSchema: outputSchema(
    {
      rows: { type: 'array', items: { type: 'object' } },
      total: countSchema('The number of rows of the whole result.'),
      offset: countSchema('The offset of the rows here.'),
      next_offset: countSchema('offset of the next rows. Absent if there are none.'),
      ...SOURCE_SCHEMA,
    },
    ['rows', 'total', 'credits_charged'],
  ),
  annotations: { ...READ_ONLY_HINTS, openWorldHint: false },
  judgedByApi: ['job_id'],
  target: (args) => ({ operation: 'getJobResults', params: { id: args.job_id } }),
  toCall: (args) =>
    call(
      'getJobResults',
      {},
      {
        params: { id: String(args.job_id) },
        query: { limit: String(args.limit), offset: String(args.offset), format: 'json' },
      },
    ),
  toContent({ data, meta }, args) {
    const names = [...new Set([...ROW_SCHEMA, ...RECORD_SCHEMA, ...UNIT_SCHEMA, 'input'])]
    const rows = (data as unknown[]).map((row) => choose(row, names, args))
    const next = Number(meta?.offset) + rows.length
    return {
      rows,
      total: meta?.total,
      offset: args.offset,
      ...(meta?.has_more === true && { next_offset: next }),
      ...fromMeta(meta, 'truncated_by', 'source'),
    }
  },
  list: { name: 'rows', rest: continueAt },
}

export const getAccount: Tool = {
  name: 'get_account',
  title: 'Get the account',
  description: `Returns the account of the key: its plan, credits, and usage. ${FREE_PRICE_TEXT}`,
  inputSchema: inputSchema({}),
  outputSchema: outputSchema({ account: resultSchema('Account') }, ['account', 'credits_charged']),
  annotations: { ...READ_ONLY_HINTS, openWorldHint: false },
  judgedByApi: [],
  target: () => ({ operation: 'getAccount' }),
  toCall: () => call('getAccount', {}),
  toContent: ({ data }) => ({ account: data }),
}

export const createWatch: Tool = {
  name: 'create_watch',
  title: 'Create a watch',
  description: `Saves a search, or a list of zpids, and reports changes of its homes as events: new listings, prices, removals. Read them with read_watch_events. Price in credits: ${priceInWords(operations.createWatch)}. max_credits does not limit events; a credit limit of the key does.`,
  inputSchema: inputSchema(
    {
      name: { type: 'string', minLength: 1, maxLength: 100, description: 'A name of your own.' },
      filters: {
        type: 'object',
        description: 'The filters, as for search_listings. Send either filters or zpids.',
      },
      zpids: { type: 'array', maxItems: 1000, items: { type: 'string' }, description: 'The homes to watch.' },
      events: {
        type: 'array',
        maxItems: 5,
        items: { type: 'string' },
        description: 'The events to report. Default: all.',
      },
      every: { type: 'string', description: 'change, 1h, 6h, 1d, or 7d.' },
    },
    ['name'],
  ),
  outputSchema: outputSchema(
    { watch: pickProperties('ListedWatch', ['id', 'name', 'status', 'every', 'created_at']) },
    ['watch', 'credits_charged'],
  ),
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: true },
  judgedByApi: ['name', 'filters', 'zpids', 'events', 'every'],
  target: () => ({ operation: 'createWatch' }),
  toCall: ({ name, filters, zpids, events, every }) =>
    call('createWatch', {}, { body: given({ name, filters, zpids, events, every }) }),
  toContent: ({ data }) => ({ watch: choose(data, ['id', 'name', 'status', 'every', 'created_at'], {}) }),
}

export const readWatchEvents: Tool = {
  name: 'read_watch_events',
  title: 'Read the events of a watch',
  description: `Returns the events of a watch after the number after. next_after is after of the next call. ${FREE_PRICE_TEXT}`,
  inputSchema: inputSchema(
    {
      watch_id: { type: 'string', maxLength: 100, description: 'id of create_watch.' },
      after: { type: 'integer', minimum: 0, default: 0, description: 'next_after of the result before.' },
      limit: limitInput(200, 50),
      fields: fieldsInput('an event, such as listing'),
    },
    ['watch_id'],
  ),
  outputSchema: outputSchema(
    {
      events: { type: 'array', items: pickProperties('WatchEvent', EVENT_SCHEMA) },
      has_more: { type: 'boolean', description: 'Whether there are more events after these.' },
      next_after: countSchema('after of the next call.'),
    },
    ['events', 'has_more', 'next_after', 'credits_charged'],
  ),
  annotations: { ...READ_ONLY_HINTS, openWorldHint: false },
  judgedByApi: ['watch_id', 'after'],
  target: (args) => ({ operation: 'listWatchEvents', params: { id: args.watch_id } }),
  toCall: (args) =>
    call(
      'listWatchEvents',
      {},
      {
        params: { id: String(args.watch_id) },
        query: { after: String(args.after), limit: String(args.limit), format: 'json' },
      },
    ),
  toContent: ({ data, meta }, args) => ({
    events: (data as unknown[]).map((event) => choose(event, EVENT_SCHEMA, args)),
    ...fromMeta(meta, 'has_more', 'next_after'),
  }),
  list: {
    name: 'events',
    rest: (content) => ({
      ...content,
      has_more: true,
      next_after: (content.events as { seq: number }[]).at(-1)!.seq,
    }),
  },
}
