// Audits that an operator starts in the console: one at a time per database, with a time limit.

import {
  ADVISORY_LOCKS,
  type Database,
  joinTransaction,
  type Queryable,
} from '../../infrastructure/database.ts'
import {
  type AuditSummary,
  auditLedger,
  type Drift,
  type EndedAudit,
  listAudits,
  recordAudit,
} from '../credits/audit.ts'
import { FormAlreadySent, findLastAction, type Operator, recordAction, wasFormSent } from './trail.ts'

/** Time limit of each query of the audit. Larger ledgers are audited on the command line, without a limit. */
const QUERY_LIMIT_MS = 60_000
/** Findings that are stored in the trail. */
export const MAX_STORED_FINDINGS = 20

const ACTION = 'credits.audit'

/**
 * `busy`: another such audit is running. Nothing was done.
 *
 * @throws {FormAlreadySent} before any work if the operator's form was sent before
 */
export async function auditAsOperator(
  database: Database,
  operator: Operator,
): Promise<AuditSummary | 'busy'> {
  if (await wasFormSent(database, operator)) throw new FormAlreadySent('This form was sent before.')
  return database.transaction(
    async (tx) => {
      // Like in the audit: a LOCK takes no snapshot, so no month of the snapshot can be archived meanwhile.
      await tx.query('lock table movements, usage_rows in access share mode')
      const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
        ADVISORY_LOCKS.operatorAudit,
      ])
      if (!rows[0]!.locked) return 'busy'
      const findings: Drift[] = []
      const audited = await auditLedger(joinTransaction(database, tx), (drift) => {
        if (findings.length < MAX_STORED_FINDINGS) findings.push(drift)
      })
      await writeAudit(tx, operator, audited, findings)
      return audited
    },
    { isolation: 'repeatable read', statementTimeoutMs: QUERY_LIMIT_MS },
  )
}

/** Stores the result of an audit, and a trail entry with the first findings. */
export async function writeAudit(
  tx: Queryable,
  operator: Operator,
  audited: AuditSummary,
  findings: readonly Drift[],
): Promise<void> {
  await recordAudit(tx, audited)
  const { accounts, postings, holds, usageRows, drifts } = audited
  await recordAction(tx, operator, {
    action: ACTION,
    after: {
      accounts,
      postings,
      holds,
      usage_rows: usageRows,
      findings: drifts,
      ...(findings.length > 0 && { first: findings.slice(0, MAX_STORED_FINDINGS) }),
    },
  })
}

/** The last audits, latest first, and the first findings of the latest. */
export async function readAudits(
  database: Queryable,
  limit: number,
): Promise<{ readonly ended: readonly EndedAudit[]; readonly findings: readonly Drift[] }> {
  const ended = await listAudits(database, limit)
  const last = ended[0]
  const noted = last && last.drifts > 0 ? (await findLastAction(database, ACTION))?.after : undefined
  // The result and its entry are written in one transaction, so the latest ones belong together unless two audits ended at the
  // same time.
  const isSame = noted?.findings === last?.drifts && noted?.postings === last?.postings
  return { ended, findings: (isSame && (noted?.first as readonly Drift[] | undefined)) || [] }
}
