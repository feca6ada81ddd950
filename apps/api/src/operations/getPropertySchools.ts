import type { House } from '../house.ts'
import { schools } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertySchools(house: House): HandlerOf<'getPropertySchools'> {
  return sliceOf(house, schools)
}
