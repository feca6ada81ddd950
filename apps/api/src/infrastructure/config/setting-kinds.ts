// Kinds of settings, which parse the text of an environment variable. A kind returns undefined for an invalid text, and describes
// valid ones. config.ts has the names, defaults, and meanings.

import ipaddr from 'ipaddr.js'
import { Secret } from '../platform/secret.ts'

/** A kind of setting. `allowed` completes the sentence "this setting needs …". */
export interface SettingKind<T> {
  readonly allowed: string
  /** Returns undefined if the text is invalid. */
  read(text: string): T | undefined
}

export interface Setting<T, D> {
  readonly kind: SettingKind<T>
  /** The value of an unset variable. */
  readonly fallback: D
  readonly description: string
  /** Whether messages must not show its text. */
  readonly secret: boolean
}

export function setting<T, const D>(kind: SettingKind<T>, fallback: D, description: string): Setting<T, D> {
  return { kind, fallback, description, secret: false }
}

export function secretSetting<T, const D>(
  kind: SettingKind<T>,
  fallback: D,
  description: string,
): Setting<T, D> {
  return { kind, fallback, description, secret: true }
}

export function integer(least: number, most: number): SettingKind<number> {
  return {
    allowed: `a whole number from ${least} to ${most}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

export function oneOf<const T extends string>(...choices: readonly T[]): SettingKind<T> {
  return {
    allowed: choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`,
    read: (text) => choices.find((choice) => choice === text),
  }
}

/** Some of the choices in any order, each at most once. */
export function several<const T extends string>(...choices: readonly T[]): SettingKind<readonly T[]> {
  return {
    allowed: `one or more of ${choices.join(' and ')}, each once, separated by commas`,
    read(text) {
      const given = commaSeparated(text)
      const known = given.flatMap((item) => choices.filter((choice) => choice === item))
      const isGood = known.length > 0 && known.length === given.length && new Set(known).size === known.length
      return isGood ? known : undefined
    },
  }
}

const openings = oneOf('off', 'on', 'invite', 'open')

/** Whether there is a portal, and who can sign up there. */
export const portalMode = {
  allowed: openings.allowed,
  read(text: string) {
    const isOn = onOff.read(text)
    return isOn === undefined ? openings.read(text) : isOn ? 'on' : 'off'
  },
} satisfies SettingKind<'off' | 'on' | 'invite' | 'open'>

/** `on`, `off`, and their synonyms. */
export const onOff: SettingKind<boolean> = {
  allowed: 'on or off',
  read(text) {
    if (['on', 'true', 'yes', '1'].includes(text.toLowerCase())) return true
    if (['off', 'false', 'no', '0'].includes(text.toLowerCase())) return false
    return undefined
  },
}

/** Any text. Blank texts count as unset and do not reach a kind. */
export function text(allowed: string): SettingKind<string> {
  return { allowed, read: (value) => value }
}

export function url(...schemes: readonly string[]): SettingKind<string> {
  return {
    allowed: `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    read: (value) => (schemes.includes(urlScheme(value)) && URL.canParse(value) ? value : undefined),
  }
}

/** The URL of a single Valkey or Redis server, not a list of cluster nodes. */
export const storeUrl: SettingKind<string> = {
  allowed: 'the URL of one server, which begins with valkey://, valkeys://, redis://, or rediss://',
  read: (value) =>
    value.includes(',') ? undefined : url('valkey', 'valkeys', 'redis', 'rediss').read(value),
}

/** A URL with `{zpid}` once, in its path or query. In the host, it would make each home a site of its own. */
export const urlTemplate: SettingKind<string> = {
  allowed:
    'an http or https URL with {zpid} once in its path or query, such as https://homes.example.com/{zpid}',
  read(value) {
    const [before = '', after, ...more] = value.split('{zpid}')
    const isGood =
      after !== undefined &&
      more.length === 0 &&
      !/[{}\s\\@#]/.test(before + after) &&
      /^https?:\/\/[^/?]+[/?]/i.test(before) &&
      URL.canParse(`${before}1${after}`)
    return isGood ? value : undefined
  },
}

/** A fraction from 0 to 1. */
export const share: SettingKind<number> = {
  allowed: 'a number from 0 to 1',
  read(value) {
    const number = /^\d(\.\d{1,9})?$/.test(value) ? Number(value) : Number.NaN
    return number <= 1 ? number : undefined
  },
}

/** Headers as OpenTelemetry spells them. */
export const headerPairs: SettingKind<string> = {
  allowed: 'name=value pairs separated by commas, the values percent-encoded',
  read: (value) =>
    commaSeparated(value).every((pair) => /^[\w!#$&'*+.^`|~-]+\s*=(?:[^%]|%[0-9a-f]{2})*$/i.test(pair))
      ? value
      : undefined,
}

