// Parses addresses as people write them into the normal form that is compared with the addresses of records. Case, punctuation, USPS
// abbreviations, unit designators, and ZIP+4 make no difference. Ordinals and house numbers stay unchanged. match-address.ts decides
// whether two addresses are the same home.

import { inputFault, shownValue } from '@lotline/contract'
import { type Refusal, refuseAt, refuseInput } from '../../infrastructure/refusals.ts'
import { beginsWithNumber, isUnitLine, readStreetLine, readUnit } from './street-line.ts'
import { DIRECTIONS, ENDING_SUFFIXES, NUMBERED_SUFFIXES, STATES, SUFFIXES } from './street-words.ts'

/** All parts are in upper case and in their normal spelling. */
export interface StreetAddress {
  /** The house number, such as `123`, `20-40`, or `421 1/2`. */
  readonly number: string
  /** The street without number and unit: `E 7TH ST`. */
  readonly street: string
  /** The unit without its designator: `4B`. */
  readonly unit?: string
  readonly city?: string
  /** Two letters. */
  readonly state?: string
  /** Five digits. */
  readonly zip?: string
  /** Number and street, which all homes of one premise share. Records are looked up by this key. */
  readonly key: string
}

/** An address in separate parts. `street` has number, street, and unit. */
export interface AddressInParts {
  readonly street: string
  readonly city?: string
  readonly state?: string
  readonly zip?: string
}

export const MIN_ADDRESS_LENGTH = 6
export const MAX_ADDRESS_LENGTH = 300

/**
 * Parses an address on one line. Only house number and street are required; without them it refuses with `invalid_address`.
 *
 * @param place where the address was sent
 */
export function parseAddress(text: string, place = 'address'): StreetAddress | Refusal {
  const length = text.trim().length
  if (length < MIN_ADDRESS_LENGTH) {
    const fault = inputFault('too_short', { bound: MIN_ADDRESS_LENGTH, length })
    return refuseInput('invalid_address', place, fault)
  }
  if (text.length > MAX_ADDRESS_LENGTH) {
    const fault = inputFault('too_long', { bound: MAX_ADDRESS_LENGTH, length: text.length })
    return refuseInput('invalid_address', place, fault)
  }
  return (
    readLines(splitAddressLines(text)) ??
    refuseAt('invalid_address', 'no_street', place, { value: shownValue(text) })
  )
}

/**
 * Like `parseAddress`, for an address that is to be looked up: it must also have a city or a ZIP code, because a street
 * alone is in many places. `invalid_address` says what is missing.
 */
export function parseLookupAddress(text: string, place = 'address'): StreetAddress | Refusal {
  const address = parseAddress(text, place)
  if ('refused' in address || address.city !== undefined || address.zip !== undefined) return address
  return refuseAt('invalid_address', 'no_place', place, { value: shownValue(text) })
}

/** undefined: there is no house number with a street. Empty and unknown parts are left out. */
export function readStreetAddress(address: AddressInParts): StreetAddress | undefined {
  const found = readStreet(splitAddressLines(address.street), false)
  if (!found) return undefined
  const state = readState(address.state ?? '')
  return joinLineParts({
    ...found,
    zip: readZip(address.zip ?? ''),
    state,
    city: normalizeCity(splitAddressLines(address.city ?? '').flat()),
  })
}

/** Five digits. undefined: the text is no ZIP code. */
export function readZip(text: string): string | undefined {
  return /^\s*(\d{3,5})(?:-?\d{4})?\s*$/.exec(text)?.[1]?.padStart(5, '0')
}

/** The normal spelling of a city with its state, such as `ST LOUIS, MO`. undefined: one of the two is not known. */
export function cityKey(city: string, state: string): string | undefined {
  const given = `${city}\0${state}`
  if (cityKeys.has(given)) return cityKeys.get(given)
  const name = normalizeCity(splitAddressLines(city).flat())
  const code = readState(state)
  const key = name === '' || code === undefined ? undefined : `${name}, ${code}`
  if (cityKeys.size === MAX_CITY_KEYS) cityKeys.clear()
  if (given.length <= MAX_CITY_LENGTH) cityKeys.set(given, key)
  return key
}

