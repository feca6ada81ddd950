// Reads a feed with the RESO Web API (OData 4): its queries, and its pages. The next page may be named by `@odata.nextLink` or by the Link
// header.

import { isObject } from '../../domain/record.ts'
import { type Profile, RELATED, type RelatedName } from './profiles.ts'
import { FeedFailure, type FeedResponse, type Upstream } from './upstream.ts'

export type FeedRecord = Readonly<Record<string, unknown>>

export interface FeedPage {
  readonly records: readonly FeedRecord[]
  /** An absolute URL of the configured origin. undefined: this is the last page. */
  readonly next: string | undefined
  /** The server's clock in epoch milliseconds. undefined: the server does not state it. */
  readonly serverMs: number | undefined
  /** The number of all records that match the query. undefined: the server does not state it. */
  readonly count: number | undefined
}

export interface FeedQuery {
  /** Default: the listings. */
  readonly resource?: RelatedName | undefined
  /** Only records that have changed at this time or later, in the feed's own spelling. */
  readonly since?: string | undefined
  /** Only records that changed before this time. */
  readonly before?: string | undefined
  /** A further condition. */
  readonly where?: string | undefined
  /** In any order. */
  readonly unsorted?: boolean
  /** In the order of the keys, and only those behind this one. The empty key is before all others. */
  readonly behindKey?: KeyLiteral | undefined
  /** Only the keys and times of change, in the order of the keys. */
  readonly keysOnly?: boolean
  /** Default: the profile's. */
  readonly top?: number
  readonly count?: boolean
}

/** A key in the feed's own form: servers compare texts with texts, and numbers with numbers. */
export interface KeyLiteral {
  readonly field: string
  /** The key in OData, such as `'a'` or `7`. Empty: before all keys. */
  readonly value: string
}

/** The key of a listing, and its time of change, in every resource of listings. */
export const KEY_FIELD = 'ListingKey'
export const MODIFIED_FIELD = 'ModificationTimestamp'

/** `2026-11-22T08:00:00Z`, with fractions of any length, and with an offset. PostgreSQL accepts offsets of less than 16 hours. */
const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/i
/** The years 1 to 9999 in UTC: the database refuses year 0, and later years have another spelling. */
const [FIRST_MS, LAST_MS] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

export interface FeedSettings {
  /** Base URL, with or without a path. */
  readonly url: string
  readonly originatingSystem?: string | undefined
  /** An OData condition that every query of listings has, such as `PropertyType eq 'Residential'`. */
  readonly filter?: string | undefined
}

/** The address of the first page. */
export function queryUrl(settings: FeedSettings, profile: Profile, query: FeedQuery): string {
  const { since, before, where, behindKey, resource, keysOnly = false, unsorted = false } = query
  const path = resource ?? (keysOnly ? profile.keys : profile.property)
  const url = new URL(`${settings.url.replace(/\/+$/, '')}/${path}`)
  const system = settings.originatingSystem
  const conditions = [
    ...(system === undefined ? [] : [`OriginatingSystemName eq ${quote(system)}`]),
    ...(settings.filter === undefined || resource !== undefined ? [] : [`(${settings.filter})`]),
    ...(since === undefined ? [] : [`${MODIFIED_FIELD} ge ${since}`]),
    ...(before === undefined ? [] : [`${MODIFIED_FIELD} lt ${before}`]),
    ...(behindKey === undefined || behindKey.value === ''
      ? []
      : [`${behindKey.field} gt ${behindKey.value}`]),
    ...(where === undefined ? [] : [where]),
  ]
  const key = resource === undefined ? KEY_FIELD : RELATED[resource].key
  const options = [
    ['$filter', conditions.join(' and ')],
    ['$orderby', orderOf()],
    ['$top', String(query.top ?? (keysOnly ? profile.keysPageSize : profile.pageSize))],
    ['$select', keysOnly ? `${KEY_FIELD},${MODIFIED_FIELD}` : ''],
    ['$expand', keysOnly || resource !== undefined ? '' : profile.expand.join(',')],
    ['$count', query.count ? 'true' : ''],
  ] as const
  function orderOf(): string {
    if (behindKey !== undefined) return behindKey.field
    if (!profile.sorts || unsorted) return ''
    return keysOnly ? key : `${MODIFIED_FIELD},${key}`
  }
  // Servers of feeds read `%20`, and not every one reads `+`.
  url.search = options
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return url.href
}

