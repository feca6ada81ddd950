import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { priceHistory } from '../record/sub-resources.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyPriceHistory(house: House): HandlerOf<'getPropertyPriceHistory'> {
  return sliceOf(house, priceHistory)
}
