import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { zestimate } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyZestimate(house: House): HandlerOf<'getPropertyZestimate'> {
  return sliceOf(house, zestimate)
}
