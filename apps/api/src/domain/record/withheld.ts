// The forms in which stored rows and events are shown after a feed took back the right to show an address, or a whole listing. Rows of
// jobs, events of watches, and messages to webhooks are stored for weeks. They are stored as they were found, and masked when they are
// read, if the table withheld_homes has their home.
// Why: decisions/data/withheld-rows-are-masked-on-reading.md

import { number, object, plainName, text, type UncheckedFields } from './coerce.ts'

/** The part that must not be shown any more: the address with the exact position, or everything. */
export type Withheld = 'address' | 'listing'

const plainNames = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/).map(plainName))

/** Fields with the address, the exact position, or the parcel, in any spelling and in any object of a record. */
const ADDRESS_NAMES = plainNames(
  'streetAddress abbreviatedAddress fullAddress unitNumber zipPlusFour latitude longitude parcelId hdpUrl bdpUrl ' +
    'postingUrl detailUrl buildingName buildingId buildingKey lotId communityName virtualTourUrl streetView streetViewURL ' +
    // Standard names, which records of files may have.
    'UnparsedAddress StreetNumber StreetNumberNumeric StreetName StreetDirPrefix StreetDirSuffix StreetSuffix ' +
    'StreetSuffixModifier StreetAdditionalInfo PostalCodePlus4 Coordinates MapURL MapCoordinate CrossStreet Directions ' +
    'ParcelNumber AdditionalParcelsDescription UniversalParcelId UniversalPropertyId LotSizeDimensions TaxLot TaxBlock ' +
    'TaxTract TaxMapNumber TaxLegalDescription EntryLocation VirtualTour VirtualTourURLUnbranded VirtualTourURLBranded ' +
    // Names that files use.
    'street streetLine streetLine1 streetLine2 streetNo streetNum houseNumber houseNo houseNum addressLine addressLine1 ' +
    'addressLine2 address1 address2 displayAddress formattedAddress propertyAddress siteAddress situsAddress ' +
    'unitNo aptNo apartment apartmentNumber suite zip4 zipPlus4 plus4 lat lon lng long latLon latLng latLong geoPoint ' +
    'geometry geohash apn parcel parcelNo pin bbl taxId legalDescription listingUrl propertyUrl',
)
/** Fields of the record itself whose names mean something else in other objects, such as the unit of a measure. */
const TOP_NAMES = plainNames('unit building')
const ADDRESS_PARTS = plainNames('community unit building')
/** Prefixes that files write before the name of a field: `address.streetNumber`, `PROPERTY_LATITUDE`, `X_StreetName`. */
const PREFIX = /^(?:x|address|addr|property|home|listing|location|site|situs|geo|gps|map)+/
/** Lists of other homes, whose addresses may be shown. */
const OTHER_HOMES: ReadonlySet<string> = new Set(['nearbyHomes', 'nearbyBuildings', 'comps'])

function isAddressName(field: string, more?: ReadonlySet<string>): boolean {
  const name = plainName(field)
  const rest = name.replace(PREFIX, '')
  return [name, rest].some((each) => ADDRESS_NAMES.has(each) || more?.has(each))
}

/** The house number, or the first word if there is none, and the name of the street, perhaps with its direction and suffix. */
export interface StreetName {
  readonly number: string
  readonly street: string
}

/** A number with a digit, such as `123`, `W156N8480`, or `W156 N8480`. */
const NUMBERED_STREET = /^\s*([^\s\d,]*\d\S*(?:\s+[NSEW]\d+)?)\s+([^,]+)/i
/** `One Main St`. */
const STREET_WORDS = /^\s*([^\s,]+)\s+([^,]+)/

/** Splits a street line such as `123 N Main St APT 4`. undefined: it has fewer than two words. */
export function readStreetName(line: string | null | undefined): StreetName | undefined {
  const [, number, street] = NUMBERED_STREET.exec(line ?? '') ?? STREET_WORDS.exec(line ?? '') ?? []
  return number === undefined || street === undefined ? undefined : { number, street }
}

/**
 * The record without its address: no street line, no position, no parcel, and no text that repeats one of them. City, state, ZIP code, and
 * county stay.
 *
 * @param streets other spellings of the street that its texts may contain
 */
export function withoutAddress(
  record: UncheckedFields,
  streets: readonly (StreetName | undefined)[] = [],
): Record<string, unknown> {
  const address = object(record.address)
  const rest = { ...withoutAddressFields(record, TOP_NAMES), isUndisclosedAddress: true }
  const mentions = buildMentionPatterns(record, [
    ...streets,
    ...statedStreets(record),
    readStreetName(text(record.streetAddress)),
    readStreetName(text(address?.streetAddress)),
    readStreetName(text(record.addressStreet)),
  ])
  return (mentions === undefined ? rest : withoutTexts(rest, mentions)) as Record<string, unknown>
}

