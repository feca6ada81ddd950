// Checks the text of a webhook URL: https, and a host that can be public. Each connection checks the address behind the name
// (dial.ts); this check helps the person who enters the URL.

import { isIP } from 'node:net'
import { inputFault, shownValue } from '@lotline/contract'
import { type Refusal, refuseAt, refuseInput } from '../platform/refusal.ts'
import { isPublicAddress } from './public-address.ts'

/** Suffixes of names that only private networks resolve. */
const PRIVATE_SUFFIXES = [
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
  // Reserved for tests and documentation (RFC 6761): only the resolver of a private network can know such a name.
  'test',
  'example',
]

/** Suffixes of names that no resolver finds (RFC 6761, 7686, and 9476). */
const UNRESOLVABLE_SUFFIXES = ['invalid', 'onion', 'alt']

const MAX_NAME_LENGTH = 253
const MAX_LABEL_LENGTH = 63

/**
 * Ports of well-known services that do not speak HTTP and could interpret a request as commands: the bad ports of the Fetch
 * standard, then databases, message queues, caches, and remote desktops.
 */
const PORTS_OF_OTHER_SERVICES: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 88, 138, 162,
  445, 1433, 1521, 1883, 2181, 3268, 3306, 3389, 5432, 5671, 5672, 5900, 6379, 6380, 8883, 9042, 9092, 11211,
  27017,
])

/**
 * Returns the URL that will be called, or `invalid_url`. Alternative notations of IP addresses (decimal, octal, hexadecimal) are
 * normalized.
 */
export function parseWebhookUrl(text: string, allowPrivateNetworks: boolean): URL | Refusal {
  const value = shownValue(text)
  // A parser would drop or repair these characters, but the stored URL must be the called URL.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return refuseAt('invalid_url', 'target_characters', 'url', { value })
  if (!/^[a-z]+:\/\/[^/]/i.test(text) || !URL.canParse(text))
    return refuseAt('invalid_url', 'target_form', 'url', { value })
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivateNetworks && url.protocol === 'http:')) {
    const schemes = allowPrivateNetworks ? 'https:// or http://' : 'https://'
    return refuseAt('invalid_url', 'target_scheme', 'url', { schemes, value })
  }
  if (url.username !== '' || url.password !== '')
    return refuseInput('invalid_url', 'url', inputFault('url_user', {}))
  if (url.hostname === '' || url.port === '0') return refuseAt('invalid_url', 'target_form', 'url', { value })
  if (PORTS_OF_OTHER_SERVICES.has(Number(url.port))) {
    return refuseAt('invalid_url', 'target_port', 'url', { port: url.port })
  }
  const host = urlHostname(url)
  if (!mayResolve(host)) return refuseAt('invalid_url', 'target_name', 'url', { value })
  if (!allowPrivateNetworks && !mayBePublic(host))
    return refuseAt('invalid_url', 'target_private', 'url', { value })
  return url
}

/** The host as resolvers and certificates know it: without brackets and without a final dot. */
export function urlHostname(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function mayResolve(host: string): boolean {
  if (isIP(host)) return true
  const labels = host.split('.')
  if (host.length > MAX_NAME_LENGTH) return false
  if (labels.some((label) => label === '' || label.length > MAX_LABEL_LENGTH)) return false
  return !UNRESOLVABLE_SUFFIXES.includes(labels.at(-1)!)
}

function mayBePublic(host: string): boolean {
  if (isIP(host)) return isPublicAddress(host)
  // A name without a dot is completed with the machine's own search list.
  return host.includes('.') && !PRIVATE_SUFFIXES.some((suffix) => host.endsWith(`.${suffix}`))
}
