// Counts the provider queries of each account in memory and adds them to the table every few seconds, so that a query costs no
// statement.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import type { Chore } from '../../infrastructure/platform.ts'

const WRITE_INTERVAL_MS = 5_000

const ADD_QUERIES = `
  insert into provider_usage (account_id, hour, queries)
  select account_id, date_trunc('hour', now()), queries
  from unnest($1::uuid[], $2::bigint[]) as counted (account_id, queries)
  order by account_id
  on conflict (account_id, hour) do update set queries = provider_usage.queries + excluded.queries`

/** Queries of one hour. */
export interface HourOfQueries {
  readonly hour: Date
  readonly queries: number
  /** Accounts that they were made for. */
  readonly accounts: number
}

/** The last 24 hours, latest first. */
export async function listQueriesByHour(database: Queryable): Promise<HourOfQueries[]> {
  const { rows } = await database.query<HourOfQueries>(
    `select hour, sum(queries)::bigint as queries, count(*) as accounts from provider_usage
     where hour > now() - interval '24 hours' group by hour order by hour desc`,
  )
  return rows
}

export interface ProviderUsage {
  count(accountId: string): void
  /** Writes the counts every few seconds. */
  readonly chore: Chore
  /** Writes the counts. */
  write(): Promise<void>
}

export function createProviderUsage(database: Database): ProviderUsage {
  let counts = new Map<string, number>()

  function add(accountId: string, queries: number): void {
    counts.set(accountId, (counts.get(accountId) ?? 0) + queries)
  }

  async function write(): Promise<void> {
    if (counts.size > 0) {
      const written = counts
      counts = new Map()
      try {
        await database.query(ADD_QUERIES, [[...written.keys()], [...written.values()]])
      } catch (error) {
        for (const [accountId, queries] of written) add(accountId, queries)
        throw error
      }
    }
  }

  return {
    count: (accountId) => add(accountId, 1),
    write,
    chore: { name: 'write provider usage', everyMs: WRITE_INTERVAL_MS, run: write, runsAtStop: true },
  }
}
