// Rewrites the change log after an import was undone: the changes that followed it begin at the state before the import.

import type { Queryable } from '../../infrastructure/database.ts'

// The changes of each home after those of the import, up to the first that counts: those of undone imports and of undos between them
// begin or end at the state that the import had made. The log has no index of homes, so it is read from the first change of the import.
const REBASE = `
  with undone as (
    select zpid, max(seq) as last, (array_agg(before order by seq))[1] as before, (array_agg(after order by seq desc))[1] as after
    from listing_changes where seq >= $2 and import_id = $1 group by zpid
  ), later as (
    select c.seq, c.before, c.after, i.kind = 'revert' as is_undo, u.before as was, u.after as became,
      count(*) filter (where i.id is null or (i.kind <> 'revert' and i.state <> 'reverted'))
        over (partition by c.zpid order by c.seq rows between unbounded preceding and 1 preceding) as counted
    from listing_changes c join undone u on u.zpid = c.zpid and c.seq > u.last left join imports i on i.id = c.import_id
    where c.seq > $2 and c.import_id is distinct from $3
  )
  update listing_changes c set
    before = case when l.before is not distinct from l.became then l.was else l.before end,
    after = case when l.is_undo and l.after is not distinct from l.became then l.was else l.after end
  from later l
  where c.seq = l.seq and coalesce(l.counted, 0) = 0`

/**
 * Rebases the changes after an undone import, in the transaction of its undo. Watches that have not evaluated them yet then report them
 * as if the import had never been.
 *
 * @param firstChange the first change of the import. null: it has none
 */
export async function rebaseChanges(
  tx: Queryable,
  importId: number,
  firstChange: number | null,
  revertId: number,
): Promise<void> {
  if (firstChange !== null) await tx.query(REBASE, [importId, firstChange, revertId])
}
