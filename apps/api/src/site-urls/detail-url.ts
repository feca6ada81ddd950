// The link of a listing: the one that its record carries, or else the operator's own page of the home. No link to
// somebody else's site is ever made up.

import type { Property } from '@lotline/contract'
import { text, type Unchecked, zpidOf } from '../record/coerce.ts'
import type { ListingSites } from './listing-sites.ts'
import { findPathReference } from './listing-url.ts'

/** Empty when the record carries no link and the operator has no pages: the contract has no null here. */
export function detailUrl(record: Property, { origin, homePages }: ListingSites): string {
  const links = linksOf(record)
  const found = links.map((link) => wholeUrl(link, origin)).find((url) => url !== undefined)
  if (found !== undefined) return found
  const isBuilding = (record as Unchecked).isBuilding === true
  return homePages === undefined || isBuilding ? '' : homePages.urlOf(zpidOf(record))
}

/**
 * The URL by which a lookup finds the listing, on the first of the accepted hosts, whatever host its source wrote;
 * undefined when the record carries none.
 */
export function lookupUrl(record: Property, { origin }: ListingSites): string | undefined {
  const path = linksOf(record)
    .map((link) => listingPath(pathOf(link)))
    .find((found) => found !== undefined)
  return path === undefined ? undefined : `${origin}${path}`
}

function linksOf(record: Property): string[] {
  const { isBuilding, bdpUrl, hdpUrl }: Unchecked = record
  const links = isBuilding === true ? [bdpUrl, hdpUrl] : [hdpUrl]
  return links.map((link) => text(link) ?? '')
}

/** A URL as it is; a path on the listing site with its host. */
function wholeUrl(link: string, origin: string): string | undefined {
  if (link.startsWith('/')) {
    const path = listingPath(pathOf(link))
    return path === undefined ? undefined : `${origin}${path}`
  }
  return /^https?:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i.test(link) && URL.canParse(link) ? link : undefined
}

function pathOf(link: string): string {
  return /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(link)?.[1] ?? ''
}

/** The path, if it is that of a listing. */
function listingPath(path: string): string | undefined {
  return findPathReference(path) ? path : undefined
}
