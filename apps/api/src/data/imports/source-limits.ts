// The limits of single sources.

import type { Queryable } from '../../infrastructure/database.ts'
import type { SourceLimits } from './limits.ts'

const SAVE = `
  insert into import_limits (source, limits) values ($1, $2)
  on conflict (source) do update set limits = excluded.limits`

/** Keeps limits for a source, in place of those that it had. All other limits have the usual values. */
export async function saveLimits(
  database: Queryable,
  source: string,
  limits: Partial<SourceLimits>,
): Promise<void> {
  await database.query(SAVE, [source, JSON.stringify(limits)])
}
