import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { schools } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertySchools(house: House): HandlerOf<'getPropertySchools'> {
  return sliceOf(house, schools)
}
