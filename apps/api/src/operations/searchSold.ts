import type { House } from '../house.ts'
import type { HandlerOf } from '../request/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchSold(house: House): HandlerOf<'searchSold'> {
  return searchWithStatus(house, 'searchSold', 'sold')
}
