// Parses listing-site URLs: one home, or one multi-unit building. The path kinds homedetails, b, apartments, and community are read in
// every form that the site writes. Any other path is refused. Query and fragment do not identify the listing and are dropped.
// Why: decisions/contract/detail-url-is-a-text.md

import { type InputFault, inputFault, type Property, shownValue } from '@lotline/contract'
import { type Refusal, refuseAt, refuseInput } from '../../infrastructure/refusals.ts'
import { text, type UncheckedFields, zpidText } from '../record/coerce.ts'
import type { ListingSites } from './listing-sites.ts'

export interface HomeReference {
  readonly kind: 'home'
  /** Digits. */
  readonly zpid: string
}

export type BuildingKey =
  /** The site's own short key, which is case-sensitive. */
  | { readonly by: 'key'; readonly key: string }
  /** Degrees. */
  | { readonly by: 'coordinates'; readonly latitude: number; readonly longitude: number }
  | { readonly by: 'zpid'; readonly zpid: string }
  /** The plan id of a builder's community. */
  | { readonly by: 'plid'; readonly plid: string }

export interface BuildingReference {
  readonly kind: 'building'
  readonly path: 'b' | 'apartments' | 'community'
  readonly key: BuildingKey
  /**
   * The path with its slug and a final slash, without query and fragment, in the form that can be sent to the site. Slugs may differ for
   * one building, so compare buildings by `referenceKey`.
   */
  readonly canonicalPath: string
}

export type ListingReference = HomeReference | BuildingReference

export const MAX_LISTING_URL_LENGTH = 2048

/**
 * Parses the URL of a home or a building on one of the accepted hosts or their subdomains, or of the operator's own page of a home. Refuses
 * others with `invalid_url`.
 *
 * @param place where the URL was sent
 */
export function parseListingUrl(
  text: string,
  { hosts, homePages }: Pick<ListingSites, 'hosts' | 'homePages'>,
  place = 'url',
): ListingReference | Refusal {
  const zpid = text.length <= MAX_LISTING_URL_LENGTH ? homePages?.zpidOf(text) : undefined
  if (zpid !== undefined) return { kind: 'home', zpid }
  const url = readSiteUrl(text, { hosts, maxLength: MAX_LISTING_URL_LENGTH })
  if ('fault' in url) return refuseInput('invalid_url', place, url.fault)
  return (
    readReference(url.segments) ??
    refuseAt('invalid_url', 'not_a_listing', place, { value: shownValue(text) })
  )
}

/** Like `parseListingUrl`, and refuses the URL of a single home with `invalid_url`. */
export function parseBuildingUrl(
  text: string,
  sites: Pick<ListingSites, 'hosts' | 'homePages'>,
): BuildingReference | Refusal {
  const reference = parseListingUrl(text, sites)
  if ('refused' in reference || reference.kind === 'building') return reference
  return refuseAt('invalid_url', 'not_a_building', 'url', { value: shownValue(text) })
}

/** Parses a path such as a record's `hdpUrl`. undefined: it leads to no listing. */
export function findPathReference(path: string): ListingReference | undefined {
  const segments = path.startsWith('/') ? splitPath(path) : undefined
  return segments && readReference(segments)
}

/** Equal for every URL of one home or building, and different for all others. */
export function referenceKey(reference: ListingReference): string {
  if (reference.kind === 'home') return `home/${reference.zpid}`
  const { key } = reference
  switch (key.by) {
    case 'key':
      return `building/key/${key.key}`
    case 'coordinates':
      return `building/coordinates/${key.latitude},${key.longitude}`
    case 'zpid':
      return `building/zpid/${key.zpid}`
    case 'plid':
      return `building/plid/${key.plid}`
  }
}

function readReference(segments: readonly string[]): ListingReference | undefined {
  const [path, ...rest] = segments
  const id = rest.at(-1)
  if (id === undefined) return undefined
  if (path === 'homedetails') return rest.length <= 2 ? readHomeReference(id) : undefined
  if (path !== 'b' && path !== 'apartments' && path !== 'community') return undefined
  const key = readBuildingKey(path, id, rest.length)
  return key && { kind: 'building', path, key, canonicalPath: `/${segments.join('/')}/` }
}

function readHomeReference(id: string): HomeReference | undefined {
  const zpid = /^([0-9]{1,20})_zpid$/.exec(id)?.[1]
  return zpid === undefined ? undefined : { kind: 'home', zpid }
}

/** `depth` is the number of segments after the path kind, including the id. */
function readBuildingKey(
  path: BuildingReference['path'],
  id: string,
  depth: number,
): BuildingKey | undefined {
  switch (path) {
    case 'b': {
      if (depth > 2) return undefined
      const place = readCoordinatesKey(id)
      if (place || depth === 2) return place
      const key = /^(?:[^,]*-)?([A-Za-z0-9]{6})$/.exec(id)?.[1] ?? /^([A-Za-z0-9]{1,32})$/.exec(id)?.[1]
      return key === undefined ? undefined : { by: 'key', key }
    }
    case 'apartments': {
      const key = depth <= 3 ? /^([A-Za-z0-9]{6})$/.exec(id)?.[1] : undefined
      return key === undefined ? undefined : { by: 'key', key }
    }
    case 'community': {
      const found = depth <= 2 ? /^([0-9]{1,20})_(zpid|plid)$/.exec(id) : null
      if (!found?.[1]) return undefined
      return found[2] === 'zpid' ? { by: 'zpid', zpid: found[1] } : { by: 'plid', plid: found[1] }
    }
  }
}

