// Proves that every credit that an account has, holds, or has spent follows from its postings, and every charge from the
// contract's price. It trusts no value that the ledger's code computed, reads one consistent snapshot, and can run beside a
// running server. Each check is one query that finds contradictions, with memory that does not grow with the data.

// Why: decisions/money/audits-are-started-by-a-timer.md

import { type OperationId, operations, type PriceStage, priceOfStage, type Stage } from '@lotline/contract'
import { type Database, type Queryable, readInPieces } from '../../infrastructure/database.ts'
import { CARRIED_TOTALS_CHECK, joinArchives, separateBooks } from './archive/read-archive.ts'
import { type AuditCheck, checks } from './audit-checks.ts'

/** A contradiction in the ledger. */
export interface Drift {
  /** The invariant, as README.md names it. */
  readonly check: string
  readonly accountId: string | null
  /** The contradicting values, by name. */
  readonly facts: Readonly<Record<string, unknown>>
}

export interface AuditSummary {
  readonly accounts: number
  readonly holds: number
  readonly postings: number
  readonly usageRows: number
  readonly drifts: number
}

/**
 * Calls `onDrift` for each contradiction, and waits for it. With the files of all archives, it checks the whole history. Without
 * them, it checks the rows that the ledger still has, starting from the sums that the archives carried over.
 *
 * @throws {ArchiveError} when the files are not exactly the archives of this ledger
 */
export function auditLedger(
  database: Database,
  onDrift: (drift: Drift) => void | Promise<void>,
  { archives = [] }: { readonly archives?: readonly string[] } = {},
): Promise<AuditSummary> {
  const withArchives = archives.length > 0
  return database.transaction(
    async (tx) => {
      // The lock comes before the snapshot, so that no month in it can be archived meanwhile. A LOCK takes no snapshot.
      await tx.query('lock table movements, usage_rows in access share mode')
      if (withArchives) await joinArchives(tx, archives)
      let drifts = 0
      for await (const drift of findDrifts(tx, withArchives ? [...checks, CARRIED_TOTALS_CHECK] : checks)) {
        drifts += 1
        await onDrift(drift)
      }
      const { rows } = await tx.query<Omit<AuditSummary, 'drifts'>>(
        `select (select count(*) from accounts) as accounts, (select count(*) from holds) as holds,
           (select count(*) from postings) as postings, (select count(*) from usage_rows) as "usageRows"`,
      )
      if (withArchives) await separateBooks(tx)
      return { ...rows[0]!, drifts }
    },
    // Temporary tables are writes.
    { isolation: 'repeatable read', readOnly: !withArchives, statementTimeoutMs: 0 },
  )
}

async function* findDrifts(tx: Queryable, asked: readonly AuditCheck[]): AsyncGenerator<Drift> {
  for (const { check, contradictions } of asked) {
    for await (const rows of readInPieces<{ account_id: string; facts: Drift['facts'] }>(
      tx,
      contradictions,
    )) {
      for (const { account_id, facts } of rows) yield { check, accountId: account_id, facts }
    }
  }
  yield* findWrongPrices(tx)
}

interface UsageRowKind {
  readonly operation: string | null
  readonly stage: Stage
  readonly status_code: number
  readonly units: number
  readonly credits_charged: number
  readonly hold: 'open' | 'settled' | 'released' | null
  /** The prices with which a job was accepted. */
  readonly prices: readonly PriceStage[] | null
}

// Millions of rows fall into a few hundred kinds, so the contract's own price function can check them all.
const USAGE_ROW_KINDS = `
  select u.operation, u.stage, u.status_code, u.units, u.credits_charged, h.state as hold, h.prices
  from usage_rows u left join holds h on h.account_id = u.account_id and h.job_id = u.job_id
  group by 1, 2, 3, 4, 5, 6, 7`

const ROWS_OF_KIND = `
  select u.account_id, u.request_id from usage_rows u
    left join holds h on h.account_id = u.account_id and h.job_id = u.job_id
  where u.operation is not distinct from $1 and u.stage is not distinct from $2 and u.status_code = $3 and u.units = $4
    and u.credits_charged = $5 and h.state is not distinct from $6
    and h.prices is not distinct from $7::jsonb
  order by u.account_id, u.id limit 1000 offset $8`

async function* findWrongPrices(tx: Queryable): AsyncGenerator<Drift> {
  const wrong: (readonly [UsageRowKind, ReturnType<typeof chargeDue>])[] = []
  for await (const kinds of readInPieces<UsageRowKind>(tx, USAGE_ROW_KINDS)) {
    for (const kind of kinds) {
      const due = chargeDue(kind)
      if (kind.credits_charged !== due) wrong.push([kind, due])
    }
  }
  for (const [kind, due] of wrong) {
    const { operation, stage, status_code, units, credits_charged, hold, prices } = kind
    for (let offset = 0; ; offset += 1000) {
      const { rows } = await tx.query<{ account_id: string; request_id: string }>(ROWS_OF_KIND, [
        operation,
        stage,
        status_code,
        units,
        credits_charged,
        hold,
        prices && JSON.stringify(prices),
        offset,
      ])
      for (const { account_id, request_id } of rows) {
        yield { check: 'charge is price', accountId: account_id, facts: { request_id, ...kind, due } }
      }
      if (rows.length < 1000) break
    }
  }
}

/** The correct charge of a usage row of this kind, by the contract, or by the prices with which its job was accepted. */
function chargeDue(kind: UsageRowKind): number | 'no such operation or stage' {
  const { operation, stage, status_code, units, hold, prices } = kind
  const failed = operation === null || status_code >= 300
  // A job is charged when its hold is settled, and only then.
  const unsettled = status_code === 202 && hold !== 'settled'
  if (failed || unsettled) return 0
  if (!Object.hasOwn(operations, operation)) return 'no such operation or stage'
  const stages = prices ?? operations[operation as OperationId].price.stages
  const priced = stages.find((one) => one.stage === stage)
  return priced ? priceOfStage(priced, units) : 'no such operation or stage'
}

// Results of audits, stored so that metrics can show them without another audit.
export interface LastAudit {
  /** Number of contradictions. */
  readonly drifts: number
  readonly endedAt: Date
}

export async function recordAudit(database: Queryable, audited: AuditSummary): Promise<void> {
  await database.query(
    'insert into ledger_audits (accounts, holds, postings, usage_rows, drifts) values ($1, $2, $3, $4, $5)',
    [audited.accounts, audited.holds, audited.postings, audited.usageRows, audited.drifts],
  )
}

export interface EndedAudit extends Omit<AuditSummary, 'usageRows'> {
  readonly usage_rows: number
  readonly ended_at: Date
}

/** Latest first. */
export async function listAudits(database: Queryable, limit: number): Promise<EndedAudit[]> {
  const { rows } = await database.query<EndedAudit>(
    `select ended_at, accounts, holds, postings, usage_rows, drifts from ledger_audits
     order by ended_at desc limit $1`,
    [limit],
  )
  return rows
}

export async function findLastAudit(database: Queryable): Promise<LastAudit | undefined> {
  const { rows } = await database.query<LastAudit>(
    'select drifts, ended_at as "endedAt" from ledger_audits order by ended_at desc limit 1',
  )
  return rows[0]
}
