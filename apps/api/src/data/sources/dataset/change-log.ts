// The change log of the data set, as its readers see it (migrations/0004_listing_changes.sql writes it). It is read by
// sequence number: a reader that has come to a number has missed no row before it.

import type { ListingKind } from '../../../domain/record.ts'
import type { FactsByColumn } from '../../../domain/search.ts'
import type { Queryable } from '../../../infrastructure/database.ts'

/** Days for which changes are kept. */
export const CHANGES_KEPT_DAYS = 90

/** What searches filter by, in the words of the table of listings. Instants are ISO 8601. */
export interface ListingFacts extends FactsByColumn {
  readonly kind: ListingKind
  /** Degrees. */
  readonly longitude: number | null
  readonly latitude: number | null
  readonly zip: string | null
  /** With its state: `SEATTLE, WA`. */
  readonly city: string | null
}

/** What one transaction changed of one home. */
export interface ListingChange {
  /** Rises strictly; gaps are rolled back transactions. */
  readonly seq: number
  /** Of the data set; all changes of one transaction have the same. */
  readonly version: number
  readonly zpid: string
  /** Of the record after the change; of a removed one, its last. */
  readonly generation: number
  readonly source: string
  readonly observedAt: Date
  readonly sourceUpdatedAt: Date | null
  /** null: the data set did not have the home. */
  readonly before: ListingFacts | null
  /** null: the data set does not have it any more. */
  readonly after: ListingFacts | null
}

const COLUMNS = `seq, version, zpid, generation, source, observed_at as "observedAt", source_updated_at as "sourceUpdatedAt",
    to_json(before) as before, to_json(after) as after`

const READ = `
  select ${COLUMNS} from listing_changes
  where seq > $1 and ($2::timestamptz is null or observed_at >= $2)
  order by seq limit $3`

/** The changes after a sequence number (0: from the oldest that is kept), in their order. */
export async function readChanges(
  database: Queryable,
  { after, since, limit }: { readonly after: number; readonly since?: Date; readonly limit: number },
): Promise<ListingChange[]> {
  const { rows } = await database.query<ListingChange>(READ, [after, since ?? null, limit])
  return rows
}

const READ_LATEST = `
  select * from (select ${COLUMNS} from listing_changes order by seq desc limit $1) as latest order by seq`

/** The last changes, in their order. */
export async function readLatestChanges(database: Queryable, limit: number): Promise<ListingChange[]> {
  return (await database.query<ListingChange>(READ_LATEST, [limit])).rows
}

/** What events report of a home: which list it is on, or `off_market`. */
export type ReportedStatus = 'for_sale' | 'coming_soon' | 'pending' | 'for_rent' | 'sold' | 'off_market'

export function reportedStatus(
  facts: Pick<ListingFacts, 'kind' | 'is_pending' | 'sale_type'>,
): ReportedStatus {
  if (facts.kind === 'recently_sold') return 'sold'
  if (facts.kind !== 'for_sale') return facts.kind
  if (facts.is_pending) return 'pending'
  return facts.sale_type === 'coming_soon' ? 'coming_soon' : 'for_sale'
}

/** Whether a price has changed: one that appears or disappears has not, since a source may just not say it. */
export function hasNewPrice(before: ListingFacts, after: ListingFacts): boolean {
  return before.price !== null && after.price !== null && before.price !== after.price
}
