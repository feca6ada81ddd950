// What a listing-site URL points at: one home, or one multi-unit building. The path kinds homedetails, b, apartments
// and community are read in every shape that the site writes; anything else is refused. Query and fragment say
// nothing about the listing and are dropped.

import { shownValue } from '@lotline/contract'
import { type Refusal, refuseAt, refuseInput } from '../platform/refusal.ts'
import type { ListingSites } from './listing-sites.ts'
import { readSiteUrl, segmentsOf } from './site-url.ts'

export interface HomeReference {
  readonly kind: 'home'
  /** Digits. */
  readonly zpid: string
}

export type BuildingKey =
  /** The site's own short key; upper and lower case differ. */
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
   * The path with its slug and a final slash, without query and fragment: fit to be sent on to the site. Slugs may
   * differ for one building, so compare buildings by `referenceKey`.
   */
  readonly canonicalPath: string
}

export type ListingReference = HomeReference | BuildingReference

export const MAX_LISTING_URL_LENGTH = 2048

/**
 * Reads the URL of a home or a building on one of the accepted hosts or a subdomain of them, or that of the operator's own
 * page of a home; else `invalid_url`.
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
    referenceOf(url.segments) ?? refuseAt('invalid_url', 'not_a_listing', place, { value: shownValue(text) })
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

/** Reads a path such as a record's `hdpUrl`; undefined when it leads to no listing. */
export function findPathReference(path: string): ListingReference | undefined {
  const segments = path.startsWith('/') ? segmentsOf(path) : undefined
  return segments && referenceOf(segments)
}

/** The same text for every URL of one home or building, and another for every other. */
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

function referenceOf(segments: readonly string[]): ListingReference | undefined {
  const [path, ...rest] = segments
  const id = rest.at(-1)
  if (id === undefined) return undefined
  if (path === 'homedetails') return rest.length <= 2 ? homeOf(id) : undefined
  if (path !== 'b' && path !== 'apartments' && path !== 'community') return undefined
  const key = keyOf(path, id, rest.length)
  return key && { kind: 'building', path, key, canonicalPath: `/${segments.join('/')}/` }
}

function homeOf(id: string): HomeReference | undefined {
  const zpid = /^([0-9]{1,20})_zpid$/.exec(id)?.[1]
  return zpid === undefined ? undefined : { kind: 'home', zpid }
}

/** `depth` counts the segments after the path kind, the id among them. */
function keyOf(path: BuildingReference['path'], id: string, depth: number): BuildingKey | undefined {
  switch (path) {
    case 'b': {
      if (depth > 2) return undefined
      const place = coordinatesOf(id)
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

function coordinatesOf(id: string): BuildingKey | undefined {
  // Browsers differ in whether they encode the comma.
  const found = /^(-?[0-9]{1,2}(?:\.[0-9]{1,15})?)(?:,|%2c)(-?[0-9]{1,3}(?:\.[0-9]{1,15})?)_ll$/i.exec(id)
  if (!found) return undefined
  const latitude = Number(found[1])
  const longitude = Number(found[2])
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  return { by: 'coordinates', latitude, longitude }
}
