import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { searchWithStatus } from './search-with-status.ts'

export function searchListings(house: House): HandlerOf<'searchListings'> {
  return searchWithStatus(house, 'searchListings')
}
