// What a feed permits: whether a listing may be stored at all, and what must be left out of it. Where a flag cannot be
// read, the stricter reading counts.

import { flagOf, type JsonObject, type PropertyReader } from './property-reader.ts'

/** What the vendor's terms say, for all listings of a source. */
export interface RightsProfile {
  /** Clients may be given links to the vendor's photos and tours. */
  readonly mediaLinks: boolean
  /** Each listing states its permitted uses in `MlgCanUse`. */
  readonly statesUses?: boolean
  /** A listing may only be shown with the name of its listing office. */
  readonly requiresOffice?: boolean
}

/** Why a listing is not stored. */
export type WithheldReason =
  /** `InternetEntireListingDisplayYN` forbids it. */
  | 'display_forbidden'
  /** `MlgCanUse` lacks the use that the source is configured for. */
  | 'use_not_permitted'
  /** The name of the listing office is required and absent. */
  | 'office_missing'
  /** The agent has not finished entering it: StandardStatus Incomplete. */
  | 'incomplete'

/** Whether the feed says that the listing must be deleted here. */
export function isDeleted(property: PropertyReader): boolean {
  const canView = property.raw('MlgCanView')
  if (canView !== undefined && flagOf(canView) !== true) return true
  return [property.text('StandardStatus'), property.text('MlsStatus')].some(
    (status) => status !== undefined && /^deleted?$/i.test(status),
  )
}

/**
 * Why the listing must not be stored; undefined: it may be.
 *
 * @param use that the source is configured for, such as `IDX`
 */
export function withheldReason(
  property: PropertyReader,
  profile: RightsProfile,
  use: string | undefined,
): WithheldReason | undefined {
  const display = property.raw('InternetEntireListingDisplayYN')
  if (display !== undefined && flagOf(display) !== true) return 'display_forbidden'
  if (profile.statesUses || property.raw('MlgCanUse') !== undefined) {
    const uses = property.list('MlgCanUse').map((each) => each.toUpperCase())
    if (use === undefined || !uses.includes(use.toUpperCase())) return 'use_not_permitted'
  }
  if (property.text('StandardStatus') === 'Incomplete') return 'incomplete'
  return undefined
}

/** Whether the address may be displayed. */
export function mayShowAddress(property: PropertyReader): boolean {
  const display = property.raw('InternetAddressDisplayYN')
  return display === undefined || flagOf(display) === true
}

/** Fields of a record that tell the address, the exact place, or the parcel. */
const ADDRESS_FIELDS: readonly string[] = [
  'streetAddress',
  'abbreviatedAddress',
  'unitNumber',
  'zipPlusFour',
  'latitude',
  'longitude',
  'parcelId',
  'hdpUrl',
  'bdpUrl',
  'postingUrl',
  'building',
  'buildingName',
  'buildingId',
  'buildingKey',
  'lotId',
  'virtualTourUrl',
  'streetView',
]
const ADDRESS_FACTS: readonly string[] = [
  'parcelNumber',
  'additionalParcelsDescription',
  'buildingName',
  'entryLocation',
  'lotSizeDimensions',
  'virtualTour',
  'virtualTourURLUnbranded',
]
const ADDRESS_PARTS: readonly string[] = ['streetAddress', 'community']

/**
 * The record without its address: no street line, no position, no parcel, and no text that repeats the street line. City,
 * state, ZIP code, and county stay.
 */
export function withoutAddress(record: JsonObject, property: PropertyReader): JsonObject {
  const without = (from: unknown, names: readonly string[]) =>
    Object.fromEntries(Object.entries((from ?? {}) as JsonObject).filter(([name]) => !names.includes(name)))
  const rest = {
    ...without(record, ADDRESS_FIELDS),
    ...(record.address !== undefined && { address: without(record.address, ADDRESS_PARTS) }),
    ...(record.resoFacts !== undefined && { resoFacts: without(record.resoFacts, ADDRESS_FACTS) }),
    isUndisclosedAddress: true,
  }
  const mentions = addressPattern(property)
  return (mentions === undefined ? rest : withoutTexts(rest, mentions)) as JsonObject
}

/** Matches a text with the house number and, behind it, the street's name: `123 N Main`, `123-n-main-st`. */
function addressPattern(property: PropertyReader): RegExp | undefined {
  const line = property.text('UnparsedAddress') ?? ''
  const [, lineNumber, lineStreet] = /^\s*(\d+\S*)\s+([^,]+)/.exec(line) ?? []
  const number = property.text('StreetNumber') ?? property.text('StreetNumberNumeric') ?? lineNumber
  const street = property.text('StreetName') ?? lineStreet
  if (number === undefined || street === undefined) return undefined
  const words = street.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '' && !isDirectionOrSuffix(word))
  // `5 Ave` has no name but its words.
  const name = words.length > 0 ? words : street.split(/\s+/)
  const gap = '[^\\p{L}\\p{N}]+'
  const quote = (text: string) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  const between = `(?:${gap}[\\p{L}\\p{N}]+){0,2}`
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${quote(number)}${between}${gap}${name.map(quote).join(gap)}(?![\\p{L}\\p{N}])`,
    'iu',
  )
}

function isDirectionOrSuffix(word: string): boolean {
  return /^(?:[nsew]|[ns][ew]|north|south|east|west|street|st|avenue|ave|road|rd|drive|dr|lane|ln|court|ct|place|pl|boulevard|blvd|way|terrace|ter|circle|cir)$/i.test(
    word,
  )
}

/** Without the texts that match, wherever they are. */
function withoutTexts(value: unknown, pattern: RegExp): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => (isMatch(item, pattern) ? [] : [withoutTexts(item, pattern)]))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !isMatch(inner, pattern))
      .map(([name, inner]) => [name, withoutTexts(inner, pattern)]),
  )
}

function isMatch(value: unknown, pattern: RegExp): boolean {
  return typeof value === 'string' && pattern.test(decoded(value))
}

/** A link may have the address with escapes. */
function decoded(text: string): string {
  try {
    return text.includes('%') ? decodeURIComponent(text) : text
  } catch {
    // Not escaped: a percent sign.
    return text
  }
}
