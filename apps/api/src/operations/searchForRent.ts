import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchForRent(house: House): HandlerOf<'searchForRent'> {
  return searchWithStatus(house, 'searchForRent', 'for_rent')
}
