// After a restore: removes and withholds homes as the safety journal has them, in the transaction of the restore.

import type { JournaledHome, Queryable } from '../../infrastructure/database.ts'
import { deleteListings, forgetSummariesOfAll } from '../listings/delete-listings.ts'
import { unlinkHomes } from '../listings/link-homes.ts'
import { createStage, lockImports } from '../listings/stage-listings.ts'
import { hideStoredAddresses } from './withhold-homes.ts'

// Rows of jobs, events, and messages in the backup may show the home, even if the data set does not have it.
const WITHHOLD = `
  insert into withheld_homes as w (zpid, what) select zpid, $2 from unnest($1::text[]) as g (zpid)
  on conflict (zpid) do update set what = excluded.what, since = excluded.since where w.what <> excluded.what`

export interface RestrictedInRestore {
  /** Homes of the backup that were removed again. */
  readonly removed: number
  /** Homes of which nothing may be shown. */
  readonly withheld: number
  /** Homes whose address may not be shown. */
  readonly withoutAddress: number
}

/**
 * @param keepsRemoved whether homes stay that were removed, but not withheld
 */
export async function restrictJournaledHomes(
  tx: Queryable,
  homes: ReadonlyMap<string, JournaledHome>,
  { keepsRemoved = false }: { readonly keepsRemoved?: boolean } = {},
): Promise<RestrictedInRestore> {
  const zpidsOf = (is: (home: JournaledHome) => boolean) =>
    [...homes].filter(([, home]) => is(home)).map(([zpid]) => zpid)
  const withheld = zpidsOf((home) => home.withheld === 'listing')
  const gone = zpidsOf((home) => home.withheld === 'listing' || (home.removed === true && !keepsRemoved))
  const hidden = zpidsOf((home) => home.withheld === 'address')
  if (gone.length + hidden.length === 0) return { removed: 0, withheld: 0, withoutAddress: 0 }
  await lockImports(tx)
  const removed = await deleteListings(tx, 'zpid = any($1::text[])', [gone])
  if (hidden.length > 0) {
    // It replaces the table of staged rows.
    await createStage(tx)
    await hideStoredAddresses(tx, hidden)
  }
  if (withheld.length > 0) await tx.query(WITHHOLD, [withheld, 'listing'])
  if (hidden.length > 0) await tx.query(WITHHOLD, [hidden, 'address'])
  await forgetSummariesOfAll(tx, [...withheld, ...hidden])
  await unlinkHomes(tx, withheld)
  return { removed: removed.length, withheld: withheld.length, withoutAddress: hidden.length }
}
