import { round } from './numbers.ts'

const METRES_PER_DEGREE = 111_320

/** Cosine of a latitude by its series: `Math.cos` may differ in the last digit between machines. */
function cosineOf(latitude: number): number {
  const radians = latitude * 0.017453292519943295
  const square = radians * radians
  return 1 - (square / 2) * (1 - (square / 12) * (1 - (square / 30) * (1 - square / 56)))
}

export interface Point {
  latitude: number
  longitude: number
}

/** Distance in kilometres, good to a few per cent within a metropolitan area. */
export function distanceKm(from: Point, to: Point): number {
  const north = to.latitude - from.latitude
  const east = (to.longitude - from.longitude) * cosineOf((from.latitude + to.latitude) / 2)
  return (Math.sqrt(north * north + east * east) * METRES_PER_DEGREE) / 1_000
}

/** The point that many metres away, to six decimals (about 10 cm). */
export function moved(from: Point, northMetres: number, eastMetres: number): Point {
  return {
    latitude: round(from.latitude + northMetres / METRES_PER_DEGREE, 6),
    longitude: round(from.longitude + eastMetres / METRES_PER_DEGREE / cosineOf(from.latitude), 6),
  }
}
