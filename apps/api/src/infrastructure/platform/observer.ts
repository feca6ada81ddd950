// The reports of a process about its work, for metrics and traces. The domain calls only this interface and does not know
// Prometheus or OpenTelemetry; app.ts connects the listeners. Reports never contain an account, a key, an address, or a URL, and
// each text is from a fixed set, so that it can be a label.

import type { ErrorCode, JobStatus, JobType, OperationId } from '@lotline/contract'

/** Reports the end and the outcome of an operation, once. */
export type ReportEnd<Outcome extends string> = (outcome: Outcome) => void

/** The queries of the provider port. */
export type ProviderQuery = 'findByZpid' | 'findByUrl' | 'findByAddress' | 'findUnits' | 'search'
/** `left`: the client disconnected. `broken`: a failure of the service. */
export type AnswerOutcome = 'answered' | 'timed_out' | 'failed' | 'left' | 'broken'
export type WaitOutcome = 'entered' | 'cancelled'
export type SettleOutcome = 'settled' | 'insufficient' | 'stale' | 'failed'
/** `not_sent`: the webhook was revoked, or another sender has the attempt. `broken`: a failure of the service, or a stop. */
export type AttemptOutcome = 'delivered' | 'refused' | 'no_answer' | 'not_sent' | 'broken'
/** `silent`: the evaluation produced no event. */
export type EvaluationOutcome = 'reported' | 'silent' | 'failed'
/** `incomplete`: the source did not send all. `dropped`: the watch was changed, paused, or deleted meanwhile. */
export type ScanOutcome = 'complete' | 'incomplete' | 'failed' | 'dropped'
/** In all cases except the first, the primary does the search. `behind`: the replica does not have the newest import yet. */
export type ReplicaOutcome = 'answered' | 'behind' | 'away' | 'failed'
export type MailKind = 'sign_in' | 'sign_up' | 'invitation' | 'watch_confirmation' | 'watch_digest'
/** `limited`: a mail budget was used up, so it was not sent. */
export type MailOutcome = 'sent' | 'failed' | 'limited'
/**
 * The answer of a person to the mails of a watch. `refused`: wants no mail because of this account. `digest_failed`: every attempt to
 * send a digest failed.
 */
export type SubscriberEvent = 'confirmed' | 'refused' | 'unsubscribed' | 'digest_failed'
/**
 * The origin of a record. `nowhere`: its provider does not know the home. `missed_before`: the provider did not find it within
 * the last 10 minutes and was not asked again.
 */
export type LookupOrigin = 'memory' | 'table' | 'provider' | 'nowhere' | 'missed_before'

/**
 * Events of connectors. `approved`: a user approved one, or the first token of an external issuer arrived. `connected`,
 * `refreshed`: it got tokens. `refused`: it got none, or a token of the external issuer is invalid or gets no key. `reused`: a
 * code or refresh token was reused, which ended the connector. `issuer_away`: a token of the external issuer could not be
 * verified.
 */
export type OauthEvent =
  | 'approved'
  | 'denied'
  | 'registered'
  | 'connected'
  | 'refreshed'
  | 'refused'
  | 'reused'
  | 'issuer_away'

/** A finished request. */
export interface FinishedRequest {
  readonly method: string
  /** The route template of the path, such as /v1/properties/{zpid}; undefined if none matches. */
  readonly route: string | undefined
  /** undefined: the client disconnected before the response was sent. */
  readonly status: number | undefined
  /** The error code of a refusal. */
  readonly code: ErrorCode | undefined
  /** undefined: it is neither a call under /v1 nor of a tool. Otherwise: whether key, balance, and rate window admitted it. */
  readonly admitted: boolean | undefined
  readonly ms: number
}

/**
 * The header that adds a request to the client's trace (W3C Trace Context). `tracestate` is ignored, because it may contain any
 * text.
 */
export interface TraceHeaders {
  readonly traceparent: string | undefined
}

