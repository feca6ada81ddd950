// Homes that may not be shown any more, or whose address may not: what is stored of them goes, in the transaction of the import
// or of the feed's page that says so.

import { type Unchecked, withoutAddress } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { forgetRemoved } from '../record-cache/forget-removed.ts'
import { toColumns } from '../sources/dataset/listing-columns.ts'
import { checkRecord } from './check-record.ts'
import { ListingBatch } from './listing-batch.ts'
import { createStage, dropStage, moveStaged, stageBatch } from './stage-listings.ts'

// The generation of a removed home is kept and raised: if it comes back, no copy of the removed record passes for it.
const REMOVE = (condition: string) => `
  with removed as (
    delete from listings where ${condition} returning zpid, source, generation
  ), kept as (
    insert into removed_listings (zpid, generation, source) select zpid, generation + 1, source from removed
  )
  select zpid, source from removed`

const EMPTIED = `
  update listing_sources s set emptied_at = now()
  where emptied_at is null and name = any($1::text[]) and not exists (select 1 from listings l where l.source = s.name)`

export interface RemovedRow {
  readonly zpid: string
  readonly source: string
}

/** Deletes the listings of a condition in SQL, in a transaction that has locked the imports. */
export async function deleteListings(
  tx: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<readonly RemovedRow[]> {
  const { rows } = await tx.query<RemovedRow>(REMOVE(condition), values)
  if (rows.length > 0) {
    await tx.query(EMPTIED, [[...new Set(rows.map(({ source }) => source))]])
    // Last, because a lookup that stores its record waits for the rows deleted here.
    await forgetRemoved(tx)
  }
  return rows
}

// One that another source has brought since is that source's.
const WITHHOLD = `
  insert into withheld_homes as w (zpid, what)
    select zpid, 'listing' from unnest($1::text[]) as g (zpid)
    where not exists (select from listings l where l.zpid = g.zpid)
  on conflict (zpid) do update set what = excluded.what, since = excluded.since where w.what <> excluded.what`

/**
 * Removes those of the homes that belong to the source, because it took back the right to show them, in a transaction that has
 * locked the imports. Nothing of them is shown from its commit on, not even by rows of jobs, events, and messages that were stored
 * before: these are read together with withheld_homes. Returns how many were removed.
 */
export async function withholdHomes(
  tx: Queryable,
  source: string,
  zpids: readonly string[],
): Promise<number> {
  if (zpids.length === 0) return 0
  const removed = await deleteListings(tx, 'zpid = any($1::text[]) and source = $2', [zpids, source])
  await tx.query(WITHHOLD, [zpids])
  await forgetSummaries(tx, source, zpids)
  return removed.length
}

const FORGET_SUMMARIES = `
  update listing_changes set summary = null
  where zpid = any($1::text[]) and source = $2 and summary is not null`

/**
 * Takes the search rows of removed homes out of the change log, so that events that are reported from now on do not show them: of homes
 * that may not be shown any more, or that came back with an address that may not. In the transaction that removes or stores
 * them.
 */
export async function forgetSummaries(
  tx: Queryable,
  source: string,
  zpids: readonly string[],
): Promise<void> {
  if (zpids.length > 0) await tx.query(FORGET_SUMMARIES, [zpids, source])
}

const FORGET_HIDDEN_SUMMARIES = `
  update listing_changes c set summary = null from listings l
  where c.summary is not null and l.zpid = c.zpid and l.address_hidden and l.source = any($1::text[])`

/** The same for all homes of the sources that came back with an address that may not be shown. */
export async function forgetHiddenSummaries(tx: Queryable, sources: readonly string[]): Promise<void> {
  await tx.query(FORGET_HIDDEN_SUMMARIES, [sources])
}

export const FORGET_PARCELS = 'delete from home_parcels where zpid = any($1)'
export const FORGET_LINKS = 'delete from linked_homes where zpid = any($1) or other_zpid = any($1)'

/** Forgets the parcels and links of homes that were removed, or whose address may not be shown. */
export async function unlinkHomes(tx: Queryable, zpids: readonly string[]): Promise<void> {
  if (zpids.length === 0) return
  await tx.query(FORGET_PARCELS, [zpids])
  await tx.query(FORGET_LINKS, [zpids])
}

const FIND_RECORDS = `
  select zpid, source, record, xmin = pg_current_xact_id()::xid as is_changed from listings
  where zpid = any($1::text[]) and ($2::text is null or source = $2)`
// A cached copy must not pass for the record without its address. A listing that this transaction has written before looks new to
// the statement that stores it again, which raises no generation then.
const RAISE = 'update listings set generation = generation + 1 where zpid = any($1::text[])'
// Rows of jobs and events may still show a home that was removed.
const HIDE_REMOVED = `
  insert into withheld_homes (zpid, what)
    select zpid, 'address' from removed_listings r
    where zpid = any($1::text[]) and ($2::text is null or source = $2)
      and not exists (select from listings l where l.zpid = r.zpid)
  on conflict (zpid) do nothing returning zpid, (select source from removed_listings r where r.zpid = withheld_homes.zpid) as source`
const HOMES_AT_A_TIME = 250

interface StoredRecord {
  readonly zpid: string
  readonly source: string
  readonly record: string
  readonly is_changed: boolean
}

/**
 * Takes the address off stored homes whose new record cannot be used, but forbids to show it. One that cannot be stored without
 * it is removed. After an import in the same transaction, whose staged rows are dropped. Returns how many homes have
 * changed.
 *
 * @param source only homes of this one
 */
export async function hideStoredAddresses(
  tx: Queryable,
  zpids: readonly string[],
  source?: string,
): Promise<number> {
  let changed = 0
  for (let from = 0; from < zpids.length; from += HOMES_AT_A_TIME) {
    const some = zpids.slice(from, from + HOMES_AT_A_TIME)
    const { rows } = await tx.query<StoredRecord>(FIND_RECORDS, [some, source ?? null])
    const batch = new ListingBatch()
    const unusable: StoredRecord[] = []
    const raised: string[] = []
    for (const [at, row] of rows.entries()) {
      const checked = checkRecord(withoutAddress(JSON.parse(row.record) as Unchecked))
      if ('fault' in checked) {
        unusable.push(row)
        continue
      }
      const listing = toColumns(checked.record, row.source)
      if (listing.record === row.record) continue
      batch.add(at, listing)
      if (row.is_changed) raised.push(row.zpid)
    }
    if (batch.size > 0) {
      await dropStage(tx)
      await createStage(tx)
      await stageBatch(tx, batch)
      await moveStaged(tx, batch.size, () => {}, 0)
      if (raised.length > 0) await tx.query(RAISE, [raised])
    }
    changed += batch.size + unusable.length
    const removed = await tx.query<{ zpid: string; source: string }>(HIDE_REMOVED, [some, source ?? null])
    for (const [owner, homes] of bySource([...rows, ...removed.rows])) await forgetSummaries(tx, owner, homes)
    for (const [owner, homes] of bySource(unusable)) await withholdHomes(tx, owner, homes)
    await unlinkHomes(
      tx,
      rows.map(({ zpid }) => zpid),
    )
  }
  return changed
}

/** The zpids of each source. */
export function bySource(
  homes: readonly { readonly zpid: string; readonly source: string }[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  for (const { zpid, source } of homes) {
    const zpids = found.get(source) ?? []
    found.set(source, zpids)
    zpids.push(zpid)
  }
  return found
}
