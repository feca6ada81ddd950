import type { House } from '../house.ts'
import type { HandlerOf } from './handler.ts'
import { searchWithStatus } from './search-listings.ts'

export function searchListings(house: House): HandlerOf<'searchListings'> {
  return searchWithStatus(house, 'searchListings')
}
