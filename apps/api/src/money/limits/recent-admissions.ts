// Reads the admissions of a key's last minute from its usage rows. Each admitted call leaves a row with its time of admission, so
// windows in memory or in the store can be restored.

import type { Database } from '../../infrastructure/database.ts'
import type { Principal } from '../accounts/principals.ts'

export interface RecentAdmission {
  readonly requestId: string
  readonly ageMs: number
}

// The two rows of a chained job are one call, so requests are counted, not rows. Events of watches are charged without a call.
const SELECT_RECENT_ADMISSIONS = `
  select distinct on (created_at, request_id) request_id as "requestId",
    extract(epoch from now() - created_at)::float8 * 1000 as "ageMs"
  from usage_rows
  where account_id = $3 and key_id = $1 and endpoint <> 'watch' and created_at > now() - interval '60 seconds'
  order by created_at desc, request_id
  limit $2`

/** The latest admissions of the key, as many as its limit. */
export async function readRecentAdmissions(
  database: Database,
  principal: Principal,
): Promise<RecentAdmission[]> {
  const { rows } = await database.query<RecentAdmission>(SELECT_RECENT_ADMISSIONS, [
    principal.keyId,
    principal.rateLimitPerMinute,
    principal.accountId,
  ])
  return rows
}
