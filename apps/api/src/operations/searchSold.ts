import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchSold(house: House): HandlerOf<'searchSold'> {
  return searchWithStatus(house, 'searchSold', 'sold')
}
