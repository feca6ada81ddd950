import type { Account } from '@lotline/contract'
import { findKeyAllowance } from '../accounts/key-limits.ts'
import { type PlanId, plans } from '../accounts/plans.ts'
import type { App } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { findJobStorage } from '../jobs/job-limits.ts'
import { findLookupsUsed } from '../record-cache/lookup-budget.ts'
import { deliver } from './deliver.ts'

interface AccountRow {
  id: string
  status: Account['status']
  plan: PlanId
  credits_per_cycle: number
  rate_limit_per_minute: number
  current_period_start: Date
  balance: number
  held: number
  granted_this_cycle: number
  watches: number
  watch_hour_spent: number
}

const ACCOUNT = `
  select id, status, plan, credits_per_cycle, rate_limit_per_minute, current_period_start,
    balance, held, granted_this_cycle,
    (select count(*) from watches w where w.account_id = accounts.id) as watches,
    -- The share of the last hour's queries that is spent (watches/scan.ts).
    coalesce((
      select greatest(0, extract(epoch from b.spent_until - now() + interval '1 hour') / 3600)
      from watch_scan_budgets b where b.account_id = accounts.id), 0)::float8 as watch_hour_spent
  from accounts where id = $1`

export function getAccount({ database }: App): HandlerOf<'getAccount'> {
  return (_input, { principal }) =>
    async () => {
      const [{ rows }, allowance, storage, lookups] = await Promise.all([
        database.query<AccountRow>(ACCOUNT, [principal.accountId], { name: 'account' }),
        findKeyAllowance(database, principal.keyId),
        findJobStorage(database, principal.accountId),
        findLookupsUsed(database, principal.accountId),
      ])
      const account = rows[0]!
      const plan = plans[account.plan]
      return deliver({
        data: {
          id: account.id,
          // The caller carries it only where its key may learn it: not for keys issued to an OAuth client.
          ...(principal.email !== null && { email: principal.email }),
          plan_id: account.plan,
          current_period_start: account.current_period_start.toISOString(),
          status: account.status,
          plan: {
            id: account.plan,
            credits_per_cycle: account.credits_per_cycle,
            rate_limit_per_minute: account.rate_limit_per_minute,
            max_watch_matches: plan.maxWatchMatches,
          },
          credits: {
            balance: account.balance,
            held: account.held,
            available: account.balance - account.held,
            granted_this_cycle: account.granted_this_cycle,
          },
          key: {
            limit: allowance ? { credits: allowance.credits, per: allowance.per } : null,
            used: allowance?.used ?? null,
            remaining: allowance?.remaining ?? null,
            resets_at: allowance?.resetsAt?.toISOString() ?? null,
          },
          limits: {
            failed_lookups_per_minute: { used: lookups.minute, limit: plan.failedLookupsPerMinute },
            failed_lookups_per_day: { used: lookups.day, limit: plan.failedLookupsPerDay },
            open_jobs: { used: storage.open_jobs, limit: plan.maxOpenJobs },
            stored_rows: { used: storage.stored_rows, limit: plan.maxStoredRows },
            stored_bytes: { used: storage.stored_bytes, limit: plan.maxStoredBytes },
            watches: { used: account.watches, limit: plan.maxWatches },
            watch_queries_per_hour: {
              used: Math.round(account.watch_hour_spent * plan.watchQueriesPerHour),
              limit: plan.watchQueriesPerHour,
            },
          },
        },
      })
    }
}
