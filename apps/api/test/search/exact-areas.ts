// What areas mean, in rational arithmetic, and random areas to ask about. It is written from the contract's words alone and
// shares nothing with the code that it judges: rays go north here, and every number is an integer.

import type { Area, Position, Ring } from '@lotline/contract/checks'
import fc from 'fast-check'

/** Every double of at least 2^-28 is a multiple of 2^-80, so this is exact. */
function rational(value: number): bigint {
  const scaled = value * 2 ** 80
  if (!Number.isInteger(scaled)) throw new Error(`${value} is too small for this oracle`)
  return BigInt(scaled)
}

/** Circles are not rational: the distance is compared as it is computed, by another formula than the service has. */
export function isIn(area: Area, longitude: number, latitude: number): boolean {
  switch (area.type) {
    case 'Polygon':
      return isInPolygon(area.coordinates, longitude, latitude)
    case 'MultiPolygon':
      return area.coordinates.some((rings) => isInPolygon(rings, longitude, latitude))
    case 'bbox': {
      const isBetween =
        area.west <= area.east
          ? longitude >= area.west && longitude <= area.east
          : longitude >= area.west || longitude <= area.east
      return isBetween && latitude >= area.south && latitude <= area.north
    }
    case 'circle':
      return chordDistanceM(area.center, [longitude, latitude]) <= area.radius_m
    case 'place':
      throw new Error('This oracle knows no boundaries of places.')
  }
}

/** Whether any of them has the position; bounds of rings are compared first, since big integers are slow. */
export function isInAny(given: readonly Area[], longitude: number, latitude: number): boolean {
  return given.some((area) => isWithinBounds(area, longitude, latitude) && isIn(area, longitude, latitude))
}

function isWithinBounds(area: Area, longitude: number, latitude: number): boolean {
  if (area.type !== 'Polygon' && area.type !== 'MultiPolygon') return true
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat()
  return rings.some((ring) => {
    const { west, south, east, north } = boundsOf(ring)
    return longitude >= west && longitude <= east && latitude >= south && latitude <= north
  })
}

const bounds = new WeakMap<Ring, { west: number; south: number; east: number; north: number }>()

function boundsOf(ring: Ring) {
  const [longitudes, latitudes] = [ring.map(([at]) => at), ring.map(([, at]) => at)]
  const found = bounds.get(ring) ?? {
    ...{ west: Math.min(...longitudes), east: Math.max(...longitudes) },
    ...{ south: Math.min(...latitudes), north: Math.max(...latitudes) },
  }
  bounds.set(ring, found)
  return found
}

/** In the shell or on its edge, and in no hole; on the edge of a hole is in no hole. */
function isInPolygon([shell, ...holes]: readonly Ring[], longitude: number, latitude: number): boolean {
  const side = sideOf(shell!, longitude, latitude)
  if (side !== 'inside') return side === 'edge'
  return holes.every((hole) => sideOf(hole, longitude, latitude) !== 'inside')
}

function sideOf(ring: Ring, longitude: number, latitude: number): 'inside' | 'edge' | 'outside' {
  const [x, y] = [rational(longitude), rational(latitude)]
  let above = 0
  for (let at = 1; at < ring.length; at++) {
    const [[ax, ay], [bx, by]] = [exact(ring[at - 1]!), exact(ring[at]!)]
    const [low, high] = ax < bx ? [ax, bx] : [bx, ax]
    if (x < low || x > high) continue
    if (ax === bx) {
      const [bottom, top] = ay < by ? [ay, by] : [by, ay]
      if (y >= bottom && y <= top) return 'edge'
      continue
    }
    // The edge's height over x, minus y, times its width: the sign is all that counts.
    const width = bx - ax
    const height = (ay * width + (by - ay) * (x - ax) - y * width) * (width > 0n ? 1n : -1n)
    if (height === 0n) return 'edge'
    // The western end of an edge counts, the eastern one does not.
    if (height > 0n && x < high) above += 1
  }
  return above % 2 === 1 ? 'inside' : 'outside'
}

