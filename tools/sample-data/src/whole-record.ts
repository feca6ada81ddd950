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
  /** Path of the listing's page: `/homedetails/{slug}/{zpid}_zpid/`. */
  hdpUrl: string
  priceHistory: PriceEvent[]
  taxHistory: TaxYear[]
  schools: School[]
  openHouseSchedule: OpenHouse[]
  resoFacts: ResoFacts
}
