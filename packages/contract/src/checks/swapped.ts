// Latitude before longitude: the most frequent mistake in positions. The signs are latitudes beyond 90 degrees, and positions
// that are outside of the United States and would be inside if their numbers were exchanged.

import type { InputFault } from '../messages.ts'
import { areaRefusal, type NamePlace } from './area-fault.ts'
import type { Fault } from './finding.ts'

/** Boxes around the states, the territories, and the Aleutian Islands beyond 180 degrees. */
const US_EXTENTS = [
  { south: 17, north: 72, west: -180, east: -64 },
  { south: 51, north: 56, west: 172, east: 180 },
  { south: 13, north: 21, west: 144, east: 147 },
  { south: -15, north: -11, west: -172, east: -168 },
] as const

/** Whether the position is outside the United States, but inside if its two numbers are exchanged. */
export function looksSwapped(latitude: number, longitude: number): boolean {
  return !isInUnitedStates(latitude, longitude) && isInUnitedStates(longitude, latitude)
}

function isInUnitedStates(latitude: number, longitude: number): boolean {
  return US_EXTENTS.some(
    ({ south, north, west, east }) =>
      latitude >= south && latitude <= north && longitude >= west && longitude <= east,
  )
}

export const LATITUDE_BEYOND_90 = 'has a latitude beyond 90 degrees'
export const OUTSIDE_UNITED_STATES = 'is outside the United States, and inside if its numbers are exchanged'
export const LATITUDE_FIRST_HINT = 'The latitude seems to come first. Send longitude, latitude'

/**
 * The edge of a box whose latitudes come first: one that is beyond 90 degrees although both longitudes could be latitudes, or the
 * southern one of a box with both corners outside of the United States.
 */
export function findSwapped(
  box: Readonly<Record<string, unknown>>,
): { readonly edge: 'south' | 'north'; readonly fault: string } | undefined {
  const isLatitude = (value: unknown): value is number => typeof value === 'number' && Math.abs(value) <= 90
  const { west, south, east, north } = box
  if (!isLatitude(west) || !isLatitude(east)) return undefined
  const edge = (['south', 'north'] as const).find(
    (name) => typeof box[name] === 'number' && !isLatitude(box[name]),
  )
  if (edge) return { edge, fault: LATITUDE_BEYOND_90 }
  const isOutside =
    isLatitude(south) && isLatitude(north) && looksSwapped(south, west) && looksSwapped(north, east)
  return isOutside ? { edge: 'south', fault: OUTSIDE_UNITED_STATES } : undefined
}

/**
 * The refusal of a `bbox` (`filters.bbox`, or the query parameter) whose latitudes come first: 47.6,-122.4,47.7,-122.3.
 * undefined: that is not what is wrong with it, if anything is.
 */
export function findSwappedBox(
  box: Readonly<Record<string, unknown>>,
  placeOf: NamePlace,
): Fault | undefined {
  const swapped = findSwapped(box)
  return (
    swapped && areaRefusal({ path: swapped.edge, fault: swapped.fault, hint: LATITUDE_FIRST_HINT }, placeOf)
  )
}

const BOX_HINTS: Readonly<Record<string, string>> = {
  box_longitude: 'Longitudes are from -180 to 180.',
  box_latitude: 'Latitudes are from -90 to 90.',
  box_inverted: 'Exchange south and north.',
}

/** The details of a refused `bbox` (`filters.bbox`, or the query parameter) whose numbers do not make a box. */
export function boxDetails(place: string, { cause }: InputFault) {
  return { parameter: place, path: place, hint: BOX_HINTS[cause] ?? 'Send west, south, east and north.' }
}
