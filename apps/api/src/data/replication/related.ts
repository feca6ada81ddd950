// Reads open houses, offices, and agents of feeds that do not send them with their listings. They are stored separately and become part of
// the listings: an open house immediately, the name of an office or an agent with the listing's next change.

import { readProperty, standardDictionary } from '../../domain/reso.ts'
import type { Database, Queryable } from '../../infrastructure/database.ts'
import { importRows } from '../ingest/import-listings.ts'
import { openHousesOf } from '../ingest/reso/people-and-media.ts'
import type { SourceRow } from '../ingest/source-row.ts'
import { dropStage, lockImports } from '../listings/stage-listings.ts'
import { RELATED, type RelatedName } from './profiles.ts'
import { type FeedRecord, isWithinYears, keyOf } from './reso-feed.ts'
import { renewLease, type SourceLease } from './source-store.ts'

const STORE = `
  insert into source_related (source, resource, key, listing_key, ends_at, body)
    select $1, $2, g.key, g.listing_key, g.ends_at, g.body
    from unnest($3::text[], $4::text[], $5::timestamptz[], $6::jsonb[]) as g (key, listing_key, ends_at, body)
  on conflict (source, resource, key) do update set listing_key = excluded.listing_key, ends_at = excluded.ends_at,
    body = excluded.body, misses = 0
  returning listing_key`
const FORGET = `
  delete from source_related where source = $1 and resource = $2 and key = any($3) returning listing_key`
const FORGET_PAST = `
  delete from source_related where source = $1 and ends_at < now() - interval '7 days'`

/**
 * Stores one page of a resource, and updates the listings that it changes. Returns their number.
 *
 * @throws {SourceLost} when another process has the source by now
 */
export function applyRelated(
  database: Database,
  lease: SourceLease,
  resource: RelatedName,
  records: readonly FeedRecord[],
  savePosition: (tx: Queryable) => Promise<void>,
): Promise<number> {
  const { name } = lease
  const rows = new Map<string, FeedRecord>()
  for (const record of records) {
    const key = keyOf(record, RELATED[resource].key)
    if (key !== undefined) rows.set(key, record)
  }
  const kept = [...rows].filter(([, { MlgCanView }]) => MlgCanView !== false)
  const gone = [...rows.keys()].filter((key) => rows.get(key)!.MlgCanView === false)
  return database.transaction(
    async (tx) => {
      await lockImports(tx)
      await renewLease(tx, lease)
      const before = await listingsOf(tx, name, resource, [...rows.keys()])
      const stored = await tx.query<{ listing_key: string | null }>(STORE, [
        name,
        resource,
        kept.map(([key]) => key),
        kept.map(([, record]) => (resource === 'OpenHouse' ? (keyOf(record) ?? null) : null)),
        kept.map(([, { OpenHouseEndTime }]) => timeOf(OpenHouseEndTime)),
        kept.map(([, record]) => JSON.stringify(bodyOf(resource, record))),
      ])
      await tx.query(FORGET, [name, resource, gone])
      await tx.query(FORGET_PAST, [name])
      const touched = new Set([...before, ...stored.rows.flatMap(({ listing_key }) => listing_key ?? [])])
      const updated = resource === 'OpenHouse' ? await showOpenHouses(tx, name, [...touched]) : 0
      await savePosition(tx)
      return updated
    },
    { statementTimeoutMs: 0 },
  )
}

const COUNT_MISSES = `
  update source_related r set misses = misses + 1
  where source = $1 and resource = 'OpenHouse' and not exists (select from unnest($2::text[]) as seen (key) where seen.key = r.key)
    and (cardinality($2) > 0 or (select count(*) from source_related where source = $1 and resource = 'OpenHouse') <= $3)`
// A pass may miss a row, if the server skips a number of rows and one of them moves meanwhile.
const FORGET_MISSED = `
  delete from source_related where source = $1 and resource = 'OpenHouse' and misses >= 2 returning listing_key`
/** For a feed with more open houses than this, a pass that finds none at all is ignored. */
const MAX_ALL_UNSEEN = 10
/** The number of listings whose records are in memory together. */
const SHOWN_TOGETHER = 250

/**
 * Removes the open houses that two consecutive passes over all of them have not found: most feeds do not report deletions. Returns the
 * number of changed listings.
 *
 * @param seen the keys that this pass has found
 * @throws {SourceLost} when another process has the source by now
 */
