// The fate of an import that changed homes, for readers of the change log.

import type { Queryable } from '../../infrastructure/database.ts'

/** `applied`: its changes count. `reverted`: it was undone, and its changes never happened. `revert`: it is the undo of another import. */
export type ImportFate = 'applied' | 'reverted' | 'revert'

const FATES = `
  select id, case when kind = 'revert' then 'revert' when state = 'reverted' then 'reverted' else 'applied' end as fate
  from imports where id = any ($1)`

/** The fates of imports, by their ids. An import that is not in the log any more counts as applied. */
export async function readImportFates(
  database: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ImportFate>> {
  if (ids.length === 0) return new Map()
  const { rows } = await database.query<{ id: number; fate: ImportFate }>(FATES, [ids])
  return new Map(rows.map(({ id, fate }) => [id, fate]))
}
