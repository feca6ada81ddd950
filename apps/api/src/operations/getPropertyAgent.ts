import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { agent } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyAgent(house: House): HandlerOf<'getPropertyAgent'> {
  return sliceOf(house, agent)
}
