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

export function textOf({ west, south, east, north }: Box): string {
  return [west, south, east, north].join(',')
}
