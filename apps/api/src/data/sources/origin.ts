// The origin of records and rows, as responses show it (`meta.source`): the source, its authority, and the notices that must be shown with
// it. Each record and each summary has its own origin, so two records of one source may have different notices.
// Why: decisions/data/notice-of-each-record.md

import type { Schemas } from '@lotline/contract'
import { instantMs, object, text, type UncheckedFields, zpidText } from '../../domain/record.ts'
import type { AreaListings, BuildingListings, RowSource } from './provider.ts'

/** `meta.source` of a response. */
export type DataSource = Schemas['DataSource']

/** The origin of a record. It is kept beside the cached record, so that a lookup need not parse the record for it. */
export type RecordOrigin = Omit<DataSource, 'fetched_at'>

/** @param source the feed or file of the data set, or the provider, that provided the record */
export function originOf(record: UncheckedFields, source: string): RecordOrigin {
  const attribution = object(record.attributionInfo) ?? {}
  const updatedMs = updatedAtOf(attribution.lastUpdated)
  return {
    name: source,
    authority: text(attribution.mlsName),
    source_updated_at: updatedMs === null ? null : new Date(updatedMs).toISOString(),
    attribution: attributionText(
      text(attribution.brokerName) ?? text(record.brokerageName),
      text(attribution.mlsDisclaimer),
    ),
  }
}

/** A time without an offset is local, and its zone is not known here. It is left out, because it could be wrong by hours. */
function updatedAtOf(value: unknown): number | null {
  const isInstant = typeof value === 'string' && /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(value)
  return isInstant || typeof value === 'number' ? instantMs(value) : null
}

/** `Listed by Harbor Realty. © 2026 …`; null if there is neither an office nor a notice. */
function attributionText(office: string | null, notice: string | null): string | null {
  const parts = [office === null ? null : `Listed by ${office.replace(/\.$/, '')}.`, notice]
  return parts.filter((part) => part !== null).join(' ') || null
}

/**
 * The text that must be shown with a row. It is equal for all rows that one statement of their source covers. Two sources may have one
 * public name, and one source has listings of many offices.
 */
export function creditOf({ name, authority, attribution }: RecordOrigin): string {
  return JSON.stringify([name, authority, attribution])
}

/** The public names of sources. They never contain the address of a provider. */
export function createPublicNames(aliases: ReadonlyMap<string, string>): (source: string) => string {
  return (source) => {
    const name = source.startsWith('http:') ? 'http' : source
    return aliases.get(name) ?? name
  }
}

/** Rows of a search or of a building, as a provider returned them. */
export type FoundRows = Pick<AreaListings, 'records' | 'sources' | 'provider'>

/** The rows of a building, including its own record. */
export function rowsOfBuilding({ parent, units, sources, provider }: BuildingListings): FoundRows {
  return {
    records: parent ? [parent, ...units] : units,
    ...(sources && { sources }),
    ...(provider !== undefined && { provider }),
  }
}

export interface SourceDirectory {
  /** The public name of a source. */
  publicName(source: string): string
  /** See `creditOf`. */
  creditOf(source: RecordOrigin): string
  /** The sources of some rows, as responses show them. */
  describe(found: FoundRows, now: Date): RowSources
  /** Like `describe`, for a building, whose own record is one of the rows. */
  describeBuilding(building: BuildingListings, now: Date): RowSources
}

export interface RowSources {
  /**
   * The source that all rows share, with its authority and notice. Each row has its own listing office. undefined: there are no rows, or
   * they have different sources.
   */
  readonly one: DataSource | undefined
  /** The part of a row's source that it shares with other rows of that source. undefined: there is no such row. */
  sharedOf(zpid: string): DataSource | undefined
  /** The source of one row, with its listing office and the time of its last change. undefined: there is no such row. */
  of(zpid: string): DataSource | undefined
  /**
   * The part of a row's source that `one` does not cover. undefined: `one` covers all of it.
   *
   * @param showsOffice whether the row shows its listing office itself
   */
  besideOne(zpid: string, showsOffice: boolean): DataSource | undefined
}

/**
 * @param provider its name, for rows without a listing source
 * @param publicName returns the public name of a source
 */
export function createSourceDirectory(
  provider: string,
  publicName: (source: string) => string,
): SourceDirectory {
  function describe({ records, sources, provider: answeredBy = provider }: FoundRows, now: Date): RowSources {
    const fetchedAt = now.toISOString()
    const rows = new Map(
      records.map((record) => {
        const zpid = zpidText(record)
        const { name = answeredBy, updatedAt = null } = sources?.get(zpid) ?? {}
        const attribution = object((record as UncheckedFields).attributionInfo) ?? {}
        return [
          zpid,
          {
            name,
            updatedAt,
            authority: text(attribution.mlsName),
            notice: text(attribution.mlsDisclaimer),
            office: text(attribution.brokerName) ?? text((record as UncheckedFields).brokerageName),
          },
        ]
      }),
    )

    function dataSource(zpid: string, withOffice: boolean, updatedAt?: Date | null): DataSource | undefined {
      const row = rows.get(zpid)
      return (
        row && {
          name: publicName(row.name),
          authority: row.authority,
          fetched_at: fetchedAt,
          source_updated_at: (updatedAt === undefined ? row.updatedAt : updatedAt)?.toISOString() ?? null,
          attribution: attributionText(withOffice ? row.office : null, row.notice),
        }
      )
    }

    const [first] = rows.keys()
    const kinds = new Set(
      [...rows.values()].map(({ name, authority, notice }) => JSON.stringify([name, authority, notice])),
    )
    const one =
      first === undefined || kinds.size > 1 ? undefined : dataSource(first, false, newest(rows.values()))
    return {
      one,
      sharedOf: (zpid) => dataSource(zpid, false),
      of: (zpid) => dataSource(zpid, true),
      besideOne(zpid, showsOffice) {
        const own = dataSource(zpid, true)
        if (one === undefined) return own
        return showsOffice || own?.attribution === one.attribution ? undefined : own
      },
    }
  }

  return {
    publicName,
    creditOf,
    describe,
    describeBuilding: (building, now) => describe(rowsOfBuilding(building), now),
  }
}

function newest(rows: Iterable<Pick<RowSource, 'updatedAt'>>): Date | null {
  let latest: Date | null = null
  for (const { updatedAt } of rows) if (updatedAt && (!latest || updatedAt > latest)) latest = updatedAt
  return latest
}
