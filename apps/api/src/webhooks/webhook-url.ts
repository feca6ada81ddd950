// What may be the URL of a webhook, as far as its text tells: https, and a host that can be public. Where the name leads
// is looked at with each connection (dial.ts); this check is for the person who typed the wrong thing.

import { isIP } from 'node:net'
import { type Refusal, refuse } from '../platform/refusal.ts'
import { isPublicAddress } from './public-address.ts'

/** Ends of names that are resolved inside a network only. */
const INWARD_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
  'svc',
]

/** The URL as it will be called, or `invalid_url`. Spellings of addresses (decimal, octal, hexadecimal) are read as URLs are. */
export function parseWebhookUrl(text: string, allowPrivateNetworks: boolean): URL | Refusal {
  const problem = (what: string) =>
    refuse('invalid_url', `The url of a webhook ${what}. Correct it and repeat the call.`)
  // A parser would drop or repair these; what is stored must be what is called.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text))
    return problem('must not contain spaces, backslashes or control characters')
  if (!/^[a-z]+:\/\/[^/]/i.test(text) || !URL.canParse(text))
    return problem('must be an https URL with a public host')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivateNetworks && url.protocol === 'http:')) {
    return problem(allowPrivateNetworks ? 'must begin with https:// or http://' : 'must begin with https://')
  }
  if (url.username !== '' || url.password !== '') return problem('must not contain a user name or password')
  if (url.hostname === '' || url.port === '0') return problem('must be an https URL with a public host')
  if (!allowPrivateNetworks && !mayBePublic(hostOf(url))) {
    return problem('must be an https URL with a public host, not one of a private network or this machine')
  }
  return url
}

/** The host as resolvers and certificates know it: without brackets and without a final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function mayBePublic(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  // A name without a dot is completed from the machine's own search list.
  return host.includes('.') && !INWARD_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))
}
