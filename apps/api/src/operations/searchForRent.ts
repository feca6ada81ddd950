import type { House } from '../house.ts'
import type { HandlerOf } from '../request/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchForRent(house: House): HandlerOf<'searchForRent'> {
  return searchWithStatus(house, 'searchForRent', 'for_rent')
}
