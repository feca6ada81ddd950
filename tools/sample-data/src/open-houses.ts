import { atLocalHour, DAY_MS, isoInstant, nextSaturday } from '@lotline/sample/calendar'
import type { Home } from './home.ts'
import { isWholeBuilding } from './home.ts'
import type { OpenHouse } from './property.ts'
import { randomFor } from './random.ts'
import { MANUAL_ZPID } from './seattle.ts'

/** Visits on the week-ends after the day of the sample, in the early afternoon of the place. */
export function openHousesOf(home: Home, asOf: number): OpenHouse[] {
  const random = randomFor(home.zpid, 'open-houses')
  if (home.offer.status !== 'FOR_SALE' || isWholeBuilding(home)) return []
  // The manual shows the open houses of its home, so that one always has some.
  const isOpened = home.zpid === MANUAL_ZPID || (home.homeType !== 'LOT' && random.chance(0.3))
  if (!isOpened) return []
  const first = nextSaturday(asOf) + random.int(0, 1) * 7 * DAY_MS
  const visits = random.int(1, 2)
  return Array.from({ length: visits }, (_, index) => {
    const day = first + index * DAY_MS
    const hour = random.int(11, 14)
    const start = atLocalHour(day, hour, home.place.metro.zone)
    return {
      startTime: isoInstant(start),
      endTime: isoInstant(start + random.int(2, 3) * 3_600_000),
    }
  })
}