/**
 * By the even-odd rule, for boundaries whose rings touch and cross: on an edge, or inside an odd number of the rings of a polygon,
 * each by its own crossings.
 */
export function isInEvenOdd(
  polygons: readonly (readonly Ring[])[],
  longitude: number,
  latitude: number,
): boolean {
  return polygons.some((rings) => {
    const sides = rings.map((ring) => sideOf(ring, longitude, latitude))
    return sides.includes('edge') || sides.filter((side) => side === 'inside').length % 2 === 1
  })
}

function exact([longitude, latitude]: Position): readonly [bigint, bigint] {
  return [rational(longitude), rational(latitude)]
}

/** Through the chord between two points on the sphere. */
function chordDistanceM(one: Position, other: Position): number {
  const onSphere = ([longitude, latitude]: Position) => {
    const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  }
  const [a, b] = [onSphere(one), onSphere(other)]
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2))
}

/** Positions that some vertices are put on, so that homes are on vertices and edges. */
export function areas(homes: readonly Position[], reach: number): fc.Arbitrary<Area> {
  const home = fc.nat(homes.length - 1).map((at) => homes[at]!)
  const size = fc.double({ min: -3, max: Math.log10(reach), noNaN: true }).map((power) => 10 ** power)
  const star = fc.tuple(home, size, fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 40 }))
  const polygon = star.map(([center, radius, corners]) => [starRing(center, radius, corners)])
  const holed = fc
    .tuple(star, fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 8 }))
    .map(([[center, radius, corners], hole]) => [
      starRing(center, radius, corners),
      // Below the least radius of the shell.
      starRing(center, radius * 0.2, hole),
    ])
  const thin = fc
    .tuple(home, home, size)
    .map(([from, to, width]) => [
      ring([
        from,
        to,
        [to[0] + width / 1e3, to[1] + width / 1e2],
        [from[0] + width / 1e2, from[1] + width / 1e3],
      ]),
    ])
  const triangle = fc.tuple(home, home, home).map((corners) => [ring(corners)])
  const between = fc.tuple(home, home).map(
    ([one, other]): Area => ({
      type: 'bbox',
      ...{ west: Math.min(one[0], other[0]), east: Math.max(one[0], other[0]) },
      ...{ south: Math.min(one[1], other[1]), north: Math.max(one[1], other[1]) },
    }),
  )
  const single = (rings: fc.Arbitrary<readonly Ring[]>) =>
    rings.map((coordinates): Area => ({ type: 'Polygon', coordinates }))
  return fc.oneof(
    { weight: 4, arbitrary: single(polygon) },
    { weight: 4, arbitrary: single(holed) },
    { weight: 2, arbitrary: single(thin) },
    { weight: 2, arbitrary: single(triangle) },
    {
      weight: 2,
      arbitrary: fc
        .array(fc.oneof(polygon, holed), { minLength: 2, maxLength: 4 })
        .map((coordinates): Area => ({ type: 'MultiPolygon', coordinates })),
    },
    { weight: 1, arbitrary: between },
    {
      weight: 2,
      arbitrary: fc
        .tuple(home, fc.double({ min: 0, max: 5, noNaN: true }))
        .map(([center, power]): Area => ({ type: 'circle', center, radius_m: 10 ** power })),
    },
  )
}

const unit = fc.double({ min: 0, max: 1, noNaN: true })

/** Corners around a center, in the order of their angles: the ring never crosses itself. */
function starRing(center: Position, radius: number, corners: readonly (readonly [number, number])[]): Ring {
  const angles = corners.map(([share], at) => ((at + 0.1 + share * 0.8) / corners.length) * 2 * Math.PI)
  return ring(
    corners.map(([, far], at): Position => {
      const distance = radius * (0.3 + 0.7 * far)
      return [center[0] + distance * Math.cos(angles[at]!), center[1] + distance * Math.sin(angles[at]!)]
    }),
  )
}

function ring(corners: readonly Position[]): Ring {
  return [...corners, corners[0]!]
}
