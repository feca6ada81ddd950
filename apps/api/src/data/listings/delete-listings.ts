// Deletes listings and their search rows in the change log.

import type { Queryable } from '../../infrastructure/database.ts'
import { forgetRemoved } from '../record-cache/forget-removed.ts'

// The generation of a removed home is kept and raised. If the home comes back, no cached copy of the removed record counts as current.
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

/** Deletes the listings that fit a condition in SQL. The transaction must hold the lock of imports. */
export async function deleteListings(
  tx: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<readonly RemovedRow[]> {
  const { rows } = await tx.query<RemovedRow>(REMOVE(condition), values)
  if (rows.length > 0) {
    await tx.query(EMPTIED, [[...new Set(rows.map(({ source }) => source))]])
    // This comes last, because a lookup that stores its record waits for the rows deleted here.
    await forgetRemoved(tx)
  }
  return rows
}

const FORGET_SUMMARIES = `
  update listing_changes set summary = null
  where zpid = any($1::text[]) and source = $2 and summary is not null`

/**
 * Deletes the search rows of removed homes from the change log, so that later events do not show them. These are homes that may not be
 * shown any more, or that came back with an address that may not be shown. It runs in the transaction that removes or stores them.
 */
export async function forgetSummaries(
  tx: Queryable,
  source: string,
  zpids: readonly string[],
): Promise<void> {
  if (zpids.length > 0) await tx.query(FORGET_SUMMARIES, [zpids, source])
}

const FORGET_SUMMARIES_OF_ALL =
  'update listing_changes set summary = null where zpid = any($1::text[]) and summary is not null'

/** Like `forgetSummaries`, whatever source the homes came from. */
export async function forgetSummariesOfAll(tx: Queryable, zpids: readonly string[]): Promise<void> {
  await tx.query(FORGET_SUMMARIES_OF_ALL, [zpids])
}

const FORGET_HIDDEN_SUMMARIES = `
  update listing_changes c set summary = null from listings l
  where c.summary is not null and l.zpid = c.zpid and l.address_hidden and l.source = any($1::text[])`

/** Deletes the search rows of all homes of the sources whose stored address is hidden now. */
export async function forgetHiddenSummaries(tx: Queryable, sources: readonly string[]): Promise<void> {
  await tx.query(FORGET_HIDDEN_SUMMARIES, [sources])
}
