// The part of the port (port.ts) for held imports and the log of imports.

import type { ChangeResult, FormId } from './change.ts'

/** A row of the log of imports. */
export interface ConsoleImport {
  readonly id: number
  /** The cause, such as `file`, `feed`, or `revert`. */
  readonly kind: string
  readonly state: 'held' | 'applied' | 'discarded' | 'reverted'
  readonly sources: readonly string[]
  readonly startedAt: Date
  /** Numbers of rows and homes by name. */
  readonly counts: Readonly<Record<string, number>>
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
  /** Whether it is applied, no undo itself, and young enough. */
  readonly canBeUndone: boolean
}

export interface ConsoleHeldImport {
  readonly id: number
  readonly kind: string
  /** Whether its rows are not kept: a feed is read again after the decision. */
  readonly isOfFeed: boolean
  readonly state: ConsoleImport['state']
  readonly sources: readonly string[]
  readonly startedAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
  readonly note: string | null
  /** The limits that it exceeds, each with a sentence without its period. */
  readonly findings: readonly { readonly limit: string; readonly text: string }[]
}

/** The changes that a held import would make now. */
export interface ImportDifference {
  /** Homes by kind of change, such as `new`. */
  readonly homes: Readonly<Record<string, number>>
  /** At most 10 of each kind. `before` and `after`: main facts of the record. null: there is none. */
  readonly examples: readonly {
    readonly zpid: string
    readonly change: string
    readonly before: Readonly<Record<string, unknown>> | null
    readonly after: Readonly<Record<string, unknown>> | null
  }[]
  /** Upper bounds of the events of watches and of their credits. */
  readonly maxEvents: number
  readonly maxCredits: number
}

export interface HeldImportDetail {
  readonly held: ConsoleHeldImport
  /**
   * `decided`: it is not held any more. `not kept`: it is of a feed, which is read again. `too slow`: the comparison took too long for the
   * console.
   */
  readonly difference: ImportDifference | 'decided' | 'not kept' | 'too slow'
}

/** The effect that an undo would have. */
export interface ConsoleImportUndo {
  /** Homes that change, and those of them that would be removed. */
  readonly restored: number
  readonly removed: number
  /** Homes that a later import has changed: they stay as they are. */
  readonly changedLater: number
  /** Homes that may not be shown any more: they stay removed. */
  readonly withheld: number
  readonly retractedEvents: number
  readonly watches: number
  readonly refundedCredits: number
  readonly refundedAccounts: number
  /** Connected sources that would be paused. */
  readonly pausedSources: readonly string[]
}

export interface ImportsApi {
  /** Latest first. */
  readHeldImports(): Promise<readonly ConsoleHeldImport[]>
  /** Latest first. */
  readImports(limit: number): Promise<readonly ConsoleImport[]>
  /** undefined: no import with this number is held or was. */
  getHeldImport(id: number): Promise<HeldImportDetail | undefined>
  /** `next run`: the import is of a feed, whose next run is not judged. */
  releaseImport(form: FormId, id: number): Promise<ChangeResult<'applied' | 'next run'>>
  discardImport(form: FormId, id: number): Promise<ChangeResult<undefined>>
  /** Computes the effect of an undo, and changes nothing. */
  previewUndo(id: number): Promise<ChangeResult<ConsoleImportUndo>>
  undoImport(form: FormId, id: number): Promise<ChangeResult<undefined>>
}
