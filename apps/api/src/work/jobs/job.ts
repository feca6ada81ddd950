// The states and permitted transitions of a job, as data, and the input of each job type. The job's row in the database is the only state;
// migrations/ has the same transitions.

import type {
  ExtractionMethod,
  JobError,
  JobStatus,
  JobType,
  OperationId,
  WebhookEventType,
} from '@lotline/contract'
import type { StatusPreference, UnitKind } from '../../domain/record.ts'
import type { AreaSearch } from '../../domain/search.ts'

/** The permitted transitions from each state. An ended job never changes. */
export const MOVES: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['running', 'timed_out', 'aborted'],
  running: ['succeeded', 'failed', 'timed_out', 'aborted'],
  succeeded: [],
  failed: [],
  timed_out: [],
  aborted: [],
}

export const JOB_STATUSES = Object.keys(MOVES) as readonly JobStatus[]
export const JOB_TYPES: readonly JobType[] = [
  'search',
  'batch_detail',
  'chained_search_detail',
  'building_units',
]

/** Job events, in the order of the contract. A webhook without `events` subscribes to all of these. */
export const JOB_EVENTS = [
  'job.succeeded',
  'job.failed',
  'job.timed_out',
  'job.aborted',
] as const satisfies readonly WebhookEventType[]

/** A job fails after it has lost its worker this many times. */
export const MAX_CRASHES = 3
/** Milliseconds that a worker's transaction may stay idle between two statements. */
export const MAX_PAUSE_MS = 5_000
/** Retention of an ended job and its rows, in days. */
export const RETENTION_DAYS = 30

/** The notification that wakes the workers of all processes. A poll each second finds jobs without it. */
export const JOBS_CHANNEL = 'lotline_jobs'

/** The notification for jobs that ended while a worker had them, by lease token. */
export const ENDED_JOBS_CHANNEL = 'lotline_ended_jobs'

export interface JobId {
  readonly accountId: string
  readonly jobId: string
}

export type UnitsToExtract = 'disabled' | UnitKind

export interface BatchJobRequest {
  /** The entries as sent, without duplicates. `urls` come before `addresses`. */
  readonly urls: readonly string[]
  readonly addresses: readonly string[]
  readonly prefer: StatusPreference
  readonly units: UnitsToExtract
  /** The maximum number of records, including a building's own record. Absent: no limit. */
  readonly maxItems?: number
}

export interface SearchJobRequest {
  readonly searches: readonly AreaSearch[]
  readonly method: ExtractionMethod
  /** The maximum number of rows. Absent: no limit. */
  readonly maxItems?: number
}

export interface ChainedRequest {
  readonly search: AreaSearch
  readonly method: ExtractionMethod
  readonly maxItems: number
  readonly prefer: StatusPreference
  readonly units: UnitsToExtract
}

export interface BuildingRequest {
  readonly url: string
  readonly units: UnitKind
}

interface OrderOf<Type extends JobType, Request> {
  readonly type: Type
  readonly operation: OperationId
  readonly request: Request
}

/** The input of a job, by its type. */
export type JobSpec =
  | OrderOf<'batch_detail', BatchJobRequest>
  | OrderOf<'search', SearchJobRequest>
  | OrderOf<'chained_search_detail', ChainedRequest>
  | OrderOf<'building_units', BuildingRequest>

/** The searches of a job. Empty for jobs that look up homes. */
export function searchesOf(order: JobSpec): readonly AreaSearch[] {
  if (order.type === 'search') return order.request.searches
  return order.type === 'chained_search_detail' ? [order.request.search] : []
}

/** The same input with other searches. */
export function withSearches(order: JobSpec, searches: readonly AreaSearch[]): JobSpec {
  if (order.type === 'search') return { ...order, request: { ...order.request, searches } }
  if (order.type !== 'chained_search_detail') return order
  return { ...order, request: { ...order.request, search: searches[0]! } }
}

/**
 * The reason why a result is incomplete: the account's credits, the `maxItems` of a batch, the client's credit limit, or the limit of the
 * key that started the job.
 */
export type TruncatedBy = 'credits' | 'max_items' | 'max_credits' | 'key_limit'

/** How a worker's run of a job ended. */
export type Ending =
  | { readonly status: 'succeeded'; readonly truncatedBy: TruncatedBy | null }
  | { readonly status: 'failed' | 'timed_out' | 'aborted'; readonly error: JobError }

export const SUCCEEDED: Ending = { status: 'succeeded', truncatedBy: null }

export function cutBy(truncatedBy: TruncatedBy): Ending {
  return { status: 'succeeded', truncatedBy }
}

export function failed(code: JobError['code'], message: string): Ending {
  return { status: 'failed', error: { code, message } }
}
