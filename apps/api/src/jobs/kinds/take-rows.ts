// Which rows of an entry are taken where not all can be: a building's own record is free, but only beside a unit that is
// charged.

import type { NewRow } from '../store/checkpoint.ts'

export interface Bounds {
  /** The most rows. */
  readonly room: number
  /** The most charged rows. Default: all. */
  readonly affordable?: number
}

/** The first rows, as many as the bounds allow. Where only one fits, it is one that is charged. */
export function takeRows(
  rows: readonly NewRow[],
  { room, affordable = Number.POSITIVE_INFINITY }: Bounds,
): readonly NewRow[] {
  const free = rows.filter(({ charged }) => !charged)
  const charged = rows.filter((row) => row.charged)
  const beside = Math.min(charged.length, affordable, room - free.length)
  if (beside >= 1) return [...free, ...charged.slice(0, beside)]
  return charged.slice(0, Math.max(0, Math.min(affordable, room)))
}

export function countCharged(rows: readonly NewRow[]): number {
  return rows.filter(({ charged }) => charged).length
}
