import type { House } from '../app.ts'
import type { HandlerOf } from '../engine/handler.ts'
import { photos } from '../record/photos.ts'
import { sliceOf } from './sub-resource.ts'

export function getPropertyPhotos(house: House): HandlerOf<'getPropertyPhotos'> {
  return sliceOf(house, photos)
}
