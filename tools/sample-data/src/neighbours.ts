/**
 * An endless street: the real addresses first, then round after round of invented neighbours, each
 * two house numbers and about 15 metres farther from a real address, to both sides in turn. No
 * address comes twice: between two real addresses of one street, a number belongs to the nearer.
 */

import { moved } from './geometry.ts'
import type { Site } from './site.ts'

export interface House {
  site: Site
  number: number
  latitude: number
  longitude: number
  /** Different for every house, and the same in every sample. */
  serial: number
}

const NUMBERS_APART = 2
const METRES_APART = 15
/** More than there are sites, so that serials of two rounds never meet. */
const SERIALS_PER_ROUND = 4_096

export function* housesAlongStreets(sites: readonly Site[], takenNumbers: readonly Site[]): Generator<House> {
  const rivals = byStreet([...sites, ...takenNumbers])
  for (let round = 0; ; round++) {
    const steps = (round % 2 === 1 ? 1 : -1) * Math.ceil(round / 2)
    for (const [index, site] of sites.entries()) {
      const number = site.number + steps * NUMBERS_APART
      if (number < 1 || !belongsTo(site, number, rivals.get(streetKey(site))!)) continue
      const metres = steps * METRES_APART
      const point =
        steps === 0
          ? site
          : moved(site, ...((site.runsNorth ? [metres, 0] : [0, metres]) as [number, number]))
      yield {
        site,
        number,
        latitude: point.latitude,
        longitude: point.longitude,
        serial: round * SERIALS_PER_ROUND + index,
      }
    }
  }
}

function belongsTo(site: Site, number: number, rivals: readonly Site[]): boolean {
  const distance = Math.abs(number - site.number)
  let earlier = true
  for (const rival of rivals) {
    const other = Math.abs(number - rival.number)
    if (rival === site) earlier = false
    else if (other < distance || (other === distance && earlier)) return false
  }
  return true
}

function byStreet(sites: readonly Site[]): Map<string, Site[]> {
  const streets = new Map<string, Site[]>()
  for (const site of sites) {
    const key = streetKey(site)
    const street = streets.get(key)
    if (street) street.push(site)
    else streets.set(key, [site])
  }
  return streets
}

function streetKey(site: Site): string {
  return `${site.street} ${site.zipcode}`.toLowerCase()
}
