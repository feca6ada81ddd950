// The postings of an account, to explain its balance.

import type { Queryable } from '../../infrastructure/database.ts'

export interface LedgerPosting {
  readonly id: number
  readonly kind: 'grant' | 'topup' | 'adjust' | 'hold' | 'charge' | 'release' | 'expire' | 'carried'
  /** Change of the balance. */
  readonly amount: number
  /** Change of the held credits. */
  readonly held_change: number
  /** The balance after the posting. */
  readonly balance: number
  readonly request_id: string | null
  readonly stage: string | null
  readonly job_id: string | null
  /** The reason of an adjustment, a refund, or a top-up. */
  readonly reason: string | null
  /** The operator's reference of a payment. */
  readonly reference: string | null
  /** The operator who made the entry. */
  readonly operator: string | null
  readonly created_at: Date
}

const SELECT_POSTINGS = `
  select p.*, coalesce(p.reason, o.reason) as reason, o.reference, o.operator from (
  select id, kind, amount, held_change, request_id, stage, job_id, reason, created_at,
    -- Reckoned back from the present balance: what was posted later is taken off again.
    (select balance from accounts where id = $1)
      - coalesce(sum(amount) over (order by id desc rows between unbounded preceding and 1 preceding), 0) as balance
  from postings
  where account_id = $1
    -- Calls have no index by id, but one by the moment of their admission, after which they are charged within minutes. So
    -- whatever is an hour older than the $2-th latest call has at least $2 postings behind it.
    and created_at > coalesce((
      select created_at - interval '1 hour' from usage_rows
      where account_id = $1 and credits_charged > 0 and job_id is null
      order by created_at desc offset $2::bigint - 1 limit 1), '-infinity')
  order by id desc limit $2
  ) p left join operator_entries o on o.account_id = $1 and o.movement_id = p.id
  order by p.id desc`

/** Newest first. */
export async function listPostings(
  database: Queryable,
  accountId: string,
  limit: number,
): Promise<LedgerPosting[]> {
  const { rows } = await database.query<LedgerPosting>(SELECT_POSTINGS, [accountId, limit])
  return rows
}

/** A call, from its usage row. */
export interface CallRecord {
  readonly at: Date
  readonly endpoint: string
  readonly status: number
  readonly units: number
  readonly credits: number
}

/** The latest calls of an account, newest first. */
export async function listLatestCalls(
  database: Queryable,
  accountId: string,
  limit: number,
): Promise<CallRecord[]> {
  const { rows } = await database.query<CallRecord>(
    `select created_at as at, endpoint, status_code as status, units, credits_charged as credits
     from usage_rows where account_id = $1 order by created_at desc, id desc limit $2`,
    [accountId, limit],
  )
  return rows
}
