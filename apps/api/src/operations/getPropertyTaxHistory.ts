import type { House } from '../house.ts'
import { taxHistory } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyTaxHistory(house: House): HandlerOf<'getPropertyTaxHistory'> {
  return sliceOf(house, taxHistory)
}