/** A cache: an import reads millions of records of a few cities. */
const cityKeys = new Map<string, string | undefined>()
const MAX_CITY_KEYS = 2_000
const MAX_CITY_LENGTH = 100

function readState(text: string): string | undefined {
  return STATES.get(text) ?? STATES.get(splitAddressLines(text).flat().join(' '))
}

/** The normal spelling on one line. Parsing it again gives the same address. */
export function formatAddress({ number, street, unit, city, state, zip }: StreetAddress): string {
  const line = unit === undefined ? `${number} ${street}` : `${number} ${street}, # ${unit}`
  const region = [state, zip].filter((part) => part !== undefined).join(' ')
  return [line, city, region].filter((part) => part !== undefined && part !== '').join(', ')
}

const CITY_WORDS: ReadonlyMap<string, string> = new Map([
  ['SAINT', 'ST'],
  ['FORT', 'FT'],
  ['MOUNT', 'MT'],
])

interface LineParts {
  readonly number: string
  readonly street: string
  readonly unit?: string | undefined
  readonly city?: string | undefined
  readonly state?: string | undefined
  readonly zip?: string | undefined
}

function joinLineParts({ number, street, unit, city, state, zip }: LineParts): StreetAddress {
  return {
    number,
    street,
    ...(unit ? { unit } : {}),
    ...(city ? { city } : {}),
    ...(state ? { state } : {}),
    ...(zip ? { zip } : {}),
    key: `${number} ${street}`,
  }
}

