// The provider port. All listing data comes through these five queries: `dataset` answers them from PostgreSQL, `http` from
// any service that implements spec/provider.yaml. A provider knows no prices, no keys and no cache. Each implementation must
// pass the conformance suite (sources/conformance.ts).

import type { Property } from '@lotline/contract'
import type { AddressMatch, StreetAddress } from '../../domain/address.ts'
import type { SourceRecord, StatusPreference, UnitKind } from '../../domain/record.ts'
import type { AreaSearch, RowKey, RowOrder } from '../../domain/search.ts'
import type { BuildingReference, ListingReference } from '../../domain/site-urls.ts'

/** Who a query is made for: accounts share the provider fairly, and synchronous calls come before jobs. */
export interface QueryOwner {
  readonly account: string
  /** Made for a job. */
  readonly background: boolean
  /** Made for the scan of a watch, which compares what it finds now with what it found before. */
  readonly isWatch?: true
}

/** What every query carries: its deadline, and the signal that the client disconnected. */
export interface QueryContext {
  readonly signal: AbortSignal
  /** Whose budget of failed lookups it counts against (record-cache/lookup-budget.ts); absent: no account. */
  readonly accountId?: string
  /** Default: a synchronous call without an account. */
  readonly owner?: QueryOwner
  /** The data source is asked even if it did not have the home a moment ago: what it says now decides about a charge. */
  readonly fresh?: boolean
  /** Of several providers, the only one to ask: its name. */
  readonly provider?: string
  /** Called with the name of the provider that answered, where there are several. */
  answeredBy?(name: string): void
  /** Called when a query that has taken a failed lookup found something. Whether it is paid is known only later. */
  found?(): void
}

export interface BuildingListings {
  /** The building's own record, where the source has one. It is not a unit and is never billed. */
  readonly parent?: Property
  /** Full records of the units, in a stable order. */
  readonly units: readonly Property[]
  /** The name of the provider that answered, where there are several. */
  readonly provider?: string
  /** By zpid, also of the parent. Absent: all are of the provider itself. */
  readonly sources?: ReadonlyMap<string, RowSource> | undefined
}

/** Which rows of a search are returned. */
export interface PageRequest {
  readonly limit: number
  /** Default: the newest first, as far as the provider says. */
  readonly order?: RowOrder
  /** Only rows behind this one. `total` counts those before it, too. */
  readonly after?: RowKey
  /** Of several providers, the one whose search this page continues: its name. */
  readonly provider?: string
}

/** Which source of the data set a row is from. */
export interface RowSource {
  readonly name: string
  /** When the source says that it last changed the record. */
  readonly updatedAt: Date | null
}

export interface AreaListings {
  /** At most `limit` records, in an order that is the same each time. */
  readonly records: readonly Property[]
  /** How many listings match, whether or not they were returned; undefined: not known. */
  readonly total: number | undefined
  /**
   * There are no records: the provider has more than one search may ask for, and the order, the ZIP codes or the cities need all
   * of them.
   */
  readonly isIncomplete?: true
  /** The provider was not asked: no home of the search can be in its box. */
  readonly isUnasked?: true
  /** The name of the provider that answered, where there are several. */
  readonly provider?: string
  /** By zpid. Absent: all are of the provider itself, which does not say when it changed them. */
  readonly sources?: ReadonlyMap<string, RowSource> | undefined
  /** Listings of the answer that cannot be used; they are in neither `records` nor `total`. Absent: none. */
  readonly dropped?: number
}

/**
 * A source of listings.
 *
 * Expected absence is a value (`undefined`, `found: 'none'`). Everything else that goes wrong is thrown:
 * `ProviderTimeout` when the source was too slow, `ProviderFailure` when its answer was unusable.
 */
export interface Provider {
  readonly name: string
  /** The most records that one `search` may ask for. */
  readonly searchCap: number
  /**
   * `search` finds areas, ZIP codes and cities exactly, in any order and from any row on. Otherwise it is asked for the newest
   * rows of boxes (`search-in-areas.ts`).
   */
  readonly knowsAreas?: boolean
  /** Of several behind each other (stand-ins.ts), their names in the order in which they are asked. */
  readonly members?: readonly string[]
  /** How many answers came from another than the first one because that one failed. Only ever rises. */
  readonly fallbacks?: number
  findByZpid(zpid: string, asking: QueryContext): Promise<SourceRecord | undefined>
  findByUrl(
    listing: ListingReference,
    prefer: StatusPreference,
    asking: QueryContext,
  ): Promise<SourceRecord | undefined>
  findByAddress(address: StreetAddress, prefer: StatusPreference, asking: QueryContext): Promise<AddressMatch>
  /** `undefined` when the building is unknown; a known one without matching units has an empty list. */
  findUnits(
    building: BuildingReference,
    kind: UnitKind,
    asking: QueryContext,
  ): Promise<BuildingListings | undefined>
  search(search: AreaSearch, page: PageRequest, asking: QueryContext): Promise<AreaListings>
}

/** The source did not answer in time. Becomes 504 `upstream_timeout`. */
export class ProviderTimeout extends Error {
  override readonly name = 'ProviderTimeout'
}

/** The source answered, but not usably. Becomes 502 `upstream_error`; the message stays in our log. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
}

/**
 * The source is there and refuses the query, such as a filter that it does not know. The same query is refused again, and
 * no other provider is asked: its answer would be charged although the query is one that this source cannot answer.
 */
export class QueryRefused extends ProviderFailure {}

/**
 * A failure that may be over when the same query is asked again: a lost connection, an overloaded source. Only
 * this kind is retried.
 */
export class TransientFailure extends ProviderFailure {
  /** The delay that the source asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}
