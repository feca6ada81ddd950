// Retention periods: one entry for each table. remove-expired.ts deletes the rows.
// Jobs are not listed here: a job is deleted with its rows in pieces, and its account's stored sums are reduced with it
// (jobs/store/sweeper.ts). Months of the ledger are moved to files (credits/archive).
// Why: decisions/work/expired-rows-are-one-table.md

import { CHANGES_KEPT_DAYS } from '../../data/sources.ts'
import { IMPORT_UNDO_DAYS } from '../../data/undo.ts'
import { EVENTS_KEPT_DAYS } from '../events/event.ts'
import { DELETED_KEPT_DAYS } from '../watches/delete-watch.ts'
import { REMEMBERED_DAYS, WATCH_EVENTS_KEPT_DAYS } from '../watches/home-event.ts'
import { UNCONFIRMED_KEPT_DAYS } from '../watches/subscribers/subscriber-store.ts'

export interface ExpiredRows {
  readonly table: string
  /** SQL: whether a row has expired. The condition uses an index, or the table is small. */
  readonly expired: string
  /** SQL: which rows are deleted first, if an index provides this order. */
  readonly order?: string
  /** Rows deleted by one statement, so that no lock lasts long. */
  readonly atATime: number
  /** SQL that deletes dependent data of the deleted rows, which are in `old`. */
  readonly also?: readonly string[]
}

const olderThan = (column: string, days: number) => `${column} < now() - interval '${days} days'`
const MANY = 5_000
const SOME = 500

/**
 * Days for which the service remembers the withheld fields of a home. Watch events are kept longest of all data about homes; rows of jobs
 * and webhook messages are kept for 30 days. No transaction takes two days.
 */
const WITHHELD_KEPT_DAYS = WATCH_EVENTS_KEPT_DAYS + 5

/** As long as the files of the journal: 14 months. A DATA_DIR that is new, or was not in use, gets all of it. */
const JOURNAL_KEPT_DAYS = 430

/** In the order of deletion. */
export const EXPIRED_ROWS = [
  { table: 'webhook_pauses', expired: 'until < now()', atATime: MANY },
  // Attempts are deleted before their events, which they are shown with.
  { table: 'webhook_attempts', expired: olderThan('attempted_at', EVENTS_KEPT_DAYS), atATime: MANY },
  {
    table: 'webhook_events',
    expired: olderThan('happened_at', EVENTS_KEPT_DAYS),
    order: 'happened_at',
    // Each event has up to 100 deliveries.
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
  // An undo of an import retracts no older events.
  { table: 'watch_transitions', expired: olderThan('written_at', IMPORT_UNDO_DAYS + 1), atATime: MANY },
  { table: 'replaced_listings', expired: olderThan('kept_at', IMPORT_UNDO_DAYS), atATime: MANY },
  // A home that left this long ago counts as new if it returns, so its history has no use.
  { table: 'watch_homes', expired: olderThan('left_at', REMEMBERED_DAYS + 1), atATime: MANY },
  { table: 'deleted_watches', expired: olderThan('deleted_at', DELETED_KEPT_DAYS), atATime: MANY },
  { table: 'watch_digests', expired: olderThan('created_at', WATCH_EVENTS_KEPT_DAYS), atATime: MANY },
  // Addresses whose owners never confirmed them.
  {
    table: 'watch_subscribers',
    expired: `status = 'unconfirmed' and ${olderThan('created_at', UNCONFIRMED_KEPT_DAYS)}`,
    atATime: MANY,
  },
  // No stored data shows these homes in their earlier state any more.
  { table: 'withheld_homes', expired: olderThan('since', WITHHELD_KEPT_DAYS), atATime: MANY },
  // By the BRIN index on observed_at, which matches the order of the rows.
  { table: 'listing_changes', expired: olderThan('observed_at', CHANGES_KEPT_DAYS), atATime: MANY },
  // Cached records that no call has requested since they became stale. Without this, every home ever looked up at a remote provider would
  // stay in the table and in each backup. The period is twice the maximum age of a served record, so no running call uses one.
  {
    table: 'cached_records',
    expired: 'fetched_at < now() - 2 * cached_record_lifetime()',
    order: 'fetched_at',
    atATime: SOME,
  },
  // Twice the maximum age of a served miss.
  {
    table: 'missed_lookups',
    expired: "missed_at < now() - interval '20 minutes'",
    order: 'missed_at',
    atATime: SOME,
  },
  // An hour after they expired, when no transaction can read them any more.
  { table: 'idempotency_keys', expired: "created_at < now() - interval '25 hours'", atATime: MANY },
  // The unused part of a rate is needed for an hour after its end.
  { table: 'budgets', expired: "ends_at < now() - interval '1 hour'", atATime: MANY },
  // All processes have copied them to files. The first row names the database.
  { table: 'safety_journal', expired: `id > 0 and ${olderThan('at', JOURNAL_KEPT_DAYS)}`, atATime: MANY },
  { table: 'provider_usage', expired: olderThan('hour', 31), atATime: MANY },
  { table: 'oauth_records', expired: 'expires_at < now()', order: 'expires_at', atATime: SOME },
  { table: 'one_time_links', expired: 'expires_at <= now()', atATime: MANY },
  { table: 'browser_sessions', expired: 'expires_at <= now()', atATime: MANY },
] as const satisfies readonly ExpiredRows[]
