// Whether a record in an answer can be used, whichever source gave it: it names its home, and its main fields have the
// types that other code relies on. All other fields are passed on unchecked. Faults name fields and never values, so they may
// be logged.

import type { Property } from '@lotline/contract'

export type RecordRead = { readonly record: Property; readonly zpid: string } | { readonly fault: string }

type Kind = 'number' | 'whole number' | 'text' | 'object' | 'list of objects'

const MAIN_FIELDS: readonly (readonly [name: string, kind: Kind])[] = [
  ['address', 'object'],
  ['price', 'number'],
  ['bedrooms', 'number'],
  ['bathrooms', 'number'],
  ['livingArea', 'number'],
  ['yearBuilt', 'whole number'],
  ['homeType', 'text'],
  ['homeStatus', 'text'],
  ['latitude', 'number'],
  ['longitude', 'number'],
  ['zestimate', 'number'],
  ['rentZestimate', 'number'],
  ['priceHistory', 'list of objects'],
  ['taxHistory', 'list of objects'],
  ['schools', 'list of objects'],
  ['responsivePhotos', 'list of objects'],
  ['photoCount', 'whole number'],
  ['openHouseSchedule', 'list of objects'],
  ['resoFacts', 'object'],
]
const ADDRESS_FIELDS = ['streetAddress', 'city', 'state', 'zipcode']

const ZPID = /^[0-9]{1,20}$/

/** Every field except the zpid may be absent or null. A zpid that is a number becomes a text. */
export function readRecord(value: unknown): RecordRead {
  if (!isObject(value)) return { fault: 'is not an object' }
  const zpid = readZpid(value.zpid)
  if (zpid === undefined) return { fault: 'has no zpid of digits' }
  for (const [name, kind] of MAIN_FIELDS) {
    if (!isAbsent(value[name]) && !isOfKind(value[name], kind))
      return { fault: `has a ${name} that is no ${kind}` }
  }
  for (const name of ADDRESS_FIELDS) {
    const part = isObject(value.address) ? value.address[name] : undefined
    if (!isAbsent(part) && typeof part !== 'string')
      return { fault: `has an address.${name} that is no text` }
  }
  if (typeof value.price === 'number' && value.price < 0) return { fault: 'has a negative price' }
  if (isBeyond(value.latitude, 90)) return { fault: 'has a latitude beyond ±90' }
  if (isBeyond(value.longitude, 180)) return { fault: 'has a longitude beyond ±180' }
  return { record: (zpid === value.zpid ? value : { ...value, zpid }) as Property, zpid }
}

function isBeyond(degrees: unknown, most: number): boolean {
  return typeof degrees === 'number' && Math.abs(degrees) > most
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A zpid as text; undefined: the value is not a zpid. */
export function readZpid(value: unknown): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  return typeof text === 'string' && ZPID.test(text) ? text : undefined
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'number':
      // JSON can spell numbers that are too large for any.
      return Number.isFinite(value)
    case 'whole number':
      return Number.isInteger(value)
    case 'text':
      return typeof value === 'string'
    case 'object':
      return isObject(value)
    case 'list of objects':
      return Array.isArray(value) && value.every(isObject)
  }
}
