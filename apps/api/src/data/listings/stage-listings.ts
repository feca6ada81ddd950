// Writing an import, inside one transaction. Homes that the data set does not have yet are stored at once, batch by
// batch while the file is still being read. All others are laid into a temporary table, and compared and moved when the
// file has been read to its end: so the last of several rows with one zpid counts however far apart they stand, and a
// row that comes back to what is stored already leaves it alone.
// Why: decisions/data/home-of-two-sources.md

import { ADVISORY_LOCKS, type Queryable } from '../../infrastructure/database.ts'
import { identifyRecords } from '../sources/record-identities.ts'
import { COLUMNS, GIVEN, type ListingBatch, STORED_COLUMNS } from './listing-batch.ts'

/** What an import does, or would do: the sum is the number of homes. */
export interface StageResult {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** Of the updated homes: those that another source brought before. */
  readonly takenOver: number
}

// It takes the storage and compression of the real table, so that what was packed once is moved as it is.
// A source may be slow, such as a pipe: waiting for it must not end the transaction.
const CREATE = `
  set local idle_in_transaction_session_timeout = 0;
  create temporary table staged (position bigint not null, like listings including storage including compression)
  on commit drop;
  alter table staged drop column generation, alter column zpid set statistics 1`

const STAGE = `insert into staged (position, ${COLUMNS}) ${GIVEN}`

const STORE = `
  with given as materialized (${GIVEN}), returning_homes as (
    -- They go on from the generation that they had when they were removed.
    delete from removed_listings using given where removed_listings.zpid = given.zpid
    returning removed_listings.zpid, removed_listings.generation
  ), stored as (
    insert into listings (${COLUMNS}, generation)
      select ${COLUMNS}, coalesce((select r.generation from returning_homes r where r.zpid = given.zpid), 1)
      from given
    on conflict (zpid) do nothing returning zpid, source
  ), identified as (
    ${identifyRecords('select source, zpid, zpid from stored')}
  ), known as (
    insert into staged (position, ${COLUMNS})
      select position, ${COLUMNS} from given where zpid not in (select zpid from stored)
  )
  select count(*) as inserted from stored`

// The index comes when all is staged, which is cheaper than keeping one up to date. Without the statistics the planner
// knows nothing of the table, and would sort all of it for each part.
const COMPLETE = 'create index on staged (zpid, position desc); analyze staged (zpid)'

/**
 * The columns by which two listings are compared beside their records: what is derived from an equal record changes with a
 * newer Lotline. A position cannot be compared as part of a row; its cell stands for it.
 */
const DERIVED = STORED_COLUMNS.filter((name) => !['zpid', 'source', 'location', 'record'].includes(name))
const derivedOf = (row: 'l' | 's') => DERIVED.map((name) => `${row}.${name}`).join(', ')

/** Whether the stored listing `l` is to be rewritten; `s` is the staged one. */
const DIFFERS = `(l.record <> s.record or l.source <> s.source or
  (${derivedOf('l')}) is distinct from (${derivedOf('s')}))`

const SET = STORED_COLUMNS.filter((name) => name !== 'zpid').map((name) => `${name} = s.${name}`)

// A higher generation retires every cached copy of the record. Of a home that came with this very import there are none,
// since no other transaction has seen it yet: it is one that the import inserts, whichever of its rows counts.
const MOVE = `
  with latest as materialized (
    select distinct on (zpid) * from staged where zpid > $1 order by zpid, position desc limit $2
  ), compared as materialized (
    select zpid, l.xmin = pg_current_xact_id()::xid as is_new, l.record <> s.record as is_other,
      l.source <> s.source as is_taken_over, ${DIFFERS} as differs
    from latest as s join listings as l using (zpid)
  ), changed as (
    update listings as l set
      generation = l.generation + (c.is_other and not c.is_new)::integer,
      ${SET.join(', ')}
    from compared as c join latest as s using (zpid)
    where c.differs and l.zpid = c.zpid
    returning l.source, l.zpid
  ), identified as (
    ${identifyRecords('select source, zpid, zpid from changed')}
  )
  select count(*) as taken, max(zpid) as last, count(*) filter (where not is_new and differs) as updated,
    count(*) filter (where not is_new and not differs) as unchanged,
    count(*) filter (where not is_new and is_taken_over) as taken_over,
    (array_agg(zpid) filter (where is_new))[1:$3] as repeated
  from compared`

const COMPARE = `
  select count(*) filter (where l.zpid is null) as inserted,
    count(*) filter (where l.zpid is not null and ${DIFFERS}) as updated, count(l.zpid) as known,
    count(*) filter (where l.source <> s.source) as taken_over
  from (select distinct on (zpid) * from staged order by zpid, position desc) as s
  left join listings as l using (zpid)`

