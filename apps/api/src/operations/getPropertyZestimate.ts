import type { House } from '../house.ts'
import { zestimate } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyZestimate(house: House): HandlerOf<'getPropertyZestimate'> {
  return sliceOf(house, zestimate)
}
