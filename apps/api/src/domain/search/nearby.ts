// Ranks the listings around a home by how well they compare with it: the nearest and most similar first. The order is stable.

import type { Property } from '@lotline/contract'
import { number, text, type UncheckedFields, zpidText } from '../record/coerce.ts'
import type { BoundingBox } from './area-search.ts'

/** The number of comparable listings that are shown. */
export const NEARBY_COUNT = 12

const EARTH_RADIUS_KM = 6371
const KM_PER_DEGREE = 111.195

interface HomePosition {
  readonly latitude: number
  readonly longitude: number
}

/**
 * The best `limit` candidates, without the home itself. A score counts kilometers: a home of another type counts as two kilometers farther
 * away, and half as much area or double the price as about one.
 */
export function rankNearby(
  home: Property,
  candidates: readonly Property[],
  limit = NEARBY_COUNT,
): readonly Property[] {
  const position = findHomePosition(home)
  if (!position) return []
  const own = zpidText(home)
  const scored = new Map<string, { zpid: string; record: Property; score: number }>()
  for (const record of candidates) {
    const place = findHomePosition(record)
    const zpid = zpidText(record)
    if (!place || zpid === own || scored.has(zpid)) continue
    scored.set(zpid, { zpid, record, score: distanceKm(position, place) + difference(home, record) })
  }
  return [...scored.values()]
    .sort((one, other) => one.score - other.score || compareText(one.zpid, other.zpid))
    .slice(0, limit)
    .map(({ record }) => record)
}

/** A box that extends `km` from a home in every direction. undefined: the home has no position. */
export function findBoxAround(home: Property, km: number): BoundingBox | undefined {
  const position = findHomePosition(home)
  if (!position) return undefined
  const { latitude, longitude } = position
  const north = Math.min(90, latitude + km / KM_PER_DEGREE)
  const south = Math.max(-90, latitude - km / KM_PER_DEGREE)
  const widest = Math.cos((Math.max(Math.abs(north), Math.abs(south)) * Math.PI) / 180)
  const reach = widest <= 0 ? 180 : km / KM_PER_DEGREE / widest
  if (reach >= 180) return { west: -180, south, east: 180, north }
  return { west: wrapLongitude(longitude - reach), south, east: wrapLongitude(longitude + reach), north }
}

/** The great-circle distance. */
export function distanceKm(one: HomePosition, other: HomePosition): number {
  const radians = Math.PI / 180
  const byLatitude = Math.sin(((other.latitude - one.latitude) * radians) / 2) ** 2
  const byLongitude =
    Math.cos(one.latitude * radians) *
    Math.cos(other.latitude * radians) *
    Math.sin(((other.longitude - one.longitude) * radians) / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(byLatitude + byLongitude)))
}

function difference(home: Property, other: Property): number {
  const one: UncheckedFields = home
  const two: UncheckedFields = other
  return (
    (text(one.homeType) === text(two.homeType) ? 0 : 2) +
    0.4 * differsBy(one.bedrooms, two.bedrooms) +
    0.4 * differsBy(one.bathrooms, two.bathrooms) +
    2.5 * ratioDistance(one.livingArea, two.livingArea) +
    1.5 * ratioDistance(one.price, two.price)
  )
}

/** An unknown fact of either home counts as a small difference, never as none. */
function differsBy(one: unknown, two: unknown): number {
  const [first, second] = [number(one), number(two)]
  return first === null || second === null ? 1 : Math.min(5, Math.abs(first - second))
}

/** 0 for equal sizes, 0.69 for one that is twice the other. */
function ratioDistance(one: unknown, two: unknown): number {
  const [first, second] = [number(one), number(two)]
  if (first === null || second === null || first <= 0 || second <= 0) return 0.4
  return Math.min(3, Math.abs(Math.log(first / second)))
}

function findHomePosition(record: Property): HomePosition | undefined {
  const latitude = number(record.latitude)
  const longitude = number(record.longitude)
  return latitude === null || longitude === null ? undefined : { latitude, longitude }
}

function wrapLongitude(longitude: number): number {
  return longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
