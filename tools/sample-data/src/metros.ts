/**
 * The metropolitan areas of the sample and how homes are priced in each. Figures are round ones
 * that look right for the place; they are no statistics and come from no listing.
 */

import type { Zone } from '@lotline/sample/calendar'

export interface Metro {
  name: string
  state: string
  /** The point from which the radius below is measured, in degrees. */
  latitude: number
  longitude: number
  /** Dollars per square foot of a typical house. */
  pricePerSqft: number
  /** Dollars of monthly rent per square foot of a typical home. */
  rentPerSqft: number
  /** Property tax a year as a share of the assessed value. */
  taxRate: number
  areaCode: string
  zone: Zone
  /** Shares of homes, 0 to 1. */
  poolShare: number
  coolingShare: number
  basementShare: number
  waterfrontShare: number
  /** Half of the houses are older than this. */
  medianYearBuilt: number
}

/** Addresses farther than this from every centre are left out of the sample. */
export const METRO_RADIUS_KM = 60

type MetroRow = [
  name: string,
  state: string,
  latitude: number,
  longitude: number,
  pricePerSqft: number,
  rentPerSqft: number,
  taxRate: number,
  areaCode: string,
  zone: string,
  poolShare: number,
  coolingShare: number,
  basementShare: number,
  waterfrontShare: number,
  medianYearBuilt: number,
]

const rows: MetroRow[] = [
  ['Seattle', 'WA', 47.61, -122.34, 560, 3.0, 0.0092, '206', 'Los_Angeles', 0.02, 0.45, 0.6, 0.03, 1938],
  ['Anchorage', 'AK', 61.2, -149.9, 235, 1.75, 0.0125, '907', 'Anchorage', 0.01, 0.05, 0.3, 0.02, 1982],
  ['Montgomery', 'AL', 32.37, -86.3, 115, 1.05, 0.0045, '334', 'Chicago', 0.1, 0.97, 0.05, 0.01, 1980],
  ['Fayetteville', 'AR', 36.06, -94.16, 185, 1.2, 0.0075, '479', 'Chicago', 0.05, 0.97, 0.1, 0.01, 1992],
  ['Phoenix', 'AZ', 33.5, -112.1, 255, 1.5, 0.0058, '602', 'Phoenix', 0.36, 0.99, 0.01, 0.01, 1984],
  ['Oakland', 'CA', 37.75, -122.2, 560, 2.9, 0.0115, '510', 'Los_Angeles', 0.08, 0.4, 0.08, 0.02, 1958],
  ['Sacramento', 'CA', 38.58, -121.49, 340, 1.9, 0.0108, '916', 'Los_Angeles', 0.22, 0.95, 0.02, 0.01, 1979],
  ['Los Angeles', 'CA', 33.95, -118.1, 560, 2.9, 0.0112, '213', 'Los_Angeles', 0.2, 0.75, 0.02, 0.02, 1957],
  ['Denver', 'CO', 39.75, -105.0, 310, 1.9, 0.0056, '303', 'Denver', 0.02, 0.75, 0.65, 0.01, 1979],
  ['Hartford', 'CT', 41.76, -72.68, 205, 1.6, 0.0215, '860', 'New_York', 0.06, 0.5, 0.8, 0.01, 1959],
  ['Springfield', 'MA', 42.1, -72.59, 220, 1.65, 0.0155, '413', 'New_York', 0.06, 0.45, 0.8, 0.01, 1952],
  ['Boston', 'MA', 42.36, -71.06, 430, 2.7, 0.0108, '617', 'New_York', 0.04, 0.55, 0.75, 0.03, 1939],
  ['Washington', 'DC', 38.9, -77.03, 480, 2.8, 0.0085, '202', 'New_York', 0.01, 0.9, 0.7, 0.01, 1931],
  ['Panama City', 'FL', 30.16, -85.66, 235, 1.6, 0.0085, '850', 'Chicago', 0.24, 0.99, 0.01, 0.12, 1991],
  ['Savannah', 'GA', 32.08, -81.1, 225, 1.55, 0.011, '912', 'New_York', 0.08, 0.98, 0.03, 0.06, 1976],
  ['Louisville', 'KY', 38.25, -85.76, 175, 1.2, 0.009, '502', 'New_York', 0.04, 0.93, 0.6, 0.01, 1966],
  ['Baltimore', 'MD', 39.15, -76.6, 250, 1.75, 0.0105, '410', 'New_York', 0.05, 0.92, 0.6, 0.08, 1978],
  ['Oklahoma City', 'OK', 35.47, -97.52, 155, 1.1, 0.0112, '405', 'Chicago', 0.08, 0.98, 0.04, 0.01, 1980],
  ['Nashville', 'TN', 36.16, -86.78, 285, 1.75, 0.0068, '615', 'Chicago', 0.06, 0.97, 0.2, 0.02, 1981],
  ['Burlington', 'VT', 44.48, -73.21, 300, 2.1, 0.0185, '802', 'New_York', 0.02, 0.25, 0.85, 0.05, 1976],
]

export const metros: readonly Metro[] = rows.map(toMetro)

function toMetro(row: MetroRow): Metro {
  const [name, state, latitude, longitude, pricePerSqft, rentPerSqft, taxRate, areaCode, zone] = row
  const [poolShare, coolingShare, basementShare, waterfrontShare, medianYearBuilt] = row.slice(9) as number[]
  return {
    name,
    state,
    latitude,
    longitude,
    pricePerSqft,
    rentPerSqft,
    taxRate,
    areaCode,
    zone: `America/${zone}` as Zone,
    poolShare: poolShare!,
    coolingShare: coolingShare!,
    basementShare: basementShare!,
    waterfrontShare: waterfrontShare!,
    medianYearBuilt: medianYearBuilt!,
  }
}
