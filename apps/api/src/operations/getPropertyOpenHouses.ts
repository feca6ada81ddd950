import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { openHouses } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyOpenHouses(house: House): HandlerOf<'getPropertyOpenHouses'> {
  return sliceOf(house, openHouses)
}
