// The homes of a search: as rows or under standard names; as JSON, CSV, or NDJSON. Each home is charged, and the response names its
// source: once for all, or in each row where they differ or the format has no place for what is said once.

import type { Property, SearchRow } from '@lotline/contract'
import type { PlaceInfo } from '../../data/places.ts'
import type { AreaListings, DataSource, SourceDirectory } from '../../data/sources.ts'
import { toReso } from '../../domain/reso.ts'
import { toMapMarker, toSearchRow } from '../../domain/search.ts'
import { detailUrl, type ListingSites } from '../../domain/site-urls.ts'
import type { Call } from '../engine/call.ts'
import type { ResoResult } from '../engine/handler.ts'
import type { PricedResult } from '../engine/operation-result.ts'
import { chooseFormat, type ListFormat } from './format.ts'
import { bodyVersion } from './version.ts'

export interface HomesDeps {
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

export interface FoundHomes extends Pick<AreaListings, 'records' | 'sources' | 'provider'> {
  /** undefined: not known. */
  readonly total: number | undefined
  /** The cursor of the homes behind the first `granted` ones; undefined: there are none. */
  readonly nextAfter?: ((granted: number) => string | undefined) | undefined
  /** That the search names; undefined: none. */
  readonly places?: PlaceInfo[] | undefined
}

export interface HomesAsked {
  readonly query: { readonly format?: string | undefined; readonly shape?: string | undefined }
  readonly call: Pick<Call, 'accept'>
  /** With the few fields that a pin on a map needs. */
  readonly areMarkers?: boolean
  /** The response has a tag. */
  readonly isTagged?: boolean
}

interface HomesBody<Row> {
  readonly [name: string]: unknown
  readonly data: readonly Row[]
  readonly meta: {
    count: number
    total?: number
    area?: PlaceInfo[]
    next_cursor?: string
    source?: DataSource
  }
}

export function presentHomes(
  deps: HomesDeps,
  found: FoundHomes,
  { query, call, areMarkers, isTagged = false }: HomesAsked,
): ResoResult | PricedResult<200, HomesBody<SearchRow>> {
  const { sites } = deps
  const now = new Date()
  const format = chooseFormat(query.format, call.accept)
  const attribution = attributionBySource(deps, found, { now, format })
  const as = { source: attribution.one, format, isTagged }
  if (query.shape === 'reso') return { ...rowsResult(found.records.map(toResoHome), found, as), isReso: true }
  return rowsResult(found.records.map(toRow), found, as)

  function toRow(record: Property): SearchRow {
    const row = areMarkers ? toMapMarker(record, sites) : toSearchRow(record, now, sites)
    const source = attribution.of(row.zpid, typeof row.brokerName === 'string')
    return source ? { ...row, source } : row
  }

  function toResoHome(record: Property): object {
    const url = detailUrl(record, sites)
    // The listing office is ListOfficeName.
    const source = attribution.of(String(record.zpid), true)
    return { ...toReso(record, now), ...(url && { X_DetailUrl: url }), ...(source && { X_Source: source }) }
  }
}

function rowsResult<Row extends object>(
  rows: readonly Row[],
  { total, nextAfter = () => undefined, places }: FoundHomes,
  {
    source,
    format,
    isTagged,
  }: { readonly source: DataSource | undefined; readonly format: ListFormat; readonly isTagged: boolean },
): PricedResult<200, HomesBody<Row>> {
  const known = total !== undefined && { total }
  const body = (granted: number) => {
    const next = nextAfter(granted)
    return {
      data: rows.slice(0, granted),
      meta: {
        count: granted,
        ...known,
        ...(places && { area: places }),
        ...(next !== undefined && { next_cursor: next }),
        ...(source && { source }),
      },
    }
  }
  return {
    status: 200,
    units: rows.length,
    body,
    ...(isTagged && { data: { version: bodyVersion(body(rows.length)), format } }),
    table: { format, rows, ...known, nextAfter, ...(source && { source: source.name }) },
  }
}

/** The source of the homes, as the response says it: once for all, and beside each. */
function attributionBySource(
  { sources }: Pick<HomesDeps, 'sources'>,
  found: FoundHomes,
  { now, format }: { readonly now: Date; readonly format: ListFormat },
) {
  const { one, of, besideOne } = sources.describe(found, now)
  return {
    one,
    /** @param showsOffice the row names its listing office itself */
    of(zpid: string, showsOffice: boolean): DataSource | undefined {
      if (format === 'json' || !one) return besideOne(zpid, showsOffice)
      // There is no `meta` beside the rows of a table.
      const own = of(zpid)
      return own?.attribution == null ? undefined : own
    },
  }
}
