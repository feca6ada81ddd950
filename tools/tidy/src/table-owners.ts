// The owners of the tables: each table has one owner, a folder of the service, and nothing else inserts, updates, or deletes its rows. Reading is
// free. A function in SQL belongs to the folder whose tables it writes, and only that folder calls it.
// Why: decisions/tests/one-owner-for-each-table.md

import type { Place } from './folders.ts'

export const TABLE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  accounts: [
    'accounts',
    'api_keys',
    'browser_sessions',
    'key_limits',
    'mailboxes',
    'one_time_links',
    'provider_usage',
  ],
  billing: ['purchase_reversals', 'purchases', 'stripe_turns'],
  credits: [
    'book_archives',
    'holds',
    'ledger_audits',
    'movements',
    'movements_default',
    'operator_entries',
    'refunded_events',
    'usage_rows',
    'usage_rows_default',
    'usage_summed',
    'usage_sums',
  ],
  database: ['budgets', 'cursor_key', 'lotline_migrations', 'safety_journal'],
  engine: ['tag_secret'],
  events: ['webhook_events'],
  idempotency: ['idempotency_keys'],
  imports: [
    'held_imports',
    'held_listings',
    'import_limits',
    'imports',
    'profile_changes',
    'source_profiles',
  ],
  jobs: ['job_failures', 'job_rows', 'jobs', 'stored_jobs'],
  listings: [
    'home_parcels',
    'linked_homes',
    'listing_changes',
    'listing_sources',
    'listings',
    'removed_listings',
    'replaced_listings',
  ],
  oauth: ['oauth_records'],
  operator: ['console_access', 'operator_actions', 'operator_passkeys', 'operators', 'pending_credits'],
  places: ['place_boundaries', 'places'],
  processes: ['api_processes', 'secrets_key_holders'],
  'record-cache': ['cached_records', 'missed_lookups'],
  replication: [
    'connected_sources',
    'feed_calls',
    'feed_credentials',
    'source_cursors',
    'source_records',
    'source_related',
    'source_unknown_lookups',
    'source_unread_keys',
  ],
  rights: ['withheld_homes'],
  sources: ['data_set_version', 'record_identities'],
  watches: [
    'deleted_watches',
    'refused_mailboxes',
    'watch_digests',
    'watch_events',
    'watch_homes',
    'watch_progress',
    'watch_subscribers',
    'watch_transitions',
    'watches',
  ],
  webhooks: [
    'secret_keys',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_pauses',
    'webhook_secrets',
    'webhook_sending',
    'webhook_thresholds_sent',
    'webhooks',
  ],
}

/** Columns of `accounts` that the ledger writes: the balance, and what is reported of it. */
export const LEDGER_COLUMNS: readonly string[] = [
  'balance',
  'held',
  'expiring',
  'grant_left',
  'granted_this_cycle',
  'had_single_grant',
  'low_sent',
  'low_at',
]
/** Rows of the ledger that are final: no migration writes them outside of a function. */
export const FINAL_TABLES: readonly string[] = ['movements', 'usage_rows', 'holds']

/** It deletes what has expired, from any table (retention/expired-rows.ts), and does nothing else. */
export const REMOVER = 'retention'
/** Where the name of the table is a variable: rows that expire, tables whose names are in the same file, temporary ones, and a whole backup. */
export const WITH_NAMES: readonly Place[] = [
  'retention',
  'jobs/store/sweeper.ts',
  'database/backup',
  'credits/archive/write-archive.ts',
]

/** A function that writes tables of several folders, or calls functions that do. */
export interface SharedFunction {
  readonly owner: string
  /** All other folders whose tables it writes or whose functions it calls. */
  readonly reaches: readonly string[]
}

/** All functions of the migrations that reach into another folder. May only shrink. */
export const SHARED_FUNCTIONS: Readonly<Record<string, SharedFunction>> = {
  close_hold: { owner: 'credits', reaches: ['accounts', 'billing'] },
  credit_cycle_in_advance: { owner: 'billing', reaches: ['credits'] },
  give_purchase_back: { owner: 'billing', reaches: ['credits'] },
  grow_hold: { owner: 'credits', reaches: ['accounts'] },
  make_book_partition: { owner: 'credits', reaches: [] },
  note_operator_entry: { owner: 'credits', reaches: ['database'] },
  note_purchase: { owner: 'billing', reaches: ['credits'] },
  place_hold: { owner: 'credits', reaches: ['accounts'] },
  renew_if_due: { owner: 'credits', reaches: ['accounts'] },
  renew_prepaid: { owner: 'credits', reaches: ['accounts', 'billing'] },
  report_key_limit: { owner: 'accounts', reaches: ['events'] },
  report_low_credits: { owner: 'credits', reaches: ['events', 'webhooks'] },
  settle_calls: { owner: 'credits', reaches: ['accounts'] },
  take_purchase_back: { owner: 'billing', reaches: ['credits'] },
  write_events: { owner: 'events', reaches: ['webhooks'] },
}

/** Folders that call the functions of another one. May only shrink. */
export const FOREIGN_CALLERS: Readonly<Record<string, readonly string[]>> = {
  // The levels at which credits.low is sent change with the webhook that gets it.
  set_low_level: ['webhooks'],
  // A plan that is paid in advance begins its next cycle when it changes.
  credit_cycle_in_advance: ['accounts'],
  // Partitions are made at the start and then every hour, as the tables are.
  make_book_partition: ['database'],
  make_book_partitions: ['database'],
  // The table of budgets is for every folder that has one. These join the plan, or the state of a watch, in one round trip.
  take_budgets: ['record-cache'],
  give_back_budgets: ['record-cache'],
  charge_rate: ['watches'],
}

/** Tables whose changes call a function of another folder. May only shrink. */
export const FOREIGN_TRIGGERS: Readonly<Record<string, string>> = {
  // The safety journal has each home that is removed, withheld, or shown again.
  journal_removed_homes: 'removed_listings',
  journal_withheld_homes: 'withheld_homes',
  journal_shown_addresses: 'withheld_homes',
  // The version of the data set is counted by what changes it.
  listings_have_changed: 'listings',
  // When the address of a stored listing is hidden or shown again, rights record it for rows that were stored earlier.
  follow_hidden_addresses: 'listings',
  // The profile of a source follows each change of its listings, whichever code makes it.
  profile_listings: 'listings',
}
