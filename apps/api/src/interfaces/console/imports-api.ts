// The console's access to held imports and the log of imports: the same functions that `lotline listings` uses.

import type { ConsoleHeldImport, ConsoleImportUndo, ImportsApi } from '@lotline/portal/console'
import {
  findHeld,
  type HeldEntry,
  isOfFeed,
  type LoggedImport,
  readDifference,
  readHeld,
  readImports,
} from '../../data/imports.ts'
import { IMPORT_UNDO_DAYS, type RevertRefusal } from '../../data/undo.ts'
import { type Database, isTimeout } from '../../infrastructure/database.ts'
import { createWorkQueue } from '../../infrastructure/platform.ts'
import { discardHeldImport, type Operator, releaseHeldImport } from '../../money/operator.ts'
import { type ImportUndo, undoImport } from '../../work/watches.ts'
import { done, once, refused } from './change-result.ts'

/** @param by the signed-in operator, with the id of a form */
export type ImportsApiFor = (by: (form: string) => Operator) => ImportsApi

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Created once for a process.
 *
 * @param database the console's bounded connections, for reads
 * @param unbounded for releases and undos, which wait for a running import and can take minutes. One of them runs at a time, so that the
 *   console's other pages do not wait, and customers keep their connections
 */
export function createImportsApi(database: Database, unbounded: Database): ImportsApiFor {
  const line = createWorkQueue(1, 0)
  return (by) => ({
    readHeldImports: async () => (await readHeld(database)).map(toHeld),

    readImports: async (limit) => (await readImports(database, { limit })).map(toLogged),

    async getHeldImport(id) {
      const entry = await findHeld(database, id)
      if (!entry) return undefined
      const held = toHeld(entry)
      if (entry.state !== 'held') return { held, difference: 'decided' }
      if (held.isOfFeed) return { held, difference: 'not kept' }
      const difference = await readDifference(database, entry).catch((error) => {
        if (!isTimeout(error)) throw error
        return 'too slow' as const
      })
      return { held, difference }
    },

    releaseImport: (form, id) =>
      once(async () => {
        const { outcome } = await line.run(() => releaseHeldImport(unbounded, by(form), id))
        return outcome === 'not held' ? refused(notHeld(id)) : done(outcome)
      }),

    discardImport: (form, id) =>
      once(async () =>
        (await discardHeldImport(database, by(form), id)) ? done(undefined) : refused(notHeld(id)),
      ),

    async previewUndo(id) {
      const { form: _, ...operator } = by('')
      const result = await line.run(() => undoImport(unbounded, operator, id, { dryRun: true }))
      return result.reverted ? done(toUndo(result.undo)) : refused(REFUSALS[result.because](id))
    },

    undoImport: (form, id) =>
      once(async () => {
        const result = await line.run(() => undoImport(unbounded, by(form), id))
        return result.reverted ? done(undefined) : refused(REFUSALS[result.because](id))
      }),
  })
}

function notHeld(id: number): string {
  return `Import ${id} is not held any more. Nothing was changed.`
}

const REFUSALS: Readonly<Record<RevertRefusal, (id: number) => string>> = {
  unknown: (id) => `There is no import ${id}.`,
  already_reverted: (id) => `Import ${id} was undone before. Nothing was changed.`,
  not_applied: (id) => `Import ${id} is held or was discarded, so it has changed nothing that can be undone.`,
  is_revert: (id) =>
    `Import ${id} is itself an undo. To apply the undone import again, import its file again.`,
  too_old: (id) =>
    `Import ${id} is older than ${IMPORT_UNDO_DAYS} days, and the homes that it replaced are not kept any more.`,
}

function toHeld(entry: HeldEntry): ConsoleHeldImport {
  const { id, kind, state, sources, note, findings } = entry
  return {
    id,
    kind,
    isOfFeed: isOfFeed(entry),
    state,
    sources,
    startedAt: entry.started_at,
    decidedAt: entry.decided_at,
    decidedBy: entry.decided_by,
    note,
    findings,
  }
}

function toLogged(row: LoggedImport): Awaited<ReturnType<ImportsApi['readImports']>>[number] {
  const { id, kind, state, sources, counts } = row
  const isYoung = Date.now() - row.started_at.getTime() < IMPORT_UNDO_DAYS * DAY_MS
  return {
    id,
    kind,
    state,
    sources,
    startedAt: row.started_at,
    counts,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    canBeUndone: state === 'applied' && kind !== 'revert' && isYoung,
  }
}

function toUndo({ events, refund, ...homes }: ImportUndo): ConsoleImportUndo {
  const { restored, removed, changedLater, withheld, pausedSources } = homes
  return {
    restored,
    removed,
    changedLater,
    withheld,
    retractedEvents: events.retracted,
    watches: events.watches,
    refundedCredits: refund.credits,
    refundedAccounts: refund.accounts,
    pausedSources,
  }
}
