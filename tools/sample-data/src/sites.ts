/**
 * The places where the sample's homes stand: real street addresses within the metropolitan areas,
 * and three building sites in each area. The order is fixed and mixes the areas, so that a small
 * sample is as varied as a large one. What stands there is decided elsewhere.
 */

import { distanceKm } from './geometry.ts'
import { METRO_RADIUS_KM, type Metro, metros } from './metros.ts'
import { countiesByZip, type PublishedAddress, publishedAddresses } from './packages.ts'
import { hash32 } from './random.ts'
import { seattleBuildings, seattleHouses } from './seattle.ts'
import type { Site, StreetNumber } from './site.ts'
import { abbreviateStreet } from './street-address.ts'

export interface Sites {
  houses: Site[]
  /** Three for each metropolitan area. */
  buildings: Map<Metro, Site[]>
}

export const BUILDINGS_PER_METRO = 3
/** How many of the homes around the manual's example open every sample. */
const FIRST_AROUND_MANUAL_HOME = 24

export function loadSites(): Sites {
  const counties = countiesByZip()
  const complete = (at: StreetNumber, metro: Metro): Site => ({
    ...at,
    metro,
    county: counties.get(at.zipcode) ?? null,
  })

  const seattle = metros.find((metro) => metro.name === 'Seattle')!
  const single = new Map<Metro, Site[]>(metros.map((metro) => [metro, []]))
  const shared = new Map<Metro, Site[]>(metros.map((metro) => [metro, []]))
  const seen = new Set<string>()
  for (const published of publishedAddresses()) {
    const at = toStreetNumber(published)
    const metro = at && metroAround(at)
    const key = at && `${at.number} ${at.street} ${at.zipcode}`.toLowerCase()
    if (!at || !metro || seen.has(key!)) continue
    seen.add(key!)
    const group = published.address2 === '' ? single : shared
    group.get(metro)!.push(complete(at, metro))
  }

  const buildings = new Map<Metro, Site[]>()
  for (const metro of metros) {
    // Addresses known to have several units come first; small areas have too few of them.
    const candidates = [...shared.get(metro)!, ...single.get(metro)!.toReversed()]
    const chosen = candidates.slice(0, BUILDINGS_PER_METRO)
    buildings.set(metro, chosen)
    single.set(
      metro,
      single.get(metro)!.filter((site) => !chosen.includes(site)),
    )
  }
  buildings.set(
    seattle,
    seattleBuildings().map((at) => complete(at, seattle)),
  )
  const around = seattleHouses().map((at) => complete(at, seattle))
  const first = around.splice(0, FIRST_AROUND_MANUAL_HOME)
  single.set(seattle, around)
  return { houses: [...first, ...mixed([...single.values()])], buildings }
}

/** One list in which the members of each group are spread evenly from start to end. */
function mixed(groups: Site[][]): Site[] {
  return groups
    .flatMap((group, rank) => group.map((site, index) => ({ site, rank, at: (index + 0.5) / group.length })))
    .sort((left, right) => left.at - right.at || left.rank - right.rank)
    .map(({ site }) => site)
}

function metroAround(at: StreetNumber): Metro | undefined {
  return metros
    .filter((metro) => metro.state === at.state)
    .map((metro) => ({ metro, km: distanceKm(metro, at) }))
    .filter(({ km }) => km <= METRO_RADIUS_KM)
    .sort((left, right) => left.km - right.km)[0]?.metro
}

/** Undefined for what is no plain street address, or the suite of a business. */
function toStreetNumber(published: PublishedAddress): StreetNumber | undefined {
  const parts = /^(\d{1,5}) ([A-Za-z0-9][A-Za-z0-9' ]*[A-Za-z0-9])$/.exec(published.address1)
  if (!parts || !published.city || /STE|SUITE|BLDG/i.test(published.address2)) return undefined
  const street = abbreviateStreet(parts[2]!)
  return {
    number: Number(parts[1]),
    street,
    city: published.city,
    state: published.state,
    zipcode: published.postalCode,
    latitude: Math.round(published.coordinates.lat * 1e6) / 1e6,
    longitude: Math.round(published.coordinates.lng * 1e6) / 1e6,
    runsNorth: hash32(`${street} ${published.postalCode}`) % 2 === 0,
  }
}
