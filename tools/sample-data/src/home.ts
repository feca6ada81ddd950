import type { Building } from './buildings.ts'
import type { Features } from './features.ts'
import type { Metro } from './metros.ts'
import type { Offer } from './offer.ts'
import type { HomeType } from './property.ts'
import type { Size } from './sizes.ts'

/**
 * What is settled about one home before any of its record is written: each section of the record
 * is a function of this and of the date, so sections agree with one another without talking.
 */
export interface Home {
  zpid: string
  place: HomePlace
  homeType: HomeType
  size: Size
  features: Features
  /** What it would sell for, and rent for a month (null for land), in dollars. */
  value: number
  monthlyRent: number | null
  offer: Offer
  /** The building it is a unit of, or whose own record it is. */
  within?: { building: Building; unitNumber: string } | { building: Building; summary: BuildingSummary }
}

export interface HomePlace {
  /** With the unit, if there is one: "1201 Dexter Ave N APT 304". */
  streetAddress: string
  street: string
  city: string
  state: string
  zipcode: string
  county: string | null
  latitude: number
  longitude: number
  neighborhood: string
  subdivision: string | null
  metro: Metro
}

/** What a building's own record says about its units. */
export interface BuildingSummary {
  availableUnits: number
}

/** Whether this is the record of a whole building rather than of a home in it. */
export function isWholeBuilding(home: Home): boolean {
  return home.within !== undefined && 'summary' in home.within
}
