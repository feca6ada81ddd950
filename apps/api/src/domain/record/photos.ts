// The photos of a home: each in every available width and format, and in one default resolution.

import type { Photo, Property } from '@lotline/contract'
import { asWholeNumber, object, objects, text, type UncheckedFields } from './coerce.ts'
import type { SubResource } from './sub-resources.ts'

export interface PhotosMeta {
  readonly count: number
  /** The number that the listing states. Sources that shorten the list still state the full number. */
  readonly photo_count: number
  readonly has_3d: boolean
  readonly has_video: boolean
}

/** The width in pixels of photos that have no URL of their own. */
const DEFAULT_WIDTH = 768

export function photos(record: Property): SubResource<readonly Photo[], PhotosMeta> {
  const unchecked: UncheckedFields = record
  const responsive = objects(unchecked.responsivePhotos).flatMap(responsivePhoto)
  const data = responsive.length > 0 ? responsive : plainPhotos(unchecked)
  return {
    data,
    meta: {
      count: data.length,
      photo_count: Math.max(0, asWholeNumber(unchecked.photoCount) ?? data.length),
      has_3d: has3d(unchecked),
      has_video: hasVideo(unchecked),
    },
  }
}

function responsivePhoto(photo: UncheckedFields): Photo[] {
  const sources = object(photo.mixedSources) ?? {}
  const jpeg = photoFiles(sources.jpeg)
  const webp = photoFiles(sources.webp)
  const url = text(photo.url) ?? nearestWidth(jpeg) ?? nearestWidth(webp)
  if (url === undefined) return []
  return [
    {
      url,
      caption: text(photo.caption) ?? '',
      subjectType: text(photo.subjectType),
      mixedSources: { jpeg, webp },
    },
  ]
}

/** Sources without responsive photos have one URL for each photo. */
function plainPhotos(record: UncheckedFields): Photo[] {
  const list = [record.photos, record.originalPhotos].find(Array.isArray) ?? []
  return list.flatMap((item): Photo[] => {
    const url = text(item) ?? text(object(item)?.url)
    return url === null ? [] : [{ url, caption: '', subjectType: null, mixedSources: { jpeg: [], webp: [] } }]
  })
}

function photoFiles(value: unknown): { url: string; width: number }[] {
  return objects(value)
    .flatMap((file) => {
      const [url, width] = [text(file.url), asWholeNumber(file.width)]
      return url === null || width === null ? [] : [{ url, width }]
    })
    .sort((one, other) => one.width - other.width)
}

function nearestWidth(offered: readonly { url: string; width: number }[]): string | undefined {
  const distance = ({ width }: { width: number }) => Math.abs(width - DEFAULT_WIDTH)
  return [...offered].sort((one, other) => distance(one) - distance(other))[0]?.url
}

function has3d(record: UncheckedFields): boolean {
  return (
    record.hasVRModel === true ||
    text(object(record.vrModel)?.vrModelGuid) !== null ||
    object(record.thirdPartyVirtualTour)?.approved === true
  )
}

function hasVideo(record: UncheckedFields): boolean {
  const videos = Array.isArray(record.richMediaVideos) ? record.richMediaVideos.length : 0
  return record.hasPublicVideo === true || object(record.primaryPublicVideo) !== null || videos > 0
}
