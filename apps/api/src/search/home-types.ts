// The types of homes in the words of the sources.

import type { HomeType } from './area-search.ts'

export const SOURCE_HOME_TYPES: Readonly<Record<HomeType, string>> = {
  house: 'SINGLE_FAMILY',
  condo: 'CONDO',
  townhouse: 'TOWNHOUSE',
  multi_family: 'MULTI_FAMILY',
  manufactured: 'MANUFACTURED',
  lot: 'LOT',
  apartment: 'APARTMENT',
}
