// One home, from its record. The response names the source of the record, has a tag, and is charged only while the record is
// current. A handler says which record it found; it cannot leave any of these out.

import type { Property } from '@lotline/contract'
import {
  type CachedRecord,
  type FoundRecord,
  isCached,
  parseRecord,
  type RecordCache,
} from '../../data/record-cache.ts'
import type { DataSource } from '../../data/sources.ts'
import type { Call } from '../engine/call.ts'
import type { ResoResult } from '../engine/handler.ts'
import { type Body, JsonText, type PricedResult, type RecordUsed } from '../engine/operation-result.ts'
import type { RecordForm } from './form.ts'
import { resoResult } from './reso-result.ts'
import { bodyVersion, recordVersion } from './version.ts'

export interface HomeDeps {
  readonly records: RecordCache
}

type HomeData = Property | JsonText

/** The record, whole or in parts, under its own or standard names. */
export function presentHome(
  deps: HomeDeps,
  found: FoundRecord | CachedRecord,
  form: RecordForm,
  call: Call,
): ResoResult | PricedResult<200, { readonly data: HomeData; readonly meta: { source: DataSource } }> {
  return present(deps, found, form, call, ({ origin }, data) => ({ data, meta: { source: origin } }))
}

/** The same, with what is known of its copy in the cache. */
export function presentCachedHome(
  deps: HomeDeps,
  found: CachedRecord,
  form: RecordForm,
  call: Call,
): ResoResult | PricedResult<200, CachedBody> {
  const cached = isOlder(found, call)
  return present(deps, found, form, call, (_, data) =>
    form.isStored && cached ? cachedEntryBody(found) : cachedBody(found, data, cached),
  )
}

/** A part of the record. `meta` is what is known of the part itself. */
export function presentPart<Data, Meta extends object>(
  { records }: HomeDeps,
  found: CachedRecord,
  call: Call,
  { data, meta }: { readonly data: Data; readonly meta: Meta },
) {
  const body = { data, meta: { cached: isOlder(found, call), ...meta, source: found.origin } }
  return singleRecordResult(body, recordUsed(records, found), bodyVersion(body))
}

function present<Found extends FoundRecord | CachedRecord, Answer extends Body>(
  { records }: HomeDeps,
  found: Found,
  form: RecordForm,
  call: Call,
  bodyOf: (found: Found, data: HomeData) => Answer,
): ResoResult | PricedResult<200, Answer> {
  const used = recordUsed(records, found)
  // Sent as it is stored: parsing and printing it again would be most of the work of a lookup.
  if (form.isStored)
    return singleRecordResult(bodyOf(found, new JsonText(found.json)), used, recordVersion(found))
  const record = parseRecord(found)
  form.ignoreUnknown(call, [record])
  const data = form.of(record)
  if (form.isReso) return { ...resoResult([data], found.origin), ...(used && { record: used }) }
  const body = bodyOf(found, data)
  return singleRecordResult(body, used, bodyVersion(body))
}

function singleRecordResult<Answer extends Body>(
  body: Answer,
  record: RecordUsed | undefined,
  version: string,
): PricedResult<200, Answer> {
  return { status: 200, units: 1, body: () => body, ...(record && { record }), data: { version } }
}

interface CachedBody {
  readonly [name: string]: unknown
  readonly data: HomeData
  readonly cached: boolean
  readonly fetched_at: string
  readonly meta: { readonly source: DataSource }
}

function cachedBody({ origin }: CachedRecord, data: HomeData, cached: boolean): CachedBody {
  return { data, cached, fetched_at: origin.fetched_at, meta: { source: origin } }
}

const responseBodyCache = new WeakMap<CachedRecord, CachedBody>()

/** The same for all calls but the one that the entry was stored for, so it is made once. */
function cachedEntryBody(entry: CachedRecord): CachedBody {
  const known = responseBodyCache.get(entry)
  if (known) return known
  const body = cachedBody(entry, new JsonText(entry.json), true)
  responseBodyCache.set(entry, body)
  return body
}

/** Whether the record was there before the call. */
function isOlder({ storedAt }: CachedRecord, { admittedTick }: Call): boolean {
  return storedAt < admittedTick
}

/** undefined: no cached copy was used, so none can have been replaced. */
function recordUsed(records: RecordCache, found: FoundRecord | CachedRecord): RecordUsed | undefined {
  if (!isCached(found)) return undefined
  const { source, zpid, generation } = found
  return { source, zpid, generation, forget: () => records.forget({ source, zpid }) }
}
