import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { priceHistory } from '../listings/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyPriceHistory(house: House): HandlerOf<'getPropertyPriceHistory'> {
  return sliceOf(house, priceHistory)
}
