// Computes the fields of a record that are not a copy of a field of the feed: status and price, the street line, areas, fees, dates, and
// schools. `dictionary.yaml` lists under `computed` the fields that they are made of.

import { type Dictionary, type JsonObject, lookupKey, type PropertyReader } from '../../../domain/reso.ts'
import { priceHistoryOf } from './price-history.ts'

const SQFT_PER_ACRE = 43_560
const SQFT_PER_SQUARE_METER = 10.763_910_4

// Created once, because `toLocaleString` looks its locale up with every call.
const COUNT = new Intl.NumberFormat('en-US')
const DOLLARS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** Adds commas between groups of three digits. Most numbers are whole and do not need Intl, which takes ten times as long. */
function grouped(value: number, format: Intl.NumberFormat): string {
  if (!Number.isSafeInteger(value) || value < 0) return format.format(value)
  return value < 1_000 ? String(value) : String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `1,250 sqft`. */
export function squareFeet(area: number): string {
  return `${grouped(area, COUNT)} sqft`
}

/** Whether the listing is an offer to rent. */
function isLease(property: PropertyReader): boolean {
  return /lease/i.test(property.text('PropertyType') ?? '')
}

/** `homeStatus` of the listing; `OTHER` for a status that the dictionary does not know. */
function homeStatusOf(property: PropertyReader, { status }: Dictionary): string {
  const stated = property.text('StandardStatus') ?? property.text('MlsStatus')
  const means = stated === undefined ? undefined : status.get(lookupKey(stated))?.means
  if (means === undefined) return 'OTHER'
  if (!isLease(property)) return means
  // A pending or closed lease is no sale: it is not among homes for sale, and it was not sold.
  return means === 'FOR_SALE' ? 'FOR_RENT' : 'OFF_MARKET'
}

function homeTypeOf(property: PropertyReader, { homeType }: Dictionary): string {
  for (const field of ['PropertySubType', 'PropertyType']) {
    const value = property.text(field)
    const means = value === undefined ? undefined : homeType.get(lookupKey(value))?.means
    if (means !== undefined) return means
  }
  return 'OTHER'
}

/** The street line from its parts, or else the text before the first comma of the whole address. */
function streetLineOf(property: PropertyReader): string | undefined {
  const number = property.text('StreetNumber') ?? property.text('StreetNumberNumeric')
  const name = property.text('StreetName')
  const unit = property.text('UnitNumber')
  if (number !== undefined && name !== undefined) {
    const parts = [
      number,
      property.text('StreetDirPrefix'),
      name,
      property.text('StreetSuffix'),
      property.text('StreetSuffixModifier'),
      property.text('StreetDirSuffix'),
      unit === undefined ? undefined : /^(?:#|apt|unit|ste|suite)/i.test(unit) ? unit : `APT ${unit}`,
    ]
    return parts.filter((part) => part !== undefined).join(' ')
  }
  return property.text('UnparsedAddress')?.split(',')[0]?.trim() || undefined
}

/** Degrees. Both are undefined if only one of them is known. */
function positionOf(property: PropertyReader): { latitude?: number; longitude?: number } {
  const [latitude, longitude] = [property.number('Latitude'), property.number('Longitude')]
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  const coordinates = property.raw('Coordinates')
  const pair =
    typeof coordinates === 'string'
      ? /POINT\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)\s*\)/i.exec(coordinates)?.slice(1).map(Number)
      : Array.isArray(coordinates)
        ? coordinates
        : (property.object('Coordinates')?.coordinates as unknown[] | undefined)
  const [x, y] = Array.isArray(pair) ? pair : []
  return typeof x === 'number' && typeof y === 'number' ? { latitude: y, longitude: x } : {}
}

function livingAreaOf(property: PropertyReader): number | undefined {
  const area = property.number('LivingArea')
  if (area === undefined || area <= 0) return undefined
  return /meter/i.test(property.text('LivingAreaUnits') ?? '')
    ? Math.round(area * SQFT_PER_SQUARE_METER)
    : area
}

/** Square feet. */
function lotSizeOf(property: PropertyReader): number | undefined {
  const squareFeet = property.number('LotSizeSquareFeet')
  if (squareFeet !== undefined && squareFeet > 0) return squareFeet
  const acres = property.number('LotSizeAcres')
  if (acres !== undefined && acres > 0) return Math.round(acres * SQFT_PER_ACRE)
  const area = property.number('LotSizeArea')
  const units = property.text('LotSizeUnits') ?? ''
  if (area === undefined || area <= 0) return undefined
  if (/acre/i.test(units)) return Math.round(area * SQFT_PER_ACRE)
  if (/meter/i.test(units)) return Math.round(area * SQFT_PER_SQUARE_METER)
  return /feet|foot|ft/i.test(units) ? area : undefined
}