/** Removes the fields at every level. */
function withoutAddressFields(from: UncheckedFields, more?: ReadonlySet<string>): Record<string, unknown> {
  const inner = (value: unknown, field: string): unknown => {
    if (OTHER_HOMES.has(field)) return value
    if (Array.isArray(value)) return value.map((item) => inner(item, ''))
    const fields = object(value)
    return fields
      ? withoutAddressFields(fields, plainName(field) === 'address' ? ADDRESS_PARTS : undefined)
      : value
  }
  return Object.fromEntries(
    Object.entries(from).flatMap(([field, value]) =>
      isAddressName(field, more) ? [] : [[field, inner(value, field)]],
    ),
  )
}

const ADDRESS_LINE_FIELD =
  /^(?:unparsed|street|full|display|formatted|property|site|situs)address$|^address1$/

/** The streets in fields of any spelling and at any level: number and name, or a line. */
function statedStreets(from: UncheckedFields): readonly (StreetName | undefined)[] {
  let [number, street]: (string | undefined)[] = []
  const found: (StreetName | undefined)[] = []
  for (const [field, value] of Object.entries(from)) {
    if (OTHER_HOMES.has(field)) continue
    const name = plainName(field).replace(PREFIX, '')
    const said = text(value)
    if (said === null) {
      for (const item of [value].flat()) found.push(...statedStreets(object(item) ?? {}))
    } else if (/^(?:streetnumber|streetnumbernumeric|streetno|streetnum|houseno|housenumber)$/.test(name))
      number ??= said
    else if (name === 'streetname') street ??= said
    else if (/^(?:line1|street)$/.test(name) || ADDRESS_LINE_FIELD.test(plainName(field)))
      found.push(readStreetName(said))
  }
  if (number !== undefined && street !== undefined) found.push({ number, street })
  return found
}

function withoutFields(from: UncheckedFields, names: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.has(name)))
}

