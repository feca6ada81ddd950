// Reads the change log of the data set; triggers in the migrations write it. Readers go by sequence number: a reader that has reached a
// number has missed no row before it.

import type { ListingKind } from '../../../domain/record.ts'
import type { FactsByColumn } from '../../../domain/search.ts'
import type { Queryable } from '../../../infrastructure/database.ts'

/** Days for which changes are kept. */
export const CHANGES_KEPT_DAYS = 90

/** The facts that searches filter by, named as the columns of the table of listings. Instants are ISO 8601. */
export interface ListingFacts extends FactsByColumn {
  readonly kind: ListingKind
  /** Degrees. */
  readonly longitude: number | null
  readonly latitude: number | null
  readonly zip: string | null
  /** The city with its state: `SEATTLE, WA`. */
  readonly city: string | null
}

/** The change of one home by one transaction. */
export interface ListingChange {
  /** Strictly increasing. Rolled-back transactions leave gaps. */
  readonly seq: number
  /** The version of the data set. All changes of one transaction have the same version. */
  readonly version: number
  readonly zpid: string
  /** The generation of the record after the change. A removed home has its last one. */
  readonly generation: number
  readonly source: string
  readonly observedAt: Date
  readonly sourceUpdatedAt: Date | null
  /** null: the home is new in the data set. */
  readonly before: ListingFacts | null
  /** null: the home was removed from the data set. */
  readonly after: ListingFacts | null
  /** The import that made the change (`imports`); null: none did. */
  readonly importId: number | null
}

const COLUMNS = `seq, version, zpid, generation, source, observed_at as "observedAt", source_updated_at as "sourceUpdatedAt",
    to_json(before) as before, to_json(after) as after, import_id as "importId"`

const READ = `
  select ${COLUMNS} from listing_changes
  where seq > $1 and ($2::timestamptz is null or observed_at >= $2)
  order by seq limit $3`

/** The changes after a sequence number, in order. 0 starts at the oldest change that is kept. */
export async function readChanges(
  database: Queryable,
  { after, since, limit }: { readonly after: number; readonly since?: Date; readonly limit: number },
): Promise<ListingChange[]> {
  const { rows } = await database.query<ListingChange>(READ, [after, since ?? null, limit])
  return rows
}

const READ_LATEST = `
  select * from (select ${COLUMNS} from listing_changes order by seq desc limit $1) as latest order by seq`

/** The latest changes, in order. */
export async function readLatestChanges(database: Queryable, limit: number): Promise<ListingChange[]> {
  return (await database.query<ListingChange>(READ_LATEST, [limit])).rows
}

/** The status that events report: the list that the home is on, or `off_market`. */
export type ReportedStatus = 'for_sale' | 'coming_soon' | 'pending' | 'for_rent' | 'sold' | 'off_market'

export function reportedStatus(
  facts: Pick<ListingFacts, 'kind' | 'is_pending' | 'sale_type'>,
): ReportedStatus {
  if (facts.kind === 'recently_sold') return 'sold'
  if (facts.kind !== 'for_sale') return facts.kind
  if (facts.is_pending) return 'pending'
  return facts.sale_type === 'coming_soon' ? 'coming_soon' : 'for_sale'
}

/** Whether the price has changed. A price that appears or disappears is no price change: a source may just omit it. */
export function hasNewPrice(before: ListingFacts, after: ListingFacts): boolean {
  return before.price !== null && after.price !== null && before.price !== after.price
}
