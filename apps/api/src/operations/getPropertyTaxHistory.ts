import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { taxHistory } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyTaxHistory(house: House): HandlerOf<'getPropertyTaxHistory'> {
  return sliceOf(house, taxHistory)
}
