// Writing an import in two steps, inside one transaction. Listings are first laid into a temporary table, batch by
// batch while the file is still being read, and only when it has been read to its end are they moved into the data
// set. So a file that breaks off has never touched the data set, the last of several rows with one zpid counts however
// far apart they stand, and a row that comes back to what is stored already leaves it alone.

import type { Queryable } from '../../../database/database.ts'
import type { ListingColumns } from '../listing-columns.ts'

/** What moving does, or would do: the sum is the number of homes. */
export interface Moved {
  readonly inserted: number
  readonly updated: number
  readonly unchanged: number
}

export interface StagedListing {
  /** Where in the source it stands. Of several with one zpid, the highest counts. */
  readonly line: number
  readonly columns: ListingColumns
}

/** The columns of a batch behind `line`, each with its SQL name and type, in the order of the parameters. */
const PARAMETERS: readonly (readonly [name: keyof ListingColumns, column: string, type: string])[] = [
  ['zpid', 'zpid', 'text'],
  ['kind', 'kind', 'text'],
  ['longitude', 'longitude', 'double precision'],
  ['latitude', 'latitude', 'double precision'],
  ['price', 'price', 'double precision'],
  ['beds', 'beds', 'double precision'],
  ['baths', 'baths', 'double precision'],
  ['sqft', 'sqft', 'double precision'],
  ['yearBuilt', 'year_built', 'double precision'],
  ['homeType', 'home_type', 'text'],
  ['listedAt', 'listed_at', 'timestamptz'],
  ['hasPool', 'has_pool', 'boolean'],
  ['hasGarage', 'has_garage', 'boolean'],
  ['isWaterfront', 'is_waterfront', 'boolean'],
  ['streetKey', 'street_key', 'text'],
  ['unit', 'unit', 'text'],
  ['zip', 'zip', 'text'],
  ['building', 'building', 'text'],
  ['isBuilding', 'is_building', 'boolean'],
  ['summary', 'summary', 'text'],
  ['record', 'record', 'text'],
]

const COLUMNS = `zpid, kind, location, price, beds, baths, sqft, year_built, home_type, listed_at, has_pool, has_garage,
  is_waterfront, street_key, unit, zip, building, is_building, summary, record`

// It takes the storage and compression of the real table, so that what was packed once is moved as it is.
// A source may be slow, such as a pipe: waiting for it must not end the transaction.
const CREATE = `
  set local idle_in_transaction_session_timeout = 0;
  create temporary table staged (line bigint not null, like listings including storage including compression)
  on commit drop;
  alter table staged drop column generation, alter column zpid set statistics 1;
  create index on staged (zpid, line desc)`

// A column of a batch travels as one text, a line for each listing and an empty line for null. That is twice as fast
// as an array of texts, which pg would quote and PostgreSQL unquote character by character. None of the texts can be
// empty or hold a line break: they are ids, words, addresses in their normal form, and JSON.
const STAGE = `
  insert into staged (line, ${COLUMNS})
    select line, zpid, kind, point(longitude, latitude), price, beds, baths, sqft, year_built, home_type, listed_at,
      has_pool, has_garage, is_waterfront, street_key, unit, zip, building, is_building, summary, record
    from unnest(${['bigint', ...PARAMETERS.map(([, , type]) => type)].map(arrayOf).join(', ')})
      as given (line, ${PARAMETERS.map(([, column]) => column).join(', ')})`

function arrayOf(type: string, at: number): string {
  return `string_to_array($${at + 1}, E'\\n', '')::${type}[]`
}

// Without it the planner knows nothing of the table, and would sort all of it for each part.
const ANALYZE = 'analyze staged (zpid)'

/** Whether a stored listing is to be rewritten; `s` is the staged one. */
const differs = (s: string) => `(l.record <> ${s}.record or
  -- What is derived from an equal record changes with a newer Lotline.
  (l.kind, l.listed_at, l.has_pool, l.has_garage, l.is_waterfront, l.street_key, l.unit, l.zip, l.building,
    l.is_building, l.sqft, l.home_type, l.summary) is distinct from
  (${s}.kind, ${s}.listed_at, ${s}.has_pool, ${s}.has_garage, ${s}.is_waterfront, ${s}.street_key, ${s}.unit, ${s}.zip,
    ${s}.building, ${s}.is_building, ${s}.sqft, ${s}.home_type, ${s}.summary))`

// A higher generation retires every cached copy of the record.
const MOVE = `
  with latest as materialized (
    select distinct on (zpid) * from staged where zpid > $1 order by zpid, line desc limit $2
  ), stored as (
    insert into listings as l (${COLUMNS}) select ${COLUMNS} from latest
    on conflict (zpid) do update set
      generation = l.generation + (l.record <> excluded.record)::integer,
      kind = excluded.kind, location = excluded.location, price = excluded.price, beds = excluded.beds,
      baths = excluded.baths, sqft = excluded.sqft, year_built = excluded.year_built,
      home_type = excluded.home_type, listed_at = excluded.listed_at, has_pool = excluded.has_pool,
      has_garage = excluded.has_garage, is_waterfront = excluded.is_waterfront, street_key = excluded.street_key,
      unit = excluded.unit, zip = excluded.zip, building = excluded.building, is_building = excluded.is_building,
      summary = excluded.summary, record = excluded.record
    where ${differs('excluded')}
    -- Only a row that was there before has been locked, and locking sets xmax.
    returning xmax = 0 as inserted
  )
  select (select count(*) from latest) as taken, (select max(zpid) from latest) as last,
    count(*) filter (where inserted) as inserted, count(*) filter (where not inserted) as updated
  from stored`

const COMPARE = `
  select count(*) filter (where l.zpid is null) as inserted,
    count(*) filter (where l.zpid is not null and ${differs('s')}) as updated,
    count(*) as taken
  from (select distinct on (zpid) * from staged order by zpid, line desc) as s
  left join listings as l using (zpid)`

const MOVED_AT_A_TIME = 5_000

interface MovedRow {
  taken: number
  last: string | null
  inserted: number
  updated: number
}

/** Begins an import in a transaction; what it has staged is gone with the transaction's end. */
export async function createStage(tx: Queryable): Promise<void> {
  await tx.query(CREATE)
}

export async function stageListings(tx: Queryable, batch: readonly StagedListing[]): Promise<void> {
  // null becomes the empty text.
  const columns = PARAMETERS.map(([name]) => batch.map((listing) => listing.columns[name]).join('\n'))
  await tx.query(STAGE, [batch.map(({ line }) => line).join('\n'), ...columns])
}

/** Stores all that was staged. `onMoved` hears how many homes are done. */
export async function moveListings(tx: Queryable, onMoved: (homes: number) => void): Promise<Moved> {
  await tx.query(ANALYZE)
  let [taken, inserted, updated] = [0, 0, 0]
  for (let last = ''; ; ) {
    const { rows } = await tx.query<MovedRow>(MOVE, [last, MOVED_AT_A_TIME])
    const moved = rows[0]!
    taken += moved.taken
    inserted += moved.inserted
    updated += moved.updated
    onMoved(taken)
    if (moved.last === null || moved.taken < MOVED_AT_A_TIME) break
    last = moved.last
  }
  return { inserted, updated, unchanged: taken - inserted - updated }
}

/** What moving would do. */
export async function compareListings(tx: Queryable): Promise<Moved> {
  await tx.query(ANALYZE)
  const { rows } = await tx.query<MovedRow>(COMPARE)
  const { taken, inserted, updated } = rows[0]!
  return { inserted, updated, unchanged: taken - inserted - updated }
}
