// The rights that a RESO Property states: whether its listing may be stored, and whether its address may be. If a flag cannot be read,
// the stricter reading counts.

import { readStreetName, withoutAddress } from '../../domain/record.ts'
import { type JsonObject, type PropertyReader, readFlag } from '../../domain/reso.ts'

/** The vendor's terms, for all listings of a source. */
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

export interface ListingRights {
  /** Why the listing must not be stored; undefined: it may be. `deleted`: its source says that it must be deleted here. */
  readonly withheld: Exclude<WithheldReason, 'office_missing'> | 'deleted' | undefined
  readonly isAddressHidden: boolean
}

/**
 * The name of the listing office is not judged here: it may come from another resource of the feed.
 *
 * @param use that the source is configured for, such as `IDX`
 */
export function rightsOf(
  property: PropertyReader,
  profile: RightsProfile,
  use: string | undefined,
): ListingRights {
  return {
    withheld: isDeleted(property) ? 'deleted' : withheldReason(property, profile, use),
    isAddressHidden: !permits(property, 'InternetAddressDisplayYN'),
  }
}

function isDeleted(property: PropertyReader): boolean {
  if (!permits(property, 'MlgCanView')) return true
  return [property.text('StandardStatus'), property.text('MlsStatus')].some(
    (status) => status !== undefined && /^deleted?$/i.test(status),
  )
}

function withheldReason(
  property: PropertyReader,
  profile: RightsProfile,
  use: string | undefined,
): Exclude<WithheldReason, 'office_missing'> | undefined {
  if (!permits(property, 'InternetEntireListingDisplayYN')) return 'display_forbidden'
  if (profile.statesUses || property.raw('MlgCanUse') !== undefined) {
    const uses = property.list('MlgCanUse').map((each) => each.toUpperCase())
    if (use === undefined || !uses.includes(use.toUpperCase())) return 'use_not_permitted'
  }
  if (property.text('StandardStatus') === 'Incomplete') return 'incomplete'
  return undefined
}

/** An absent or empty flag permits. A value that is neither yes nor no does not. */
function permits(property: PropertyReader, field: string): boolean {
  const value = property.raw(field)
  return value === undefined || (typeof value === 'string' && value.trim() === '') || readFlag(value) === true
}

/** The record without its address, and without every text that repeats the street, also as the property spells it. */
export function withoutAddressOf(record: JsonObject, property: PropertyReader): JsonObject {
  const line = readStreetName(property.text('UnparsedAddress'))
  const number = property.text('StreetNumber') ?? property.text('StreetNumberNumeric') ?? line?.number
  const street = property.text('StreetName') ?? line?.street
  const stated = number === undefined || street === undefined ? undefined : { number, street }
  return withoutAddress(record, [line, stated])
}
