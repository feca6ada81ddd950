import type { House } from '../house.ts'
import { photos } from '../listings/photos.ts'
import type { HandlerOf } from '../request/handler.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyPhotos(house: House): HandlerOf<'getPropertyPhotos'> {
  return sliceOf(house, photos)
}
