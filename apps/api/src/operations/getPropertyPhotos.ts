import type { HandlerOf } from '../engine/handler.ts'
import type { House } from '../house.ts'
import { photos } from '../listings/photos.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyPhotos(house: House): HandlerOf<'getPropertyPhotos'> {
  return sliceOf(house, photos)
}
