// Summarizes the usage of an account. Closed hours come from usage_sums (migrations/0014_charges.sql), the rest from the usage
// rows, in one statement and so in one snapshot.
// Why: decisions/money/usage-sums.md
// Why: decisions/money/summary-time-limits.md

import { type Database, isTimeout, type Queryable } from '../../infrastructure/database.ts'

export type UsageGrouping = 'day' | 'operation' | 'key' | 'status'

export interface UsagePeriod {
  /** Seconds since 1970; null: from the first row that is kept. */
  readonly since: number | null
  /** Seconds since 1970, exclusive; null: up to now. */
  readonly until: number | null
}

export interface UsageSumRow {
  /** The value of the grouping; null: calls that match no operation. */
  readonly value: string | null
  readonly usage_rows: number
  readonly units: number
  readonly credits_charged: number
  /** Credits of events that were refunded in the period. */
  readonly credits_refunded: number
  /** Grouped by key: the key's name, and the client that it was issued to. */
  readonly key_name?: string
  readonly oauth_client?: string
}

export interface UsageSummary {
  readonly rows: readonly UsageSumRow[]
  /** null: no row was ever archived. */
  readonly keptSince: Date | null
}

/** Usage rows per transaction. Only other summaries of the account wait for it. */
const ROWS_PER_BATCH = 100_000
/**
 * How long a call stores sums before it answers. Summing a row costs less than reading it for one summary, so the first call of
 * an account waits: 1,000,000 rows took 9 seconds while 13 processes shared the two cores.
 */
const MAX_SUMMING_MS = 10_000
/** How long the rows that are not summed yet are read. After that, the call gets 503, and the next one has less to read. */
const MAX_READING_MS = 10_000
/**
 * How long one slice may take in the background. An hour is never split, and one with millions of rows takes longer than a call
 * may.
 */
const BACKGROUND_SLICE_MS = 300_000
/** Accounts that are summed concurrently in the background of this process. */
const MAX_IN_BACKGROUND = 2

const GROUP_EXPRESSIONS: Readonly<Record<UsageGrouping, string>> = {
  day: `to_char(at at time zone 'UTC', 'YYYY-MM-DD')`,
  operation: 'operation',
  key: 'key_id::text',
  status: 'status_code::text',
}

// Archived hours are excluded, even if their sums still exist.
const summaryBy = (grouping: UsageGrouping) => `
  with period as (
    select greatest(coalesce(to_timestamp($2::float8), '-infinity'), since) as since,
      coalesce(to_timestamp($3::float8), 'infinity') as until
    from kept_books
  ), hours as (
    -- The whole hours of the period that are summed.
    select since, until, date_trunc('hour', since + interval '1 hour' - interval '1 microsecond', 'UTC') as first,
      least(date_trunc('hour', until, 'UTC'),
        coalesce((select s.until from usage_summed s where s.account_id = $1), '-infinity')) as behind
    from period
  ), parts as (
    select since, until, first < behind as has_sums, first, behind,
      case when first < behind then first else until end as head_until
    from hours
  ), used as (
    select s.hour as at, s.key_id, s.operation, s.status_code, s.usage_rows, s.units, s.credits_charged,
      0::bigint as credits_refunded
    from parts p join usage_sums s on p.has_sums and s.account_id = $1 and s.hour >= p.first and s.hour < p.behind
    union all
    select u.created_at, u.key_id, u.operation, u.status_code, 1, u.units, u.credits_charged, 0
    from parts p join usage_rows u on u.account_id = $1 and u.created_at >= p.since and u.created_at < p.head_until
    union all
    select u.created_at, u.key_id, u.operation, u.status_code, 1, u.units, u.credits_charged, 0
    from parts p join usage_rows u on p.has_sums and u.account_id = $1 and u.created_at >= p.behind and u.created_at < p.until
    union all
    -- The events were charged with status 200.
    select r.refunded_at, r.key_id, r.operation, 200, 0, 0, 0, r.credits
    from parts p join refunded_events r on r.account_id = $1 and r.refunded_at >= p.since and r.refunded_at < p.until
  )
  -- From the same snapshot as the rows. Without any, it is alone in a row.
  select nullif(kept.since, '-infinity') as "keptSince", sums.*
  from kept_books kept left join (
    select ${GROUP_EXPRESSIONS[grouping]} as value, sum(usage_rows)::bigint as usage_rows, sum(units)::bigint as units,
      sum(credits_charged)::bigint as credits_charged, sum(credits_refunded)::bigint as credits_refunded
    from used group by 1
  ) sums on true
  order by ${grouping === 'day' ? 'value' : 'credits_charged desc, usage_rows desc, value'}`

