// A record under the names of the RESO Data Dictionary 2.0: `shape=reso`. Each field of a record is sent once: under its standard name if
// it has one and its value fits, otherwise under a local name, `X_` and the record's own name. An estimate can never get a standard name,
// because it is in no group of dictionary.yaml.

import { instantMs, number, object, objects, text, type UncheckedFields } from '../record/coerce.ts'
import { toListingKind } from '../record/status-of.ts'
import { daysOnSite } from '../record/times.ts'
import { lookupKey, type MappedField, standardDictionary } from './dictionary.ts'

type RecordFields = Record<string, unknown>

/** The paths that a standard field has already sent, so that they are not sent again under a local name. */
class SentPaths {
  readonly #paths = new Set<string>()

  add(...paths: readonly string[]): void {
    for (const path of paths) this.#paths.add(path)
  }

  has(path: string): boolean {
    return this.#paths.has(path)
  }
}

/** @param now the time of the call, for the days on the site */
export function toReso(record: UncheckedFields, now: Date): RecordFields {
  const sent = new SentPaths()
  const standard: RecordFields = { ListingKey: text(record.zpid) }
  sent.add('zpid')
  addStatus(record, standard, sent)
  addPlace(record, standard, sent)
  addAmounts(record, standard, sent)
  addTimes(record, now, standard, sent)
  addWords(record, standard, sent)
  const local: RecordFields = {}
  for (const field of standardDictionary().fields.values())
    copyStandardFields(record, field, standard, local, sent)
  addMedia(record, standard, sent)
  addLocal(record, local, sent)
  return { ...withoutEmpty(standard), ...withoutEmpty(local) }
}

/** StandardStatus and PropertyType of each status of a record. */
const STATUS: Readonly<Record<string, string>> = {
  FOR_SALE: 'Active',
  FOR_RENT: 'Active',
  FOR_AUCTION: 'Active',
  AUCTION: 'Active',
  FORECLOSURE: 'Active',
  COMING_SOON: 'Coming Soon',
  PENDING: 'Pending',
  CONTINGENT: 'Active Under Contract',
  UNDER_CONTRACT: 'Active Under Contract',
  RECENTLY_SOLD: 'Closed',
  SOLD: 'Closed',
}

function addStatus(record: UncheckedFields, standard: RecordFields, sent: SentPaths): void {
  const { homeType } = standardDictionary()
  const stated = text(object(record.attributionInfo)?.trueStatus)
  const homeStatus = (text(record.homeStatus) ?? '').toUpperCase()
  // The MLS's own word is more precise: OFF_MARKET may be Expired, Withdrawn, or Canceled.
  const exact = stated === null ? undefined : standardLookup('StandardStatus', stated)
  standard.StandardStatus = exact ?? STATUS[homeStatus]
  if (stated !== null) {
    standard.MlsStatus = stated
    sent.add('attributionInfo.trueStatus')
  }
  const type = text(record.homeType)
  const isRental = toListingKind(record.homeStatus) === 'for_rent'
  standard.PropertyType = isRental ? 'Residential Lease' : type === 'LOT' ? 'Land' : type && 'Residential'
  const subTypes = object(record.resoFacts)?.propertySubType
  const own = Array.isArray(subTypes) && subTypes.length === 1 ? text(subTypes[0]) : null
  const ofType = [...homeType.values()].find(({ means }) => means === type)?.name
  standard.PropertySubType = (own === null ? undefined : standardLookup('PropertySubType', own)) ?? ofType
  if (own !== null && standard.PropertySubType === own) sent.add('resoFacts.propertySubType')
}

function addPlace(record: UncheckedFields, standard: RecordFields, sent: SentPaths): void {
  const address = object(record.address) ?? {}
  const part = (name: string) => text(address[name]) ?? text(record[name])
  const [street, city, state, zipcode] = ['streetAddress', 'city', 'state', 'zipcode'].map(part)
  const region = [state, zipcode].filter((each) => each !== null).join(' ')
  if (street !== null) {
    standard.UnparsedAddress = [street, city, region].filter((each) => each).join(', ')
    sent.add('address.streetAddress', 'streetAddress')
  }
  standard.PostalCode = zipcode
  standard.PostalCodePlus4 = text(record.zipPlusFour)
  sent.add('address.zipcode', 'zipcode', 'zipPlusFour')
  if (/^USA?$/.test(text(record.country) ?? '')) {
    standard.Country = 'US'
    sent.add('country')
  }
  standard.Latitude = number(record.latitude)
  standard.Longitude = number(record.longitude)
  sent.add('latitude', 'longitude')
  if (record.isUndisclosedAddress === true) standard.InternetAddressDisplayYN = false
}

