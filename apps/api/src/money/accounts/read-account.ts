// The response of GET /v1/me.

import type { Account } from '@lotline/contract'
import type { Queryable } from '../../infrastructure/database.ts'
import type { PlanId } from './plans.ts'

export interface AccountSnapshot {
  id: string
  status: Account['status']
  plan: PlanId
  credits_per_cycle: number
  rate_limit_per_minute: number
  current_period_start: Date
  balance: number
  held: number
  available: number
  granted_this_cycle: number
  watches: number
  watch_hour_spent: number
}

const SELECT_ACCOUNT = `
  select id, status, plan, credits_per_cycle, rate_limit_per_minute, current_period_start,
    balance, held, available_credits(balance, held) as available, granted_this_cycle,
    (select count(*) from watches w where w.account_id = accounts.id) as watches,
    -- The share of the last hour's queries that is spent (watches/scan.ts).
    coalesce((
      select greatest(0, extract(epoch from b.ends_at - now()) / b.seconds + 1)
      from budgets b where b.kind = 'watch_queries' and b.subject = accounts.id::text), 0)::float8 as watch_hour_spent
  from accounts where id = $1`

/** Expects that the account exists, because a key of it made the call. */
export async function readAccount(database: Queryable, accountId: string): Promise<AccountSnapshot> {
  const { rows } = await database.query<AccountSnapshot>(SELECT_ACCOUNT, [accountId], { name: 'account' })
  return rows[0]!
}
