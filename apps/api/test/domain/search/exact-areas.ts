// Areas in rational arithmetic, and random areas. The code is written from the contract alone and shares nothing with the service: rays go
// north here, and every number is an integer.

import type { Area, Position, Ring } from '@lotline/contract/checks'
import fc from 'fast-check'

/** Whether a position is inside. */
type Test = (longitude: number, latitude: number) => boolean

const tests = new WeakMap<Area, Test>()

/** Whether any of the areas contains the position. */
export function isInAny(given: readonly Area[], longitude: number, latitude: number): boolean {
  return given.some((area) => {
    const test = tests.get(area) ?? testOf(area)
    tests.set(area, test)
    return test(longitude, latitude)
  })
}

/** Circles are not rational: the distance is compared as a double, with another formula than the service has. */
function testOf(area: Area): Test {
  switch (area.type) {
    case 'Polygon':
      return testOfPolygon(area.coordinates)
    case 'MultiPolygon': {
      const polygons = area.coordinates.map(testOfPolygon)
      return (longitude, latitude) => polygons.some((test) => test(longitude, latitude))
    }
    case 'bbox':
      return (longitude, latitude) => {
        const isBetween =
          area.west <= area.east
            ? longitude >= area.west && longitude <= area.east
            : longitude >= area.west || longitude <= area.east
        return isBetween && latitude >= area.south && latitude <= area.north
      }
    case 'circle':
      return (longitude, latitude) => chordDistanceM(area.center, [longitude, latitude]) <= area.radius_m
    case 'place':
      throw new Error('This oracle knows no boundaries of places.')
  }
}

/** Inside the shell or on its edge, and not inside a hole. The edge of a hole is not inside it. */
function testOfPolygon([shell, ...holes]: readonly Ring[]): Test {
  const [sideOfShell, sidesOfHoles] = [sideFinder(shell!), holes.map(sideFinder)]
  return (longitude, latitude) => {
    const side = sideOfShell(longitude, latitude)
    if (side !== 'inside') return side === 'edge'
    return sidesOfHoles.every((sideOf) => sideOf(longitude, latitude) !== 'inside')
  }
}

/**
 * By the even-odd rule, for boundaries whose rings touch and cross: on an edge, or inside an odd number of the rings of a polygon, each by
 * its own crossings.
 */
export function isInEvenOdd(
  polygons: readonly (readonly Ring[])[],
  longitude: number,
  latitude: number,
): boolean {
  return polygons.some((rings) => {
    const sides = rings.map((ring) => knownFinder(ring)(longitude, latitude))
    return sides.includes('edge') || sides.filter((side) => side === 'inside').length % 2 === 1
  })
}

type SideOf = (longitude: number, latitude: number) => 'inside' | 'edge' | 'outside'

const finders = new WeakMap<Ring, SideOf>()

function knownFinder(ring: Ring): SideOf {
  const finder = finders.get(ring) ?? sideFinder(ring)
  finders.set(ring, finder)
  return finder
}

/**
 * Counts the edges above a position. Comparing two doubles is exact, so only an edge whose box contains the position needs a computation,
 * which uses integers.
 */
function sideFinder(ring: Ring): SideOf {
  const edges = ring.slice(1).map((to, at) => {
    const [one, other] = [ring[at]!, to]
    const [[westX, westY], [eastX, eastY]] = one[0] <= other[0] ? [one, other] : [other, one]
    const [x, y, width, height] = [
      rational(westX),
      rational(westY),
      rational(eastX) - rational(westX),
      rational(eastY) - rational(westY),
    ] as [bigint, bigint, bigint, bigint]
    const [low, high] = westY < eastY ? [westY, eastY] : [eastY, westY]
    return { west: westX, east: eastX, low, high, x, y, width, height }
  })
  const least = (values: number[]) => values.reduce((one, other) => Math.min(one, other))
  const most = (values: number[]) => values.reduce((one, other) => Math.max(one, other))
  const [west, east] = [least(edges.map((edge) => edge.west)), most(edges.map((edge) => edge.east))]
  const [south, north] = [least(edges.map((edge) => edge.low)), most(edges.map((edge) => edge.high))]

  return (longitude, latitude) => {
    if (longitude < west || longitude > east || latitude < south || latitude > north) return 'outside'
    let [isInside, pointX, pointY] = [false, 0n, 0n]
    let isExact = false
    for (const edge of edges) {
      if (longitude < edge.west || longitude > edge.east || latitude > edge.high) continue
      if (latitude < edge.low) {
        // The western end of an edge counts, the eastern one does not.
        if (longitude < edge.east) isInside = !isInside
        continue
      }
      // A position in the box of a vertical edge is on the edge.
      if (edge.width === 0n) return 'edge'
      if (!isExact) [pointX, pointY, isExact] = [rational(longitude), rational(latitude), true]
      // The height of the edge over the position, times its width. Only the sign matters.
      const above = (edge.y - pointY) * edge.width + edge.height * (pointX - edge.x)
      if (above === 0n) return 'edge'
      if (above > 0n && longitude < edge.east) isInside = !isInside
    }
    return isInside ? 'inside' : 'outside'
  }
}

/** Every double of at least 2^-28 is a multiple of 2^-80, so this is exact. */
function rational(value: number): bigint {
  const scaled = value * 2 ** 80
  if (!Number.isInteger(scaled)) throw new Error(`${value} is too small for this oracle`)
  return BigInt(scaled)
}

/** The length of the chord between two points on the sphere. */
function chordDistanceM(one: Position, other: Position): number {
  const onSphere = ([longitude, latitude]: Position) => {
    const [lambda, phi] = [(longitude * Math.PI) / 180, (latitude * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  }
  const [a, b] = [onSphere(one), onSphere(other)]
  return 2 * 6_371_008.8 * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2))
}

/** Some vertices are at these positions, so that homes are on vertices and edges. */
export function areas(homes: readonly Position[], reach: number): fc.Arbitrary<Area> {
  const home = fc.nat(homes.length - 1).map((at) => homes[at]!)
  const size = fc.double({ min: -3, max: Math.log10(reach), noNaN: true }).map((power) => 10 ** power)
  const star = fc.tuple(home, size, fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 40 }))
  const polygon = star.map(([center, radius, corners]) => [starRing(center, radius, corners)])
  const holed = fc
    .tuple(star, fc.array(fc.tuple(unit, unit), { minLength: 3, maxLength: 8 }))
    .map(([[center, radius, corners], hole]) => [
      starRing(center, radius, corners),
      // Smaller than the minimum radius of the shell.
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
      west: Math.min(one[0], other[0]),
      east: Math.max(one[0], other[0]),
      south: Math.min(one[1], other[1]),
      north: Math.max(one[1], other[1]),
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

/** Corners around a center, in the order of their angles, so the ring never crosses itself. */
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
