// What the ledger kept of a call.

import type { Queryable } from '../../src/infrastructure/database/database.ts'
import type { TestResponse } from './test-server.ts'

export interface KeptUsage {
  readonly operation: string | null
  readonly status_code: number
  readonly units: number
  readonly credits_charged: number
}

/** The usage rows of the request that was answered so: one for an admitted call, none for any other. */
export async function usageOf(
  database: Queryable,
  answer: Pick<TestResponse, 'headers'>,
): Promise<readonly KeptUsage[]> {
  const { rows } = await database.query<KeptUsage>(
    'select operation, status_code, units, credits_charged from usage_rows where request_id = $1',
    [answer.headers.get('x-request-id')],
  )
  return rows
}

/** Credits, as the ledger has them. */
export async function balanceOf(database: Queryable, accountId: string): Promise<number> {
  const { rows } = await database.query<{ balance: number }>('select balance from accounts where id = $1', [
    accountId,
  ])
  return rows[0]!.balance
}
