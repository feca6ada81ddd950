// Takes homes, or their addresses, out of the data set when their source takes back the right to show them. It runs in the transaction
// of the import or of the feed's page that says so.

import { type UncheckedFields, withoutAddress } from '../../domain/record.ts'
import type { Queryable } from '../../infrastructure/database.ts'
import { checkRecord } from '../listings/check-record.ts'
import { deleteListings, forgetSummaries } from '../listings/delete-listings.ts'
import { unlinkHomes } from '../listings/link-homes.ts'
import { ListingBatch } from '../listings/listing-batch.ts'
import { forgetReplaced } from '../listings/replaced-listings.ts'
import { rewriteListings } from '../listings/stage-listings.ts'
import { toColumns } from '../sources/dataset/listing-columns.ts'

// If another source has provided the home in the meantime, the home belongs to that source and stays.
const WITHHOLD = `
  insert into withheld_homes as w (zpid, what)
    select zpid, 'listing' from unnest($1::text[]) as g (zpid)
    where not exists (select from listings l where l.zpid = g.zpid)
  on conflict (zpid) do update set what = excluded.what, since = excluded.since where w.what <> excluded.what`

/**
 * Removes those of the homes that belong to the source, because the source took back the right to show them. The transaction must hold
 * the lock of imports. After its commit nothing shows these homes: rows of jobs, events, and messages that were stored before
 * are read together with withheld_homes (withheld-homes.ts). Returns how many homes were removed.
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
  // A home that another source provides in the meantime stays.
  await forgetReplaced(
    tx,
    removed.map(({ zpid }) => zpid),
  )
  return removed.length
}

const FIND_RECORDS = `
  select zpid, source, record, xmin = pg_current_xact_id()::xid as is_changed from listings
  where zpid = any($1::text[]) and ($2::text is null or source = $2)`
// Rows of jobs and events may still show the address of a home that was removed.
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
 * Takes the address off stored homes whose new record cannot be used, but forbids to show the address. A home that cannot be stored
 * without its address is removed. It follows an import in the same transaction, whose staged rows are dropped. Returns how many homes
 * have changed.
 *
 * @param source only homes of this source
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
      const checked = checkRecord(withoutAddress(JSON.parse(row.record) as UncheckedFields))
      if ('fault' in checked) {
        unusable.push(row)
        continue
      }
      const listing = toColumns(checked.record, row.source)
      if (listing.record === row.record) continue
      batch.add(at, listing)
      if (row.is_changed) raised.push(row.zpid)
    }
    if (batch.size > 0) await rewriteListings(tx, batch, raised)
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

/** The restrictions of one page of a feed, as homes of its source. */
export interface FeedRestrictions {
  /** The feed deleted the listing, or forbids to show it. */
  readonly forbidden: readonly string[]
  /** The new record cannot be used, so the stored one stays, but without its address. */
  readonly rejectedWithoutAddress: readonly string[]
  /** All homes whose address may not be shown, whether this page stored them or not. */
  readonly withoutAddress: readonly string[]
}

/**
 * Applies the restrictions of a page to stored homes, after the page was imported in the same transaction. Returns how many homes were
 * removed.
 */
export async function restrictStoredHomes(
  tx: Queryable,
  source: string,
  { forbidden, rejectedWithoutAddress, withoutAddress: hidden }: FeedRestrictions,
): Promise<number> {
  const removed = await withholdHomes(tx, source, forbidden)
  await hideStoredAddresses(tx, rejectedWithoutAddress, source)
  // Events that are reported later must not show the address either.
  await forgetSummaries(tx, source, hidden)
  await unlinkHomes(tx, forbidden)
  return removed
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
