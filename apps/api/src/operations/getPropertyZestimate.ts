import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { zestimate } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyZestimate(house: House): HandlerOf<'getPropertyZestimate'> {
  return sliceOf(house, zestimate)
}