/** For tests: the bounds of one call. */
export interface SummingBounds {
  /** Milliseconds after which no more slices are begun. Default: 10,000. */
  readonly summingMs?: number
  /** Rows of a slice: whole hours, and at least one. Default: 100,000. */
  readonly sliceRows?: number
  /** Milliseconds that one slice may take. Default: 10,000. */
  readonly sliceMs?: number
}

/**
 * Sums the usage of an account: by day with the earliest first, otherwise with the highest charge first. Rows that cannot be
 * summed within `summingMs` are read one by one, and summed in the background for later calls. The result is the same.
 *
 * @throws {DatabaseUnavailable} if these rows are too many to be read in time
 */
export async function summarizeUsage(
  database: Database,
  accountId: string,
  grouping: UsageGrouping,
  { since, until }: UsagePeriod,
  { summingMs = MAX_SUMMING_MS, sliceRows = ROWS_PER_BATCH, sliceMs = MAX_SUMMING_MS }: SummingBounds = {},
): Promise<UsageSummary> {
  const isWhole = await isSummed(database, accountId, { summingMs, sliceRows, sliceMs }).catch((error) => {
    // A slice is too large for a call, or another call is summing it.
    if (!isTimeout(error)) throw error
    return false
  })
  if (!isWhole) sumInBackground(database, accountId, sliceRows)
  const read = (from: Queryable) =>
    from.query<UsageSumRow & { keptSince: Date | null }>(summaryBy(grouping), [accountId, since, until])
  const summary = await (isWhole
    ? read(database)
    : database.transaction(read, { readOnly: true, statementTimeoutMs: MAX_READING_MS }))
  const { keptSince } = summary.rows[0]!
  const sums = summary.rows
    .filter(({ usage_rows }) => usage_rows !== null)
    .map(({ keptSince: _, ...sum }) => sum)
  return { rows: grouping === 'key' ? await nameKeys(database, accountId, sums) : sums, keptSince }
}

/** Adds the name of each key, and its client. */
async function nameKeys(
  database: Database,
  accountId: string,
  sums: readonly UsageSumRow[],
): Promise<UsageSumRow[]> {
  const { rows } = await database.query<{ id: string; name: string; client: string | null }>(
    'select id, name, oauth_client as client from api_keys where account_id = $1 and id = any ($2::uuid[])',
    [accountId, sums.map(({ value }) => value)],
  )
  const keys = new Map(rows.map((key) => [key.id, key]))
  return sums.map((sum) => {
    const { name = '', client = null } = keys.get(sum.value ?? '') ?? {}
    return { ...sum, key_name: name, ...(client !== null && { oauth_client: client }) }
  })
}

/**
 * Closes past hours and stores their sums, in transactions of bounded length. Returns false if the time was too short for all of
 * them.
 */
async function isSummed(
  database: Database,
  accountId: string,
  { summingMs, sliceRows, sliceMs }: Required<SummingBounds>,
): Promise<boolean> {
  const end = performance.now() + summingMs
  while (performance.now() < end) {
    const { rows } = await database.transaction(
      (tx) => tx.query<{ more: boolean }>('select sum_usage($1, $2) as more', [accountId, sliceRows]),
      { statementTimeoutMs: sliceMs },
    )
    if (!rows[0]!.more) return true
  }
  return false
}

const inBackground = new WeakMap<Database, Set<string>>()

function sumInBackground(database: Database, accountId: string, sliceRows: number): void {
  const accounts = inBackground.get(database) ?? new Set()
  inBackground.set(database, accounts)
  if (accounts.has(accountId) || accounts.size >= MAX_IN_BACKGROUND) return
  accounts.add(accountId)
  // If the database connection ends, no sum is half stored, and the next call continues from there.
  const ignore = () => {}
  const unhurried = { summingMs: Number.POSITIVE_INFINITY, sliceRows, sliceMs: BACKGROUND_SLICE_MS }
  isSummed(database, accountId, unhurried)
    .catch(ignore)
    .finally(() => accounts.delete(accountId))
}
