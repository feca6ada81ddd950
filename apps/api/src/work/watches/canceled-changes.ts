// Records the homes whose changes cancel out between two comparisons of a watch: one import added a home, and another removed it. The
// watch reports nothing, but the undo of one of these imports makes a difference that it must report. The undo finds the watch by this
// record, and has it compared anew.
// Why: decisions/work/retracted-events.md

import { type ListingFacts, matcherOf, reportedStatus } from '../../data/sources.ts'
import type { AreaSearch } from '../../domain/search.ts'
import { type Queryable, readInPieces } from '../../infrastructure/database.ts'
import type { LockedWatch } from './evaluate-snapshot.ts'
import type { HomeState } from './home-event.ts'
import { writeTransitions } from './write-transitions.ts'

/** A comparison of a watch, which has written its events and states. */
export interface WrittenComparison {
  readonly watch: LockedWatch
  /** null: the watch has a list of homes. The search is prepared. */
  readonly search: AreaSearch | null
  /** The piece of the change log that was compared: after `after`, up to `upTo`. */
  readonly after: number
  readonly upTo: number
  /** The reported states before the comparison. */
  readonly homes: ReadonlyMap<string, HomeState>
  /** Homes whose state the comparison has written, and homes that had no baseline. */
  readonly written: ReadonlySet<string>
}

// Changes of one import do not cancel out, because each import is one change of a home. Most pieces end this question at once: they are
// empty, or their first few changes have two imports.
const HAS_SEVERAL_IMPORTS = `
  select exists (
    select from listing_changes where seq > $1 and seq <= $2
      and import_id is distinct from (select import_id from listing_changes where seq > $1 order by seq limit 1)) as "hasSeveral"`

// Homes that several imports that count have changed, unless standing transitions of the watch name each of these imports: a watch can be
// compared repeatedly from the same position. The facts of other homes are not read.
const changedRepeatedly = ({ watch: { accountId, id }, after, upTo }: WrittenComparison) => `
  with counting as (
    select c.seq, c.zpid, coalesce(c.import_id, 0) as import_id
    from listing_changes c left join imports i on i.id = c.import_id
      join watches w on w.account_id = '${accountId}' and w.id = '${id}'
    where c.seq > ${after} and c.seq <= ${upTo} and (i.id is null or (i.kind <> 'revert' and i.state <> 'reverted'))
      and (w.zpids is null or c.zpid = any (w.zpids))
  ), repeated as materialized (
    select zpid, array_agg(distinct import_id) as imports, array_agg(seq) as seqs
    from counting group by zpid having min(import_id) <> max(import_id)
  )
  select r.zpid, r.imports, json_agg(c.after order by c.seq) as states
  from repeated r cross join unnest(r.seqs) as s (seq) join listing_changes c on c.seq = s.seq
  where exists (
    select from unnest(r.imports) as n (import_id) where not exists (
      select from watch_transitions t
      where t.account_id = '${accountId}' and t.watch_id = '${id}' and t.zpid = r.zpid and t.undone_at is null
        and n.import_id = any (t.imports)))
  group by r.zpid, r.imports`

interface RepeatedlyChangedHome {
  readonly zpid: string
  /** 0 stands for changes that no import has made. */
  readonly imports: readonly number[]
  /** The facts after each change, in order. null: the home was not in the data set. */
  readonly states: readonly (ListingFacts | null)[]
}

/** Records the canceled changes of a compared watch, in the transaction of the comparison. */
export async function recordCanceledChanges(tx: Queryable, comparison: WrittenComparison): Promise<void> {
  const { watch, search, after, upTo, homes, written } = comparison
  const { rows } = await tx.query<{ hasSeveral: boolean }>(HAS_SEVERAL_IMPORTS, [after, upTo])
  if (!rows[0]!.hasSeveral) return
  const finds = search ? matcherOf(search) : isListed
  const left = { status: 'off_market', price: null, leftAt: new Date() } as const
  for await (const piece of readInPieces<RepeatedlyChangedHome>(tx, changedRepeatedly(comparison))) {
    const canceled = piece.filter(
      ({ zpid, states }) =>
        !written.has(zpid) && new Set(states.map((facts) => shownAs(facts, finds))).size > 1,
    )
    const writes = canceled.map(({ zpid, imports }) => {
      const before = homes.get(zpid)
      return {
        watch,
        zpid,
        before,
        state: before ?? left,
        home: { cause: { imports, after, isUndo: false } },
      }
    })
    await writeTransitions(tx, writes, 0)
  }
}

const isListed = ({ kind }: ListingFacts) => kind !== 'off_market'

/** The state of a home as the watch would report it. Equal texts mean that there is no difference. */
function shownAs(facts: ListingFacts | null, finds: (facts: ListingFacts) => boolean): string {
  return facts && finds(facts) ? `${reportedStatus(facts)} ${facts.price}` : 'absent'
}
