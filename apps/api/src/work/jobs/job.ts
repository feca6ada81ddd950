// What a job is: its states and legal moves, as data, and what each type is asked to do. A job's row in the database is
// the only place where any of this is kept (migrations/0010_jobs.sql, which holds the moves too).

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

/** Where a job may go from where it stands. What has ended stays as it is. */
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

/** The events of jobs, in the order of the contract. A webhook that names no events gets these. */
export const JOB_EVENTS = [
  'job.succeeded',
  'job.failed',
  'job.timed_out',
  'job.aborted',
] as const satisfies readonly WebhookEventType[]

/** A job that lost its worker this often fails. */
export const MAX_CRASHES = 3
/** How long a transaction of a worker may wait for the worker's next statement, in milliseconds. */
export const MAX_PAUSE_MS = 5_000
/** Days for which an ended job and its rows can be read. */
export const RETENTION_DAYS = 30

/** Wakes the workers of all processes; a poll each second does without it. */
export const JOBS_CHANNEL = 'lotline_jobs'

/** Jobs that ended while a worker had them, by the token of its lease. */
export const ENDED_JOBS_CHANNEL = 'lotline_ended_jobs'

export interface JobId {
  readonly accountId: string
  readonly jobId: string
}

export type UnitsToExtract = 'disabled' | UnitKind

export interface BatchJobRequest {
  /** As they were sent, each once. `urls` come before `addresses`. */
  readonly urls: readonly string[]
  readonly addresses: readonly string[]
  readonly prefer: StatusPreference
  readonly units: UnitsToExtract
  /** The most records, a building's own among them; absent: all. */
  readonly maxItems?: number
}

export interface SearchJobRequest {
  readonly searches: readonly AreaSearch[]
  readonly method: ExtractionMethod
  /** The most rows; absent: all. */
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

/** The input of the job, by its type. */
export type JobSpec =
  | OrderOf<'batch_detail', BatchJobRequest>
  | OrderOf<'search', SearchJobRequest>
  | OrderOf<'chained_search_detail', ChainedRequest>
  | OrderOf<'building_units', BuildingRequest>

/** The searches of an order; none where it looks up homes. */
export function searchesOf(order: JobSpec): readonly AreaSearch[] {
  if (order.type === 'search') return order.request.searches
  return order.type === 'chained_search_detail' ? [order.request.search] : []
}

/** The order with these searches in the place of its own. */
export function withSearches(order: JobSpec, searches: readonly AreaSearch[]): JobSpec {
  if (order.type === 'search') return { ...order, request: { ...order.request, searches } }
  if (order.type !== 'chained_search_detail') return order
  return { ...order, request: { ...order.request, search: searches[0]! } }
}

/**
 * What kept a result from being whole: the account's credits, the `maxItems` of a batch, the client's limit of credits, or the limit
 * of the key that started the job.
 */
export type TruncatedBy = 'credits' | 'max_items' | 'max_credits' | 'key_limit'

/** How work on a job came to its end. */
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
