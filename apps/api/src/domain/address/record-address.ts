// The address of a record: in parts, on one line, and in the normal form that is compared with the addresses of queries. parseAddress can
// read the one line again.

import type { Property } from '@lotline/contract'
import { object, text, type UncheckedFields } from '../record/coerce.ts'
import {
  type AddressInParts,
  cityKey,
  readStreetAddress,
  readZip,
  type StreetAddress,
} from './street-address.ts'

export interface AddressParts {
  readonly street: string | null
  readonly city: string | null
  readonly state: string | null
  readonly zipcode: string | null
}

/** The parts, from `address` or from the record itself. Without a street if the owner keeps it private. */
export function addressParts(record: Property): AddressParts {
  const unchecked: UncheckedFields = record
  const address = object(unchecked.address) ?? {}
  const part = (name: string) => text(address[name]) ?? text(unchecked[name])
  return {
    street: part('streetAddress'),
    city: part('city'),
    state: part('state'),
    zipcode: part('zipcode'),
  }
}

/** null: the record has no part of an address. */
export function oneLineAddress(record: Property): string | null {
  const { street, city, state, zipcode } = addressParts(record)
  const region = [state, zipcode].filter((part) => part !== null).join(' ')
  const line = [placeName(record), street, city, region].filter((part) => part !== null && part !== '')
  return street === null && city === null && region === '' ? null : line.join(', ')
}

/** undefined: the record has no house number with a street, so no address finds it. */
export function findRecordAddress(record: Property): StreetAddress | undefined {
  const { street, city, state, zipcode } = addressParts(record)
  return readParts(record, street, { city: city ?? '', state: state ?? '', zip: zipcode ?? '' })
}

/** The key of lookups: the address without city and state. */
export function findRecordPremise(record: Property): StreetAddress | undefined {
  const { street, zipcode } = addressParts(record)
  return readParts(record, street, { zip: zipcode ?? '' })
}

/** The ZIP code and the city (`cityKey`) by which searches find the record. Either may be absent. */
export function findRecordPlace(record: Property): { readonly zip?: string; readonly city?: string } {
  const { city, state, zipcode } = addressParts(record)
  const zip = readZip(zipcode ?? '')
  const key = cityKey(city ?? '', state ?? '')
  return { ...(zip !== undefined && { zip }), ...(key !== undefined && { city: key }) }
}

function readParts(
  record: Property,
  street: string | null,
  rest: Omit<AddressInParts, 'street'>,
): StreetAddress | undefined {
  if (street === null) return undefined
  const found = readStreetAddress({ street, ...rest })
  const unit = text((record as UncheckedFields).unitNumber)
  // Some sources state the unit only beside the address.
  if (!found || found.unit !== undefined || unit === null) return found
  return readStreetAddress({ street: `${found.key} # ${unit}`, ...rest })
}

function placeName(record: Property): string | null {
  const unchecked: UncheckedFields = record
  return (
    text(unchecked.buildingName) ??
    text(unchecked.communityName) ??
    text(object(unchecked.address)?.community)
  )
}
