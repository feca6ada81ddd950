/**
 * The types of the contract under the names that people use. Each is the schema of the same name, but for
 * `ErrorBody`, which the contract calls Error. `Schemas` reaches those that have no name of their own here.
 */
import type { ErrorCode, errorDetails } from './generated/errors.ts'
import type { components, paths, webhooks } from './generated/types.ts'

export type Schemas = components['schemas']

export type Property = Schemas['Property']
export type ResoFacts = Schemas['ResoFacts']
export type Address = Schemas['Address']
export type Agent = Schemas['Agent']
export type NearbyHome = Schemas['NearbyHome']
export type OpenHouse = Schemas['OpenHouse']
export type Photo = Schemas['Photo']
export type PriceEvent = Schemas['PriceEvent']
export type School = Schemas['School']
export type TaxEvent = Schemas['TaxEvent']
export type Zestimate = Schemas['Zestimate']

export type BuildingUnit = Schemas['BuildingUnit']

export type BoundingBox = Schemas['BoundingBox']
export type DaysOnSite = Schemas['DaysOnSite']
export type ExtractionMethod = Schemas['ExtractionMethod']
export type ExtractUnits = Schemas['ExtractUnits']
export type HomeType = Schemas['HomeType']
export type SaleType = Schemas['SaleType']
export type ListingStatus = Schemas['ListingStatus']
export type SearchFilters = Schemas['SearchFilters']
export type SearchRequest = Schemas['SearchRequest']
export type SearchRow = Schemas['SearchRow']
export type SearchStatus = Schemas['SearchStatus']

export type AcceptedJob = Schemas['AcceptedJob']
export type Job = Schemas['Job']
export type JobCoverage = Schemas['JobCoverage']
export type JobError = Schemas['JobError']
export type JobFailure = Schemas['JobFailure']
export type JobSkipped = Schemas['JobSkipped']
/** The known ones: the contract leaves the list open for clients, and the service has these. */
export type JobStatus = JobFilters['status']
/** The known ones, as of `JobStatus`. */
export type JobType = JobFilters['type']

export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']
/** Names that `data` of another kind of event has. */
type Without<Name extends string> = { data: { [N in Name]?: undefined } }
export type JobEvent = Schemas['JobEvent'] & Without<'watch' | 'events'>
export type WatchChangesEvent = Schemas['WatchChangesEvent'] & Without<'job'>
export type WatchStatusEvent = Schemas['WatchStatusEvent'] & Without<'job' | 'events'>
export type PingEvent = Omit<Schemas['PingEvent'], 'data'> & Without<'job' | 'watch' | 'events'>
/**
 * All that a receiver can get. `data.job` is the job of an event about one, `data.watch` the watch, with `data.events` if
 * homes have changed. The test delivery has none of them.
 */
export type WebhookEvent = JobEvent | WatchChangesEvent | WatchStatusEvent | PingEvent
export type WebhookWithSecret = Schemas['WebhookWithSecret']
/** The name of an event, as webhooks subscribe to it. There is no subscription to the test delivery: every webhook can get it. */
export type WebhookEventType = Exclude<keyof webhooks, 'webhook.ping'>

export type Account = Schemas['Account']
export type UsageRow = Schemas['UsageRow']

export type ErrorBody = Schemas['Error']
type DetailFields = NonNullable<ErrorBody['error']['details']>
/** The fields that `error.details` can have with a code. Each of them may be absent. */
export type ErrorDetails<Code extends ErrorCode> = {
  [C in Code]: Pick<DetailFields, (typeof errorDetails)[C][number]>
}[Code]
/** The codes with which `error.details` can have fields that the contract names. */
export type DetailedErrorCode = {
  [Code in ErrorCode]: (typeof errorDetails)[Code] extends readonly [] ? never : Code
}[ErrorCode]
/** Those of every code. */
export type AnyErrorDetails = Pick<DetailFields, (typeof errorDetails)[ErrorCode][number]>

type JobFilters = Required<NonNullable<paths['/v1/jobs']['get']['parameters']['query']>>
