// Compares what a transaction has done to the listings with the limits of their sources.

import type { Queryable } from '../../infrastructure/database.ts'
import type { BegunImport } from './import-log.ts'
import { judgeDifference, type LimitExcess } from './judge-import.ts'
import { DEFAULT_LIMITS, type SourceLimits, WINDOW_DAYS } from './limits.ts'
import {
  addEffects,
  type Effects,
  NO_EFFECTS,
  type ProfileGroup,
  readDifferences,
  type SourceDifference,
} from './source-profile.ts'

export interface JudgedChanges {
  readonly differences: readonly SourceDifference[]
  /** Empty: the import may be applied. */
  readonly findings: readonly LimitExcess[]
}

/** The profiles before the first page of a run, by source. Pages are judged together. */
export type StartProfiles = Map<string, readonly ProfileGroup[]>

export interface ExcessOptions {
  /** This many homes may be lost in any case. */
  readonly allowRemovals?: number
  /** Of a run with several pages. */
  readonly start?: StartProfiles
}

const LIMITS_OF = 'select source, limits from import_limits where source = any($1)'
const EFFECTS_OF = 'select effects from imports where id = $1'
// A person who releases an import, or permits its losses, begins a new window.
const EARLIER = `
  select kind, effects from imports
  where started_at > now() - interval '${WINDOW_DAYS} days' and state = 'applied' and id <> $1 and sources && $2
    and kind in ('file', 'schedule', 'feed', 'sweep', 'release')
  order by id desc`

/** The effects of an import on a source, as they are logged. */
type LoggedEffects = Effects & { readonly permitted?: boolean }
type EffectsBySource = Readonly<Record<string, LoggedEffects>>

/** Judges all that this transaction has changed, together with the earlier pages of its run. */
export async function findExcesses(
  tx: Queryable,
  { id, isNew }: BegunImport,
  { allowRemovals = 0, start }: ExcessOptions = {},
): Promise<JudgedChanges> {
  const differences = await readDifferences(tx)
  if (differences.length === 0) return { differences, findings: [] }
  const sources = differences.map(({ source }) => source)
  const limits = new Map(
    (await tx.query<{ source: string; limits: Partial<SourceLimits> }>(LIMITS_OF, [sources])).rows.map(
      (row) => [row.source, row.limits] as const,
    ),
  )
  const pages = isNew
    ? {}
    : ((await tx.query<{ effects: EffectsBySource }>(EFFECTS_OF, [id])).rows[0]?.effects ?? {})
  const earlier = (await tx.query<{ kind: string; effects: EffectsBySource }>(EARLIER, [id, sources])).rows
  const findings = differences.flatMap((difference) => {
    const { source } = difference
    return judgeDifference(
      {
        ...difference,
        before: start?.get(source) ?? difference.before,
        effects: addEffects(difference.effects, pages[source] ?? NO_EFFECTS),
      },
      {
        limits: { ...DEFAULT_LIMITS, ...limits.get(source) },
        allowRemovals,
        earlierLosses: lossesOf(source, earlier),
      },
    )
  })
  return { differences, findings }
}

function lossesOf(
  source: string,
  earlier: readonly { readonly kind: string; readonly effects: EffectsBySource }[],
): number[] {
  const losses: number[] = []
  for (const { kind, effects } of earlier) {
    const one = effects[source]
    if (one === undefined) continue
    if (kind === 'release' || one.permitted) break
    losses.push(one.lost - one.gained)
  }
  return losses
}
