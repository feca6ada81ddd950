import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { schools } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertySchools(house: House): HandlerOf<'getPropertySchools'> {
  return sliceOf(house, schools)
}
