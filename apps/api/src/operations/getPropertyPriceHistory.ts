import type { House } from '../house.ts'
import { priceHistory } from '../listings/sub-resources.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyPriceHistory(house: House): HandlerOf<'getPropertyPriceHistory'> {
  return sliceOf(house, priceHistory)
}
