/** One place where a home of the sample stands, and what is decided by hand about it. */

import type { Features } from './features.ts'
import type { Metro } from './metros.ts'
import type { Offer } from './offer.ts'
import type { HomeType } from './property.ts'
import type { Size } from './sizes.ts'

export interface StreetNumber {
  number: number
  /** In postal abbreviations: "Bigelow Ave N". */
  street: string
  city: string
  state: string
  zipcode: string
  latitude: number
  longitude: number
  /** Whether house numbers grow northwards along the street; eastwards if not. */
  runsNorth: boolean
  /** Set where the home is not left to chance. */
  fixed?: FixedHome
}

/** What is decided by hand about a home. */
export interface FixedHome {
  zpid: string
  homeType: HomeType
  size: Size
  features: Partial<Features>
  /** Dollars. */
  value: number
  offer: Offer
}

export interface Site extends StreetNumber {
  metro: Metro
  county: string | null
}
