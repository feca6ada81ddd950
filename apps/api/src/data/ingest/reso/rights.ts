// What a feed permits: whether a listing may be stored at all, and what must be left out of it. Where a flag cannot be
// read, the stricter reading counts.

import { streetNameOf, withoutAddress } from '../../../domain/record.ts'
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
  if (!permits(property, 'MlgCanView')) return true
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
  if (!permits(property, 'InternetEntireListingDisplayYN')) return 'display_forbidden'
  if (profile.statesUses || property.raw('MlgCanUse') !== undefined) {
    const uses = property.list('MlgCanUse').map((each) => each.toUpperCase())
    if (use === undefined || !uses.includes(use.toUpperCase())) return 'use_not_permitted'
  }
  if (property.text('StandardStatus') === 'Incomplete') return 'incomplete'
  return undefined
}

/** Whether the address may be displayed. */
export function mayShowAddress(property: PropertyReader): boolean {
  return permits(property, 'InternetAddressDisplayYN')
}

/** An absent or empty flag permits. One that is neither yes nor no does not. */
function permits(property: PropertyReader, field: string): boolean {
  const value = property.raw(field)
  return value === undefined || (typeof value === 'string' && value.trim() === '') || flagOf(value) === true
}

/** The record without its address, whatever its texts call it: the feed may say more of it than the record. */
export function withoutAddressOf(record: JsonObject, property: PropertyReader): JsonObject {
  const line = streetNameOf(property.text('UnparsedAddress'))
  const number = property.text('StreetNumber') ?? property.text('StreetNumberNumeric') ?? line?.number
  const street = property.text('StreetName') ?? line?.street
  const stated = number === undefined || street === undefined ? undefined : { number, street }
  return withoutAddress(record, [line, stated])
}
