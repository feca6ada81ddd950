import type { Home } from './home.ts'
import { round } from './numbers.ts'
import { randomFor } from './random.ts'

export interface Room {
  roomType: string
  roomLevel: string
  roomArea: number
  roomAreaUnits: 'Square Feet'
  roomDimensions: string
  roomFeatures: string[]
}

/** The larger rooms of a home: living room, kitchen and the first bedrooms. */
export function roomsOf(home: Home): Room[] {
  const random = randomFor(home.zpid, 'rooms')
  const bedrooms = ['PrimaryBedroom', 'Bedroom 2', 'Bedroom 3'].slice(0, home.size.bedrooms ?? 0)
  const upper = (home.size.stories ?? 1) > 1 ? 'Second' : 'Main'
  return ['LivingRoom', 'Kitchen', ...bedrooms].map((roomType) => {
    const length = random.int(9, 18)
    const width = random.int(8, 14)
    return {
      roomType,
      roomLevel: roomType.includes('Bed') ? upper : 'Main',
      roomArea: round(length * width),
      roomAreaUnits: 'Square Feet',
      roomDimensions: `${length} x ${width}`,
      roomFeatures: random.some(['Built-in Features', 'Ceiling Fan(s)', 'Closet'], random.int(0, 1)),
    }
  })
}
