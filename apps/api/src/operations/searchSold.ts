import type { House } from '../house.ts'
import type { HandlerOf } from './handler.ts'
import { searchWithStatus } from './search-listings.ts'

export function searchSold(house: House): HandlerOf<'searchSold'> {
  return searchWithStatus(house, 'searchSold', 'sold')
}
