import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { facts } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyFacts(house: House): HandlerOf<'getPropertyFacts'> {
  return sliceOf(house, facts)
}
