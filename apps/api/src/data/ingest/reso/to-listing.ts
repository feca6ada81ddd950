// Makes a record of a Property of a RESO feed, with its expanded resources. A pure function: it reads no clock and no database, so the same
// property always becomes the same record.

import {
  type Dictionary,
  isJsonObject,
  type JsonObject,
  type MappedField,
  type PropertyReader,
  readProperty,
  readText,
  standardDictionary,
  type UnknownLookup,
} from '../../../domain/reso.ts'
import { findTypesAt } from '../../listings/contract-types.ts'
import {
  type RightsProfile,
  rightsOf,
  type WithheldReason,
  withoutAddressOf,
} from '../../rights/listing-rights.ts'
import { computeFields, squareFeet } from './computed-fields.ts'
import {
  attributionOf,
  type ListingSource,
  openHousesOf,
  photosOf,
  tourOf,
  withPeople,
} from './people-and-media.ts'

export interface ListingOptions {
  readonly profile: RightsProfile
  readonly source: ListingSource
  /** The dictionary with the operator's overrides (`readOverrides`). Default: the standard one. */
  readonly overrides?: Dictionary
}

/** The key of a property that can be identified. */
interface SourceIdentity {
  /** `ListingKey`: names the record within its source. */
  readonly sourceKey: string
  /** `ModificationTimestamp` in the feed's spelling. */
  readonly modified: string | undefined
}

export type Listing =
  | (SourceIdentity & {
      readonly kind: 'listing'
      /** The record for an import, without zpid. The contract has not been checked yet (`checkRecord`). */
      readonly record: JsonObject
      readonly isAddressHidden: boolean
      readonly unknownLookups: readonly UnknownLookup[]
    })
  /** The listing must not be stored, and must be removed if it was stored before. */
  | (SourceIdentity & {
      readonly kind: 'withheld'
      readonly reason: WithheldReason
      readonly isAddressHidden: boolean
    })
  | (SourceIdentity & { readonly kind: 'deleted' })
  | { readonly kind: 'rejected'; readonly problems: readonly string[] }

/** Maximum characters of a source key (ingest/record-identity.ts). */
const MAX_KEY_LENGTH = 200

export function toListing(value: unknown, { profile, source, overrides }: ListingOptions): Listing {
  if (!isJsonObject(value)) return { kind: 'rejected', problems: ['is not a JSON object'] }
  const sourceKey = readText(value.ListingKey) ?? readText(value.ListingKeyNumeric)
  if (sourceKey === undefined || sourceKey.length > MAX_KEY_LENGTH) {
    return { kind: 'rejected', problems: [`has no usable ListingKey (1 to ${MAX_KEY_LENGTH} characters)`] }
  }
  const dictionary = overrides ?? standardDictionary()
  const property = readProperty(withPeople(value), dictionary)
  const identified = { sourceKey, modified: property.text('ModificationTimestamp') }
  const { withheld, isAddressHidden } = rightsOf(property, profile, source.use)
  if (withheld === 'deleted') return { kind: 'deleted', ...identified }
  if (withheld !== undefined) return { kind: 'withheld', reason: withheld, isAddressHidden, ...identified }

  const record = makeRecord(property, dictionary, profile, source)
  if (profile.requiresOffice && readText((record.attributionInfo as JsonObject).brokerName) === undefined) {
    return { kind: 'withheld', reason: 'office_missing', isAddressHidden, ...identified }
  }
  return {
    kind: 'listing',
    ...identified,
    record: isAddressHidden ? withoutAddressOf(record, property) : record,
    isAddressHidden,
    unknownLookups: property.unknownLookups,
  }
}

function makeRecord(
  property: PropertyReader,
  dictionary: Dictionary,
  profile: RightsProfile,
  source: ListingSource,
): JsonObject {
  const record: Record<string, unknown> = {}
  for (const { field } of statedFields(property, dictionary)) {
    const value = storedValue(property, field)
    if (value === undefined) continue
    for (const path of field.paths) {
      const fitting = fit(value, path)
      if (fitting !== undefined) setAt(record, path, fitting)
    }
  }
  const openHouses = openHousesOf(property)
  const photos = profile.mediaLinks ? photosOf(property) : []
  const tour = profile.mediaLinks ? tourOf(property) : undefined
  mergeInto(record, computeFields(property, dictionary))
  mergeInto(record, {
    attributionInfo: attributionOf(property, source),
    ...(photos.length > 0 && { responsivePhotos: photos }),
    ...(tour !== undefined && { virtualTourUrl: tour, resoFacts: { virtualTour: tour } }),
    ...(openHouses.length > 0 && { openHouseSchedule: openHouses }),
  })
  return record
}

