// Why: decisions/contract/limits-in-me.md

import { findLookupsUsed } from '../../data/record-cache.ts'
import type { Database } from '../../infrastructure/database.ts'
import { findKeyAllowance, plans, readAccount } from '../../money/accounts.ts'
import { findJobStorage } from '../../work/jobs.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { deliver } from '../presentation/answer.ts'

export interface GetAccountDeps {
  readonly database: Database
}

export function getAccount({ database }: GetAccountDeps): HandlerOf<'getAccount'> {
  return (_input, { principal }) =>
    async () => {
      const [account, allowance, storage, lookups] = await Promise.all([
        readAccount(database, principal.accountId),
        findKeyAllowance(database, principal.keyId),
        findJobStorage(database, principal.accountId),
        findLookupsUsed(database, principal.accountId),
      ])
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
            available: account.available,
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
