import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { taxHistory } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyTaxHistory(house: House): HandlerOf<'getPropertyTaxHistory'> {
  return sliceOf(house, taxHistory)
}