function addAmounts(record: UncheckedFields, standard: RecordFields, sent: SentPaths): void {
  const price = number(record.price)
  const isSold = toListingKind(record.homeStatus) === 'recently_sold'
  const sold = number(record.lastSoldPrice)
  if (isSold) standard.ClosePrice = price
  else standard.ListPrice = price
  sent.add('price')
  if (isSold && (sold === null || sold === price)) sent.add('lastSoldPrice')
  const change = number(record.priceChange)
  if (!isSold && price !== null && change !== null) {
    standard.PreviousListPrice = price - change
    sent.add('priceChange')
  }
  const area = number(record.livingArea)
  if (area !== null) {
    Object.assign(standard, { LivingArea: area, LivingAreaUnits: 'Square Feet' })
    sent.add('livingArea', 'resoFacts.livingArea')
  }
  const lot = number(record.lotSize)
  if (lot !== null) {
    standard.LotSizeSquareFeet = lot
    sent.add('lotSize', 'resoFacts.lotSize')
  }
  const fee = number(record.monthlyHoaFee)
  if (fee !== null) {
    Object.assign(standard, { AssociationFee: fee, AssociationFeeFrequency: 'Monthly' })
    sent.add('monthlyHoaFee')
  }
}

function addTimes(record: UncheckedFields, now: Date, standard: RecordFields, sent: SentPaths): void {
  const posted = instantMs(record.datePosted)
  if (posted !== null) {
    standard.OnMarketDate = toIsoDay(posted)
    sent.add('datePosted')
    if (instantMs(record.datePostedString) === posted) sent.add('datePostedString')
  }
  const sold = instantMs(record.dateSold) ?? instantMs(record.dateSoldString)
  if (sold !== null && toListingKind(record.homeStatus) === 'recently_sold') {
    standard.CloseDate = toIsoDay(sold)
    sent.add('dateSold', 'dateSoldString')
  }
  const changed = instantMs(record.priceChangeDate) ?? instantMs(record.datePriceChanged)
  if (changed !== null && toListingKind(record.homeStatus) !== 'recently_sold') {
    standard.PriceChangeTimestamp = new Date(changed).toISOString()
    sent.add('priceChangeDate', 'priceChangeDateString', 'datePriceChanged')
  }
  const updated = text(object(record.attributionInfo)?.lastUpdated)
  // A time without an offset is local. The standard has no local times.
  if (
    updated !== null &&
    /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(updated) &&
    Number.isFinite(Date.parse(updated))
  ) {
    standard.ModificationTimestamp = new Date(updated).toISOString()
    sent.add('attributionInfo.lastUpdated')
  }
  standard.DaysOnSite = daysOnSite(record, now)
  sent.add('daysOnSite', 'daysOnZillow', 'timeOnSite')
}

function addWords(record: UncheckedFields, standard: RecordFields, sent: SentPaths): void {
  const facts = object(record.resoFacts) ?? {}
  standard.OriginatingSystemName = text(object(record.attributionInfo)?.mlsName)
  sent.add('attributionInfo.mlsName')
  if (typeof facts.furnished === 'boolean') standard.Furnished = facts.furnished ? 'Furnished' : 'Unfurnished'
  if (typeof facts.hasPetsAllowed === 'boolean') standard.PetsAllowed = [facts.hasPetsAllowed ? 'Yes' : 'No']
  sent.add('resoFacts.furnished', 'resoFacts.hasPetsAllowed')
  if (Array.isArray(facts.inclusions))
    standard.Inclusions = facts.inclusions.filter((each) => text(each)).join(', ')
  sent.add('resoFacts.inclusions')
  standard.VirtualTourURLUnbranded =
    text(record.virtualTourUrl) ?? text(facts.virtualTour) ?? text(facts.virtualTourURLUnbranded)
  sent.add('virtualTourUrl', 'resoFacts.virtualTour', 'resoFacts.virtualTourURLUnbranded')
}

/** Copies a field of the table: the first of its paths that has a value, and the others if they agree. */
function copyStandardFields(
  record: UncheckedFields,
  field: MappedField,
  standard: RecordFields,
  local: RecordFields,
  sent: SentPaths,
): void {
  const { name, paths } = field
  for (const path of paths) {
    const stored = path.reduce<unknown>((value, step) => object(value)?.[step], record)
    const value = standardValue(field, stored)
    if (value === undefined) continue
    const { fitting, other } = byLookups(name, value)
    const known = standard[name]
    if (known === undefined) {
      standard[name] = fitting
      if (other !== undefined) local[`X_${name}`] = other
    } else if (JSON.stringify(known) !== JSON.stringify(fitting)) continue
    sent.add(path.join('.'))
  }
}

