// Decisions about held imports, each recorded in the trail in the transaction of the decision.

import { discardImport } from '../../data/imports.ts'
import { type Release, releaseImport } from '../../data/ingest.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type Operator, recordAction } from './trail.ts'

/** Applies a held import, or lets the next run of its feed pass. Waits for a running import to end. */
export function releaseHeldImport(database: Database, operator: Operator, id: number): Promise<Release> {
  return releaseImport(database, id, operator.name, (tx, release) =>
    recordAction(tx, operator, {
      action: 'listings.release',
      object: `import ${id}`,
      before: { state: 'held' },
      after: { state: 'applied', ...(release.outcome === 'applied' && { import: release.importId }) },
    }),
  )
}

/** Drops a held import. Returns false, and changes nothing, if none is held under this number. */
export function discardHeldImport(database: Database, operator: Operator, id: number): Promise<boolean> {
  return database.transaction(async (tx) => {
    if (!(await discardImport(tx, id, operator.name))) return false
    await recordAction(tx, operator, {
      action: 'listings.discard',
      object: `import ${id}`,
      before: { state: 'held' },
      after: { state: 'discarded' },
    })
    return true
  })
}
