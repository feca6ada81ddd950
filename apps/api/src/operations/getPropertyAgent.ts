import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { agent } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyAgent(house: House): HandlerOf<'getPropertyAgent'> {
  return sliceOf(house, agent)
}
