import type { House } from '../house.ts'
import type { HandlerOf } from '../request/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchListings(house: House): HandlerOf<'searchListings'> {
  return searchWithStatus(house, 'searchListings')
}
