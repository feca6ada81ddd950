import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchForSale(house: House): HandlerOf<'searchForSale'> {
  return searchWithStatus(house, 'searchForSale', 'for_sale')
}
