// Where records and rows come from, as responses say it (`meta.source`): which source, on whose authority, and what must be
// shown with it. A lookup has it from its record. For the rows of a search it is what the last import of their source
// recorded, kept in memory, so that no search reads it.

import type { Schemas } from '@lotline/contract'
import type { Queryable } from '../database/database.ts'
import { instantMs, object, text, type Unchecked } from '../record/coerce.ts'
import type { AreaListings, BuildingListings, RowSource } from './provider.ts'

/** `meta.source` of a response. */
export type DataSource = Schemas['DataSource']

/** What a record says of its source; kept beside the cached record, so that no lookup reads the record for it. */
export type RecordOrigin = Omit<DataSource, 'fetched_at'>

/** @param source that brought the record: a feed or file of the data set, or a provider */
export function originOf(record: Unchecked, source: string): RecordOrigin {
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

/** A time without an offset is a local one, whose zone is not known here: it is left out rather than wrong by hours. */
function updatedAtOf(value: unknown): number | null {
  const isInstant = typeof value === 'string' && /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i.test(value)
  return isInstant || typeof value === 'number' ? instantMs(value) : null
}

/** `Listed by Harbor Realty. © 2026 …`; null where there is neither. */
export function attributionText(office: string | null, notice: string | null): string | null {
  const parts = [office === null ? null : `Listed by ${office.replace(/\.$/, '')}.`, notice]
  return parts.filter((part) => part !== null).join(' ') || null
}

/**
 * What must be shown with a row, as text: the same for all rows that one statement of their source serves. Two sources may have one
 * public name, and one source has listings of many offices.
 */
export function creditOf({ name, authority, attribution }: RecordOrigin): string {
  return JSON.stringify([name, authority, attribution])
}

/** The names under which clients are shown sources: never the address of a provider. */
export function createPublicNames(aliases: ReadonlyMap<string, string>): (source: string) => string {
  return (source) => {
    const name = source.startsWith('http:') ? 'http' : source
    return aliases.get(name) ?? name
  }
}

/** For how long what was read counts, in milliseconds. */
const KEPT_MS = 10_000
/** The same where a name is not known. */
const NEW_AFTER_MS = 1_000

/** Of a listing source, as its last import found it. */
interface Description {
  readonly authority: string | null
  readonly notice: string | null
}

/** Rows of a search, or of a building, as a provider found them. */
export type FoundRows = Pick<AreaListings, 'records' | 'sources' | 'provider'>

/** The rows of a building, its own record among them. */
export function rowsOfBuilding({ parent, units, sources, provider }: BuildingListings): FoundRows {
  return {
    records: parent ? [parent, ...units] : units,
    ...(sources && { sources }),
    ...(provider !== undefined && { provider }),
  }
}

export interface SourceDirectory {
  /** See `creditOf`. */
  creditOf(source: RecordOrigin): string
  /** The sources of some rows, as responses show them. */
  describe(found: FoundRows, now: Date): Promise<RowSources>
  /** The same of a building: its own record is one of the rows. */
  describeBuilding(building: BuildingListings, now: Date): Promise<RowSources>
}

export interface RowSources {
  /** The one source of all rows; undefined: there is none, or there are several. */
  readonly one: DataSource | undefined
  /** Of a row by itself, with the time of its own change; undefined: none is known of it alone. */
  of(zpid: string): DataSource | undefined
}

/**
 * @param provider its name, for rows that are of no listing source
 * @param publicName of a source, as clients are shown it
 */
export function createSourceDirectory(
  database: Queryable,
  provider: string,
  publicName: (source: string) => string,
): SourceDirectory {
  let known: ReadonlyMap<string, Description> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const { rows } = await database.query<Description & { name: string }>(
      'select name, authority, notice from listing_sources',
      [],
      { name: 'describe_sources' },
    )
    known = new Map(rows.map(({ name, ...description }) => [name, description]))
    readAt = performance.now()
  }

  /** A source that was never seen is read within a second; others at most every 10 seconds. */
  async function refresh(names: Iterable<string>): Promise<void> {
    const age = performance.now() - readAt
    if (age < NEW_AFTER_MS || (age < KEPT_MS && [...names].every((name) => known.has(name)))) return
    reading ??= read().finally(() => {
      reading = undefined
    })
    await reading
  }

  function dataSource(name: string, updatedAt: Date | null, now: Date): DataSource {
    const { authority = null, notice = null } = known.get(name) ?? {}
    return {
      name: publicName(name),
      authority,
      fetched_at: now.toISOString(),
      source_updated_at: updatedAt?.toISOString() ?? null,
      attribution: attributionText(null, notice),
    }
  }

  async function describe(
    { records, sources, provider: answeredBy = provider }: FoundRows,
    now: Date,
  ): Promise<RowSources> {
    if (records.length === 0) return { one: undefined, of: () => undefined }
    if (!sources) return { one: dataSource(answeredBy, null, now), of: () => undefined }
    const rows = records.flatMap(({ zpid }) => sources.get(String(zpid)) ?? [])
    const names = new Set(rows.map(({ name }) => name))
    await refresh(names)
    const [name] = names
    const isOne = names.size === 1 && name !== undefined && rows.length === records.length
    return {
      one: isOne ? dataSource(name, newest(rows), now) : undefined,
      of(zpid) {
        const source = sources.get(zpid)
        return source && dataSource(source.name, source.updatedAt, now)
      },
    }
  }

  return { creditOf, describe, describeBuilding: (building, now) => describe(rowsOfBuilding(building), now) }
}

function newest(rows: readonly RowSource[]): Date | null {
  let latest: Date | null = null
  for (const { updatedAt } of rows) if (updatedAt && (!latest || updatedAt > latest)) latest = updatedAt
  return latest
}
