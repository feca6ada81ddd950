// Helpers that build `filters.area` in a shorter form than GeoJSON. Positions are [longitude, latitude].

import type { Area, BoundingBox } from './contract.ts'

/** The kind of a place. States and counties are built in; a service knows the other kinds that its operator has imported. */
export type PlaceKind = NonNullable<Area['kind']>

/** Longitude and latitude in degrees. */
export type Position = readonly [longitude: number, latitude: number]

/** Makes areas of a search: one for `filters.area`, or a list of them, whose union is searched. */
export const area = {
  /**
   * A polygon by its corners, in order; the last is connected with the first. `holes` are given in the same way.
   *
   * @example area.polygon([[-122.375, 47.622], [-122.34, 47.622], [-122.357, 47.65]])
   */
  polygon(corners: readonly Position[], ...holes: readonly (readonly Position[])[]): Area {
    return { type: 'Polygon', coordinates: [corners, ...holes].map(closed) }
  },

  /** Several polygons, each with its corners and holes; also for what crosses the antimeridian, cut at 180 degrees. */
  multiPolygon(...polygons: readonly (readonly (readonly Position[])[])[]): Area {
    return { type: 'MultiPolygon', coordinates: polygons.map((rings) => rings.map(closed)) }
  },

  /**
   * Homes within `radiusM` meters (1 to 100,000) of the center, along a great circle.
   *
   * @example area.circle([-122.357, 47.637], 2 * 1609.344)
   */
  circle([longitude, latitude]: Position, radiusM: number): Area {
    return { type: 'circle', center: [longitude, latitude], radius_m: radiusM }
  },

  /** A box; `west` greater than `east` crosses the antimeridian. */
  bbox({ west, south, east, north }: BoundingBox): Area {
    return { type: 'bbox', west, south, east, north }
  },

  /**
   * A place by its id, or by its name, which may end with the state.
   *
   * @example area.place('county', { name: 'King County, WA' })
   * @example area.place('zip', '98109')
   */
  place(kind: PlaceKind, which: string | { readonly id: string } | { readonly name: string }): Area {
    return { type: 'place', kind, ...(typeof which === 'string' ? { id: which } : which) }
  },
} as const

/** Returns the corners with the first position repeated at the end, as GeoJSON requires. */
function closed(corners: readonly Position[]): number[][] {
  const [first, last] = [corners[0], corners.at(-1)]
  const isClosed = first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1]
  return (isClosed || first === undefined ? corners : [...corners, first]).map(([x, y]) => [x, y])
}
