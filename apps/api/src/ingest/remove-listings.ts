// Removing listings for good. A removed home is gone everywhere with the commit: the statement that charges for a cached
// copy finds no listing of its generation any more, and a search finds no row. Rows of finished jobs stay, because they
// are paid for, unless the home's feed forbids to show them.

import type { Database, Queryable } from '../database/database.ts'
import { lockImports, tidyListings } from './import-listings.ts'

/** Which listings: single homes, or all of a source. */
export type Removal = { readonly zpids: readonly string[] } | { readonly source: string }

export interface RemovalReport {
  readonly removed: number
  /** How many of which source. */
  readonly bySource: Readonly<Record<string, number>>
  /** The named homes that the data set does not have. */
  readonly notFound: readonly string[]
}

// The generation of a removed home is kept and raised: if it comes back, no copy of the removed record passes for it.
const REMOVE = (condition: string) => `
  with removed as (
    delete from listings where ${condition} returning zpid, source, generation
  ), kept as (
    insert into removed_listings (zpid, generation, source) select zpid, generation + 1, source from removed
  )
  select zpid, source from removed`
const FIND = (condition: string) => `select zpid, source from listings where ${condition}`

// These are not served any more. Last, because a lookup that stores its record waits for the rows deleted here.
const REMOVE_CACHED = `
  delete from cached_records c using removed_listings r
  where c.zpid = r.zpid and c.generation < r.generation and r.removed_at = now()`

const EMPTIED = `
  update listing_sources s set emptied_at = now()
  where emptied_at is null and name = any($1::text[]) and not exists (select 1 from listings l where l.source = s.name)`

interface RemovedRow {
  readonly zpid: string
  readonly source: string
}

async function remove(
  tx: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<readonly RemovedRow[]> {
  const { rows } = await tx.query<RemovedRow>(REMOVE(condition), values)
  if (rows.length > 0) {
    await tx.query(EMPTIED, [[...new Set(rows.map(({ source }) => source))]])
    await tx.query(REMOVE_CACHED)
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
  const removed = await remove(tx, 'zpid = any($1::text[]) and source = $2', [zpids, source])
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

/** Removes listings in one transaction, or with `dryRun` only counts them. Waits for an import to end. */
export async function removeListings(
  database: Database,
  removal: Removal,
  {
    dryRun = false,
    beforeCommit = async () => {},
  }: {
    readonly dryRun?: boolean
    /** Part of the transaction of a removal that removes something. */
    readonly beforeCommit?: (tx: Queryable, report: RemovalReport) => Promise<void>
  } = {},
): Promise<RemovalReport> {
  const [condition, value] =
    'zpids' in removal
      ? (['zpid = any($1::text[])', removal.zpids] as const)
      : (['source = $1', removal.source] as const)
  const report = await database.transaction(
    async (tx) => {
      await lockImports(tx)
      const rows = dryRun
        ? (await tx.query<RemovedRow>(FIND(condition), [value])).rows
        : await remove(tx, condition, [value])
      const bySource: Record<string, number> = {}
      for (const { source } of rows) bySource[source] = (bySource[source] ?? 0) + 1
      const found = new Set(rows.map(({ zpid }) => zpid))
      const notFound = 'zpids' in removal ? removal.zpids.filter((zpid) => !found.has(zpid)) : []
      const report = { removed: rows.length, bySource, notFound }
      if (!dryRun && report.removed > 0) await beforeCommit(tx, report)
      return report
    },
    { statementTimeoutMs: 0 },
  )
  if (!dryRun && report.removed > 0) await tidyListings(database)
  return report
}
