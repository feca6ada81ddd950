// The books: every row of the database that the checks reckon with, read as it stands.

import { PERIODS } from '../set/limit-periods.ts'

/** One statement, and its rows. Numbers are numbers, instants are milliseconds of the wall clock. */
export type BookQuery = <R>(text: string, values?: readonly unknown[]) => Promise<R[]>

export interface BookedAccount {
  readonly id: string
  readonly balance: number
  readonly held: number
  readonly rate: number
}

export interface KeyRow {
  readonly id: string
  readonly account_id: string
  /** Credits that it may spend in the present period, and what its limit has counted in it; null: it has no limit. */
  readonly limit: number | null
  readonly used: number | null
  readonly limit_id: string | null
  /** The postings with a greater number are those of the present period. */
  readonly counted_after: number | null
}

/** A period of a limit that is over. */
export interface Period {
  readonly limit_id: string
  /** The postings with a greater number are those of this period and the later ones. */
  readonly counted_after: number
  /** The credits that the limit had counted when its period ended. */
  readonly used: number
  readonly credits: number
}

export interface Posting {
  readonly account_id: string
  readonly id: number
  readonly kind: 'grant' | 'topup' | 'adjust' | 'hold' | 'charge' | 'release' | 'expire'
  readonly amount: number
  readonly held_change: number
  readonly request_id: string | null
  readonly stage: 'search' | 'detail' | null
  readonly job_id: string | null
}

export interface Hold {
  readonly account_id: string
  readonly job_id: string
  readonly amount: number
  readonly state: 'open' | 'settled' | 'released'
  readonly charged: number
  /** The maximum cost of the job that the client allows. null if there is no limit. */
  readonly max_amount: number | null
}

export interface UsageRow {
  readonly account_id: string
  readonly key_id: string
  readonly request_id: string
  readonly stage: 'search' | 'detail' | null
  readonly endpoint: string
  readonly operation: string | null
  readonly units: number
  readonly status_code: number
  readonly credits_charged: number
  readonly job_id: string | null
  readonly created_at: number
}

export interface JobRow {
  readonly account_id: string
  readonly id: string
  readonly type: string
  readonly status: string
  readonly row_count: number
  readonly skipped_count: number
  readonly truncated_by: string | null
  readonly request_id: string
  readonly completed_at: number | null
}

/** A row of a result, or an entry that gave none, by what it was asked for. */
export interface ResultRow {
  readonly job_id: string
  readonly position: number
  readonly id: string
}

/** The storage of an ended job, as its row states and as its result rows add up. */
export interface StoredJob {
  readonly account_id: string
  readonly id: string
  readonly row_count: number
  readonly stored_bytes: number
  readonly real_bytes: number
  /** Whether its request, its checkpoint and what it found are gone. */
  readonly dropped: boolean
}

/** The storage of all ended jobs of an account. */
export interface StoredSum {
  readonly account_id: string
  readonly jobs: number
  readonly rows: number
  readonly bytes: number
}

export interface WebhookRow {
  readonly account_id: string
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly created_at: number
  readonly revoked_at: number | null
}

/** What a client has created under the name of its Idempotency-Key. Deleted watches have no name any more. */
export interface CreatedRow {
  readonly id: string
  readonly name: string
}

export interface DeliveryRow {
  readonly webhook_id: string
  readonly event_id: string
  readonly subject_type: string
  readonly subject_id: string
  readonly type: string
  readonly state: string
  readonly attempts: number
  /** When the last of them was let through to the receiver. */
  readonly last_sent_at: number | null
}

/** A pack or a plan that an account has ordered. */
export interface PurchaseRow {
  readonly id: string
  readonly account_id: string
  readonly state: string
  readonly credits: number
  /** The posting that gave its credits. */
  readonly movement_id: number | null
  /** Credits that were deducted when its payment was paid back. */
  readonly deducted: number
  /** The credits that were paid for by what was paid back, rounded down. Refunds that have failed do not count. */
  readonly reversed: number
}

