// Finds the accounts that cause the most load, for the operator.

import type { Queryable } from '../../infrastructure/database.ts'

export const TOP_BY = ['calls', 'failed', 'jobs', 'bytes', 'provider'] as const

export type TopBy = (typeof TOP_BY)[number]

export interface AccountUsage {
  readonly account_id: string
  readonly email: string | null
  readonly plan: string
  readonly status: string
  /** Admitted calls. */
  readonly calls: number
  /** Calls that failed, and job entries without a record. */
  readonly failed: number
  /** Jobs that were started. */
  readonly jobs: number
  /** Bytes on disk of the result rows of these jobs. null: not counted, because counting reads every row. */
  readonly bytes: number | null
  /** Queries to the provider, counted by the hour. The hour of `since` is counted completely. */
  readonly provider: number
}

// Each account is read by its indexes, so that the load of one does not slow down the others.
const SELECT_TOP_ACCOUNTS = `
  select * from (
    select a.id as account_id, a.email, a.plan, a.status, u.calls, u.failed + j.failed as failed, j.jobs,
      case when $2 = 'bytes' then (
        select coalesce(sum(pg_column_size(r.body)), 0)::bigint from jobs b
          join job_rows r on r.account_id = b.account_id and r.job_id = b.id
        where b.account_id = a.id and b.created_at >= $1
      ) end as bytes,
      (select coalesce(sum(p.queries), 0)::bigint from provider_usage p
        where p.account_id = a.id and p.hour >= date_trunc('hour', $1::timestamptz)) as provider
    from accounts a
      cross join lateral (
        select count(distinct request_id) as calls,
          count(distinct request_id) filter (where status_code >= 400) as failed
        from usage_rows where account_id = a.id and created_at >= $1) u
      cross join lateral (
        select count(*) as jobs, coalesce(sum(failure_count), 0)::bigint as failed
        from jobs where account_id = a.id and created_at >= $1) j
  ) used
  where case $2 when 'calls' then calls when 'failed' then failed when 'jobs' then jobs
    when 'bytes' then bytes else provider end > 0
  order by case $2 when 'calls' then calls when 'failed' then failed when 'jobs' then jobs
    when 'bytes' then bytes else provider end desc, account_id
  limit $3`

/** Highest first, without accounts at 0. */
export async function findTopAccounts(
  database: Queryable,
  { since, by, limit }: { readonly since: Date; readonly by: TopBy; readonly limit: number },
): Promise<AccountUsage[]> {
  const { rows } = await database.query<AccountUsage>(SELECT_TOP_ACCOUNTS, [since, by, limit])
  return rows
}
