// What audits of the ledger have found, kept so that whoever watches the service learns it without an audit of his own.

import type { Queryable } from '../database/database.ts'
import type { Audited } from './audit.ts'

export interface LastAudit {
  /** Contradictions. */
  readonly drifts: number
  readonly endedAt: Date
}

export async function noteAudit(database: Queryable, audited: Audited): Promise<void> {
  await database.query(
    'insert into ledger_audits (accounts, holds, postings, usage_rows, drifts) values ($1, $2, $3, $4, $5)',
    [audited.accounts, audited.holds, audited.postings, audited.usageRows, audited.drifts],
  )
}

export async function findLastAudit(database: Queryable): Promise<LastAudit | undefined> {
  const { rows } = await database.query<LastAudit>(
    'select drifts, ended_at as "endedAt" from ledger_audits order by ended_at desc limit 1',
  )
  return rows[0]
}
