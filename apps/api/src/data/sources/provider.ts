// The provider port. All listing data comes through these five queries: `dataset` answers them from PostgreSQL, `http` from any service
// that implements spec/provider.yaml. A provider knows no prices, no keys, and no cache. Each implementation must pass the conformance
// suite (sources/conformance.ts).

import type { Property } from '@lotline/contract'
import type { AddressMatch, StreetAddress } from '../../domain/address.ts'
import type { SourceRecord, StatusPreference, UnitKind } from '../../domain/record.ts'
import type { AreaSearch, RowKey, RowOrder } from '../../domain/search.ts'
import type { BuildingReference, ListingReference } from '../../domain/site-urls.ts'

/** The account and the purpose of a query. Accounts share the provider fairly, and synchronous calls come before jobs. */
export interface QueryOwner {
  readonly account: string
  /** The query belongs to a job. */
  readonly background: boolean
  /** The query belongs to the scan of a watch, which compares the result with that of the scan before. */
  readonly isWatch?: true
}

/** The context of every query: its signal, which aborts when the client disconnects, and its owner. */
export interface QueryContext {
  readonly signal: AbortSignal
  /** The account whose budget of failed lookups the query counts against (record-cache/lookup-budget.ts). Absent: none. */
  readonly accountId?: string
  /** Default: a synchronous call without an account. */
  readonly owner?: QueryOwner
  /** Asks the data source even if it did not have the home a moment ago, because the result decides about a charge. */
  readonly fresh?: boolean
  /** The name of the only provider to ask, if there are several. */
  readonly provider?: string
  /** Called with the name of the provider that answered, if there are several. */
  answeredBy?(name: string): void
  /** Called when a query that counted as a failed lookup found something. Whether the customer pays for it is known only later. */
  found?(): void
}

export interface BuildingListings {
  /** The building's own record, if the source has one. It is no unit and is never billed. */
  readonly parent?: Property
  /** Full records of the units, in a stable order. */
  readonly units: readonly Property[]
  /** The name of the provider that answered, if there are several. */
  readonly provider?: string
  /** The sources of the rows by zpid, including the parent's. Absent: all rows are from the provider itself. */
  readonly sources?: ReadonlyMap<string, RowSource> | undefined
}

/** The part of a search's rows that is returned. */
export interface PageRequest {
  readonly limit: number
  /** Default: the newest first, as far as the provider reports dates. */
  readonly order?: RowOrder
  /** Only rows behind this one. `total` includes the rows before it. */
  readonly after?: RowKey
  /** The name of the provider whose search this page continues, if there are several. */
  readonly provider?: string
}

/** The source of a row of the data set. */
export interface RowSource {
  readonly name: string
  /** The time of the last change that the source reports. */
  readonly updatedAt: Date | null
}

export interface AreaListings {
  /** At most `limit` records, in a stable order. */
  readonly records: readonly Property[]
  /** The number of listings that match, returned or not. undefined: not known. */
  readonly total: number | undefined
  /**
   * There are no records: the provider has more rows than one search may fetch, and the order, the ZIP codes, or the cities require all of
   * them.
   */
  readonly isIncomplete?: true
  /** The provider was not asked: no home of the search can be in its box. */
  readonly isUnasked?: true
  /** The name of the provider that answered, if there are several. */
  readonly provider?: string
  /** The sources of the rows by zpid. Absent: all rows are from the provider itself, which reports no times of changes. */
  readonly sources?: ReadonlyMap<string, RowSource> | undefined
  /** The number of unusable listings in the provider's result. They are in neither `records` nor `total`. Absent: none. */
  readonly dropped?: number
}

/**
 * A source of listings. Expected absence is a value (`undefined`, `found: 'none'`). Everything else that goes wrong is thrown:
 * `ProviderTimeout` when the source was too slow, `ProviderFailure` when its result was unusable.
 */
export interface Provider {
  readonly name: string
  /** The maximum of records for one `search`. */
  readonly searchCap: number
  /**
   * `search` finds areas, ZIP codes, and cities exactly, in any order and from any row on. Otherwise the provider only returns the newest
   * rows of boxes (`search-in-areas.ts`).
   */
  readonly knowsAreas?: boolean
  /** The names of the providers behind this one (stand-ins.ts), in the order in which they are asked. */
  readonly members?: readonly string[]
  /** The number of results that came from another provider than the first one, because the first one failed. It only rises. */
  readonly fallbacks?: number
  findByZpid(zpid: string, asking: QueryContext): Promise<SourceRecord | undefined>
  findByUrl(
    listing: ListingReference,
    prefer: StatusPreference,
    asking: QueryContext,
  ): Promise<SourceRecord | undefined>
  findByAddress(address: StreetAddress, prefer: StatusPreference, asking: QueryContext): Promise<AddressMatch>
  /** `undefined`: the building is unknown. A known building without matching units has an empty list. */
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
 * The source refuses the query, for example because it does not know a filter. It would refuse the same query again. No other provider is
 * asked: the customer would be charged for a result that this source cannot give.
 */
export class QueryRefused extends ProviderFailure {}

/** A failure that may be over when the same query is sent again: a lost connection, an overloaded source. Only this kind is retried. */
export class TransientFailure extends ProviderFailure {
  /** The delay that the source asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(message, { cause: options.cause })
    this.retryAfterMs = options.retryAfterMs
  }
}
