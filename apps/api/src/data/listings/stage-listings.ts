// Writes an import, inside one transaction. New homes are stored immediately, batch by batch, while the file is being read. All others go
// to a temporary table, and are compared and moved after the whole file was read. So the last of several rows with one zpid counts, however
// far apart they are, and a row that equals the stored one changes nothing.
// Why: decisions/data/home-of-two-sources.md

import { ADVISORY_LOCKS, type Queryable } from '../../infrastructure/database.ts'
import { identifyRecords } from '../sources/record-identities.ts'
import { COLUMNS, GIVEN, type ListingBatch, STORED_COLUMNS } from './listing-batch.ts'

/** The effect of an import, or of a dry run. The sum is the number of homes. */
export interface StageResult {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
  /** Updated homes that another source provided before. */
  readonly takenOver: number
}

// The table takes the storage and compression of the real table, so that compressed values are moved unchanged. A source may be slow, such
// as a pipe: waiting for it must not end the transaction.
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

// The index is created after all rows were staged, which is cheaper than maintaining it. Without statistics the planner would sort the
// whole table for each part.
const COMPLETE = 'create index on staged (zpid, position desc); analyze staged (zpid)'

/**
 * The columns that are compared in addition to the records: a newer Lotline may derive other values from an equal record. A position cannot
 * be compared as part of a row, so its cell is compared.
 */
const DERIVED = STORED_COLUMNS.filter((name) => !['zpid', 'source', 'location', 'record'].includes(name))
const derivedOf = (row: 'l' | 's') => DERIVED.map((name) => `${row}.${name}`).join(', ')

/** Whether the stored listing `l` must be rewritten. `s` is the staged listing. */
const DIFFERS = `(l.record <> s.record or l.source <> s.source or
  (${derivedOf('l')}) is distinct from (${derivedOf('s')}))`

const SET = STORED_COLUMNS.filter((name) => name !== 'zpid').map((name) => `${name} = s.${name}`)

// A higher generation invalidates every cached copy of the record. A home that this import inserted has no copies, because no other
// transaction has seen it. The import counts it as inserted, whichever of its rows is the last.
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

// Repeated rows of homes: all but the first of each home, and also the first if this import stored the home.
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

/** A row whose home occurred in an earlier row of the same import. */
export interface RepeatedRow {
  readonly position: number
  readonly zpid: string
}

/** Allows one import at a time: two imports of the same homes would wait for each other, and could deadlock. */
export async function lockImports(tx: Queryable, onWait: () => void = () => {}): Promise<void> {
  const { rows } = await tx.query<{ locked: boolean }>('select pg_try_advisory_xact_lock($1) as locked', [
    ADVISORY_LOCKS.imports,
  ])
  if (rows[0]?.locked) return
  onWait()
  await tx.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.imports])
}

/** Creates the staging table of an import. The end of the transaction drops it. */
export async function createStage(tx: Queryable): Promise<void> {
  await tx.query(CREATE)
}

/** Drops the staging table, so that another import can begin in the same transaction. */
export async function dropStage(tx: Queryable): Promise<void> {
  await tx.query('drop table staged')
}

const UNSTAGE = 'delete from staged where zpid = any($1::text[])'

/** Removes the staged rows of these homes. */
export async function unstageHomes(tx: Queryable, zpids: readonly string[]): Promise<void> {
  await tx.query(UNSTAGE, [zpids])
}

/** Stores the new homes, and stages all others. Returns the number of new homes. */
export async function storeBatch(tx: Queryable, batch: ListingBatch): Promise<number> {
  const { rows } = await tx.query<{ inserted: number }>(STORE, batch.parameters(), { name: 'import_store' })
  return rows[0]!.inserted
}

/** Stages all homes for `compareStaged`, and stores none. */
export async function stageBatch(tx: Queryable, batch: ListingBatch): Promise<0> {
  await tx.query(STAGE, batch.parameters(), { name: 'import_stage' })
  return 0
}

/**
 * Moves the staged rows into the listings. `onMoved` is called with the number of homes so far. `stored` are some of those homes that this
 * import has stored, at most `limit`.
 *
 * @param staged the maximum number of staged rows. If all homes are new, as in the first pages of a feed, there is nothing to do
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

/** The effect that the staged rows would have. */
export async function compareStaged(tx: Queryable): Promise<StageResult> {
  await tx.query(COMPLETE)
  const { rows } = await tx.query<{ inserted: number; updated: number; known: number; taken_over: number }>(
    COMPARE,
  )
  const { inserted, updated, known, taken_over: takenOver } = rows[0]!
  return { inserted, updated, unchanged: known - updated, takenOver }
}

/** The staged rows whose home occurred before, and all rows of the homes in `stored`. At most `limit`. */
export async function findRepeated(
  tx: Queryable,
  stored: readonly string[],
  limit: number,
): Promise<RepeatedRow[]> {
  return (await tx.query<RepeatedRow>(REPEATED, [stored, limit])).rows
}
