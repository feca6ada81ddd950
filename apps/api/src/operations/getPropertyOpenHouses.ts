import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { openHouses } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyOpenHouses(house: House): HandlerOf<'getPropertyOpenHouses'> {
  return sliceOf(house, openHouses)
}
