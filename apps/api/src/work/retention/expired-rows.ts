// What the database keeps for a time only, and for how long: one line for each table. remove-expired.ts removes it.
//
// Jobs are not here: a job is removed with its rows, piece by piece, and its account's stored sums are lowered with it
// (jobs/store/sweeper.ts). Months of the ledger are moved to files (credits/archive).

import { CHANGES_KEPT_DAYS } from '../../data/sources.ts'
import { EVENTS_KEPT_DAYS } from '../events/event.ts'
import { DELETED_KEPT_DAYS } from '../watches/delete-watch.ts'
import { REMEMBERED_DAYS, WATCH_EVENTS_KEPT_DAYS } from '../watches/home-event.ts'

export interface ExpiredRows {
  readonly table: string
  /** SQL: whether a row may be removed. It uses an index, or the table is small. */
  readonly expired: string
  /** SQL: which rows go first, where an index gives them in this order. */
  readonly order?: string
  /** Rows of one statement, so that nothing is locked for long. */
  readonly atATime: number
  /** SQL that removes what belongs to the removed rows, which are in `old`. */
  readonly also?: readonly string[]
}

const olderThan = (column: string, days: number) => `${column} < now() - interval '${days} days'`
const MANY = 5_000
const SOME = 500

/**
 * Days for which the service knows what is withheld of a home. Events of watches are kept for the longest time of all that is stored
 * with homes: rows of jobs and messages to webhooks are kept for 30 days. A transaction takes no two days.
 */
const WITHHELD_KEPT_DAYS = WATCH_EVENTS_KEPT_DAYS + 5

/** In the order of removal. */
export const EXPIRED_ROWS = [
  { table: 'webhook_pauses', expired: 'until < now()', atATime: MANY },
  // Attempts go before their events, with which they are shown.
  { table: 'webhook_attempts', expired: olderThan('attempted_at', EVENTS_KEPT_DAYS), atATime: MANY },
  {
    table: 'webhook_events',
    expired: olderThan('happened_at', EVENTS_KEPT_DAYS),
    order: 'happened_at',
    // Each has up to 100 deliveries.
    atATime: 1_000,
    also: [
      'delete from webhook_deliveries d using old where d.account_id = old.account_id and d.event_id = old.id',
    ],
  },
  {
    table: 'webhooks',
    expired: olderThan('revoked_at', EVENTS_KEPT_DAYS),
    order: 'revoked_at',
    atATime: MANY,
    also: ['webhook_secrets', 'webhook_thresholds_sent'].map(
      (table) =>
        `delete from ${table} x using old where x.account_id = old.account_id and x.webhook_id = old.id`,
    ),
  },
  { table: 'watch_events', expired: olderThan('written_at', WATCH_EVENTS_KEPT_DAYS), atATime: MANY },
  // Homes that left so long ago would be new if they came back, as if they had never been there.
  { table: 'watch_homes', expired: olderThan('left_at', REMEMBERED_DAYS + 1), atATime: MANY },
  { table: 'deleted_watches', expired: olderThan('deleted_at', DELETED_KEPT_DAYS), atATime: MANY },
  // Nothing is stored any more that shows these homes as they were before.
  { table: 'withheld_homes', expired: olderThan('since', WITHHELD_KEPT_DAYS), atATime: MANY },
  // By the BRIN index on observed_at, which the rows follow.
  { table: 'listing_changes', expired: olderThan('observed_at', CHANGES_KEPT_DAYS), atATime: MANY },
  // Cached records that were not requested since they went stale: each home that was ever looked up at a remote provider would
  // leave its record, also in each backup. Twice as old as a record may be served, so that no call under way was made from it.
  {
    table: 'cached_records',
    expired: 'fetched_at < now() - 2 * cached_record_lifetime()',
    order: 'fetched_at',
    atATime: SOME,
  },
  // Twice as old as a miss may be served.
  {
    table: 'missed_lookups',
    expired: "missed_at < now() - interval '20 minutes'",
    order: 'missed_at',
    atATime: SOME,
  },
  // An hour after they expired, when no transaction can read them any more.
  { table: 'idempotency_keys', expired: "created_at < now() - interval '25 hours'", atATime: MANY },
  // A rate says for an hour after its end how much of it is unused.
  { table: 'budgets', expired: "ends_at < now() - interval '1 hour'", atATime: MANY },
  { table: 'provider_usage', expired: olderThan('hour', 31), atATime: MANY },
  { table: 'oauth_records', expired: 'expires_at < now()', order: 'expires_at', atATime: SOME },
  { table: 'one_time_links', expired: 'expires_at <= now()', atATime: MANY },
  { table: 'browser_sessions', expired: 'expires_at <= now()', atATime: MANY },
] as const satisfies readonly ExpiredRows[]
