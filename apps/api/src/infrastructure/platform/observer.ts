// What a process reports about its work, for metrics (metrics/) and traces (tracing/). The domain calls this one interface
// and knows neither Prometheus nor OpenTelemetry; app.ts decides who listens. Reports never contain an account, a key, an
// address or a URL, and each text is one of a fixed set, so that an observer can use it as a label.

import type { ErrorCode, JobStatus, JobType, OperationId } from '@lotline/contract'

/** Ends what was begun, once, and says how. */
export type ReportEnd<Outcome extends string> = (outcome: Outcome) => void

/** What a provider can be asked; the names of the port. */
export type ProviderQuery = 'findByZpid' | 'findByUrl' | 'findByAddress' | 'findUnits' | 'search'
/** `left`: the client disconnected. `broken`: a failure of the service. */
export type AnswerOutcome = 'answered' | 'timed_out' | 'failed' | 'left' | 'broken'
export type WaitOutcome = 'entered' | 'cancelled'
export type SettleOutcome = 'settled' | 'insufficient' | 'stale' | 'failed'
/** `not_sent`: the webhook was revoked, or another sender has the attempt. `broken`: a failure of the service, or a stop. */
export type AttemptOutcome = 'delivered' | 'refused' | 'no_answer' | 'not_sent' | 'broken'
/** `silent`: there was something to evaluate, and no event came of it. */
export type EvaluationOutcome = 'reported' | 'silent' | 'failed'
/** `incomplete`: the source did not send all. `dropped`: the watch was changed, paused, or deleted meanwhile. */
export type ScanOutcome = 'complete' | 'incomplete' | 'failed' | 'dropped'
/** In all but the first case the primary does the search. `behind`: the replica has not come to the newest import yet. */
export type ReplicaOutcome = 'answered' | 'behind' | 'away' | 'failed'
export type MailKind = 'sign_in' | 'sign_up' | 'invitation'
/** `limited`: it was not sent, because too many were asked for. */
export type MailOutcome = 'sent' | 'failed' | 'limited'
/**
 * Where a record was found; `nowhere`: its provider knows no such home; `missed_before`: its provider said so within the
 * last 10 minutes and was not asked again.
 */
export type RecordOrigin = 'memory' | 'table' | 'provider' | 'nowhere' | 'missed_before'

/**
 * What happens to connectors. `approved`: a user has approved one, or an external issuer's first token of it came. `connected`,
 * `refreshed`: it got tokens. `refused`: it did not, or a token of the external issuer does not work or gets no key. `reused`: a code or refresh token was
 * used again, which ended the connector. `issuer_away`: a token of the external issuer could not be judged.
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

/** A request, when its connection is done with it. */
export interface FinishedRequest {
  readonly method: string
  /** The template that the path fits, such as /v1/properties/{zpid}; undefined when it fits none. */
  readonly route: string | undefined
  /** undefined: the client disconnected before the response was out. */
  readonly status: number | undefined
  /** Why it was refused. */
  readonly code: ErrorCode | undefined
  /** Whether it is a call under /v1 or of a tool, and then whether it passed key, balance and rate window. */
  readonly admitted: boolean | undefined
  readonly ms: number
}

/** The header that joins a request to its caller's trace (W3C Trace Context). `tracestate` is not taken: any text may be in it. */
export interface TraceHeaders {
  readonly traceparent: string | undefined
}

export interface Observer {
  requestOver(request: FinishedRequest): void
  /** The parser refused what a connection sent. */
  unreadableRequest(): void
  /** A call without a valid key was refused unread, because too many came from its address. */
  guessRefused(): void
  oauth(event: OauthEvent): void
  /** What became of an event about a payment. */
  paymentEvent(outcome: PaymentEventOutcome): void
  /** A call waits for its key's slot. */
  waitForSlot(): ReportEnd<WaitOutcome>
  /** A call waits for its charge to be on disk. */
  settle(): ReportEnd<SettleOutcome>
  /** Calls were settled together, in one statement. */
  settledGroup(calls: number, ms: number): void
  charged(operation: string, credits: number): void
  recordFound(where: RecordOrigin): void
  /** A query waits for its turn with the provider. */
  waitForProvider(background: boolean): ReportEnd<WaitOutcome>
  /** The source is asked once; retries are queries of their own. */
  askProvider(query: ProviderQuery): ReportEnd<AnswerOutcome>
  providerDropped(rows: number): void
  /** A provider answered in place of one that failed. */
  fellBack(): void
  /** A search that may be done on the read replica. */
  searchedOnReplica(outcome: ReplicaOutcome): void
  circuit(state: 'closed' | 'open'): void
  /** Around all that one worker does for one job. */
  runJob<T>(type: JobType, run: () => Promise<T>): Promise<T>
  jobEnded(operation: OperationId, status: JobStatus): void
  attemptWebhook(): ReportEnd<AttemptOutcome>
  /** Events of watches were written, these seconds after the changes that they report. */
  watchEvents(lagSeconds: readonly number[]): void
  /** A step of the evaluation of watches from the change log. */
  watchesEvaluated(outcome: EvaluationOutcome, ms: number): void
  /** A watch, or what several share, could not be evaluated. It is tried again; the others go on. */
  watchFailed(): void
  /** A search of a remote data source for a watch. */
  watchScanned(outcome: ScanOutcome, ms: number): void
  /** A mail was sent, or not. `check`: the server of the mails did not answer before a mail was to be sent. */
  mail(kind: MailKind | 'check', outcome: MailOutcome): void
  /** Present where traces are kept: the request's own. */
  readonly traces?: RequestTraces
}

export interface RequestTraces {
  /** Runs what follows as part of the request's trace. */
  begin(headers: TraceHeaders, follow: () => void): RequestTrace
}

export interface RequestTrace {
  end(
    request: FinishedRequest & { readonly requestId: string; readonly operation: OperationId | undefined },
  ): void
}

/**
 * forged: its signature does not fit. mismatch: it does not fit the purchase that it names. ignored: it concerns no purchase. failed: it
 * is sent again.
 */
export type PaymentEventOutcome =
  | 'changed'
  | 'unchanged'
  | 'ignored'
  | 'unknown'
  | 'mismatch'
  | 'forged'
  | 'failed'

const nothing = () => {}
const reportNothing = () => nothing

/** Reports to nothing. */
export const SILENT: Observer = {
  requestOver: nothing,
  unreadableRequest: nothing,
  guessRefused: nothing,
  oauth: nothing,
  paymentEvent: nothing,
  waitForSlot: reportNothing,
  settle: reportNothing,
  settledGroup: nothing,
  charged: nothing,
  recordFound: nothing,
  waitForProvider: reportNothing,
  askProvider: reportNothing,
  providerDropped: nothing,
  fellBack: nothing,
  searchedOnReplica: nothing,
  circuit: nothing,
  runJob: (_type, run) => run(),
  jobEnded: nothing,
  attemptWebhook: reportNothing,
  watchEvents: nothing,
  watchesEvaluated: nothing,
  watchFailed: nothing,
  watchScanned: nothing,
  mail: nothing,
}
