// Undoes an import with everything that followed from it: restores its homes, retracts the events of watches, and refunds their charges, in
// one transaction.

import { addImportCounts } from '../../data/imports.ts'
import { type Revert, type RevertRefusal, readImportFates, revertImport } from '../../data/undo.ts'
import type { Database } from '../../infrastructure/database.ts'
import { type EventRefund, refundEvents } from '../../money/credits.ts'
import { type Operator, recordAction } from '../../money/operator.ts'
import { createNotify, type EventView } from './notify.ts'
import { findCharges, type RetractedEvents, undoEvents } from './undo-events.ts'

/** The effect of an undo, or of a dry run of it. */
export interface ImportUndo extends Revert {
  /** Retracted events, and the number of their watches. */
  readonly events: Omit<RetractedEvents, 'charges'>
  readonly refund: EventRefund
}

export type UndoResult =
  | { readonly reverted: true; readonly undo: ImportUndo }
  | { readonly reverted: false; readonly because: RevertRefusal }

// A retraction shows no search row, so it has no links and names no source.
const VIEW: EventView = { sites: undefined as never, publicName: (source) => source }

/** Undoes an import as an operator. A refused call changes nothing. @param dryRun computes the effect, and rolls it back */
export async function undoImport(
  database: Database,
  operator: Operator,
  importId: number,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<UndoResult> {
  let done: Pick<ImportUndo, 'events' | 'refund'> | undefined
  const result = await revertImport(database, importId, {
    dryRun,
    operator: operator.name,
    async beforeCommit(tx, revert, { revertId, left }) {
      const { charges, ...events } = await undoEvents(tx, importId, left, createNotify(VIEW))
      const refund = await refundEvents(tx, importId, charges, operator.name)
      done = { events, refund }
      await addImportCounts(tx, revertId, {
        retracted_events: events.retracted,
        refunded_credits: refund.credits,
      })
      await recordAction(tx, operator, {
        action: 'listings.revert',
        object: `import ${importId}`,
        after: { restored: revert.restored, retracted: events.retracted, refunded: refund.credits },
      })
    },
  })
  if (!result.reverted) return result
  return { reverted: true, undo: { ...result.revert, ...done! } }
}

/**
 * Refunds the events of an import, each once, and leaves the homes and events as they are.
 *
 * @returns undefined: there is no such import
 */
export async function refundEventsOfImport(
  database: Database,
  operator: Operator,
  importId: number,
): Promise<EventRefund | undefined> {
  return database.transaction(
    async (tx) => {
      if (!(await readImportFates(tx, [importId])).has(importId)) return undefined
      const refund = await refundEvents(tx, importId, await findCharges(tx, importId), operator.name)
      if (refund.events > 0) {
        await addImportCounts(tx, importId, { refunded_credits: refund.credits })
        await recordAction(tx, operator, {
          action: 'credits.refund_events',
          object: `import ${importId}`,
          after: { refunded: refund.credits, events: refund.events, accounts: refund.accounts },
        })
      }
      return refund
    },
    { statementTimeoutMs: 0 },
  )
}