/**
 * The address of one record.
 *
 * @param literal the key in OData, such as `'a'`
 */
export function recordUrl({ url }: FeedSettings, { property, expand }: Profile, literal: string): string {
  const path = property.replace(/\/.*$/, '')
  const query = expand.length === 0 ? '' : `?$expand=${encodeURIComponent(expand.join(','))}`
  return new URL(`${url.replace(/\/+$/, '')}/${path}(${encodeURIComponent(literal)})${query}`).href
}

/** Whether a record that was read at its own address is one of the feed's originating system. */
export function isListed(record: FeedRecord, { originatingSystem }: FeedSettings): boolean {
  const { OriginatingSystemName: system } = record
  return originatingSystem === undefined || system == null || system === originatingSystem
}

/**
 * Whether a page without a next one may be cut off by `$top`, which some servers read as the number of all records. A server may send these
 * in pages of its own size, so all records since the query with `$top` count.
 *
 * @param count includes the records of the page
 */
export function isCutAt(
  top: number,
  count: number,
  page: readonly FeedRecord[],
  { topMayLimit }: Pick<Profile, 'topMayLimit'>,
): boolean {
  // More than `$top` records in several pages: the server does not cut off.
  return topMayLimit && (count === top || page.length >= top)
}

/** The same query as that of `url`, without the first `count` records of its result. */
export function skipping(url: string, count: number): string {
  const [, query = url, skipped = '0'] = /^(.*?)(?:&\$skip=(\d+))?$/.exec(url) ?? []
  return `${query}&$skip=${Number(skipped) + count}`
}

export function metadataUrl(settings: FeedSettings): string {
  return new URL(`${settings.url.replace(/\/+$/, '')}/$metadata`).href
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * Reads one page.
 *
 * @throws {FeedFailure} when the response is no page, or names a next page of another server
 */
export async function readPage(upstream: Upstream, url: string, signal: AbortSignal): Promise<FeedPage> {
  const reply = await upstream.get(url, signal)
  const body = parse(reply, upstream.origin)
  // Spark uses the envelope of its older API.
  const content = isObject(body.D) ? body.D : body
  const records = content.value ?? content.Results
  if (!Array.isArray(records) || !records.every(isObject)) {
    throw new FeedFailure(`${upstream.origin} answered with JSON that is not a list of records`)
  }
  const serverMs = Date.parse(reply.headers.date ?? '')
  const count = content['@odata.count']
  return {
    records,
    next: nextPage(content['@odata.nextLink'], reply, upstream.origin),
    serverMs: Number.isNaN(serverMs) ? undefined : serverMs,
    count: typeof count === 'number' ? count : undefined,
  }
}

/**
 * Reads one record at its own address.
 *
 * @throws {FeedFailure} when the response is no record: with status 404, there is none of this key
 */
export async function readRecord(upstream: Upstream, url: string, signal: AbortSignal): Promise<FeedRecord> {
  return parse(await upstream.get(url, signal), upstream.origin)
}

function parse({ body, headers }: FeedResponse, origin: string): Record<string, unknown> {
  const type = headers['content-type'] ?? ''
  let value: unknown
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
    value = JSON.parse(text)
    // Neither a NUL nor half a surrogate pair can be stored. In JSON both need an escape.
    if (/\\u(?:0000|d[89a-f])/i.test(text)) value = storable(value)
  } catch {
    // The parser's own error would quote the text.
    const kind = /html/i.test(type) ? 'a web page' : 'text that is no JSON, or JSON that is cut off'
    throw new FeedFailure(`${origin} answered with ${kind}`)
  }
  if (!isObject(value)) throw new FeedFailure(`${origin} answered with JSON that is not an object`)
  return value
}

