// The URL under which a listing is found again: on the first of the accepted hosts, so that every row leads back to
// by-url whatever host its source wrote.

import type { Property } from '@lotline/contract'
import { text, type Unchecked, zpidOf } from '../record/coerce.ts'
import { findPathReference } from './listing-url.ts'

/** `https://www.` and the first of the accepted hosts. */
export function siteOrigin(hosts: readonly string[]): string {
  const host = hosts[0] ?? 'zillow.com'
  return host.startsWith('www.') ? `https://${host}` : `https://www.${host}`
}

export function detailUrl(record: Property, origin: string): string {
  const unchecked: Unchecked = record
  const urls = unchecked.isBuilding === true ? [unchecked.bdpUrl, unchecked.hdpUrl] : [unchecked.hdpUrl]
  const path = urls.map(listingPath).find((found) => found !== undefined)
  return `${origin}${path ?? `/homedetails/${zpidOf(record)}_zpid/`}`
}

/** The path of a URL or of a path, if it is that of a listing. */
function listingPath(url: unknown): string | undefined {
  const path = /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(text(url) ?? '')?.[1]
  return path !== undefined && findPathReference(path) ? path : undefined
}
