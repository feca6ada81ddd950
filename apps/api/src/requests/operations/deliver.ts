// The few ways to say "here it is". The engine charges `units` and asks for the body of as many as were granted.

import type { Schemas, SearchRow } from '@lotline/contract'
import { FORMAT_OF } from '@lotline/contract/checks'
import Negotiator from 'negotiator'
import type { PlaceInfo } from '../../data/places.ts'
import { type CachedRecord, type FoundRecord, isCached, type RecordCache } from '../../data/record-cache.ts'
import type { SourceDirectory } from '../../data/sources.ts'
import { toReso } from '../../domain/reso.ts'
import { detailUrl, type ListingSites } from '../../domain/site-urls.ts'
import type { ResoResult } from '../engine/handler.ts'
import type { Body, PricedResult, RecordUsed } from '../engine/operation-result.ts'
import type { AreaListings } from './search-page.ts'
import { versionOf } from './served-version.ts'

export interface DeliverDeps {
  readonly sites: ListingSites
  readonly sources: SourceDirectory
}

type DataSource = Schemas['DataSource']

/**
 * One thing, at the price of a call.
 *
 * @param version of what is served: the response then has a tag
 */
export function deliver<Answer extends Body>(
  body: Answer,
  { record, version }: { record?: RecordUsed | undefined; version?: string } = {},
): PricedResult<200, Answer> {
  return {
    status: 200,
    units: 1,
    body: () => body,
    ...(record && { record }),
    ...(version !== undefined && { data: { version } }),
  }
}

export interface RowsAsked {
  readonly format: string | undefined
  readonly accept: string | undefined
  /** undefined: not known. */
  readonly total: number | undefined
  /** The cursor of the rows behind the first `granted` ones; undefined: there are none. */
  readonly nextAfter?: ((granted: number) => string | undefined) | undefined
  /** Of all rows; undefined: there are none, or each names its own. */
  readonly source?: DataSource | undefined
  /** That the search names; undefined: none. */
  readonly places?: PlaceInfo[] | undefined
  /** The response has a tag. */
  readonly isTagged?: boolean
}

/** Rows, each at its price: as JSON with `meta.count`, or as CSV or NDJSON where that was asked for. */
export function deliverRows<Row extends object>(
  rows: readonly Row[],
  { total, nextAfter = () => undefined, source, places, isTagged, ...asked }: RowsAsked,
): PricedResult<
  200,
  {
    data: readonly Row[]
    meta: { count: number; total?: number; area?: PlaceInfo[]; next_cursor?: string; source?: DataSource }
  }
> {
  const known = total !== undefined && { total }
  const area = places && { area: places }
  const nextOf = (granted: number) => {
    const cursor = nextAfter(granted)
    return cursor !== undefined && { next_cursor: cursor }
  }
  const format = chooseFormat(asked.format, asked.accept)
  const body = (granted: number) => ({
    data: rows.slice(0, granted),
    meta: { count: granted, ...known, ...area, ...nextOf(granted), ...(source && { source }) },
  })
  return {
    status: 200,
    units: rows.length,
    body,
    ...(isTagged && { data: { version: versionOf(body(rows.length)), format } }),
    table: {
      format,
      rows,
      ...known,
      nextAfter,
      ...(source && { source: source.name }),
    },
  }
}

/** What goes into `meta` and decides the format of records under standard names. */
export interface ResoAsked extends Partial<RowsAsked> {
  readonly record?: RecordUsed | undefined
  /** What is charged. Default: the records. */
  readonly units?: number
}

/** Records under the names of the RESO Data Dictionary (`shape=reso`), each at its price. */
export function deliverReso(
  values: readonly object[],
  { total, nextAfter = () => undefined, source, places, record, isTagged, units, ...asked }: ResoAsked,
): ResoResult {
  const known = total !== undefined && { total }
  // Lookups of one home have no format.
  const isRows = 'format' in asked
  const format = chooseFormat(asked.format, asked.accept)
  const body = (granted: number) => {
    const next = nextAfter(granted)
    const sent = units === undefined ? values.slice(0, granted) : values
    return {
      data: sent,
      meta: {
        count: sent.length,
        ...known,
        ...(places && { area: places }),
        ...(next !== undefined && { next_cursor: next }),
        ...(source && { source }),
      },
    }
  }
  return {
    status: 200,
    isReso: true,
    units: units ?? values.length,
    body,
    ...(isTagged && { data: { version: versionOf(body(values.length)), ...(isRows && { format }) } }),
    ...(isRows && {
      table: {
        format,
        rows: values,
        ...known,
        nextAfter,
        ...(source && { source: source.name }),
      },
    }),
    ...(record && { record }),
  }
}