/** Matches texts with the street line, the position, or the parcel of the record. undefined: the record has none of them. */
function buildMentionPatterns(
  record: UncheckedFields,
  streets: readonly (StreetName | undefined)[],
): RegExp | undefined {
  const place = object(record.latLong) ?? record
  const parcels = [text(record.parcelId), text(object(record.resoFacts)?.parcelNumber)]
  const patterns = new Set([
    ...streets.flatMap((street) => (street && !isPlace(street, record) ? streetPattern(street) : [])),
    ...[number(place.latitude), number(place.longitude)].flatMap(coordinatePattern),
    ...parcels.flatMap((parcel) => (parcel !== null && parcel.length >= 6 ? quote(parcel) : [])),
  ])
  return patterns.size === 0
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...patterns].join('|')})`, 'iu')
}

/** Whether the street line is only the name of the city or the county, which stay. */
function isPlace({ number, street }: StreetName, record: UncheckedFields): boolean {
  const line = `${number} ${street}`.trim().toLowerCase()
  return [record.city, object(record.address)?.city, record.addressCity, record.county].some(
    (place) => text(place)?.toLowerCase() === line,
  )
}

const SEPARATOR_PATTERN = '[^\\p{L}\\p{N}]+'

/** The house number followed by the street's name: `123 N Main`, `123-n-main-st`. */
function streetPattern({ number, street }: StreetName): string {
  const named = street.replace(
    /\s(?:apartment|apt|unit|suite|ste|lot|floor|fl|bldg|no\.?|#)(?:[\s.#].*)?$/i,
    '',
  )
  const all = named.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const first = all.findIndex((word) => !isDirectionOrSuffix(word))
  // Words after the suffix are no part of the name: `Main St 4`. A text may omit them.
  const end = all.findIndex((word, at) => first !== -1 && at > first && isSuffix(word))
  const words = (end === -1 ? all : all.slice(0, end)).filter((word) => !isDirectionOrSuffix(word))
  // The name of `5 Ave` consists of its only word.
  const name = words.length > 0 ? words : all
  const between = `(?:${SEPARATOR_PATTERN}[\\p{L}\\p{N}]+){0,2}`
  // `W156 N8480` is `W156N8480`.
  const parts = number.split(/\s+|(?<=\d)(?=\p{L})/u).map(quote)
  return `${parts.join('[^\\p{L}\\p{N}]*')}${between}${SEPARATOR_PATTERN}${name.map(quote).join(SEPARATOR_PATTERN)}(?![\\p{L}\\p{N}])`
}

/** To three decimals, about 100 m. Rounder coordinates belong to a city or a ZIP code. */
function coordinatePattern(degrees: number | null): readonly string[] {
  const [exact] = /^-?\d+\.\d{3}/.exec(String(degrees)) ?? []
  return exact === undefined ? [] : [quote(exact.replace('-', ''))]
}

function quote(written: string): string {
  return written.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

function isDirectionOrSuffix(word: string): boolean {
  return /^(?:[nsew]|[ns][ew]|north|south|east|west)$/i.test(word) || isSuffix(word)
}

function isSuffix(word: string): boolean {
  return /^(?:street|st|avenue|ave|road|rd|drive|dr|lane|ln|court|ct|place|pl|boulevard|blvd|way|terrace|ter|circle|cir)$/i.test(
    word,
  )
}

/** Removes the texts and fractions that match, at every level. */
function withoutTexts(value: unknown, pattern: RegExp): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => (containsMention(item, pattern) ? [] : [withoutTexts(item, pattern)]))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => !containsMention(inner, pattern))
      .map(([name, inner]) => [name, withoutTexts(inner, pattern)]),
  )
}

function containsMention(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(decodePercent(value))
  // A position under another name. Whole numbers are no positions.
  return typeof value === 'number' && !Number.isInteger(value) && pattern.test(String(value))
}

/** A link may contain the address with escapes. */
function decodePercent(written: string): string {
  try {
    return written.includes('%') ? decodeURIComponent(written) : written
  } catch {
    // The text is not escaped: it just has a percent sign.
    return written
  }
}

/** The kind of a stored row: a row of a search, a whole record of a job, or a unit of a building. */
export type StoredRow = 'search' | 'record' | 'unit'

/** A stored row in the form that may be shown now. Its `withheld` says what is missing. */
export function withheldRow(
  row: UncheckedFields,
  kind: StoredRow,
  withheld: Withheld,
): Record<string, unknown> {
  const { zpid } = row
  switch (kind) {
    case 'search':
      return withheldSearchRow(row, withheld)
    case 'record':
      // The input that found the home may be its address, or a link that contains it.
      return withheld === 'listing'
        ? { input: String(zpid), zpid, withheld }
        : { input: String(zpid), ...withoutFields(withoutAddress(row), new Set(['input'])), withheld }
    case 'unit':
      // The number of a unit in a known building is an address.
      return { zpid, withheld }
  }
}

/** Keeps the fields that every search row has, so that clients can read it. */
function withheldSearchRow(row: UncheckedFields, withheld: Withheld): Record<string, unknown> {
  const { zpid } = row
  const place = object(row.latLong)
  // The contract promises an approximate position for an undisclosed address: to 0.1 degrees, about 10 km. If the whole listing is
  // withheld, it is rounded to one degree.
  const scale = withheld === 'address' ? 10 : 1
  const near = (degrees: unknown) => Math.round((number(degrees) ?? 0) * scale) / scale
  const latLong = place ? { latitude: near(place.latitude), longitude: near(place.longitude) } : null
  if (withheld === 'listing') {
    const empty = { statusType: null, unformattedPrice: null, detailUrl: '' }
    return { zpid, latLong, ...empty, withheld }
  }
  const rest = withoutAddress(row)
  const home = object(object(row.hdpData)?.homeInfo)
  const region = [text(row.addressState), text(row.addressZipcode)].filter((part) => part !== null).join(' ')
  const address = [text(row.addressCity), region || null].filter((part) => part !== null).join(', ')
  return {
    ...rest,
    ...(row.address !== undefined && { address: address || null, addressStreet: null }),
    ...(home && { hdpData: { homeInfo: withoutAddress(home) } }),
    latLong,
    detailUrl: '',
    withheld,
  }
}

/**
 * An event of a watch in the form that may be shown now: without the search row of the home, and without prices if the whole listing is
 * withheld.
 */
export function withheldEvent<E extends { readonly previous: object; readonly current: object }>(
  event: E,
  withheld: Withheld,
): E {
  if (withheld === 'address') return { ...event, listing: null, withheld }
  const [previous, current] = [event.previous, event.current].map((facts) =>
    withoutFields(facts as UncheckedFields, new Set(['price'])),
  )
  return { ...event, previous, current, change: null, listing: null, source: null, withheld }
}
