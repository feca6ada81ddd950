// Undoes an import: restores its homes in one transaction, which is an import of kind `revert` in the log.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { beginImport, endImport, type ImportKind, type ImportState } from '../imports/import-log.ts'
import { noteRevert, setReverted } from '../imports/undone-imports.ts'
import { tidyListings } from '../ingest/import-listings.ts'
import { rebaseChanges } from '../listings/rebase-changes.ts'
import { lockImports } from '../listings/stage-listings.ts'
import { holdSources } from '../replication/hold-sources.ts'
import { type RestoredHomes, restoreHomes } from './restore-homes.ts'

/** Days for which an import can be undone. */
export const IMPORT_UNDO_DAYS = 30

export interface Revert extends Omit<RestoredHomes, 'left'> {
  /** The import that was undone. */
  readonly importId: number
  /** The import that the undo is itself. null: a dry run. */
  readonly revertId: number | null
  /** Connected sources that were paused, so that their next run does not repeat the import. */
  readonly pausedSources: readonly string[]
}

/** An undo before its commit. */
export interface RestoredInTransaction {
  /** The import of kind `revert`. A dry run rolls it back. */
  readonly revertId: number
  /** Homes that the undo leaves as they are. */
  readonly left: ReadonlySet<string>
}

export type RevertResult =
  | { readonly reverted: true; readonly revert: Revert }
  | { readonly reverted: false; readonly because: RevertRefusal }

export type RevertRefusal = 'unknown' | 'already_reverted' | 'not_applied' | 'is_revert' | 'too_old'

export interface RevertOptions {
  readonly dryRun?: boolean
  /** The name of the operator, which the log of imports has. */
  readonly operator: string
  /** Runs in the transaction, after the homes were restored, also in a dry run. */
  readonly beforeCommit?: (tx: Queryable, revert: Revert, restored: RestoredInTransaction) => Promise<void>
}

interface LoggedRow {
  readonly kind: ImportKind
  readonly state: ImportState
  readonly sources: readonly string[]
  readonly firstChange: number | null
  readonly isOld: boolean
}

const FIND = `
  select kind, state, sources, first_change as "firstChange", started_at < now() - interval '${IMPORT_UNDO_DAYS} days' as "isOld"
  from imports where id = $1 for update`
/** Thrown to roll back a dry run. */
class DryRun extends Error {
  readonly revert: Revert

  constructor(revert: Revert) {
    super('dry run')
    this.revert = revert
  }
}

/** Undoes an import. A refused call changes nothing. Waits for a running import to end. */
export async function revertImport(
  database: Database,
  importId: number,
  { dryRun = false, operator, beforeCommit = async () => {} }: RevertOptions,
): Promise<RevertResult> {
  try {
    const result = await database.transaction(
      async (tx): Promise<RevertResult> => {
        await tx.query('set local idle_in_transaction_session_timeout = 0')
        await lockImports(tx)
        const { rows } = await tx.query<LoggedRow>(FIND, [importId])
        const refusal = refusalOf(rows[0])
        if (refusal) return { reverted: false, because: refusal }
        const { kind, sources, firstChange } = rows[0]!
        const begun = await beginImport(tx, 'revert')
        const { left, ...homes } = await restoreHomes(tx, importId)
        await setReverted(tx, importId, operator)
        await rebaseChanges(tx, importId, firstChange, begun.id)
        const pausedSources = RUN_KINDS.has(kind) ? await holdSources(tx, sources) : []
        await endImport(tx, begun, {
          sources,
          counts: { restored: homes.restored, removed: homes.removed, changed_later: homes.changedLater },
        })
        await noteRevert(tx, begun.id, importId)
        const revert = { importId, revertId: dryRun ? null : begun.id, pausedSources, ...homes }
        await beforeCommit(tx, revert, { revertId: begun.id, left })
        if (dryRun) throw new DryRun(revert)
        return { reverted: true, revert }
      },
      { statementTimeoutMs: 0 },
    )
    if (result.reverted) await tidyListings(database)
    return result
  } catch (error) {
    if (error instanceof DryRun) return { reverted: true, revert: error.revert }
    throw error
  }
}

/** Imports by connected sources, whose next run would repeat them. */
const RUN_KINDS: ReadonlySet<ImportKind> = new Set(['feed', 'sweep', 'schedule'])

function refusalOf(row: LoggedRow | undefined): RevertRefusal | undefined {
  if (!row) return 'unknown'
  if (row.kind === 'revert') return 'is_revert'
  if (row.state === 'reverted') return 'already_reverted'
  if (row.state !== 'applied') return 'not_applied'
  return row.isOld ? 'too_old' : undefined
}
