/**
 * The types of the contract as the SDK uses them. Only this file imports the contract: its types and one rule. The
 * published package contains them, so it depends on no other package.
 */
import type { Job, paths, Schemas } from '@lotline/contract'

export type {
  AcceptedJob,
  Account,
  Address,
  Agent,
  BoundingBox,
  BuildingUnit,
  DaysOnSite,
  DetailedErrorCode,
  ErrorDetails,
  ExtractionMethod,
  ExtractUnits,
  HomeType,
  Job,
  JobCoverage,
  JobError,
  JobEvent,
  JobFailure,
  ListingStatus,
  NearbyHome,
  OpenHouse,
  Photo,
  PingEvent,
  PriceEvent,
  Property,
  ResoFacts,
  SaleType,
  School,
  SearchFilters,
  SearchRequest,
  SearchRow,
  SearchStatus,
  TaxEvent,
  UsageRow,
  WatchChangesEvent,
  WatchStatusEvent,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookWithSecret,
  Zestimate,
} from '@lotline/contract'
export { isSearchJob, MAX_SYNC_ITEMS } from '@lotline/contract/search-mode'
export type { paths }

/** An area on the map. The helpers of `area` create it. */
export type Area = Schemas['Area']

/** An enum that may get new values. Editors suggest the known values, and programs must handle unknown ones. */
export type ErrorCode = Schemas['ErrorCode']
export type JobStatus = Schemas['JobStatus']
export type JobType = Schemas['JobType']
export type PlanId = Schemas['PlanId']
export type WebhookEventType = Schemas['WebhookEventType']

export type BatchRequest = Schemas['BatchRequest']
export type EstimateRequest = Schemas['EstimateRequest']
export type WithDetailsRequest = Schemas['WithDetailsRequest']
export type Watch = Schemas['Watch']
export type ListedWatch = Schemas['ListedWatch']
export type ApiKey = Schemas['ApiKey']
export type UsageSummaryRow = Schemas['UsageSummaryRow']
export type WatchEvent = Schemas['WatchEvent']
export type KeyInput = Schemas['ApiKeyInput']
export type KeyPatch = Schemas['ApiKeyPatch']
export type WatchInput = Schemas['WatchInput']
export type WatchPatch = Schemas['WatchPatch']
export type WebhookInput = Schemas['WebhookInput']
export type WebhookPatch = Schemas['WebhookPatch']
export type SearchMeta = Schemas['SearchMeta']
/** A home under the names of the RESO Data Dictionary. Local names begin with `X_`. */
export type ResoProperty = Schemas['ResoProperty']
export type JobResultRow = Schemas['JobResultRow']

/** A record in a job's result, with the entry of the job that it answers. */
export type PropertyRow = Schemas['RecordRow']

/** A job that ended without a result. */
export type UnsuccessfulJob = Job & { status: 'failed' | 'timed_out' | 'aborted' }

/** Codes of errors on the client's side, besides the codes of the contract. */
export type ClientErrorCode =
  | 'connection_lost'
  | 'call_timeout'
  | 'unexpected_answer'
  | 'job_failed'
  | 'job_timed_out'
  | 'job_aborted'
  | 'webhook_not_genuine'

/** Codes may be added to the contract at any time, so a program expects unknown ones. */
export type LotlineErrorCode = ErrorCode | ClientErrorCode | (string & {})

export type Method = 'get' | 'post' | 'patch' | 'delete'
export type Path = keyof paths
/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in Path]: paths[P][M] extends { responses: unknown } ? P : never
}[Path]

type PathOperation<P extends Path, M extends Method> = NonNullable<paths[P][M]>

type JsonContent<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : undefined

/** The JSON body of a success. */
export type BodyOf<P extends Path, M extends Method, Status extends number = 200> =
  PathOperation<P, M> extends { responses: infer Responses }
    ? Status extends keyof Responses
      ? JsonContent<Responses[Status]>
      : undefined
    : never

/** The query of an operation; a value that is undefined is not sent. */
export type QueryOf<P extends Path, M extends Method = 'get'> =
  PathOperation<P, M> extends { parameters: { query?: infer Query } }
    ? { [Name in keyof Query]: Query[Name] | undefined }
    : never

/** The parameters in the path of an operation. */
export type ParamsOf<P extends Path, M extends Method> =
  PathOperation<P, M> extends { parameters: { path: infer Params } } ? Params : undefined