export interface Observer {
  requestOver(request: FinishedRequest): void
  /** The HTTP parser refused a request. */
  unreadableRequest(): void
  /** A call without a valid key was refused unread, because its address sent too many. */
  guessRefused(): void
  oauth(event: OauthEvent): void
  /** The outcome of a payment event. */
  paymentEvent(outcome: PaymentEventOutcome): void
  /** Whether the last copy of the safety journal was written to DATA_DIR. */
  journalWritten(ok: boolean): void
  /** A call waits for its key's slot. */
  waitForSlot(): ReportEnd<WaitOutcome>
  /** A call waits for its charge to be on disk. */
  settle(): ReportEnd<SettleOutcome>
  /** Calls were settled in one statement. */
  settledGroup(calls: number, ms: number): void
  charged(operation: string, credits: number): void
  recordFound(where: LookupOrigin): void
  /** A query waits for its turn with the provider. */
  waitForProvider(background: boolean): ReportEnd<WaitOutcome>
  /** A query is sent to the provider; a retry is a new query. */
  askProvider(query: ProviderQuery): ReportEnd<AnswerOutcome>
  providerDropped(rows: number): void
  /** A provider answered in place of one that failed. */
  fellBack(): void
  /** A search that can run on the read replica. */
  searchedOnReplica(outcome: ReplicaOutcome): void
  circuit(state: 'closed' | 'open'): void
  /** Wraps all work of a worker on a job. */
  runJob<T>(type: JobType, run: () => Promise<T>): Promise<T>
  jobEnded(operation: OperationId, status: JobStatus): void
  attemptWebhook(): ReportEnd<AttemptOutcome>
  /** Events of watches were written, with their lag in seconds after the changes. */
  watchEvents(lagSeconds: readonly number[]): void
  /** A step of the evaluation of watches from the change log. */
  watchesEvaluated(outcome: EvaluationOutcome, ms: number): void
  /** A watch, or a query that several share, could not be evaluated. It is retried; the others continue. */
  watchFailed(): void
  /** A search of a remote data source for a watch. */
  watchScanned(outcome: ScanOutcome, ms: number): void
  /** The outcome of a mail. `check`: the mail server did not respond to a check before a mail. */
  mail(kind: MailKind | 'check', outcome: MailOutcome): void
  watchSubscriber(event: SubscriberEvent): void
  /** Present if traces are on: the trace of the current request. */
  readonly traces?: RequestTraces
}

export interface RequestTraces {
  /** Runs `follow` as part of the request's trace. */
  begin(headers: TraceHeaders, follow: () => void): RequestTrace
}

export interface RequestTrace {
  end(
    request: FinishedRequest & { readonly requestId: string; readonly operation: OperationId | undefined },
  ): void
}

/**
 * forged: its signature is wrong. mismatch: it does not match its purchase. ignored: it does not concern a purchase. failed:
 * Stripe sends it again.
 */
export type PaymentEventOutcome =
  | 'changed'
  | 'unchanged'
  | 'ignored'
  | 'unknown'
  | 'mismatch'
  | 'forged'
  | 'failed'

const doNothing = () => {}
const reportNothing = () => doNothing

/** An observer that ignores all reports. */
export const SILENT_OBSERVER: Observer = {
  requestOver: doNothing,
  unreadableRequest: doNothing,
  guessRefused: doNothing,
  oauth: doNothing,
  paymentEvent: doNothing,
  journalWritten: doNothing,
  waitForSlot: reportNothing,
  settle: reportNothing,
  settledGroup: doNothing,
  charged: doNothing,
  recordFound: doNothing,
  waitForProvider: reportNothing,
  askProvider: reportNothing,
  providerDropped: doNothing,
  fellBack: doNothing,
  searchedOnReplica: doNothing,
  circuit: doNothing,
  runJob: (_type, run) => run(),
  jobEnded: doNothing,
  attemptWebhook: reportNothing,
  watchEvents: doNothing,
  watchesEvaluated: doNothing,
  watchFailed: doNothing,
  watchScanned: doNothing,
  mail: doNothing,
  watchSubscriber: doNothing,
}
