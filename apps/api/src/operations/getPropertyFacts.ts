import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { facts } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyFacts(house: House): HandlerOf<'getPropertyFacts'> {
  return sliceOf(house, facts)
}
