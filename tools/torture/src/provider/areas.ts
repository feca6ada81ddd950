import type { Property } from '@lotline/contract'
import type { Random } from '../random.ts'

/** Degrees. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export const COUNTRY: Box = { west: -170, south: 20, east: -60, north: 72 }

/** A box with the home in its middle. */
export function boxAround({ longitude = 0, latitude = 0 }: Property, random: Random): Box {
  const size = random.pick([0.01, 0.05, 0.4])
  const round = (degrees: number) => Math.round(degrees * 10_000) / 10_000
  const [x, y] = [Number(longitude), Number(latitude)]
  return { west: round(x - size), south: round(y - size), east: round(x + size), north: round(y + size) }
}

/** A diamond, and which positions are in it. */
export interface Diamond {
  /** Longitude and latitude of its corners; the last is not the first. */
  readonly corners: readonly (readonly [number, number])[]
  contains(position: Pick<Property, 'longitude' | 'latitude'>): boolean
}

/**
 * A diamond around the home. Positions of homes have at most six decimals, and the middle of the diamond has a seventh: no home is
 * on an edge or nearer to one than a few centimeters, so plain numbers decide.
 */
export function diamondAround({ longitude = 0, latitude = 0 }: Property, random: Random): Diamond {
  const size = random.pick([0.01, 0.05, 0.4])
  const [x, y] = [Math.round(Number(longitude) * 1e6) / 1e6 + 5e-7, Number(latitude)]
  const corners = [
    [x - size, y],
    [x, y - size],
    [x + size, y],
    [x, y + size],
  ] as const
  return {
    corners: corners.map(([east, north]) => [Number(east.toFixed(7)), Number(north.toFixed(7))]),
    contains: (at) => Math.abs(Number(at.longitude) - x) + Math.abs(Number(at.latitude) - y) <= size,
  }
}

/** The same as `filters.area`. */
export function polygonOf({ corners }: Diamond): object {
  return { type: 'Polygon', coordinates: [[...corners, corners[0]]] }
}

/** The same as the query parameter `polygon`. */
export function queryOf({ corners }: Diamond): string {
  return corners.map((corner) => corner.join(',')).join(';')
}

export function textOf({ west, south, east, north }: Box): string {
  return [west, south, east, north].join(',')
}