/**
 * The number of bathrooms, with partial baths as fractions. The dictionary has only the counts of each kind, and a total that counts a half
 * bath as one.
 */
function bathroomsOf(property: PropertyReader): number | undefined {
  const kinds = [
    ['BathroomsFull', 1],
    ['BathroomsThreeQuarter', 0.75],
    ['BathroomsHalf', 0.5],
    ['BathroomsOneQuarter', 0.25],
  ] as const
  const counts = kinds.map(([field, part]) => ({ count: property.number(field), part }))
  if (counts.every(({ count }) => count === undefined)) return property.number('BathroomsTotalInteger')
  const sum = counts.reduce((total, { count = 0, part }) => total + count * part, 0)
  // Feeds without kinds of partial baths count them together. Most of them are half baths.
  const partial = counts.slice(1).every(({ count }) => count === undefined)
    ? (property.number('BathroomsPartial') ?? 0) * 0.5
    : 0
  return sum + partial
}

interface Fee {
  /** Dollars a month. undefined: not paid regularly. */
  readonly monthly: number | undefined
  /** `$450 monthly`. */
  readonly shown: string
}

function feeOf(property: PropertyReader, field: string, dictionary: Dictionary): Fee | undefined {
  const amount = property.number(field)
  if (amount === undefined || amount < 0) return undefined
  const frequency = property.text(`${field}Frequency`)
  const payments =
    frequency === undefined ? undefined : dictionary.paymentsAYear.get(lookupKey(frequency))?.means
  const dollars = `$${grouped(amount, DOLLARS)}`
  return {
    monthly: payments === undefined ? undefined : Math.round((amount * payments * 100) / 12) / 100,
    shown: frequency === undefined ? dollars : `${dollars} ${frequency.toLowerCase()}`,
  }
}

function feesOf(property: PropertyReader, dictionary: Dictionary): JsonObject {
  const fees = ['AssociationFee', 'AssociationFee2'].map((field) => feeOf(property, field, dictionary))
  const monthly = fees.flatMap((fee) => fee?.monthly ?? [])
  const [first, second] = fees
  return {
    // A fee without a known period makes the sum unknown.
    ...(monthly.length > 0 &&
      monthly.length === fees.filter((fee) => fee !== undefined).length && {
        monthlyHoaFee: Math.round(monthly.reduce((sum, each) => sum + each, 0) * 100) / 100,
      }),
    resoFacts: {
      ...(first && { associationFee: first.shown }),
      ...(second && { associationFee2: second.shown }),
    },
  }
}

function schoolsOf(property: PropertyReader): readonly JsonObject[] {
  const levels = [
    ['ElementarySchool', 'Elementary'],
    ['MiddleOrJuniorSchool', 'Middle'],
    ['HighSchool', 'High'],
  ] as const
  return levels.flatMap(([field, level]) => {
    const name = property.text(field)
    return name === undefined ? [] : [{ name, level, rating: null, distance: null, isAssigned: true }]
  })
}

function taxHistoryOf(property: PropertyReader): readonly JsonObject[] {
  const year = property.number('TaxYear')
  const taxPaid = property.number('TaxAnnualAmount') ?? null
  const value = property.number('TaxAssessedValue') ?? null
  if (year === undefined || year < 1900 || year > 2200 || (taxPaid === null && value === null)) return []
  return [{ time: Date.UTC(Math.trunc(year), 0), taxPaid, value }]
}

function petsAllowed(property: PropertyReader): boolean | undefined {
  const rules = property.list('PetsAllowed')
  return rules.length === 0 ? undefined : !rules.includes('No')
}

function furnished(property: PropertyReader): boolean | undefined {
  const value = property.text('Furnished')
  return value === 'Furnished' ? true : value === 'Unfurnished' ? false : undefined
}

function subTypesOf(property: PropertyReader, homeStatus: string): JsonObject {
  const conditions = property.list('SpecialListingConditions')
  const isForSale = homeStatus === 'FOR_SALE' || homeStatus === 'COMING_SOON' || homeStatus === 'PENDING'
  const isAuction = conditions.includes('Auction')
  const isBankOwned = conditions.includes('Real Estate Owned')
  const isForeclosure = conditions.includes('In Foreclosure') || isBankOwned
  const isNewHome = property.flag('NewConstructionYN') === true
  return {
    isFSBA: isForSale && !isAuction && !isForeclosure,
    isFSBO: false,
    isNewHome: isForSale && isNewHome,
    isComingSoon: homeStatus === 'COMING_SOON',
    isPending: homeStatus === 'PENDING',
    isForAuction: isForSale && isAuction,
    isForeclosure: isForSale && isForeclosure,
    isBankOwned: isForSale && isBankOwned,
  }
}

