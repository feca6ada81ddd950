// Judges the import of a file, and holds it if it exceeds the limits of a source.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { findExcesses } from '../imports/find-excesses.ts'
import { holdImport } from '../imports/hold-import.ts'
import type { BegunImport, ImportCounts, ImportKind } from '../imports/import-log.ts'
import type { Completion } from './complete-source.ts'

/** The rows of an import after they were moved into the listings. */
export interface MovedRows {
  readonly sources: readonly string[]
  readonly counts: ImportCounts
  /** Homes of rejected rows of a complete import. */
  readonly rejected: readonly string[]
  readonly hasWithdrawn: boolean
}

export interface FileToJudge {
  readonly database: Database
  /** The transaction of the import. */
  readonly tx: Queryable
  readonly begun: BegunImport
  readonly kind: ImportKind
  /** This many homes may be lost in any case. */
  readonly allowRemovals: number
  readonly complete: Completion | undefined
  /** Runs in the transaction that holds the import. */
  readonly beforeHeld?: (tx: Queryable, importId: number) => Promise<void>
}

/** A judge for `importRows`. It throws {ImportHeld} after the rows were copied, which rolls the import back. */
export function judgeOf({ database, tx, begun, kind, allowRemovals, complete, beforeHeld }: FileToJudge) {
  return async ({ sources, counts, rejected, hasWithdrawn }: MovedRows): Promise<void> => {
    const { findings } = await findExcesses(tx, begun, { allowRemovals })
    if (findings.length === 0) return
    throw await holdImport(
      database,
      tx,
      { kind, sources, counts, findings, rejected, ...(complete && { complete: complete.sources }) },
      { hasWithdrawn, beforeCommit: beforeHeld },
    )
  }
}