/** Removes characters that the database refuses, so that one record does not stop the feed. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '').toWellFormed()
  if (Array.isArray(value)) return value.map(storable)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [storable(name) as string, storable(inner)]),
  )
}

function nextPage(link: unknown, { headers, url }: FeedResponse, origin: string): string | undefined {
  const text = typeof link === 'string' && link !== '' ? link : linkHeader(headers.link)
  if (text === undefined) return undefined
  const next = URL.canParse(text, url) ? new URL(text, url) : undefined
  if (next?.origin !== origin) {
    throw new FeedFailure(
      `${origin} named a next page on another server (${next?.origin ?? 'an invalid URL'}), which is not called`,
    )
  }
  return next.href
}

/** The target of `<…>; rel="next"` among the links of the header. */
function linkHeader(header: string | undefined): string | undefined {
  for (const [, target, parameters] of (header ?? '').matchAll(/<([^>]*)>((?:\s*;\s*[^,<]+)*)/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i.test(parameters ?? '')) return target
  }
  return undefined
}

/** The key of a record as its server compares it. undefined: it has no usable key. */
export function literalOf(record: FeedRecord, field: string = KEY_FIELD): KeyLiteral | undefined {
  const text = keyOf(record, field)
  if (text === undefined) return undefined
  const name = record[field] == null ? `${field}Numeric` : field
  return { field: name, value: typeof record[name] === 'number' ? text : quote(text) }
}

/** Whether the feed has spaces around the key, which are not stored: the server does not find the record by its stored key. */
export function isKeyPadded({ [KEY_FIELD]: key }: FeedRecord): boolean {
  return typeof key === 'string' && key !== key.trim()
}

/** The key of a record. undefined: it has no usable key. */
export function keyOf(record: FeedRecord, field: string = KEY_FIELD): string | undefined {
  const key = record[field] ?? record[`${field}Numeric`]
  // An import trims the keys of its rows as well.
  const text =
    typeof key === 'number' && Number.isSafeInteger(key)
      ? String(key)
      : typeof key === 'string'
        ? key.trim()
        : ''
  return text !== '' && text.length <= 200 && !/\p{Cc}/u.test(text) ? text : undefined
}

/** The time of change, in the feed's own spelling. undefined: the record has no usable time. */
export function modifiedOf(record: FeedRecord): string | undefined {
  const value = record[MODIFIED_FIELD]
  return typeof value === 'string' && isRealTime(value) ? value : undefined
}

/** Whether the record has a time of change, even an impossible one such as of February 30. */
export function hasTime({ [MODIFIED_FIELD]: value }: FeedRecord): boolean {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(?:Z|[+-]\d{2}:\d{2})$/i.test(value)
}

/** Whether the database can store the time: a record with another time must not stop the feed. */
function isRealTime(value: string): boolean {
  const [, year, month, day] = TIMESTAMP.exec(value) ?? []
  if (day === undefined || !isWithinYears(Date.parse(value))) return false
  // February 30 is parsed as March 2.
  return (
    Number(day) <= 28 ||
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  )
}

/** Whether an instant, in epoch milliseconds, is one that the database stores. False for NaN. */
export function isWithinYears(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS
}

/** Sorts times of change whose fractions have different lengths. Positive: `one` is later. */
export function compareTimes(one: string, other: string): number {
  const difference = Date.parse(one) - Date.parse(other)
  if (difference !== 0) return difference
  // Compares the digits below a millisecond.
  const [oneFraction, otherFraction] = [fraction(one), fraction(other)]
  return oneFraction === otherFraction ? 0 : oneFraction > otherFraction ? 1 : -1
}

function fraction(time: string): string {
  return (/\.(\d+)/.exec(time)?.[1] ?? '').padEnd(9, '0')
}
