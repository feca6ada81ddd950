/**
 * The multi-unit buildings: three in each metropolitan area, over every shape of building URL. A
 * building has a key, which all its records carry and which ends its URL; only some buildings have
 * a record of their own beside those of their units.
 */

import { type Metro, metros } from './metros.ts'
import { landforms, natural } from './names.ts'
import type { HomeType } from './property.ts'
import { type Random, randomFor } from './random.ts'
import type { Site } from './site.ts'
import { BUILDINGS_PER_METRO } from './sites.ts'
import { citySlug, slug } from './street-address.ts'

export type BuildingUrlShape = 'b-key' | 'b-coordinates' | 'apartments' | 'community-zpid' | 'community-plid'

export interface Building {
  /** Position among all buildings; its zpids are made from it. */
  serial: number
  site: Site
  shape: BuildingUrlShape
  homeType: HomeType
  name: string
  key: string
  /** Path of the building's page. */
  bdpUrl: string
  /** `{latitude}-{longitude}`. */
  buildingId: string
  lotId: number
  unitCount: number
  /** What comes before the unit's number in an address. */
  unitWord: 'APT' | 'UNIT' | 'LOT'
  yearBuilt: number
  hasOwnRecord: boolean
}

interface BuildingRecipe {
  shape: BuildingUrlShape
  homeType: HomeType
  hasOwnRecord: boolean
}

const recipes: BuildingRecipe[] = [
  { shape: 'b-key', homeType: 'CONDO', hasOwnRecord: true },
  { shape: 'apartments', homeType: 'APARTMENT', hasOwnRecord: true },
  { shape: 'community-plid', homeType: 'TOWNHOUSE', hasOwnRecord: true },
  { shape: 'b-coordinates', homeType: 'CONDO', hasOwnRecord: false },
  { shape: 'apartments', homeType: 'APARTMENT', hasOwnRecord: false },
  { shape: 'community-zpid', homeType: 'TOWNHOUSE', hasOwnRecord: true },
  { shape: 'b-key', homeType: 'APARTMENT', hasOwnRecord: false },
  { shape: 'community-plid', homeType: 'MANUFACTURED', hasOwnRecord: false },
  { shape: 'b-coordinates', homeType: 'APARTMENT', hasOwnRecord: true },
]

/** Seattle's first building, by far the largest. */
const TOWER_UNITS = 324

/** All buildings in the order in which a sample takes them; the tower is the last. */
export function allBuildings(sites: Map<Metro, Site[]>): Building[] {
  const buildings = metros.flatMap((metro, rank) =>
    sites.get(metro)!.map((site, place) => toBuilding(site, rank * BUILDINGS_PER_METRO + place, rank, place)),
  )
  const [tower, ...others] = buildings
  return [...others, tower!]
}

function toBuilding(site: Site, serial: number, rank: number, place: number): Building {
  const random = randomFor('building', serial)
  const recipe = recipes[(1 + rank + place * 4) % recipes.length]!
  const name = nameOf(serial, recipe.homeType)
  const key = keyOf(recipe.shape, serial, site, random)
  const isNew = recipe.homeType === 'TOWNHOUSE'
  return {
    ...recipe,
    serial,
    site,
    name,
    key,
    bdpUrl: urlOf(recipe.shape, name, key, site),
    buildingId: `${site.latitude}-${site.longitude}`,
    lotId: 400_000_000 + serial * 7_919,
    unitCount: serial === 0 ? TOWER_UNITS : random.int(6, 34),
    unitWord: recipe.homeType === 'APARTMENT' ? 'APT' : recipe.homeType === 'MANUFACTURED' ? 'LOT' : 'UNIT',
    yearBuilt: isNew ? random.int(2023, 2025) : random.int(1962, 2021),
  }
}

const lastWords: Partial<Record<HomeType, string[]>> = {
  APARTMENT: ['Apartments', 'Flats', 'Tower'],
  CONDO: ['Condominiums', 'Lofts', 'Residences'],
  TOWNHOUSE: ['Townhomes', 'Rowhouses', 'Mews'],
  MANUFACTURED: ['Estates', 'Home Park', 'Gardens'],
}

/** Steps without a common divisor with the lists' lengths: no two buildings share a name. */
function nameOf(serial: number, homeType: HomeType): string {
  const first = natural[(serial * 7) % natural.length]!
  const second = landforms[(serial * 3) % landforms.length]!
  return `${first} ${second} ${lastWords[homeType]![serial % 3]!}`
}

const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz'

function keyOf(shape: BuildingUrlShape, serial: number, site: Site, random: Random): string {
  if (shape === 'b-coordinates') return `${site.latitude},${site.longitude}`
  if (shape === 'community-zpid') return zpidWithin(serial, 0)
  if (shape === 'community-plid') return String(1_000_000 + serial * 7_919)
  let key = ''
  for (let at = 0; at < 6; at++) key += alphabet[random.int(0, alphabet.length - 1)]
  return key
}

function urlOf(shape: BuildingUrlShape, name: string, key: string, site: Site): string {
  const words = slug(name).toLowerCase()
  const city = citySlug(site.city, site.state)
  if (shape === 'b-key') return `/b/${words}-${city}-${key}/`
  if (shape === 'b-coordinates') return `/b/${city}/${key}_ll/`
  if (shape === 'apartments') return `/apartments/${city}/${words}/${key}/`
  return `/community/${words}/${key}_${shape === 'community-zpid' ? 'zpid' : 'plid'}/`
}

const PRIME = 9_999_991
const MULTIPLIER = 4_051_003

/** The zpid of a building's own record (`position` 0) or of one of its units, ten digits. */
export function zpidWithin(serial: number, position: number): string {
  return String(2_050_000_000 + (((serial * 1_024 + position + 1) * MULTIPLIER) % PRIME))
}