/** Words in upper case, one list for each part between commas. */
function splitAddressLines(text: string): readonly (readonly string[])[] {
  // A shortcut for texts of letters, digits, and spaces, which are the most: it takes a fifth of the time of the steps below.
  if (/^[A-Za-z0-9 ]*$/.test(text)) {
    const words = text
      .toUpperCase()
      .split(' ')
      .filter((word) => word !== '')
    return words.length === 0 ? [] : [words]
  }
  return toAscii(text)
    .toUpperCase()
    .replace(/['`]/g, '')
    .replace(/(?<!\d)\.|\.(?!\d)/g, '')
    .replaceAll('#', ' # ')
    .split(/[,;\r\n]/)
    .map((line) =>
      (line.match(/[A-Z0-9#&./-]+/g) ?? [])
        .map((word) => word.replace(/^[-./]+|[-./]+$/g, ''))
        .filter((word) => word !== '' && word !== 'N/A'),
    )
    .filter((line) => line.length > 0)
}

/** Replaces letters with marks, and unifies hyphens and apostrophes. Most addresses are plain already. */
function toAscii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is asked for.
  if (/^[\x00-\x7f]*$/.test(text)) return text
  return text
    .replaceAll('½', ' 1/2 ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[‐-―−]/g, '-')
    .replace(/[’‘]/g, "'")
}

function readLines(given: readonly (readonly string[])[]): StreetAddress | undefined {
  const lines = given.map((line) => [...line])
  removeCountryFromEnd(lines)
  const zip = removeZipFromEnd(lines)
  const state = removeStateFromEnd(lines, zip !== undefined)
  const found = readStreet(lines, true)
  if (!found) return undefined
  // "100 Main St, New York": a state's name that is also a city's, without another city.
  if (found.city === undefined && state?.mayBeCity) return joinLineParts({ ...found, city: state.name, zip })
  return joinLineParts({ ...found, state: state?.code, zip })
}

function normalizeCity(words: readonly string[]): string {
  return words.map((word) => CITY_WORDS.get(word) ?? word).join(' ')
}

/** Finds the line with the street. A building's name or a unit may precede it, a unit and a city may follow. */
function readStreet(lines: readonly (readonly string[])[], withCity: boolean): LineParts | undefined {
  const numbered = lines.filter(beginsWithNumber)
  // "1200 Westlake, 1200 Westlake Ave N": names of buildings may begin with numbers too, but have no suffix.
  const line = numbered.find((words) => words.slice(2).some(isEndingSuffix)) ?? numbered[0]
  if (!line) return undefined
  const at = lines.indexOf(line)
  const unitBefore = lines.slice(0, at).find((words) => isUnitLine(words, false))
  const after = lines.slice(at + 1)
  const street = readStreetLine(line, withCity && after.length === 0)
  if (!street) return undefined
  if (!withCity) {
    const { unit } = readUnit([...(unitBefore ?? []), ...after.flat()], false)
    return { ...street, unit: street.unit ?? unit }
  }
  let unit = street.unit ?? (unitBefore && readUnit(unitBefore, false).unit)
  let city = street.rest
  for (const [index, words] of after.entries()) {
    const { unit: found, rest } =
      index === 0 && isUnitLine(words, after.length > 1)
        ? readUnit(words, index === after.length - 1)
        : { unit: undefined, rest: words }
    unit ??= found
    if (rest.length > 0) city = rest
  }
  return { ...street, unit, city: normalizeCity(city) || undefined }
}

function removeCountryFromEnd(lines: string[][]): void {
  const line = lines.at(-1)
  const country = /(?:^| )(?:USA|US|UNITED STATES(?: OF AMERICA)?)$/.exec(line?.join(' ') ?? '')?.[0].trim()
  if (!line || country === undefined) return
  const count = country.split(' ').length
  if (line.at(-count - 1) === '#' || (lines.length === 1 && line.length - count < 2)) return
  line.splice(-count)
  if (line.length === 0) lines.pop()
  removeCountryFromEnd(lines)
}

function removeZipFromEnd(lines: string[][]): string | undefined {
  const line = lines.at(-1)
  if (!line) return undefined
  const beforeIsRoad = NUMBERED_SUFFIXES.has(SUFFIXES.get(line.at(-2) ?? '') ?? '')
  if (lines.length === 1 && (line.length < 3 || beforeIsRoad)) return undefined
  const text = line.slice(-2).join(' ')
  const found = /(?:^| )(\d{5})(?:-?\d{4}| \d{4})?$/.exec(text)
  if (!found?.[1]) return undefined
  line.splice(/ \d{4}$/.test(found[0]) ? -2 : -1)
  if (line.length === 0) lines.pop()
  return found[1]
}

interface StateRemoval {
  readonly code: string
  readonly name: string
  readonly mayBeCity: boolean
}

/** Takes a state from the end of the last line, unless it reads better as part of the street. */
function removeStateFromEnd(lines: string[][], zipTaken: boolean): StateRemoval | undefined {
  const line = lines.at(-1)
  if (!line) return undefined
  for (const count of [4, 3, 2, 1]) {
    if (count > line.length) continue
    const name = line.slice(-count).join(' ')
    const code = STATES.get(name)
    if (code === undefined) continue
    const before = line.slice(0, -count)
    if (before.at(-1) === '#') return undefined
    const isFloor = name === 'FL' && !zipTaken && before.length === 1 && /\d/.test(before[0] ?? '')
    if (isFloor || (lines.length === 1 && !isState(name, before, zipTaken))) return undefined
    line.splice(-count)
    if (line.length === 0) lines.pop()
    return { code, name, mayBeCity: name === 'NEW YORK' || name === 'WASHINGTON' }
  }
  return undefined
}

/** In a line that also has the street, CT may be a court, NE a direction, FL a floor, and WASHINGTON the street. */
function isState(name: string, before: readonly string[], zipTaken: boolean): boolean {
  if (!beginsWithNumber(before)) return false
  const street = readStreetLine(before, true)
  if (!street) return false
  const hasSuffix = before.slice(2).some(isEndingSuffix)
  const readsAsStreet = SUFFIXES.has(name) || DIRECTIONS.has(name)
  if (readsAsStreet) return hasSuffix && street.rest.length > 0
  return hasSuffix || (name.length === 2 && (zipTaken || street.rest.length > 0))
}

function isEndingSuffix(word: string): boolean {
  return ENDING_SUFFIXES.has(SUFFIXES.get(word) ?? '')
}
