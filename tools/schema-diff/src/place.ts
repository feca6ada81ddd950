import type { Direction } from './rules.ts'

/**
 * Where in the contract a change is, and whether the caller sends or receives what is there.
 * Reads `GET /v1/properties/{zpid} → 200 → application/json → data.photos[].url`.
 */
export interface Place {
  readonly direction: Direction
  readonly segments: readonly string[]
  /** The way from the root of a body to a field in it, empty at the root. */
  readonly fieldPath: string
}

export function placeOf(segment: string): Place {
  return { direction: 'none', segments: [segment], fieldPath: '' }
}

export function into(place: Place, segment: string): Place {
  return { ...place, segments: [...place.segments, segment] }
}

export function facing(place: Place, direction: Direction): Place {
  return { ...place, direction }
}

export function atField(place: Place, name: string): Place {
  return { ...place, fieldPath: place.fieldPath === '' ? name : `${place.fieldPath}.${name}` }
}

export function atItems(place: Place): Place {
  return { ...place, fieldPath: `${place.fieldPath}[]` }
}

/** The values of an object used as a map: those whose names are not listed. */
export function atOtherFields(place: Place): Place {
  return atField(place, '*')
}

/** @param number counts from 1, in the order of the older contract */
export function atAlternative(place: Place, number: number): Place {
  return { ...place, fieldPath: `${place.fieldPath}(alternative ${number})` }
}

export function locationOf(place: Place): string {
  return [...place.segments, ...(place.fieldPath === '' ? [] : [place.fieldPath])].join(' → ')
}
