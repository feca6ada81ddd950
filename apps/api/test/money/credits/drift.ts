import type { Database } from '../../../src/infrastructure/database/database.ts'
import { auditLedger, type Drift } from '../../../src/money/credits/audit.ts'

/** What `lotline credits audit` would find. */
export async function driftOf(database: Database): Promise<Drift[]> {
  const found: Drift[] = []
  await auditLedger(database, (drift) => void found.push(drift))
  return found
}
