/** The Lotline SDK. Start with `Lotline`. Receivers of webhooks use `verifyWebhook`. */
export { area, type Position } from './area.ts'
export { type KeptResponse, MemoryCache, type ResponseCache } from './cache.ts'
export type {
  AcceptedJob,
  Account,
  Address,
  Agent,
  ApiKey,
  Area,
  BatchRequest,
  BoundingBox,
  BuildingUnit,
  ClientErrorCode,
  DaysOnSite,
  DetailedErrorCode,
  ErrorCode,
  ErrorDetails,
  ExtractionMethod,
  ExtractUnits,
  HomeType,
  Job,
  JobCoverage,
  JobError,
  JobEvent,
  JobFailure,
  JobResultRow,
  JobStatus,
  JobType,
  KeyInput,
  KeyPatch,
  ListedWatch,
  ListingStatus,
  LotlineErrorCode,
  NearbyHome,
  OpenHouse,
  Photo,
  PingEvent,
  PriceEvent,
  Property,
  PropertyRow,
  ResoFacts,
  ResoProperty,
  SaleType,
  School,
  SearchFilters,
  SearchMeta,
  SearchRequest,
  SearchRow,
  SearchStatus,
  TaxEvent,
  UnsuccessfulJob,
  UsageRow,
  UsageSummaryRow,
  Watch,
  WatchChangesEvent,
  WatchEvent,
  WatchInput,
  WatchPatch,
  WatchStatusEvent,
  Webhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventType,
  WebhookInput,
  WebhookPatch,
  WebhookWithSecret,
  WithDetailsRequest,
  Zestimate,
} from './contract.ts'
export type { Logger } from './core/send.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  JobFailedError,
  JobLimitError,
  JobNotReadyError,
  KeyLimitError,
  LookupBudgetError,
  LotlineError,
  NotFoundError,
  OutOfCreditsError,
  RateLimitedError,
  ServerError,
  SpendingLimitError,
  TimeoutError,
  WebhookVerificationError,
} from './errors.ts'
export { type JobCall, JobHandle, type StartedJob } from './job-handle.ts'
export { Lotline } from './lotline.ts'
export type { CallOptions, JobOptions, LotlineOptions, WaitOptions } from './options.ts'
export type { UsagePage, UsageQuery } from './resources/account.ts'
export type { UnitsOptions, UnitsResult } from './resources/buildings.ts'
export type { JobsPage, JobsQuery, ResultsPage, ResultsQuery } from './resources/jobs.ts'
export type { ListingsQuery, ListingsResult } from './resources/listings.ts'
export type {
  ByAddressOptions,
  ByUrlOptions,
  ByUrlUnitsOptions,
  Fields,
  GetPropertyOptions,
} from './resources/properties.ts'
export type { WatchEventsPage, WatchEventsQuery } from './resources/watches.ts'
export type { Credits, Receipt, ResoResult, Result } from './result.ts'
export type { AsyncRows, Pages } from './rows.ts'
export type {
  FoundReso,
  FoundRows,
  FoundText,
  SearchAsJob,
  SearchCall,
  SmallSearch,
  StartedSearch,
} from './search-call.ts'
export type { CsvText, NdjsonText, TextFormat, TextMeta } from './text.ts'
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from './verify-webhook.ts'
