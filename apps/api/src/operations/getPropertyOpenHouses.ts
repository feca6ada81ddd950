import type { House } from '../house.ts'
import { openHouses } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyOpenHouses(house: House): HandlerOf<'getPropertyOpenHouses'> {
  return sliceOf(house, openHouses)
}
