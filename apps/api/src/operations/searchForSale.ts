import type { House } from '../house.ts'
import type { HandlerOf } from '../request/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchForSale(house: House): HandlerOf<'searchForSale'> {
  return searchWithStatus(house, 'searchForSale', 'for_sale')
}
