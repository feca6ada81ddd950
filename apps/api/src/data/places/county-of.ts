// Finds the county and the state of a place whose file does not state them. They distinguish places of one name.

import type { Position } from '@lotline/contract/checks'
import Flatbush from 'flatbush'
import { boundaryRegion, type PlaceRegion } from '../../domain/search.ts'
import type { PolygonRings } from './boundary.ts'
import { builtInPlaces } from './built-in.ts'
import type { PlaceEntry } from './place.ts'

/** undefined: no built-in county contains the position of the place. */
export type CountyOf = (polygons: PolygonRings) => Pick<PlaceEntry, 'county' | 'state'> | undefined

/** Finds the county that contains a position of the place. The built-in counties are read at the first call. */
export function countyFinder(): CountyOf {
  let find: ((position: Position) => PlaceEntry | undefined) | undefined
  return (polygons) => {
    find ??= createFind()
    const position = insideOf(polygons)
    return position && find(position)
  }
}

function createFind(): (position: Position) => PlaceEntry | undefined {
  const { counties, polygonsOf } = builtInPlaces()
  const regions: PlaceRegion[] = counties.map((county) => boundaryRegion(polygonsOf(county)))
  const ofBox = regions.flatMap(({ boxes }, county) => boxes.map((box) => ({ county, box })))
  const tree = new Flatbush(ofBox.length)
  for (const { box } of ofBox) tree.add(box.west, box.south, box.east, box.north)
  tree.finish()
  return ([longitude, latitude]) => {
    const near = tree.search(longitude, latitude, longitude, latitude).map((at) => ofBox[at]!.county)
    const found = near.find((county) => regions[county]!.contains(longitude, latitude))
    return found === undefined ? undefined : counties[found]
  }
}

/** A position inside the first polygon: the middle of the longest section of the parallel through the middle of its box. */
function insideOf([rings]: PolygonRings): Position | undefined {
  if (!rings) return undefined
  const latitudes = rings[0]!.map(([, latitude]) => latitude)
  const middle =
    (latitudes.reduce((one, other) => Math.min(one, other)) +
      latitudes.reduce((one, other) => Math.max(one, other))) /
    2
  const crossed = rings
    .flatMap((ring) =>
      ring.slice(1).flatMap(([toX, toY], at) => {
        const [x, y] = ring[at]!
        return y <= middle === toY <= middle ? [] : [x + ((middle - y) / (toY - y)) * (toX - x)]
      }),
    )
    .sort((one, other) => one - other)
  let longest: readonly [number, number] | undefined
  for (let at = 0; at + 1 < crossed.length; at += 2) {
    const stretch = [crossed[at]!, crossed[at + 1]!] as const
    if (!longest || stretch[1] - stretch[0] > longest[1] - longest[0]) longest = stretch
  }
  return longest && [(longest[0] + longest[1]) / 2, middle]
}