/** `price`: for a closed sale the amount paid, even if it was not disclosed; otherwise the asking price. */
function priceOf(property: PropertyReader, homeStatus: string): number | undefined {
  return homeStatus === 'RECENTLY_SOLD' ? property.number('ClosePrice') : property.number('ListPrice')
}

function firstOf<Value>(
  fields: readonly string[],
  read: (field: string) => Value | undefined,
): Value | undefined {
  for (const field of fields) {
    const value = read(field)
    if (value !== undefined) return value
  }
  return undefined
}

/** All fields of a record other than copied fields, people, and media. Fields that the feed does not state are undefined. */
export function computeFields(property: PropertyReader, dictionary: Dictionary): JsonObject {
  const homeStatus = homeStatusOf(property, dictionary)
  const isClosedSale = homeStatus === 'RECENTLY_SOLD'
  const postedFields = ['OnMarketDate', 'OnMarketTimestamp', 'ListingContractDate', 'OriginalEntryTimestamp']
  const posted = firstOf(postedFields, property.day)
  const onMarket = firstOf(['OnMarketDate', 'OnMarketTimestamp'], property.instant)
  const closed = isClosedSale ? property.instant('CloseDate') : undefined
  const [livingArea, lotSize] = [livingAreaOf(property), lotSizeOf(property)]
  const subType = property.text('PropertySubType')
  const [price, previous] = [priceOf(property, homeStatus), property.number('PreviousListPrice')]
  const asked = property.number('ListPrice')
  const changed = property.instant('PriceChangeTimestamp')
  const streetAddress = streetLineOf(property)
  const zip = property.text('PostalCode')
  const [, zipcode, plusFour] = /^(\d{5})(?:-?(\d{4}))?$/.exec(zip ?? '') ?? []
  const { resoFacts: feeFacts, ...fees } = feesOf(property, dictionary)
  const history = priceHistoryOf(property, isLease(property))
  return {
    homeStatus,
    homeType: homeTypeOf(property, dictionary),
    ...positionOf(property),
    streetAddress,
    zipcode: zipcode ?? zip,
    zipPlusFour: property.text('PostalCodePlus4') ?? plusFour,
    country: /^(?:US|USA|United States)/i.test(property.text('Country') ?? 'US')
      ? 'USA'
      : property.text('Country'),
    currency: 'USD',
    price: price !== undefined && price >= 0 ? price : undefined,
    lastSoldPrice: property.number('ClosePrice'),
    ...(changed !== undefined &&
      previous !== undefined &&
      asked !== undefined && {
        priceChange: asked - previous,
        priceChangeDate: changed,
        datePriceChanged: changed,
      }),
    bathrooms: bathroomsOf(property),
    livingArea,
    lotSize,
    ...(lotSize !== undefined && { lotAreaValue: lotSize, lotAreaUnits: 'Square Feet' }),
    ...fees,
    datePosted: posted,
    dateSold: closed,
    dateSoldString: closed === undefined ? undefined : property.day('CloseDate'),
    listingSubType: subTypesOf(property, homeStatus),
    priceHistory: history.length === 0 ? undefined : history,
    taxHistory: orAbsent(taxHistoryOf(property)),
    schools: orAbsent(schoolsOf(property)),
    address: { streetAddress, zipcode: zipcode ?? zip },
    resoFacts: {
      ...(feeFacts as JsonObject),
      homeType: property.text('PropertyType'),
      propertySubType: subType === undefined ? undefined : [subType],
      livingArea: livingArea === undefined ? undefined : squareFeet(livingArea),
      lotSize: lotSize === undefined ? undefined : squareFeet(lotSize),
      bathroomsFloat: bathroomsOf(property),
      onMarketDate: onMarket,
      hasPetsAllowed: petsAllowed(property),
      furnished: furnished(property),
      inclusions: orAbsent(inclusionsOf(property)),
      pricePerSquareFoot:
        price !== undefined && price > 0 && livingArea !== undefined && homeStatus !== 'FOR_RENT'
          ? Math.round(price / livingArea)
          : undefined,
    },
  }
}

function inclusionsOf(property: PropertyReader): readonly string[] {
  const text = property.text('Inclusions')
  return text === undefined ? [] : [text]
}

function orAbsent<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list
}

/** Removes the fields without a value. */
export function present(fields: JsonObject): JsonObject {
  const stated: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) if (fields[name] !== undefined) stated[name] = fields[name]
  return stated
}
