// Parses e-mail addresses and finds which of them reach the same mailbox. A mailbox gets the credits of one free account,
// whatever the spelling of its address. Mail is always sent to an address as its owner wrote it.

// Why: decisions/money/one-account-per-mailbox.md
// Why: decisions/money/plus-tags.md

import { domainToASCII } from 'node:url'

export interface EmailAddress {
  /** The address as its owner wrote it, with the domain in lower-case ASCII. Mail is sent to it. */
  readonly address: string
  /** A normalized text that is the same for all addresses of one mailbox, as far as PROVIDERS knows. No mail is sent to it. */
  readonly mailbox: string
}

/** Characters of an address (RFC 5321, section 4.5.3.1, and erratum 1690 of RFC 3696). */
export const MAX_ADDRESS_LENGTH = 254
const MAX_LOCAL_LENGTH = 64
// An atom or several with dots between (RFC 5322, section 3.2.3). Quoted local parts are not accepted: no large provider has them,
// and without them no character of an address can end a header or add a recipient.
const LOCAL_PART_PATTERN = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const DOMAIN_PATTERN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/

interface MailProvider {
  /** Domain names, or patterns of domain names. If `isOneMailbox` is true, the first one stands for all. */
  readonly domains: readonly (string | RegExp)[]
  /** The same name at each of these domains is the same mailbox. */
  readonly isOneMailbox: boolean
  /** Characters that the provider ignores in a name. */
  readonly ignored?: RegExp
  /** `tag@name.domain` is delivered to `name@domain`. */
  readonly subdomains?: boolean
}

/**
 * The documented rules of the large providers. All of them ignore case, and all except Yahoo ignore a plus sign and the text
 * after it.
 */
const PROVIDERS: readonly MailProvider[] = [
  // "Dots don't matter in Gmail addresses", and googlemail.com is another name of gmail.com.
  { domains: ['gmail.com', 'googlemail.com'], isOneMailbox: true, ignored: /\./g },
  // Plus addressing. Dots count, and the same name at two of the domains may be two people.
  {
    domains: [/^(outlook|hotmail|live)\.[a-z]{2,3}(\.[a-z]{2})?$/, 'msn.com', 'passport.com'],
    isOneMailbox: false,
  },
  // The same name at me.com, mac.com, and icloud.com belongs to one person.
  { domains: ['icloud.com', 'me.com', 'mac.com'], isOneMailbox: true },
  { domains: ['fastmail.com', 'fastmail.fm'], isOneMailbox: false, subdomains: true },
  // Dots, hyphens and underscores are ignored. A name is reserved for its owner at all of these domains.
  {
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    isOneMailbox: true,
    ignored: /[._-]/g,
  },
  // Disposable addresses are BASE-KEYWORD; a name of a Yahoo account has no hyphen.
  {
    domains: [/^yahoo\.[a-z]{2,3}(\.[a-z]{2})?$/, 'ymail.com', 'rocketmail.com', 'myyahoo.com'],
    isOneMailbox: false,
    ignored: /-.*$/,
  },
]

/** Returns undefined if the text is not the address of one mailbox. Ignores surrounding white space. */
export function readEmailAddress(text: string): EmailAddress | undefined {
  const written = text.trim()
  const at = written.lastIndexOf('@')
  const local = written.slice(0, Math.max(at, 0))
  const domain = domainToASCII(written.slice(at + 1)).toLowerCase()
  const address = `${local}@${domain}`
  const isGood =
    LOCAL_PART_PATTERN.test(local) &&
    DOMAIN_PATTERN.test(domain) &&
    local.length <= MAX_LOCAL_LENGTH &&
    address.length <= MAX_ADDRESS_LENGTH
  return isGood ? { address, mailbox: canonicalMailbox(local.toLowerCase(), domain) } : undefined
}

/**
 * A plus sign begins a tag at every domain, because providers that host company domains follow RFC 5233. If a domain does not,
 * two people share the credits of one free account.
 */
function canonicalMailbox(local: string, domain: string): string {
  const untagged = local.replace(/(?<=.)\+.*$/, '')
  const found = PROVIDERS.find(({ domains }) => domains.some((name) => matchesProvider(name, domain)))
  if (!found) {
    const parent = PROVIDERS.find(
      (one) => one.subdomains && one.domains.some((name) => isSubdomainOf(domain, name)),
    )
    if (!parent) return `${untagged}@${domain}`
    const [name, ...rest] = domain.split('.')
    return `${name}@${rest.join('.')}`
  }
  const name = untagged.replace(found.ignored ?? /$^/, '')
  const [first] = found.domains
  // A name that consists only of ignored characters is not a mailbox of the provider, and stays unchanged.
  return `${name === '' ? untagged : name}@${found.isOneMailbox ? first : domain}`
}

function matchesProvider(name: string | RegExp, domain: string): boolean {
  return typeof name === 'string' ? name === domain : name.test(domain)
}

/** Whether the domain is exactly one label below the other. */
function isSubdomainOf(domain: string, name: string | RegExp): boolean {
  return typeof name === 'string' && domain.slice(domain.indexOf('.') + 1) === name
}
