// Who writes which table: each has one owner, a folder of apps/api/src, and nothing else inserts, updates, or deletes its rows. Reading
// is free. Functions in SQL are judged by their callers (laws.ts).

import { type Breach, lineAt, type Source } from './source.ts'

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
    'usage_rows',
    'usage_rows_default',
    'usage_summed',
    'usage_sums',
  ],
  database: ['budgets', 'cursor_key', 'lotline_migrations'],
  engine: ['tag_secret'],
  events: ['webhook_events'],
  idempotency: ['idempotency_keys'],
  ingest: [
    'home_parcels',
    'linked_homes',
    'listing_changes',
    'listing_sources',
    'listings',
    'removed_listings',
    'withheld_homes',
  ],
  jobs: ['job_failures', 'jobs', 'stored_jobs'],
  oauth: ['oauth_records'],
  operator: ['operator_actions'],
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
  ],
  sources: ['data_set_version', 'record_identities'],
  watches: ['deleted_watches', 'watch_events', 'watch_homes', 'watch_progress', 'watches'],
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

/** It deletes what has expired, from any table (retention/expired-rows.ts), and does nothing else. */
const REMOVER = 'retention'
/** Where the name of the table is a variable: rows that expire, tables whose names stand in the same file, and a whole backup. */
const WITH_NAMES = /^apps\/api\/src\/(?:retention\/|jobs\/store\/sweeper\.ts$|database\/backup\/)/

const WRITE =
  /\b(insert\s+into|update|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(\$\{|[a-z_]+\b)/gi
const FILE = /^apps\/api\/src\/([^/]+)\/.*\.ts$/

/** Writes of a folder to tables of another one, and writes whose table cannot be read from the statement. */
export function findForeignWrites(sources: readonly Source[], owners = TABLE_OWNERS): Breach[] {
  const ownerOf = new Map(
    Object.entries(owners).flatMap(([folder, tables]) => tables.map((table) => [table, folder] as const)),
  )
  return sources.flatMap(({ file, text }) => {
    const folder = FILE.exec(file)?.[1]
    if (folder === undefined) return []
    return [...text.matchAll(WRITE)].flatMap(({ index, 1: verb, 2: table }) => {
      const rule = judge(folder, file, verb!, table!, ownerOf)
      return rule === undefined ? [] : [{ file, line: lineAt(text, index), rule }]
    })
  })
}

function judge(
  folder: string,
  file: string,
  verb: string,
  table: string,
  ownerOf: ReadonlyMap<string, string>,
): string | undefined {
  if (table === '${') return WITH_NAMES.test(file) ? undefined : 'a statement that writes names its table'
  const owner = ownerOf.get(table.toLowerCase())
  // A word of a comment, or a temporary table.
  if (owner === undefined || owner === folder) return undefined
  if (folder === REMOVER && /^delete/i.test(verb)) return undefined
  return `only ${owner}/ writes the table ${table}`
}
