import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import type { Photo } from './property.ts'
import { type Random, randomFor } from './random.ts'

/** Photo addresses in all widths and both formats. They lead nowhere: example.com is reserved for examples. */
export const PHOTO_HOST = 'https://photos.example.com'
export const PHOTO_WIDTHS = [192, 384, 768, 1536] as const
const DEFAULT_WIDTH = 768

/** What a photo shows; half of the listings do not say. */
const scenes: [caption: string, subjectType: string][] = [
  ['Front of the home', 'exterior'],
  ['Kitchen', 'kitchen'],
  ['Living room', 'living_room'],
  ['Primary bedroom', 'bedroom'],
  ['Bathroom', 'bathroom'],
  ['Dining area', 'dining_room'],
  ['Second bedroom', 'bedroom'],
  ['Backyard', 'yard'],
  ['Home office', 'office'],
  ['Street view', 'exterior'],
  ['Laundry room', 'laundry'],
]
const landScenes: [caption: string, subjectType: string][] = [
  ['The lot from the street', 'exterior'],
  ['View across the lot', 'yard'],
  ['Lot lines', 'map'],
]

export function photosOf(home: Home): Photo[] {
  const random = randomFor(home.zpid, 'photos')
  const shown = home.homeType === 'LOT' ? landScenes : scenes
  const saysSubject = random.chance(0.5)
  return shown.slice(0, photoCount(home, random)).map(([caption, subjectType], index) => {
    const path = `${PHOTO_HOST}/${home.zpid}/${index + 1}`
    return {
      url: `${path}-${DEFAULT_WIDTH}.jpg`,
      caption: random.chance(0.8) ? caption : '',
      subjectType: saysSubject ? subjectType : null,
      mixedSources: {
        jpeg: PHOTO_WIDTHS.map((width) => ({ url: `${path}-${width}.jpg`, width })),
        webp: PHOTO_WIDTHS.map((width) => ({ url: `${path}-${width}.webp`, width })),
      },
    }
  })
}

function photoCount(home: Home, random: Random): number {
  if (isWholeBuilding(home)) return random.int(3, 6)
  if (home.offer.status === 'OTHER') return random.int(0, 2)
  if (home.homeType === 'LOT') return random.int(1, 3)
  return random.int(3, 6)
}
