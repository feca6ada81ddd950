// The values that the filters of a search accept.

/** Inclusive bounds. An absent bound is open. A listing without the value does not match a bounded range. */
export interface NumberRange {
  readonly min?: number
  readonly max?: number
}

export const HOME_TYPES = [
  'house',
  'condo',
  'townhouse',
  'multi_family',
  'manufactured',
  'lot',
  'apartment',
] as const
export type HomeType = (typeof HOME_TYPES)[number]

/** The home types as the sources name them. */
export const SOURCE_HOME_TYPES: Readonly<Record<HomeType, string>> = {
  house: 'SINGLE_FAMILY',
  condo: 'CONDO',
  townhouse: 'TOWNHOUSE',
  multi_family: 'MULTI_FAMILY',
  manufactured: 'MANUFACTURED',
  lot: 'LOT',
  apartment: 'APARTMENT',
}

export const DAYS_ON_SITE = ['1', '7', '14', '30', '90', '6m', '12m', '24m', '36m'] as const
export type DaysOnSite = (typeof DAYS_ON_SITE)[number]
