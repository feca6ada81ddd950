import type { House } from '../house.ts'
import type { HandlerOf } from './handler.ts'
import { searchWithStatus } from './search-listings.ts'

export function searchForRent(house: House): HandlerOf<'searchForRent'> {
  return searchWithStatus(house, 'searchForRent', 'for_rent')
}