function readCoordinatesKey(id: string): BuildingKey | undefined {
  // Browsers differ in whether they encode the comma.
  const found = /^(-?[0-9]{1,2}(?:\.[0-9]{1,15})?)(?:,|%2c)(-?[0-9]{1,3}(?:\.[0-9]{1,15})?)_ll$/i.exec(id)
  if (!found) return undefined
  const latitude = Number(found[1])
  const longitude = Number(found[2])
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  return { by: 'coordinates', latitude, longitude }
}

// The outer part of every listing-site URL: scheme, host, and characters. A text passes only if every URL parser would read it the same
// way, so tricks that make two parsers disagree (userinfo, backslashes, encoded slashes, other alphabets in the host) are refused instead
// of repaired. The callers read the path and the query.
export interface SiteUrl {
  /** The segments of the path, not decoded, without the empty one after a final slash. */
  readonly segments: readonly string[]
  /** Everything between `?` and `#`, still encoded. Empty if there is none. */
  readonly query: string
}

/** The reason why a text is not a URL of the site. */
export interface NotSiteUrl {
  readonly fault: InputFault
}

export interface SiteUrlRules {
  /** Host names in lower case, such as `zillow.com`: each includes its subdomains. */
  readonly hosts: readonly string[]
  /** The maximum length, in characters. */
  readonly maxLength: number
  /** Whether the query may contain spaces, as unencoded JSON does. */
  readonly spacesInQuery?: boolean
}

const SHAPE = /^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#.*)?$/is
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
/** An encoded control character, slash, backslash, dot or percent sign. */
const ENCODED_TRICK = /%(?:[01][0-9a-f]|7f|2f|5c|2e|25)/i

export function readSiteUrl(text: string, rules: SiteUrlRules): SiteUrl | NotSiteUrl {
  if (text.length > rules.maxLength) {
    return { fault: inputFault('too_long', { bound: rules.maxLength, length: text.length }) }
  }
  if (hasForbiddenCharacter(text, rules.spacesInQuery === true)) {
    return { fault: inputFault('url_characters', {}) }
  }
  const value = shownValue(text)
  const parts = SHAPE.exec(text)
  if (!parts) return { fault: inputFault('url_scheme', { value }) }
  const [, authority = '', path = '', query = ''] = parts
  const hostFault = findHostFault(authority, rules.hosts)
  if (hostFault) return { fault: hostFault }
  const segments = splitPath(path)
  return segments ? { segments, query } : { fault: inputFault('url_path', { value }) }
}

/** The segments of a path that begins with a slash. undefined: a part of it could be read in two ways. */
function splitPath(path: string): readonly string[] | undefined {
  if (ENCODED_TRICK.test(path) || !isDecodable(path)) return undefined
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments.some((segment) => segment === '' || segment === '.' || segment === '..')
    ? undefined
    : segments
}

function findHostFault(authority: string, hosts: readonly string[]): InputFault | undefined {
  if (authority.includes('@')) return inputFault('url_user', {})
  if (authority.includes(':')) return inputFault('url_port', { value: shownValue(authority) })
  const host = authority.toLowerCase()
  const site =
    HOST.test(host) && host.length <= 253 ? hosts.find((known) => isWithin(host, known)) : undefined
  // A subdomain in punycode is shown in another alphabet. The site has none, but look-alikes do.
  const subdomain = site === undefined ? '' : host.slice(0, host.length - site.length)
  if (site === undefined || /(?:^|\.)xn--/.test(subdomain)) {
    return inputFault('url_host', { hosts, value: shownValue(authority) })
  }
  return undefined
}

function isWithin(host: string, known: string): boolean {
  return host === known || host.endsWith(`.${known}`)
}

function hasForbiddenCharacter(text: string, spacesInQuery: boolean): boolean {
  const queryFrom = text.indexOf('?')
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x20 && spacesInQuery && queryFrom !== -1 && at > queryFrom) continue
    if (code <= 0x20 || (code >= 0x7f && code <= 0xa0) || code === 0x5c) return true
    if (code === 0x2028 || code === 0x2029 || code === 0xfeff || (code >= 0x200b && code <= 0x200f))
      return true
  }
  return false
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

// The link of a listing: the one in its record, or else the operator's own page of the home. A link to another company's site is never
// invented.

/** Empty if the record has no link and the operator has no pages: the contract does not allow null here. */
export function detailUrl(record: Property, { origin, homePages }: ListingSites): string {
  const links = recordLinks(record)
  const found = links.map((link) => wholeUrl(link, origin)).find((url) => url !== undefined)
  if (found !== undefined) return found
  const isBuilding = (record as UncheckedFields).isBuilding === true
  return homePages === undefined || isBuilding ? '' : homePages.urlOf(zpidText(record))
}

/**
 * The URL by which a lookup finds the listing, on the first accepted host, whatever host its source wrote. undefined: the record has none.
 */
export function lookupUrl(record: Property, { origin }: ListingSites): string | undefined {
  const path = recordLinks(record)
    .map((link) => listingPath(linkPath(link)))
    .find((found) => found !== undefined)
  return path === undefined ? undefined : `${origin}${path}`
}

function recordLinks(record: Property): string[] {
  const { isBuilding, bdpUrl, hdpUrl }: UncheckedFields = record
  const links = isBuilding === true ? [bdpUrl, hdpUrl] : [hdpUrl]
  return links.map((link) => text(link) ?? '')
}

/** A URL unchanged, or a path with the host of the listing site. */
function wholeUrl(link: string, origin: string): string | undefined {
  if (link.startsWith('/')) {
    const path = listingPath(linkPath(link))
    return path === undefined ? undefined : `${origin}${path}`
  }
  return /^https?:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i.test(link) && URL.canParse(link) ? link : undefined
}

function linkPath(link: string): string {
  return /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(link)?.[1] ?? ''
}

/** The path, if it belongs to a listing. */
function listingPath(path: string): string | undefined {
  return findPathReference(path) ? path : undefined
}