export interface Books {
  readonly accounts: BookedAccount[]
  readonly keys: KeyRow[]
  /** The periods of each limit, the earliest first. */
  readonly periods: Period[]
  readonly postings: Posting[]
  readonly holds: Hold[]
  readonly usage: UsageRow[]
  readonly jobs: JobRow[]
  readonly rows: ResultRow[]
  readonly failures: ResultRow[]
  readonly storedJobs: StoredJob[]
  readonly storedSums: StoredSum[]
  readonly webhooks: WebhookRow[]
  readonly created: CreatedRow[]
  readonly deliveries: DeliveryRow[]
  readonly purchases: PurchaseRow[]
}

export async function readBooks(query: BookQuery): Promise<Books> {
  return {
    accounts: await query('select id, balance, held, rate_limit_per_minute as rate from accounts'),
    keys: await query(
      `select k.id, k.account_id, l.credits as "limit", l.used, l.id as limit_id, l.counted_after
       from api_keys k left join key_limits l on l.id = k.limit_id`,
    ),
    periods: await query(
      `select limit_id, counted_after, used, credits from ${PERIODS} order by limit_id, counted_after`,
    ),
    postings: await query(
      `select account_id, id, kind, amount, held_change, request_id, stage, job_id from postings order by account_id, id`,
    ),
    holds: await query('select account_id, job_id, amount, state, charged, max_amount from holds'),
    usage: await query(
      `select account_id, key_id, request_id, stage, endpoint, operation, units, status_code, credits_charged, job_id,
         created_at
       from usage_rows order by account_id, id`,
    ),
    jobs: await query(
      `select account_id, id, type, status, row_count, skipped_count, truncated_by, request_id, completed_at from jobs`,
    ),
    rows: await query(
      `select job_id, position, coalesce(body::json ->> 'input', body::json ->> 'zpid') as id
       from job_rows order by job_id, position`,
    ),
    failures: await query('select job_id, position, input as id from job_failures'),
    storedJobs: await query(
      `select j.account_id, j.id, j.row_count, j.stored_bytes::float8 as stored_bytes,
         num_nonnulls(j.request, j.checkpoint, j.found) = 0 as dropped,
         (select coalesce(sum(octet_length(r.body)), 0) from job_rows r
           where r.account_id = j.account_id and r.job_id = j.id)::float8
         + (select coalesce(sum(octet_length(f.input) + 100), 0) from job_failures f
           where f.account_id = j.account_id and f.job_id = j.id)::float8
         + coalesce(octet_length(j.more_skipped::text), 0)::float8 as real_bytes
       from jobs j where j.completed_at is not null`,
    ),
    storedSums: await query(
      'select account_id, jobs::float8 as jobs, rows::float8 as rows, bytes::float8 as bytes from stored_jobs',
    ),
    webhooks: await query('select account_id, id, url, events, created_at, revoked_at from webhooks'),
    created: await query(
      `select id, name from (
         select id, description as name from webhooks
         union all select id, name from watches union all select id, name from api_keys) as made
       where name ~ '^(keepsWebhooks|createsOnce)-[0-9]+-[0-9]+$' order by name, id`,
    ),
    purchases: await query(
      `select p.id, p.account_id, p.state, p.credits::float8 as credits, p.movement_id::float8 as movement_id,
         (select coalesce(sum(r.taken), 0) from purchase_reversals r where r.purchase_id = p.id)::float8 as deducted,
         (select floor(p.credits * coalesce(sum(r.amount), 0) / p.price)
           from purchase_reversals r where r.purchase_id = p.id and not r.is_void)::float8 as reversed
       from purchases p`,
    ),
    // An attempt that was requeued has no row.
    deliveries: await query(
      `select d.webhook_id, d.event_id, e.subject_type, e.subject_id, e.type, d.state, t.attempts, t.last_sent_at
       from webhook_deliveries d join webhook_events e on e.account_id = d.account_id and e.id = d.event_id
       cross join lateral (
         select count(*) as attempts, max(sent_at) as last_sent_at from webhook_attempts a
         where a.account_id = d.account_id and a.webhook_id = d.webhook_id and a.event_id = d.event_id) t`,
    ),
  }
}
