// The outer half of every listing-site URL: scheme, host and characters. A text passes only if every URL parser would
// read it the same way, so tricks that make two parsers disagree (userinfo, backslashes, encoded slashes, other
// alphabets in the host) are refused instead of repaired. What the path and the query mean is for others to say.

import { type InputFault, inputFault, shownValue } from '@lotline/contract'

export interface SiteUrl {
  /** Decoded nowhere: the segments of the path as they stand, without the empty one after a final slash. */
  readonly segments: readonly string[]
  /** Everything between `?` and `#`, still encoded; empty when there is none. */
  readonly query: string
}

/** Why a text is not a URL of the site. */
export interface NotSiteUrl {
  readonly fault: InputFault
}

export interface SiteUrlRules {
  /** Host names in lower case, such as `zillow.com`: each stands for itself and its subdomains. */
  readonly hosts: readonly string[]
  /** Characters. */
  readonly maxLength: number
  /** Whether spaces may stand in the query, as they do in JSON that nobody encoded. */
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
  const hostFault = faultOfHost(authority, rules.hosts)
  if (hostFault) return { fault: hostFault }
  const segments = segmentsOf(path)
  return segments ? { segments, query } : { fault: inputFault('url_path', { value }) }
}

/** The segments of a path that begins with a slash; undefined when a part of it could be read in two ways. */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (ENCODED_TRICK.test(path) || !isDecodable(path)) return undefined
  const segments = path.split('/').slice(1)
  if (segments.at(-1) === '') segments.pop()
  return segments.some((segment) => segment === '' || segment === '.' || segment === '..')
    ? undefined
    : segments
}

function faultOfHost(authority: string, hosts: readonly string[]): InputFault | undefined {
  if (authority.includes('@')) return inputFault('url_user', {})
  if (authority.includes(':')) return inputFault('url_port', { value: shownValue(authority) })
  const host = authority.toLowerCase()
  const site =
    HOST.test(host) && host.length <= 253 ? hosts.find((known) => isWithin(host, known)) : undefined
  // A subdomain in punycode shows as another alphabet; the site has none, look-alikes do.
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