interface PlacedField {
  readonly place: number
  readonly field: MappedField
}

/** The fields of each dictionary with their positions in it. */
const placed = new WeakMap<Dictionary, ReadonlyMap<string, PlacedField>>()

/** The fields that the property has, in the order of the dictionary. A feed has few of them. */
function statedFields(property: PropertyReader, dictionary: Dictionary): readonly PlacedField[] {
  let known = placed.get(dictionary)
  if (known === undefined) {
    known = new Map([...dictionary.fields].map(([name, field], place) => [name, { place, field }]))
    placed.set(dictionary, known)
  }
  const stated: PlacedField[] = []
  for (const name of property.names) {
    const found = known.get(name)
    if (found !== undefined && property.raw(name) !== undefined) stated.push(found)
  }
  return stated.sort((one, other) => one.place - other.place)
}

function storedValue(property: PropertyReader, { name, kind }: MappedField): unknown {
  switch (kind) {
    case 'text':
      return property.text(name)
    case 'list': {
      const list = property.list(name)
      return list.length === 0 ? undefined : list
    }
    case 'list_as_text':
      return property.list(name).join(', ') || undefined
    case 'number':
      return property.number(name)
    case 'number_as_text': {
      const number = property.number(name)
      return number === undefined ? property.text(name) : String(number)
    }
    case 'area_as_text': {
      const area = property.number(name)
      return area === undefined ? undefined : squareFeet(area)
    }
    case 'flag':
      return property.flag(name)
    case 'date':
      return property.day(name)
  }
}

/** The value in a type that the contract allows at the path. undefined: it does not fit. */
function fit(value: unknown, path: readonly string[]): unknown {
  const types = findTypesAt(path)
  if (types === undefined) return value
  switch (typeof value) {
    case 'number':
      if (types.has('number') || (types.has('integer') && Number.isSafeInteger(value))) return value
      return types.has('string') ? String(value) : undefined
    case 'string':
      return types.has('string') ? value : types.has('array') ? [value] : undefined
    case 'boolean':
      return types.has('boolean') ? value : undefined
    default:
      if (!Array.isArray(value)) return undefined
      return types.has('array') ? value : types.has('string') ? value.join(', ') : undefined
  }
}

function setAt(record: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = record
  const last = path.length - 1
  for (let step = 0; step < last; step++) at = objectAt(at, path[step]!)
  at[path[last]!] = value
}

/** Adds the fields that have a value, object by object. They replace existing fields. */
function mergeInto(record: Record<string, unknown>, fields: JsonObject): void {
  for (const name in fields) {
    const value = fields[name]
    if (value === undefined) continue
    if (isJsonObject(value)) mergeInto(objectAt(record, name), value)
    else record[name] = value
  }
}

/** The object in a field, which is created if there is none. */
function objectAt(record: Record<string, unknown>, name: string): Record<string, unknown> {
  const there = record[name]
  if (isJsonObject(there)) return there as Record<string, unknown>
  const made: Record<string, unknown> = {}
  record[name] = made
  return made
}

/** The use of each field of a feed, for `sources check`. */
export type FieldUse =
  | { readonly field: string; readonly use: 'copied'; readonly to: readonly string[] }
  | { readonly field: string; readonly use: 'computed'; readonly how: string }
  | { readonly field: string; readonly use: 'unknown' }

export function describeFields(
  names: Iterable<string>,
  dictionary: Dictionary = standardDictionary(),
): readonly FieldUse[] {
  return [...names].map((field): FieldUse => {
    const copied = dictionary.fields.get(field)
    if (copied) return { field, use: 'copied', to: copied.paths.map((path) => path.join('.')) }
    const how = dictionary.computed.get(field)
    return how === undefined ? { field, use: 'unknown' } : { field, use: 'computed', how }
  })
}
