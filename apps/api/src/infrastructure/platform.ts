// Small parts without a domain: secrets, batches, intervals, retries, and the observer that the service reports to.

export { batch, batchPerTurn } from './platform/batch.ts'
export { type Chore, startChores } from './platform/chores.ts'
export { FairTurns } from './platform/fair-turns.ts'
export { collectFor } from './platform/gather.ts'
export { type Interval, interval } from './platform/interval.ts'
export { keepLease } from './platform/keep-lease.ts'
export { lotlineCommand, watchLaunchers } from './platform/launchers.ts'
export {
  type AnswerOutcome,
  type AttemptOutcome,
  type EvaluationOutcome,
  type OauthEvent,
  type Observer,
  type ProviderQuery,
  type ReportEnd,
  type RequestTrace,
  type RequestTraces,
  type ScanOutcome,
  SILENT_OBSERVER,
} from './platform/observer.ts'
export { orAborted } from './platform/or-aborted.ts'
export { createToken, csrfToken, isToken, tokenDigest } from './platform/random-token.ts'
export { exponentialBackoff, pause, poll, type RetryBounds, retry } from './platform/retry.ts'
export { Secret } from './platform/secret.ts'
export { singleFlight, singleFlights } from './platform/single-flight.ts'
export { nextEventLoopTurn, runInSlices } from './platform/slices.ts'
export { type BucketLimit, TokenBucket, TokenBuckets } from './platform/token-buckets.ts'
export { createWorkQueue } from './platform/work-queue.ts'