export function forgetUnseen(
  database: Database,
  lease: SourceLease,
  seen: ReadonlySet<string>,
): Promise<number> {
  return database.transaction(
    async (tx) => {
      await lockImports(tx)
      await renewLease(tx, lease)
      await tx.query(COUNT_MISSES, [lease.name, [...seen], MAX_ALL_UNSEEN])
      const { rows } = await tx.query<{ listing_key: string | null }>(FORGET_MISSED, [lease.name])
      const keys = [...new Set(rows.flatMap(({ listing_key }) => listing_key ?? []))]
      let updated = 0
      for (let at = 0; at < keys.length; at += SHOWN_TOGETHER) {
        // Each group is an import of its own.
        if (at > 0) await dropStage(tx)
        updated += await showOpenHouses(tx, lease.name, keys.slice(at, at + SHOWN_TOGETHER))
      }
      return updated
    },
    { statementTimeoutMs: 0 },
  )
}

/** The listings that these rows belonged to: an open house may move to another. */
async function listingsOf(
  tx: Queryable,
  name: string,
  resource: RelatedName,
  keys: readonly string[],
): Promise<string[]> {
  const { rows } = await tx.query<{ listing_key: string }>(
    `select distinct listing_key from source_related
     where source = $1 and resource = $2 and key = any($3) and listing_key is not null`,
    [name, resource, keys],
  )
  return rows.map(({ listing_key }) => listing_key)
}

/** Only the fields that listings are made of. The rest is personal data, or never shown. */
function bodyOf(resource: RelatedName, record: FeedRecord): FeedRecord {
  const { fields } = RELATED[resource]
  return Object.fromEntries(
    fields.flatMap((field) => (record[field] == null ? [] : [[field, record[field]]])),
  )
}

function timeOf(value: unknown): string | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return isWithinYears(ms) ? new Date(ms).toISOString() : null
}

const FIND_LISTINGS = `
  select i.source_key as key, l.record from record_identities i join listings l on l.zpid = i.zpid and l.source = i.source
  where i.source = $1 and i.source_key = any($2)`

async function showOpenHouses(tx: Queryable, name: string, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  const listings = await tx.query<{ key: string; record: string }>(FIND_LISTINGS, [name, keys])
  const houses = await findByListing(tx, name, keys)
  const rows = listings.rows.map(({ key, record }, at): SourceRow => {
    // The fields must have the order in which a page of listings makes them, because equal records are compared as text.
    const { openHouseSchedule: _earlier, zpid, ...rest } = JSON.parse(record) as FeedRecord
    const schedule = openHousesOf(readProperty({ OpenHouse: houses.get(key) ?? [] }, standardDictionary()))
    return {
      line: at + 1,
      record: { ...rest, ...(schedule.length > 0 && { openHouseSchedule: schedule }), zpid },
    }
  })
  return (await importRows(tx, rows, { source: name, isPage: true })).updated
}

async function findByListing(
  database: Queryable,
  name: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly FeedRecord[]>> {
  const { rows } = await database.query<{ key: string; houses: FeedRecord[] }>(
    `select listing_key as key, json_agg(body order by key) as houses from source_related
     where source = $1 and resource = 'OpenHouse' and listing_key = any($2) group by listing_key`,
    [name, keys],
  )
  return new Map(rows.map(({ key, houses }) => [key, houses]))
}

/** The fields of a listing with the keys of its people, and the names of the expanded resources. */
const PEOPLE = [
  ['Office', 'ListOfficeKey', 'ListOffice'],
  ['Office', 'BuyerOfficeKey', 'BuyerOffice'],
  ['Member', 'ListAgentKey', 'ListAgent'],
  ['Member', 'BuyerAgentKey', 'BuyerAgent'],
] as const

/** Adds the related records to the listings, as if the feed had sent them together. */
export async function withRelated(
  database: Queryable,
  name: string,
  records: readonly FeedRecord[],
): Promise<readonly FeedRecord[]> {
  const houses = await findByListing(
    database,
    name,
    records.flatMap((record) => keyOf(record) ?? []),
  )
  const wanted = PEOPLE.map(([, field]) => records.map((record) => keyOf(record, field)))
  const { rows } = await database.query<{ resource: string; key: string; body: FeedRecord }>(
    `select resource, key, body from source_related where source = $1 and resource in ('Office', 'Member') and key = any($2)`,
    [name, [...new Set(wanted.flat().filter((key) => key !== undefined))]],
  )
  const people = new Map(rows.map(({ resource, key, body }) => [`${resource}\n${key}`, body]))
  return records.map((record) => {
    const key = keyOf(record)
    const visits = key === undefined ? undefined : houses.get(key)
    const named = PEOPLE.flatMap(([resource, field, as]) => {
      const body = people.get(`${resource}\n${keyOf(record, field)}`)
      return body === undefined || record[as] !== undefined ? [] : [[as, body] as const]
    })
    return {
      ...record,
      ...(visits && record.OpenHouse === undefined && { OpenHouse: visits }),
      ...Object.fromEntries(named),
    }
  })
}
