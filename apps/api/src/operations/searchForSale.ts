import type { House } from '../house.ts'
import type { HandlerOf } from './handler.ts'
import { searchWithStatus } from './search-listings.ts'

export function searchForSale(house: House): HandlerOf<'searchForSale'> {
  return searchWithStatus(house, 'searchForSale', 'for_sale')
}
