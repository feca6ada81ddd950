// URLs of listing sites.

export { listingSites, type ListingSites } from './site-urls/listing-sites.ts'
export { type BuildingReference, detailUrl, findPathReference, type ListingReference, lookupUrl, parseBuildingUrl, parseListingUrl, referenceKey } from './site-urls/listing-url.ts'
