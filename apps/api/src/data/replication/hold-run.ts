// Holds a feed whose run exceeds limits. Its records are not kept: the feed has them, and the position stays before them.

import type { Database, Queryable } from '../../infrastructure/database.ts'
import { findExcesses, type StartProfiles } from '../imports/find-excesses.ts'
import { decide, endPassedRun, readRunState } from '../imports/held-imports.ts'
import { ImportHeld, writeHeld } from '../imports/hold-import.ts'
import type { BegunImport } from '../imports/import-log.ts'
import type { LimitExcess } from '../imports/judge-import.ts'
import { renewLease, type SourceLease } from './source-store.ts'

/** The log entry of a run of a feed. All its pages are one import. */
export interface RunEntry {
  /** undefined: no page of the run has changed anything yet. */
  id: number | undefined
  /** The profiles before the first page. */
  readonly start: StartProfiles
  /** `held`: only deletions and restrictions are applied. `released`: a person has decided, and nothing is judged. */
  mode: 'judged' | 'held' | 'released'
  /** The error of this run, if it has exceeded a limit. */
  exceeded?: ImportHeld
}

/** Rolls the transaction of a page back. */
export class PageExceedsLimits extends Error {
  override readonly name = 'PageExceedsLimits'
  readonly findings: readonly LimitExcess[]

  constructor(findings: readonly LimitExcess[]) {
    super('the page exceeds limits of its source')
    this.findings = findings
  }
}

/** @throws {PageExceedsLimits} when the pages of the run up to this one exceed limits of a source */
export async function requireWithinLimits(
  tx: Queryable,
  begun: BegunImport,
  start: StartProfiles,
): Promise<void> {
  const { differences, findings } = await findExcesses(tx, begun, { start })
  if (findings.length > 0) throw new PageExceedsLimits(findings)
  // If the transaction fails, the next page finds the same profiles.
  for (const { source, before } of differences) if (!start.has(source)) start.set(source, before)
}

/** Writes the held run. Returns the error with which the run ends. */
export async function holdRun(
  database: Database,
  lease: SourceLease,
  kind: 'feed' | 'sweep',
  findings: readonly LimitExcess[],
): Promise<ImportHeld> {
  const id = await database.transaction(async (tx) => {
    await renewLease(tx, lease)
    return writeHeld(tx, { kind, sources: [lease.name], counts: {}, findings })
  })
  return new ImportHeld(id, findings)
}

/** The log entry of a run that begins. A run with permitted removals is the decision of a person. */
export async function beginRun(database: Database, source: string, allowRemovals: number): Promise<RunEntry> {
  const { held, released } = await readRunState(database, source)
  const isDecided = released !== undefined || allowRemovals > 0
  return {
    id: undefined,
    start: new Map(),
    mode: isDecided ? 'released' : held !== undefined ? 'held' : 'judged',
  }
}

/** Ends a run that a person has decided to let pass: the next one is judged again. */
export async function endRun(database: Database, source: string, { mode }: RunEntry): Promise<void> {
  if (mode !== 'released') return
  await database.transaction(async (tx) => {
    const { held } = await readRunState(tx, source)
    if (held !== undefined) {
      const note = 'a run with --allow-removals has read the feed'
      await decide(tx, held, { state: 'discarded', by: 'lotline sources sync', note })
    }
    await endPassedRun(tx, source)
  })
}
