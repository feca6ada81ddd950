import type { Queryable } from '../../infrastructure/database.ts'

const FORGET = `
  delete from cached_records c using removed_listings r
  where c.zpid = r.zpid and c.generation < r.generation and r.removed_at = now()`

/** Deletes the cached records of the listings that this transaction has removed, so that they are not served any more. */
export async function forgetRemoved(tx: Queryable): Promise<void> {
  await tx.query(FORGET)
}
