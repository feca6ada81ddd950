// Links records of the same home from several sources, found by their normalized address, or by their parcel and unit. The records stay
// separate, each with its own zpid, because two sources often disagree about a home.

import type { Queryable } from '../../infrastructure/database.ts'

/** The parcel of a stored record. */
export interface HomeParcel {
  readonly zpid: string
  /** undefined: the record has none, or may not show it. */
  readonly parcel: string | undefined
}

/** Maximum links of one home by its address, and by its parcel. Only a mistake of a source makes more: units without their numbers. */
const MAX_LINKS = 20

const STORE_PARCELS = `
  insert into home_parcels (zpid, parcel) select * from unnest($1::text[], $2::text[])
  on conflict (zpid) do update set parcel = excluded.parcel where home_parcels.parcel <> excluded.parcel`

// A home without its street line has no street_key, so a hidden address links nothing. Each home is looked up by the indexes of street and
// parcel (`lateral … limit`, and no index for the ZIP code). Otherwise the first load of a feed, which has no statistics, would be planned
// to read the whole table, or all homes of a ZIP code, for each page.
const LINK = `
  with mine as (
    select l.zpid, l.source, l.street_key, coalesce(l.unit, '') as unit, l.zip, g.parcel
    from unnest($1::text[], $2::text[]) as g (zpid, parcel) join listings l on l.zpid = g.zpid
  ), pairs as (
    select m.zpid, same.zpid as other, true as by_address, false as by_parcel
      from mine m cross join lateral (
        select l.zpid from listings l
        where l.street_key = m.street_key and coalesce(l.zip, '') = m.zip and coalesce(l.unit, '') = m.unit
          and l.source <> m.source and not l.is_building
        limit ${MAX_LINKS}) same
    union all
    select m.zpid, same.zpid, false, true
      from mine m cross join lateral (
        select l.zpid from home_parcels p join listings l on l.zpid = p.zpid
        where p.parcel = m.parcel and p.zpid <> m.zpid and coalesce(l.unit, '') = m.unit
          and l.source <> m.source and not l.is_building
        limit ${MAX_LINKS}) same
  )
  insert into linked_homes (zpid, other_zpid, by_address, by_parcel)
    select least(zpid, other), greatest(zpid, other), bool_or(by_address), bool_or(by_parcel)
    from pairs group by 1, 2
  on conflict (zpid, other_zpid) do update set by_address = excluded.by_address, by_parcel = excluded.by_parcel`

const FORGET_PARCELS = 'delete from home_parcels where zpid = any($1)'
const FORGET_LINKS = 'delete from linked_homes where zpid = any($1) or other_zpid = any($1)'

/** Updates the links of homes that were just stored. */
export async function linkHomes(tx: Queryable, homes: readonly HomeParcel[]): Promise<void> {
  if (homes.length === 0) return
  const zpids = homes.map(({ zpid }) => zpid)
  const placed = homes.filter(({ parcel }) => parcel !== undefined)
  await tx.query(FORGET_PARCELS, [homes.filter(({ parcel }) => parcel === undefined).map(({ zpid }) => zpid)])
  await tx.query(STORE_PARCELS, [placed.map(({ zpid }) => zpid), placed.map(({ parcel }) => parcel)])
  await tx.query(FORGET_LINKS, [zpids])
  await tx.query(LINK, [zpids, homes.map(({ parcel }) => parcel ?? null)])
}

/** Deletes the parcels and links of homes that were removed, or whose address may not be shown. */
export async function unlinkHomes(tx: Queryable, zpids: readonly string[]): Promise<void> {
  if (zpids.length === 0) return
  await tx.query(FORGET_PARCELS, [zpids])
  await tx.query(FORGET_LINKS, [zpids])
}

/**
 * The parcel of a record as `WA/KING/1234567890`: its number is only unique within its county. undefined: a part is missing.
 */
export function parcelOf(record: Readonly<Record<string, unknown>>): string | undefined {
  const facts = record.resoFacts as Readonly<Record<string, unknown>> | null | undefined
  const address = record.address as Readonly<Record<string, unknown>> | null | undefined
  const number = normal(record.parcelId ?? facts?.parcelNumber)
  const state = normal(address?.state)
  const county = normal(record.county).replace(/(?:COUNTY|PARISH)$/, '')
  // Feeds fill the field with 0 or "NA" if it is required.
  if (number.length < 5 || /^(.)\1*$/.test(number) || state === '' || county === '') return undefined
  return `${state}/${county}/${number}`
}

function normal(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .toUpperCase()
        .replace(/[^A-Z0-9]/g, '')
    : ''
}
