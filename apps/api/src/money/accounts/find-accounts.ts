// Finds and lists accounts for the operator.

import type { Queryable } from '../../infrastructure/database.ts'
import type { PlanId } from './plans.ts'

export interface AccountInfo {
  readonly account_id: string
  readonly email: string | null
  readonly status: 'active' | 'suspended'
  readonly plan: PlanId
  readonly credits_per_cycle: number
  /** The number of calls that each key may make per minute. */
  readonly rate_limit_per_minute: number
  readonly denied_operations: readonly string[]
  readonly balance: number
  /** The part of the balance that jobs have set aside. */
  readonly held: number
  /** The available credits: the balance minus held credits. */
  readonly available: number
  /** The remaining credits of this cycle's grant. */
  readonly grant_left: number
  readonly granted_this_cycle: number
  /** Credits of earlier cycles that are held still: spent by their jobs, or gone when those end. */
  readonly expiring: number
  readonly current_period_start: Date
  /** null: it does not renew. */
  readonly renews_at: Date | null
  /** Cycles are paid one by one: without a payment for the next one, the plan becomes Free. */
  readonly prepaid: boolean
  /** The change of plan that waits for the end of the cycle. */
  readonly next_plan: NextPlan | null
  readonly live_keys: number
  readonly created_at: Date
}

export interface NextPlan {
  readonly plan: PlanId
  readonly credits_per_cycle: number
  readonly rate_limit_per_minute: number
  readonly denied_operations: readonly string[]
  /** The customer chose it in the portal. */
  readonly by_customer: boolean
}

const SELECT_ACCOUNTS = `
  select a.id as account_id, a.email, a.status, a.plan, a.credits_per_cycle, a.rate_limit_per_minute,
    a.denied_operations, a.balance, a.held, available_credits(a.balance, a.held) as available, a.grant_left, a.granted_this_cycle,
    a.expiring, a.current_period_start, a.renews_at, a.prepaid,
    case when a.next_plan is not null then json_build_object(
      'plan', a.next_plan, 'credits_per_cycle', a.next_credits_per_cycle,
      'rate_limit_per_minute', a.next_rate_limit_per_minute, 'denied_operations', a.next_denied_operations,
      'by_customer', a.next_by_customer
    ) end as next_plan,
    (select count(*) from api_keys k where k.account_id = a.id and coalesce(k.revoked_at > now(), true)) as live_keys,
    a.created_at
  from accounts a`

/** An account as stored: a renewal that is due is not included unless the caller has made it. */
export async function findAccount(database: Queryable, accountId: string): Promise<AccountInfo | undefined> {
  const { rows } = await database.query<AccountInfo>(`${SELECT_ACCOUNTS} where a.id = $1`, [accountId])
  return rows[0]
}

export interface AccountSearch {
  readonly plan?: PlanId
  readonly status?: 'active' | 'suspended'
  /** Part of the email address, in either case. */
  readonly email?: string
  /**
   * The whole email address, or the whole id of the account or of a key: if an account has it, only that one is found. Otherwise part
   * of the email address, the beginning of the account's id, or part of the name of a key.
   */
  readonly text?: string
  readonly limit: number
}

const UUID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

// Each query uses an index, however many accounts there are.
const BY_ID = `${SELECT_ACCOUNTS} where a.id in (select $1::uuid union all select account_id from api_keys where id = $1::uuid)`
const BY_EMAIL = `${SELECT_ACCOUNTS} where lower(a.email) = lower($1)`
const NEWEST_FIRST = 'order by a.created_at desc, a.id desc'

/** Newest first. */
export async function listAccounts(database: Queryable, filter: AccountSearch): Promise<AccountInfo[]> {
  const { text } = filter
  if (text === undefined) return listFiltered(database, filter)
  const found = await database.query<AccountInfo>(
    `${UUID_PATTERN.test(text) ? BY_ID : BY_EMAIL}
       and ($2::text is null or a.plan = $2) and ($3::text is null or a.status = $3) ${NEWEST_FIRST} limit $4`,
    [text, filter.plan ?? null, filter.status ?? null, filter.limit],
  )
  return found.rows.length > 0 ? found.rows : listFiltered(database, filter)
}

async function listFiltered(database: Queryable, filter: AccountSearch): Promise<AccountInfo[]> {
  const { rows } = await database.query<AccountInfo>(
    `${SELECT_ACCOUNTS}
     where ($1::text is null or a.plan = $1) and ($2::text is null or a.status = $2)
       and ($3::text is null or position(lower($3) in lower(a.email)) > 0)
       and ($5::text is null or position(lower($5) in lower(a.email)) > 0 or starts_with(a.id::text, lower($5))
         or exists (select from api_keys k where k.account_id = a.id
           and (k.id::text = lower($5) or position(lower($5) in lower(k.name)) > 0)))
     ${NEWEST_FIRST} limit $4`,
    [filter.plan ?? null, filter.status ?? null, filter.email ?? null, filter.limit, filter.text ?? null],
  )
  return rows
}
