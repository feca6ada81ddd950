// The homes that imports have replaced, which are kept for undos. A trigger writes them (migrations/0018_undo.sql).

import type { Queryable } from '../../infrastructure/database.ts'

const FORGET_WITHHELD = `
  update replaced_listings set source = null, record = null, is_withheld = true
  where zpid = any ($1::text[]) and not is_withheld`

/** Deletes what is kept of homes that may not be shown, in the transaction that removes them. No undo brings them back. */
export async function forgetReplaced(tx: Queryable, zpids: readonly string[]): Promise<void> {
  if (zpids.length > 0) await tx.query(FORGET_WITHHELD, [zpids])
}

// The next later import of a home has replaced what this import had made of it. Without this import it would have replaced what was
// there before. So its own undo puts back the right home.
const HAND_ON = `
  update replaced_listings later set source = r.source, record = r.record, is_withheld = r.is_withheld
  from replaced_listings r
  where r.import_id = $1 and later.zpid = r.zpid and later.import_id = (
    select min(import_id) from replaced_listings l where l.zpid = r.zpid and l.import_id > $1)`
const FORGET_IMPORT = 'delete from replaced_listings where import_id = $1'

/** Hands on what an undone import has replaced to the next import of each home, and forgets the rest. */
export async function handOnReplaced(tx: Queryable, importId: number): Promise<void> {
  await tx.query(HAND_ON, [importId])
  await tx.query(FORGET_IMPORT, [importId])
}