/** The value in the type of the dictionary. undefined: it does not fit. */
function standardValue({ kind }: MappedField, value: unknown): unknown {
  switch (kind) {
    case 'text':
      return text(value) ?? undefined
    case 'list':
      return Array.isArray(value) ? asTexts(value) : undefined
    case 'list_as_text':
      return typeof value === 'string' ? asTexts(value.split(',')) : undefined
    case 'number':
      return number(value) ?? undefined
    case 'number_as_text':
    case 'area_as_text': {
      const [, digits] = /^\s*(-?[\d,]+(?:\.\d+)?)\s*(?:sqft|square feet)?\s*$/i.exec(text(value) ?? '') ?? []
      return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
    }
    case 'flag':
      return typeof value === 'boolean' ? value : undefined
    case 'date': {
      const ms = instantMs(value)
      return ms === null ? undefined : toIsoDay(ms)
    }
  }
}

function asTexts(values: readonly unknown[]): readonly string[] | undefined {
  const texts = [...new Set(values.flatMap((value) => text(value) ?? []))]
  return texts.length === 0 ? undefined : texts
}

/** A field with standard lookups has only these. Other values of the source are sent under the local name. */
function byLookups(name: string, value: unknown): { readonly fitting?: unknown; readonly other?: unknown } {
  if (!standardDictionary().lookups.has(name)) return { fitting: value }
  if (typeof value === 'string') {
    const found = standardLookup(name, value)
    return found === undefined ? { other: value } : { fitting: found }
  }
  if (!Array.isArray(value)) return { fitting: value }
  const fitting = [...new Set(value.flatMap((each) => standardLookup(name, String(each)) ?? []))]
  const other = value.filter((each) => standardLookup(name, String(each)) === undefined)
  return { ...(fitting.length > 0 && { fitting }), ...(other.length > 0 && { other }) }
}

function standardLookup(name: string, value: string): string | undefined {
  return standardDictionary().lookups.get(name)?.get(lookupKey(value))
}

/** Photos and open houses, under the names of the resources Media and OpenHouse. */
function addMedia(record: UncheckedFields, standard: RecordFields, sent: SentPaths): void {
  const media = objects(record.responsivePhotos).flatMap((photo, order) => {
    const url = text(photo.url)
    if (url === null) return []
    const caption = text(photo.caption)
    return [
      {
        MediaURL: url,
        MediaCategory: 'Photo',
        Order: order,
        ...(caption !== null && { ShortDescription: caption }),
      },
    ]
  })
  if (media.length > 0) {
    standard.Media = media
    sent.add('responsivePhotos')
  }
  const visits = objects(record.openHouseSchedule).flatMap(({ startTime, endTime }) => {
    const [start, end] = [toUtcTimestamp(startTime), toUtcTimestamp(endTime)]
    return start === null
      ? []
      : [{ OpenHouseStartTime: start, ...(end !== null && { OpenHouseEndTime: end }) }]
  })
  if (visits.length > 0) {
    standard.OpenHouses = visits
    sent.add('openHouseSchedule')
  }
}

/** null for a local time: the standard has only times with an offset. */
function toUtcTimestamp(value: unknown): string | null {
  const ms = typeof value === 'string' && /(?:Z|[+-]\d{2}:?\d{2})$/.test(value) ? instantMs(value) : null
  return ms === null ? null : new Date(ms).toISOString()
}

/** Objects whose fields have standard names of their own. */
const OPEN_HOUSE_FIELDS: ReadonlySet<string> = new Set([
  'address',
  'resoFacts',
  'attributionInfo',
  'agent',
  'broker',
])

/** Everything that was not sent yet, under local names. */
function addLocal(record: UncheckedFields, local: RecordFields, sent: SentPaths): void {
  for (const [name, value] of Object.entries(record)) {
    if (sent.has(name) || value === null || value === undefined) continue
    const inner = OPEN_HOUSE_FIELDS.has(name) ? object(value) : null
    const rest = inner
      ? withoutEmpty(
          Object.fromEntries(Object.entries(inner).filter(([step]) => !sent.has(`${name}.${step}`))),
        )
      : value
    if (inner && Object.keys(rest as object).length === 0) continue
    const key = localName(name)
    local[Object.hasOwn(local, key) ? `X_${name}` : key] = rest
  }
}

/** `X_RentZestimate` of `rentZestimate`. A name in OData has letters, digits, and underscores. */
function localName(name: string): string {
  const words = name.replace(/[^A-Za-z0-9]+/g, '_').split('_')
  return `X_${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

function withoutEmpty(fields: RecordFields): RecordFields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )
}

function toIsoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
