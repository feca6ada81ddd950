// All metrics, with their meaning. A test checks that the Grafana dashboard and the alert rules (apps/api/deploy) use no others. Labels
// have few values: there is none for accounts, keys, raw paths, or texts.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { CounterSeries, HistogramSeries } from './series.ts'

/** From the time of a cached lookup to the five minutes that a synchronous call may take. */
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30]
const JOB_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600]
const GROUP_CALLS = [1, 2, 4, 8, 16, 32, 64, 128, 256]

export type Families = ReturnType<typeof createFamilies>

export function createFamilies(registry: Registry) {
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter<L>({ name, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge<L>({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram<L>({ name, help, buckets, labelNames, registers })
  // For the amounts of each call.
  const counterSeries = (name: string, help: string, labelNames: string[]) =>
    new CounterSeries({ name, help, labelNames, registers })
  const histogramSeries = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new HistogramSeries({ name, help, buckets, labelNames, registers })

  return {
    // ── requests
    requests: histogramSeries(
      'lotline_http_request_duration_seconds',
      'From the head of a request to the last byte of its answer. Status 499: the client disconnected.',
      CALL_SECONDS,
      ['method', 'route', 'status'],
    ),
    unreadable: counter(
      'lotline_http_unreadable_total',
      'Requests that are not valid HTTP, too large or too slow.',
    ),
    admissions: counterSeries(
      'lotline_admissions_total',
      'Requests under /v1 and calls of tools by how key, account, balance and rate window judged them: admitted, or the error code.',
      ['outcome'],
    ),
    refusals: counterSeries('lotline_refusals_total', 'Answers with an error code, admitted or not.', [
      'code',
    ]),
    guesses: counter(
      'lotline_failed_keys_limited_total',
      'Calls without a valid key that were refused without work, because too many came from their address.',
    ),
    oauth: counter(
      'lotline_oauth_events_total',
      'What happened to connectors: approved, denied, registered, connected, refreshed, refused, reused (a token that was used twice ended one), or issuer_away (keys of the external issuer are missing).',
      ['event'],
    ),
    mails: counter(
      'lotline_mails_total',
      'Mails of this process by kind and outcome. Kind check: the server of the mails could not be reached.',
      ['kind', 'outcome'],
    ),
    watchSubscribers: counter(
      'lotline_watch_subscribers_total',
      'What persons did with the mails of watches: confirmed, unsubscribed, or refused (the account may not mail them again); or digest_failed: every attempt to send a digest failed.',
      ['event'],
    ),
    slotWait: histogramSeries(
      'lotline_slot_wait_seconds',
      'How long calls waited for their key’s one slot.',
      CALL_SECONDS,
      ['outcome'],
    ),
    waitingBytes: gauge(
      'lotline_waiting_input_bytes',
      'Memory that calls hold which wait for their key’s slot. Above 64 MiB the largest are refused with 503.',
    ),
    limitsAvailable: gauge(
      'lotline_limits_available',
      '1 while calls can be counted, and so admitted; 0 while Valkey, or the right to be the only process, is away.',
    ),
    // ── credits
    credits: counterSeries('lotline_credits_charged_total', 'Credits charged by this process.', [
      'operation',
    ]),
    settle: histogramSeries(
      'lotline_settle_seconds',
      'How long a call waited for its charge and usage row to be on disk.',
      STATEMENT_SECONDS,
      ['outcome'],
    ),
    groupSeconds: histogramSeries(
      'lotline_settle_group_seconds',
      'Duration of one group commit.',
      STATEMENT_SECONDS,
    ),
    groupCalls: histogramSeries(
      'lotline_settle_group_calls',
      'Calls that were settled together.',
      GROUP_CALLS,
    ),
    auditDrift: gauge('lotline_ledger_drift', 'Contradictions that the last audit of the ledger found.'),
    auditedAt: gauge('lotline_ledger_audited_timestamp_seconds', 'When the last audit of the ledger ended.'),
    keptSince: gauge(
      'lotline_ledger_kept_since_timestamp_seconds',
      'First moment that the ledger has in the database; what is older was archived. 0: nothing was archived.',
    ),
    paymentEvents: counter(
      'lotline_payment_events_total',
      'Events of Stripe that were received. mismatch: the event does not fit the purchase that it names.',
      ['outcome'],
    ),
    // ── listings
    importedAt: gauge(
      'lotline_listings_imported_timestamp_seconds',
      'When listings of the source were last imported; the 50 latest sources.',
      ['source'],
    ),
    importedRows: gauge('lotline_listings_import_rows', 'Rows of the last import of the source.', [
      'source',
      'outcome',
    ]),
    undoneImports: gauge('lotline_imports_undone', 'Imports that were undone.'),
    retractedEvents: gauge(
      'lotline_events_retracted',
      'Events of watches that were retracted by undos of imports.',
    ),
    refundedEventCredits: gauge(
      'lotline_event_credits_refunded',
      'Credits of events of watches that were refunded because of their import.',
    ),
    sourceLag: gauge(
      'lotline_source_lag_seconds',
      'Age of the newest change of a connected source that was applied; of a file, time since its last successful run.',
      ['source'],
    ),
    sourceFailures: gauge(
      'lotline_source_failures',
      'Runs of a connected source that failed since its last success.',
      ['source'],
    ),
    importsHeld: gauge(
      'lotline_imports_held',
      'Imports of the source that are held until a person decides.',
      ['source'],
    ),
    sourceRecords: gauge(
      'lotline_source_records',
      'Records of a connected source at the end of its last run: listed, withdrawn, withheld (held back by rights), rejected, and linked to a home of another source.',
      ['source', 'state'],
    ),
    sourceCountDifference: gauge(
      'lotline_source_count_difference',
      'Difference from the number of records that a feed states. missing: the feed does not send them. surplus: it deleted them without a trace; the next sweep asks for them.',
      ['source', 'kind'],
    ),
    sourceSweepRefused: gauge(
      'lotline_source_sweep_refused',
      '1: the latest sweep of a connected source was refused, and no sweep has succeeded since.',
      ['source'],
    ),
    sourceUnknownLookups: gauge(
      'lotline_source_unknown_lookups',
      'Different lookup values of a connected source that the mapping does not know.',
      ['source'],
    ),
    sourceQuotaUsed: gauge(
      'lotline_source_quota_used',
      'Calls or bytes of the credential of a connected source, in the last `window` seconds.',
      ['source', 'unit', 'window'],
    ),
    sourceQuotaLimit: gauge(
      'lotline_source_quota_limit',
      'The limit that Lotline keeps, 20 % below that of the server.',
      ['source', 'unit', 'window'],
    ),
    records: counterSeries(
      'lotline_record_lookups_total',
      'Records looked up in the cache, by where they were found.',
      ['found_in'],
    ),
    provider: histogram(
      'lotline_provider_seconds',
      'Duration of a query to the provider. Each retry counts separately.',
      CALL_SECONDS,
      ['query', 'outcome'],
    ),
    providerWait: histogram(
      'lotline_provider_wait_seconds',
      'How long queries waited for their turn with the provider. Class: call, or job.',
      CALL_SECONDS,
      ['class', 'outcome'],
    ),
    dropped: counter('lotline_provider_dropped_rows_total', 'Rows of the provider that could not be used.'),
    fallbacks: counter(
      'lotline_provider_fallbacks_total',
      'Answers of a provider in place of one that failed (PROVIDERS).',
    ),
    replicaSearches: counter(
      'lotline_replica_searches_total',
      'Searches that the read replica could answer: answered, or done on the primary because the replica is behind, away, or failed.',
      ['outcome'],
    ),
    circuit: gauge(
      'lotline_provider_circuit_open',
      '1 while the provider is left alone because it does not answer.',
    ),
    // ── jobs and webhooks
    jobs: gauge('lotline_jobs', 'Jobs that have not ended, in all processes together.', ['type', 'status']),
    oldestJob: gauge('lotline_jobs_oldest_queued_seconds', 'Age of the oldest job that waits for a worker.'),
    jobRuns: histogram('lotline_job_run_seconds', 'How long this process worked on a job.', JOB_SECONDS, [
      'type',
      'outcome',
    ]),
    jobsEnded: counter('lotline_jobs_ended_total', 'Jobs that this process has ended.', [
      'operation',
      'status',
    ]),
    accountUse: gauge(
      'lotline_account_use',
      'What all accounts of a plan together use of a bound: failed lookups, open jobs, stored rows, stored bytes.',
      ['plan', 'bound'],
    ),
    accountUseLargest: gauge(
      'lotline_account_use_largest',
      'What the account uses that uses the most of the bound, among those of the plan.',
      ['plan', 'bound'],
    ),
    accountLimit: gauge(
      'lotline_account_limit',
      'What the plan allows each account. At it, jobs are refused (409), or lookups (429).',
      ['plan', 'bound'],
    ),
    outbox: gauge(
      'lotline_webhook_outbox',
      'Deliveries that are due and not begun, in all processes together.',
    ),
    outboxLag: gauge('lotline_webhook_outbox_lag_seconds', 'How long the oldest of them has been due.'),
    attempts: histogram('lotline_webhook_attempt_seconds', 'Webhook attempts by outcome.', CALL_SECONDS, [
      'outcome',
    ]),
    // ── watches
    watchLag: histogramSeries(
      'lotline_watch_lag_seconds',
      'From the import’s statement that changed a home to the event of a watch that reports it as the data changes.',
      JOB_SECONDS,
    ),
    watchEvaluations: histogramSeries(
      'lotline_watch_evaluation_seconds',
      'Steps of the evaluation of watches from the change log: reported (events were written), silent, or failed.',
      STATEMENT_SECONDS,
      ['outcome'],
    ),
    watchFailures: counter(
      'lotline_watch_failures_total',
      'Evaluations of a single watch that failed. It is evaluated again later, and paused after ten failures in a row.',
    ),
    watchScans: histogram(
      'lotline_watch_scan_seconds',
      'Searches of a remote data source for watches: complete, incomplete, failed, or dropped because the watch was changed.',
      JOB_SECONDS,
      ['outcome'],
    ),
    watchChanges: gauge(
      'lotline_watch_changes_waiting',
      'Changes of listings that watches have not been compared with yet, in all processes together.',
    ),
    watchesDue: gauge(
      'lotline_watches_due',
      'Watches that are due for a search or a comparison with the whole data set, in all processes together.',
    ),
    watchesPaused: gauge('lotline_watches_paused', 'Watches that are paused, by reason.', ['reason']),
    // ── the process
    journalFailing: gauge(
      'lotline_safety_journal_failing',
      '1 while the safety journal cannot be written to DATA_DIR: a restore could undo the latest revocations.',
    ),
    pool: gauge('lotline_database_connections', 'Connections of this process’s pool.', ['state']),
    poolWaiting: gauge('lotline_database_waiting', 'Statements that wait for a connection.'),
    databaseUp: gauge(
      'lotline_database_up',
      '1 when the database answered while these figures were collected.',
    ),
    info: gauge('lotline_info', 'Always 1; says what runs.', ['role', 'provider', 'node']),
  }
}
