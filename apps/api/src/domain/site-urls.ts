// URLs of listing sites.

export { type ListingSites, listingSites } from './site-urls/listing-sites.ts'
export {
  type BuildingReference,
  detailUrl,
  findPathReference,
  type ListingReference,
  lookupUrl,
  parseBuildingUrl,
  parseListingUrl,
  referenceKey,
} from './site-urls/listing-url.ts'