// Rows of homes that an earlier row brought: all but the first of each, and the first as well where the home was stored
// by this very import.
const REPEATED = `
  select position, zpid from (
    select position, zpid, row_number() over (partition by zpid order by position) as nth from staged
  ) as s
  where nth > 1 or zpid = any($1) order by position limit $2`

const MOVED_AT_A_TIME = 5_000

interface MovedRow {
  taken: number
  last: string | null
  updated: number
  unchanged: number
  taken_over: number
  repeated: string[] | null
}

/** A row of a home that an earlier row of the same import brought. */
export interface RepeatedRow {
  readonly position: number
  readonly zpid: string
}

/** One import at a time: two that touch the same homes would wait for each other, or for ever. */
export async function lockImports(tx: Queryable, onWait: () => void = () => {}): Promise<void> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    ADVISORY_LOCKS.imports,
  ])
  if (rows[0]?.locked) return
  onWait()
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.imports])
}

/** Begins an import in a transaction; what it has staged is gone with the transaction's end. */
export async function createStage(tx: Queryable): Promise<void> {
  await tx.query(CREATE)
}

/** Ends an import, so that another one can begin in the same transaction. */
export async function dropStage(tx: Queryable): Promise<void> {
  await tx.query('drop table staged')
}

const UNSTAGE = 'delete from staged where zpid = any($1::text[])'

/** Takes the staged rows of homes back. */
export async function unstageHomes(tx: Queryable, zpids: readonly string[]): Promise<void> {
  await tx.query(UNSTAGE, [zpids])
}

/** Stores the homes that are new, and stages all others. Returns how many were new. */
export async function storeBatch(tx: Queryable, batch: ListingBatch): Promise<number> {
  const { rows } = await tx.query<{ inserted: number }>(STORE, batch.parameters(), { name: 'import_store' })
  return rows[0]!.inserted
}

/** Stages all homes, for `compareStaged`, and stores none. */
export async function stageBatch(tx: Queryable, batch: ListingBatch): Promise<0> {
  await tx.query(STAGE, batch.parameters(), { name: 'import_stage' })
  return 0
}

/**
 * Brings the listings up to date that were staged. `onMoved` hears how many of them are done. `stored` are some of those
 * homes that this very import has stored, at most `limit`.
 *
 * @param staged rows that may have been staged. Where all homes are new, as in the first pages of a feed, there is nothing to do
 */
export async function moveStaged(
  tx: Queryable,
  staged: number,
  onMoved: (homes: number) => void,
  limit: number,
): Promise<Omit<StageResult, 'inserted'> & { readonly stored: readonly string[] }> {
  onMoved(0)
  if (staged === 0) return { updated: 0, unchanged: 0, takenOver: 0, stored: [] }
  await tx.query(COMPLETE)
  let [taken, updated, unchanged, takenOver] = [0, 0, 0, 0]
  const stored: string[] = []
  for (let last = ''; ; ) {
    const { rows } = await tx.query<MovedRow>(MOVE, [last, MOVED_AT_A_TIME, limit - stored.length])
    const moved = rows[0]!
    taken += moved.taken
    updated += moved.updated
    unchanged += moved.unchanged
    takenOver += moved.taken_over
    stored.push(...(moved.repeated ?? []))
    onMoved(taken)
    if (moved.last === null || moved.taken < MOVED_AT_A_TIME) break
    last = moved.last
  }
  return { updated, unchanged, takenOver, stored }
}

const RAISE = 'update listings set generation = generation + 1 where zpid = any($1::text[])'

/**
 * Rewrites stored listings after an import in the same transaction, whose staged rows are dropped.
 *
 * @param raised homes that this transaction has written before. They look new to the statement that stores them again, which then raises
 * no generation, and a cached copy would pass for the new record
 */
export async function rewriteListings(
  tx: Queryable,
  batch: ListingBatch,
  raised: readonly string[],
): Promise<void> {
  await dropStage(tx)
  await createStage(tx)
  await stageBatch(tx, batch)
  await moveStaged(tx, batch.size, () => {}, 0)
  if (raised.length > 0) await tx.query(RAISE, [raised])
}

/** What an import would do with all that was staged. */
export async function compareStaged(tx: Queryable): Promise<StageResult> {
  await tx.query(COMPLETE)
  const { rows } = await tx.query<{ inserted: number; updated: number; known: number; taken_over: number }>(
    COMPARE,
  )
  const { inserted, updated, known, taken_over: takenOver } = rows[0]!
  return { inserted, updated, unchanged: known - updated, takenOver }
}

/** The rows of homes that came before among those staged, and all of the homes in `stored`; at most `limit`. */
export async function findRepeated(
  tx: Queryable,
  stored: readonly string[],
  limit: number,
): Promise<RepeatedRow[]> {
  return (await tx.query<RepeatedRow>(REPEATED, [stored, limit])).rows
}
