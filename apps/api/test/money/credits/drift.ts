import type { Database } from '../../../src/infrastructure/database/database.ts'
import { auditLedger, type Drift } from '../../../src/money/credits/audit.ts'

/** The findings of `lotline credits audit`. */
export async function driftOf(database: Database): Promise<Drift[]> {
  const found: Drift[] = []
  await auditLedger(database, (drift) => void found.push(drift))
  return found
}
