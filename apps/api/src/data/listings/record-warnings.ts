// Finds questionable values of a record that is imported anyway. The report lists them with line and reason. A value that is certainly
// wrong (a negative price, a position in the sea) is dropped. A value that may be right is kept.

import { looksSwapped } from '@lotline/contract/checks'
import { LISTING_STATUSES } from '../../domain/record.ts'

/** In the order of reports. Each text says what the warning means for the homes. */
export const WARNINGS = {
  unknown_status: 'homeStatus is missing or unknown, so no search finds the home',
  negative_price: 'the price is negative and was left out',
  zero_position: 'the position is 0, 0 and was left out, so only searches by ZIP code or city find the home',
  swapped_position:
    'latitude and longitude look swapped; the position was left out, so only searches by ZIP code or city find the home',
  no_position: 'the record has no position, so only searches by ZIP code or city find the home',
  future_year: 'yearBuilt is later than next year',
  unlisted_value:
    'a cell is not in the values of its column, so the field is OTHER (`otherwise: OTHER`). Add the cell to the values of the mapping',
  unknown_state: 'the state is not the two-letter abbreviation of a state or territory',
} as const
/** Warnings of a row with nothing wrong: a strict import accepts them. */
export const NOTICES: ReadonlySet<string> = new Set(['no_position', 'unlisted_value'])
export type WarningCode = keyof typeof WARNINGS

export interface RecordWarning {
  readonly code: WarningCode
  /** The end of a sentence about the row, with the value: `has an unknown homeStatus: "ACTIVE"`. */
  readonly reason: string
}

/** Fields of a record that is still being checked. */
export type CheckedFields = Record<string, unknown>

const OFF_MARKET: ReadonlySet<string> = new Set(['OFF_MARKET', 'OTHER', 'NOT_FOR_SALE'])

// The 50 states, the District of Columbia, the territories, and the military mail regions.
const STATES: ReadonlySet<string> = new Set(
  `AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI
   SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI AA AE AP`.split(/\s+/),
)

/** Removes wrong values from a record that has passed the contract. */
export function takeWarnings(record: CheckedFields, thisYear: number): readonly RecordWarning[] {
  const warnings: RecordWarning[] = []
  const warn = (code: WarningCode, reason: string) => warnings.push({ code, reason })
  const { homeStatus, price, latitude, longitude, yearBuilt } = record

  if (!isKnownStatus(homeStatus))
    warn(
      'unknown_status',
      typeof homeStatus === 'string'
        ? `has an unknown homeStatus: ${JSON.stringify(homeStatus.slice(0, 60))}`
        : 'has no homeStatus',
    )
  if (typeof price === 'number' && price < 0) {
    record.price = null
    warn('negative_price', `has a negative price: ${price}`)
  }
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    const isZero = latitude === 0 && longitude === 0
    if (isZero || looksSwapped(latitude, longitude)) {
      record.latitude = null
      record.longitude = null
      if (isZero) warn('zero_position', 'has the position 0, 0')
      else warn('swapped_position', `has latitude ${latitude} and longitude ${longitude}, which look swapped`)
    }
  }
  const isPlaceless = (latitude ?? longitude ?? null) === null && record.isUndisclosedAddress !== true
  // No search finds a home that is off the market, with or without a position.
  if (isPlaceless && isSearched(homeStatus)) warn('no_position', 'has no position')
  if (typeof yearBuilt === 'number' && yearBuilt > thisYear + 1)
    warn('future_year', `has a yearBuilt later than next year: ${yearBuilt}`)
  const state = stateOf(record)
  if (state !== undefined && !STATES.has(state.trim().toUpperCase()))
    warn('unknown_state', `has an unknown state: ${JSON.stringify(state.slice(0, 60))}`)
  return warnings
}

function isSearched(homeStatus: unknown): boolean {
  return typeof homeStatus === 'string' && LISTING_STATUSES.has(homeStatus.toUpperCase())
}

function isKnownStatus(homeStatus: unknown): boolean {
  if (typeof homeStatus !== 'string') return false
  return isSearched(homeStatus) || OFF_MARKET.has(homeStatus.toUpperCase())
}

function stateOf({ address, state }: CheckedFields): string | undefined {
  const value = (address as CheckedFields | null | undefined)?.state ?? state
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