/** Names of sources and the names that clients see instead. Header values hold printable ASCII only. */
export const aliases: SettingKind<ReadonlyMap<string, string>> = {
  allowed: 'source=Public name pairs separated by commas, in printable ASCII, such as mls=Northwest MLS',
  read(value) {
    const pairs = commaSeparated(value).map((pair) =>
      /^([a-z0-9][a-z0-9._-]{0,62})\s*=\s*([!-~](?:[ -~]{0,98}[!-~])?)$/.exec(pair),
    )
    const names = pairs.flatMap((pair) => (pair ? [[pair[1]!, pair[2]!] as const] : []))
    return names.length === pairs.length && new Set(names.map(([name]) => name)).size === names.length
      ? new Map(names)
      : undefined
  },
}

/** `*`, or web origins separated by commas. */
export const origins: SettingKind<'*' | readonly string[]> = {
  allowed: '* or origins such as https://app.example.com, separated by commas',
  read(value) {
    if (value === '*') return '*'
    const list = commaSeparated(value)
    return list.length > 0 && list.every((item) => urlOrigin(item) === item) ? list : undefined
  },
}

/** One web origin. */
export const origin: SettingKind<string> = {
  allowed: 'an origin such as https://api.example.com, without a path',
  read(value) {
    const one = value.replace(/\/$/, '')
    return /^https?:/.test(one) && urlOrigin(one) === one ? one : undefined
  },
}

/** The sender of mails: an address with or without a name. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

export const mailbox: SettingKind<Mailbox> = {
  allowed: 'an email address, or a name and an email address in angle brackets',
  read(value) {
    const [, name = '', inBrackets, alone] =
      /^(?:([^<>@"\\,;:\p{Cc}]{0,100})<([^<>]+)>|([^<>]+))$/u.exec(value) ?? []
    const address = inBrackets ?? alone ?? ''
    const isGood = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}@([a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/i.test(address)
    return isGood ? { name: name.trim(), address } : undefined
  },
}

export const hostNames: SettingKind<readonly string[]> = {
  allowed: 'host names such as zillow.com, separated by commas',
  read(value) {
    const list = commaSeparated(value.toLowerCase())
    const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
    const good = (name: string) => name.length <= 253 && name.split('.').every((part) => label.test(part))
    return list.length > 0 && list.every(good) ? list : undefined
  },
}

/** Addresses, and networks in CIDR notation. */
export const networks: SettingKind<readonly string[]> = {
  allowed: 'IP addresses or networks such as 127.0.0.1 or 10.0.0.0/8, separated by commas',
  read(value) {
    const list = commaSeparated(value)
    const good = (item: string) => ipaddr.isValidCIDR(item) || (ipaddr.isValid(item) && !/^\d+$/.test(item))
    return list.length > 0 && list.every(good) ? list : undefined
  },
}

/** Keys of 32 bytes. */
export const keys: SettingKind<readonly string[]> = {
  allowed: '32 random bytes in base64 (`openssl rand -base64 32`), or several such keys separated by commas',
  read(value) {
    const list = commaSeparated(value)
    const good = (key: string) => /^[A-Za-z0-9+/]{43}=$/.test(key)
    return list.length > 0 && list.every(good) ? list : undefined
  },
}

/** Wraps the value of a kind so that it is never printed. */
export function secret(kind: SettingKind<string>): SettingKind<Secret> {
  return {
    allowed: kind.allowed,
    read(value) {
      const read = kind.read(value)
      return read === undefined ? undefined : new Secret(read)
    },
  }
}

export function secretList(kind: SettingKind<readonly string[]>): SettingKind<readonly Secret[]> {
  return { allowed: kind.allowed, read: (value) => kind.read(value)?.map((item) => new Secret(item)) }
}

function urlScheme(value: string): string {
  return /^([a-z+]+):\/\//i.exec(value)?.[1]?.toLowerCase() ?? ''
}

function urlOrigin(value: string): string | undefined {
  return URL.canParse(value) ? new URL(value).origin : undefined
}

function commaSeparated(value: string): string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
