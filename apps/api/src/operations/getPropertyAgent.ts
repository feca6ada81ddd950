import type { House } from '../house.ts'
import { agent } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyAgent(house: House): HandlerOf<'getPropertyAgent'> {
  return sliceOf(house, agent)
}
