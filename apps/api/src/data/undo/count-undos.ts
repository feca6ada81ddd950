// The undos of imports, for the metrics.

import type { Queryable } from '../../infrastructure/database.ts'

/** Numbers of all undos that the log of imports has. */
export interface UndoCounts {
  readonly imports: number
  readonly events: number
  /** Credits, also of refunds without an undo. */
  readonly credits: number
}

const COUNT = `
  select count(*) filter (where kind = 'revert') as imports,
    coalesce(sum((counts ->> 'retracted_events')::bigint), 0)::bigint as events,
    coalesce(sum((counts ->> 'refunded_credits')::bigint), 0)::bigint as credits
  from imports where counts ? 'refunded_credits'`

export async function countUndos(database: Queryable): Promise<UndoCounts> {
  return (await database.query<UndoCounts>(COUNT)).rows[0]!
}
