// What there is to be found: the listings of a run, and what each query about them must find.

import { Listings } from '@lotline/api/reference-provider/listings.ts'
import type { Property } from '@lotline/contract'
import { type Box, COUNTRY, type Diamond } from './areas.ts'

export type Status = 'for_sale' | 'for_rent' | 'sold'

export interface Truth {
  /** Homes that stand alone, each with an address. */
  readonly homes: readonly Property[]
  readonly buildings: readonly Building[]
  /** All listings of the box with this status, in the order in which a search gives them. */
  search(status: Status, bbox: Box): readonly string[]
  /** All listings in the diamond with this status. */
  searchIn(status: Status, diamond: Diamond): readonly string[]
}

export interface Building {
  readonly url: string
  /** Its own record, where it has one. */
  readonly parent: string | undefined
  readonly units: readonly string[]
}

const SITE = 'https://www.zillow.com'

export function truthOf(records: readonly Property[]): Truth {
  const listings = new Listings(records)
  const buildings = new Map<string, { parent: string | undefined; units: string[] }>()
  for (const record of records) {
    const path = buildingPathOf(record)
    if (path === undefined) continue
    const building = buildings.get(path) ?? { parent: undefined, units: [] }
    buildings.set(path, building)
    if ((record as { isBuilding?: unknown }).isBuilding === true) building.parent = String(record.zpid)
    else building.units.push(String(record.zpid))
  }
  return {
    homes: records.filter(
      (record) => buildingPathOf(record) === undefined && addressOf(record) !== undefined,
    ),
    buildings: [...buildings].map(([path, building]) => ({ url: SITE + path, ...building })),
    search: (status, bbox) => find(status, bbox).map(({ zpid }) => String(zpid)),
    searchIn: (status, diamond) =>
      find(status, COUNTRY)
        .filter((home) => diamond.contains(home))
        .map(({ zpid }) => String(zpid)),
  }

  function find(status: Status, bbox: Box): readonly Property[] {
    return listings.search({ status, bbox }, Number.POSITIVE_INFINITY, new Date()).properties
  }
}

/** The URL of a home's listing. */
export function homeUrl(zpid: string): string {
  return `${SITE}/homedetails/some-street/${zpid}_zpid/`
}

/** On one line. */
export function addressOf({ address }: Property): string | undefined {
  const { streetAddress, city, state, zipcode } = (address ?? {}) as Record<string, unknown>
  return streetAddress && zipcode ? `${streetAddress}, ${city}, ${state} ${zipcode}` : undefined
}

function buildingPathOf(record: Property): string | undefined {
  const { bdpUrl } = record as { bdpUrl?: unknown }
  return typeof bdpUrl === 'string' && bdpUrl !== '' ? bdpUrl : undefined
}
