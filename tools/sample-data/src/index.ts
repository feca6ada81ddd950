/**
 * The sample that a fresh machine serves: real street addresses with invented homes on them. The
 * same options give the same bytes on every machine and in every year; nothing is read from the
 * clock, and no more than one building is held in memory.
 */

import { DEFAULT_AS_OF, startOfDay } from '@lotline/sample/calendar'
import { allBuildings, type Building } from './buildings.ts'
import type { Home } from './home.ts'
import { houseAt } from './houses.ts'
import { housesAlongStreets } from './neighbours.ts'
import { recordOf } from './record.ts'
import { loadSites } from './sites.ts'
import { unitsOf, wholeBuilding } from './units.ts'
import type { Property } from './whole-record.ts'

/** The home that the manual's examples look up, 2114 Bigelow Ave N in Seattle; always the first. */
export { MANUAL_ZPID } from './seattle.ts'
export type { Property } from './whole-record.ts'
export { DEFAULT_AS_OF }

export const DEFAULT_HOMES = 5_200
export const MAX_HOMES = 200_000

export interface SampleOptions {
  /** How many homes, units of buildings included; 1 to 200,000, by default 5,200. */
  homes?: number
  /**
   * The day from which listing ages, histories and open houses are counted, as an instant in epoch
   * milliseconds; by default 2026-11-01. Only dates depend on it, and only on its day in UTC. Pass
   * the day of loading to have open houses in the days to come.
   */
  asOf?: number
}

/**
 * Yields the records of the sample, the manual's home first. Buildings come whole: the building's
 * own record where it has one, which does not count as a home, then all its units. A building
 * that no longer fits is left out. Throws a RangeError for options out of bounds.
 */
export function* sampleListings(options: SampleOptions = {}): Generator<Property, void, undefined> {
  const wanted = options.homes ?? DEFAULT_HOMES
  const asOf = startOfDay(options.asOf ?? DEFAULT_AS_OF)
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MAX_HOMES) {
    throw new RangeError(`homes must be a whole number from 1 to ${MAX_HOMES}, not ${wanted}`)
  }
  if (!Number.isFinite(asOf)) {
    throw new RangeError('asOf must be an instant in epoch milliseconds')
  }
  let left = wanted
  for (const group of homesInOrder()) {
    if (group.homes > left) continue
    left -= group.homes
    for (const home of group.build()) yield recordOf(home, asOf)
    if (left === 0) return
  }
}

/** Homes that come together or not at all. */
interface Group {
  homes: number
  build(): Iterable<Home>
}

/** After this many houses comes a building, as long as there are buildings. */
const HOUSES_PER_BUILDING = 40

function* homesInOrder(): Generator<Group> {
  const sites = loadSites()
  const buildings = allBuildings(sites.buildings)
  const taken = [...sites.buildings.values()].flat()
  let houses = 0
  for (const house of housesAlongStreets(sites.houses, taken)) {
    yield { homes: 1, build: () => [houseAt(house)] }
    houses++
    const building = houses % HOUSES_PER_BUILDING === 0 ? buildings.shift() : undefined
    if (building) yield { homes: building.unitCount, build: () => homesOf(building) }
  }
}

function homesOf(building: Building): Home[] {
  const units = unitsOf(building)
  return building.hasOwnRecord ? [wholeBuilding(building, units), ...units] : units
}
