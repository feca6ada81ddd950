// The difference that a held import would make now, with examples.

import type { Queryable } from '../../infrastructure/database.ts'
import type { HeldEntry } from './held-imports.ts'

/** A home that a held import would change. */
export interface ChangedHome {
  readonly zpid: string
  readonly change: 'new' | 'changed' | 'taken over' | 'off the market'
  /** Main facts of the stored record and of the held one. null: there is none. */
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export interface Difference {
  /** Homes by kind of change. */
  readonly homes: Readonly<Record<ChangedHome['change'], number>>
  /** At most 10 of each kind. */
  readonly examples: readonly ChangedHome[]
  /** At most this many events would be sent to watches: one for each watch and changed home. */
  readonly maxEvents: number
  /** At most this many credits would be charged for them. */
  readonly maxCredits: number
}

const FACTS = [
  'homeStatus',
  'homeType',
  'price',
  'bedrooms',
  'bathrooms',
  'livingArea',
  'latitude',
  'longitude',
] as const
const MAX_EXAMPLES = 10

// A home that a complete import lacks would go off the market.
const DIFFERENCE = `
  with held as (
    select zpid, source, record from held_listings where import_id = $1
  ), changes as (
    select h.zpid, l.record as before, h.record as after,
      case when l.zpid is null then 'new' when l.source <> h.source then 'taken over' else 'changed' end as change
    from held h left join listings l using (zpid)
    where l.record is distinct from h.record or l.source is distinct from h.source
    union all
    select l.zpid, l.record, null, 'off the market' from listings l
    where l.source = any($2) and l.kind <> 'off_market' and l.zpid <> all($3)
      and not exists (select from held h where h.zpid = l.zpid)
  ), numbered as (
    select *, row_number() over (partition by change order by zpid) as nth, count(*) over (partition by change) as homes from changes
  )
  select zpid, before, after, change, homes from numbered where nth <= ${MAX_EXAMPLES} order by change, zpid`

const WATCHES = 'select count(*) as watches from watches where search is not null'

interface ChangedRow {
  readonly zpid: string
  readonly before: string | null
  readonly after: string | null
  readonly change: ChangedHome['change']
  readonly homes: number
}

/** Compares the rows of a held import with the data set as it is now. A held feed has no rows. */
export async function readDifference(
  database: Queryable,
  { id, complete, rejected }: HeldEntry,
): Promise<Difference> {
  const { rows } = await database.query<ChangedRow>(DIFFERENCE, [id, complete, rejected])
  const homes = { new: 0, changed: 0, 'taken over': 0, 'off the market': 0 }
  for (const row of rows) homes[row.change] = Number(row.homes)
  const all = Object.values(homes).reduce((sum, count) => sum + count, 0)
  const { watches } = (await database.query<{ watches: number }>(WATCHES)).rows[0]!
  return {
    homes,
    examples: rows.map(({ zpid, change, before, after }) => ({
      zpid,
      change,
      before: factsOf(before),
      after: factsOf(after),
    })),
    maxEvents: all * Number(watches),
    maxCredits: all * Number(watches),
  }
}

function factsOf(record: string | null): Readonly<Record<string, unknown>> | null {
  if (record === null) return null
  const all = JSON.parse(record) as Record<string, unknown>
  return Object.fromEntries(FACTS.map((name) => [name, all[name] ?? null]))
}
