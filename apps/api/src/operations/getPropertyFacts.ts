import type { House } from '../house.ts'
import { facts } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyFacts(house: House): HandlerOf<'getPropertyFacts'> {
  return sliceOf(house, facts)
}