/**
 * Rows with what responses say of their source: once for all, or in each row where they have several. CSV and NDJSON have no place
 * for what is said once: each row has the attribution that its source requires.
 */
export function withSources(
  { sources }: Pick<DeliverDeps, 'sources'>,
  found: Pick<AreaListings, 'records' | 'sources' | 'provider'>,
  rows: readonly SearchRow[],
  { format, accept }: Pick<RowsAsked, 'format' | 'accept'>,
): { readonly rows: readonly SearchRow[]; readonly source: DataSource | undefined } {
  const described = sources.describe(found, new Date())
  const sourceOf = sourceBeside(described, chooseFormat(format, accept) !== 'json')
  const named = rows.map((row) => {
    const source = sourceOf(row.zpid, typeof row.brokerName === 'string')
    return source ? { ...row, source } : row
  })
  return { rows: named, source: described.one }
}

/** What a row says of its source. @param isTable there is no `meta` beside the rows */
function sourceBeside({ of, besideOne, one }: ReturnType<SourceDirectory['describe']>, isTable: boolean) {
  return (zpid: string, showsOffice: boolean): DataSource | undefined => {
    if (!isTable || !one) return besideOne(zpid, showsOffice)
    const own = of(zpid)
    return own?.attribution == null ? undefined : own
  }
}

/** The homes of a search under standard names, each with its page, and with its source where they have several. */
export function toResoValues(
  deps: Pick<DeliverDeps, 'sources' | 'sites'>,
  found: Pick<AreaListings, 'records' | 'sources' | 'provider'>,
  { format, accept }: Pick<RowsAsked, 'format' | 'accept'>,
): { readonly values: readonly object[]; readonly source: DataSource | undefined } {
  const now = new Date()
  const described = deps.sources.describe(found, now)
  const sourceOf = sourceBeside(described, chooseFormat(format, accept) !== 'json')
  const values = found.records.map((record) => {
    const url = detailUrl(record, deps.sites)
    // The listing office is ListOfficeName.
    const source = sourceOf(String(record.zpid), true)
    return {
      ...toReso(record, now),
      ...(url && { X_DetailUrl: url }),
      ...(source && { X_Source: source }),
    }
  })
  return { values, source: described.one }
}

/** undefined: no cached copy was used, so none can have been replaced. */
export function recordUsed(records: RecordCache, found: FoundRecord | CachedRecord): RecordUsed | undefined {
  if (!isCached(found)) return undefined
  const { source, zpid, generation } = found
  return { source, zpid, generation, forget: () => records.forget({ source, zpid }) }
}

type ListFormat = 'json' | 'csv' | 'ndjson'

const MEDIA_TYPES = Object.keys(FORMAT_OF)
/** Of an Accept header, in characters. More of it says nothing that a client means, and costs time to read. */
const MAX_ACCEPT = 4_096

/**
 * In which format rows are sent. The parameter `format` decides (the contract has refused unknown values before); without
 * it the header `Accept` does, by the rules of RFC 9110; of types that are wanted alike, the first. What is asked for and not
 * on offer is answered with JSON.
 */
export function chooseFormat(format: string | undefined, accept: string | undefined): ListFormat {
  if (format === 'json' || format === 'csv' || format === 'ndjson') return format
  if (accept === undefined) return 'json'
  // What we send is always UTF-8: a client that asks for a charset means the type.
  const types = accept.slice(0, MAX_ACCEPT).replace(/;\s*charset=[^,;]*/gi, '')
  const negotiator = new Negotiator({ headers: { accept: types } })
  return FORMAT_OF[negotiator.mediaType(MEDIA_TYPES) ?? ''] ?? 'json'
}
