/** The whole property record: its groups of fields together. */

import type {
  BuildingFields,
  HomeFields,
  ListingFields,
  MediaFields,
  OpenHouse,
  PlaceFields,
  PriceEvent,
  School,
  TaxYear,
} from './property.ts'
import type { ResoFacts } from './reso-facts.ts'

export interface Property extends PlaceFields, HomeFields, ListingFields, MediaFields, BuildingFields {
  zpid: string
  /** The listing's page: `https://homes.example.com/homedetails/{slug}/{zpid}_zpid/`, or a path for the home of the manual. */
  hdpUrl: string
  priceHistory: PriceEvent[]
  taxHistory: TaxYear[]
  schools: School[]
  openHouseSchedule: OpenHouse[]
  resoFacts: ResoFacts
}
