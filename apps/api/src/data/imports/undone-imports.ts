// Notes in the log of imports on undos, and on what followed from them.

import type { Queryable } from '../../infrastructure/database.ts'
import type { ImportCounts } from './import-log.ts'

const SET_REVERTED = `
  update imports set state = 'reverted', decided_at = now(), decided_by = $2 where id = $1`

/** Sets an import to `reverted`, in the transaction of its undo. */
export async function setReverted(tx: Queryable, importId: number, operator: string): Promise<void> {
  await tx.query(SET_REVERTED, [importId, operator])
}

// The effects of the undone import do not count any more, so those of its undo must not make up for them.
const NOTE_REVERT = `
  update imports set note = 'Undo of import ' || $2::bigint, effects = '{}' where id = $1`

/** Completes the row of an undo, after it has ended. */
export async function noteRevert(tx: Queryable, revertId: number, importId: number): Promise<void> {
  await tx.query(NOTE_REVERT, [revertId, importId])
}

const ADD_COUNTS = `
  update imports i set counts = i.counts || (
    select coalesce(jsonb_object_agg(key, value::bigint + coalesce((i.counts ->> key)::bigint, 0)), '{}')
    from jsonb_each_text($2::jsonb))
  where id = $1`

/** Adds numbers to the counts of an import, for what follows from it in other modules. */
export async function addImportCounts(tx: Queryable, id: number, counts: ImportCounts): Promise<void> {
  await tx.query(ADD_COUNTS, [id, JSON.stringify(counts)])
}
