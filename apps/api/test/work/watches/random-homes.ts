// Homes and searches made up from a seed. Values come from short lists, so that bounds are often met exactly.

import type { Area } from '@lotline/contract/checks'
import fc from 'fast-check'
import { type AreaSearch, HOME_TYPES, SALE_TYPES, WORLD } from '../../../src/domain/search/area-search.ts'

const LONGITUDES = [-180, -179.5, -122.4, -122.35, -122.3, 0, 179.5, 180]
const LATITUDES = [-90, 47.5, 47.6, 47.65, 47.7, 90]
const PRICES = [null, 0, 100_000, 250_000, 500_000, 750_000]
const NUMBERS = [null, 0, 1, 2, 2.5, 3, 4]
const STATUSES = [
  'FOR_SALE',
  'PENDING',
  'COMING_SOON',
  'FOR_RENT',
  'SOLD',
  'RECENTLY_SOLD',
  'OFF_MARKET',
  'AUCTION',
]
const TYPES = ['SINGLE_FAMILY', 'CONDO', 'TOWNHOUSE', 'LOT', 'HOUSEBOAT', null]

/** Their corners and edges meet the positions of homes. */
const AREAS: Area[] = [
  {
    type: 'Polygon',
    coordinates: [
      [
        [-122.4, 47.5],
        [-122.3, 47.5],
        [-122.3, 47.7],
        [-122.4, 47.5],
      ],
    ],
  },
  {
    type: 'Polygon',
    coordinates: [
      [
        [-180, -90],
        [-100, -90],
        [-100, 90],
        [-180, 90],
        [-180, -90],
      ],
      [
        [-122.4, 47.5],
        [-122.3, 47.5],
        [-122.3, 47.7],
        [-122.4, 47.7],
        [-122.4, 47.5],
      ],
    ],
  },
  { type: 'circle', center: [-122.35, 47.6], radius_m: 8_000 },
  { type: 'bbox', west: 179.5, south: -90, east: -122.4, north: 90 },
]

const home = fc.record({
  homeStatus: fc.constantFrom(...STATUSES),
  homeType: fc.constantFrom(...TYPES),
  longitude: fc.option(fc.constantFrom(...LONGITUDES), { freq: 20 }),
  latitude: fc.constantFrom(...LATITUDES),
  price: fc.constantFrom(...PRICES),
  bedrooms: fc.constantFrom(...NUMBERS),
  bathrooms: fc.constantFrom(...NUMBERS),
  livingArea: fc.constantFrom(null, 800, 1_500, 2_400),
  yearBuilt: fc.constantFrom(null, 1900, 1950, 2020),
  lotSize: fc.constantFrom(null, 4_000, 9_000),
  monthlyHoaFee: fc.constantFrom(null, 0, 250),
  hasPool: fc.constantFrom(null, true, false),
  hasGarage: fc.boolean(),
  isWaterfront: fc.boolean(),
  listingSubType: fc.constantFrom(null, { isFSBO: true }, { isNewHome: true }, { isPending: true }),
  resoFacts: fc.constantFrom(null, { isSeniorCommunity: true }),
  address: fc.constantFrom(
    null,
    { city: 'Seattle', state: 'WA', zipcode: '98109' },
    { city: 'St. Louis', state: 'MO', zipcode: '63101-1234' },
    { city: 'Seattle', zipcode: '98119' },
  ),
})

/** Records of homes with the zpids 1 to `count`. */
export function randomHomes(count: number, seed: number): Record<string, unknown>[] {
  return fc.sample(home, { numRuns: count, seed }).map((record, at) => ({
    zpid: String(at + 1),
    ...record,
    // Both or neither.
    latitude: record.longitude === null ? null : record.latitude,
  }))
}

const boundsOf = (values: readonly number[]) =>
  fc.option(
    fc
      .tuple(fc.option(fc.constantFrom(...values)), fc.option(fc.constantFrom(...values)))
      .map(([one, other]) => ({
        ...(one !== null && { min: other === null ? one : Math.min(one, other) }),
        ...(other !== null && { max: one === null ? other : Math.max(one, other) }),
      })),
    { nil: undefined, freq: 2 },
  )
const flag = fc.option(fc.boolean(), { nil: undefined, freq: 2 })

const filters = fc.record({
  status: fc.constantFrom('for_sale', 'for_rent', 'sold'),
  price: boundsOf([0, 100_000, 250_000, 500_000, 600_000]),
  beds: boundsOf([0, 1, 2, 3]),
  baths: boundsOf([1, 2.5]),
  sqft: boundsOf([800, 1_500]),
  yearBuilt: boundsOf([1900, 1950]),
  lotSize: boundsOf([4_000]),
  hoa: boundsOf([0, 250]),
  homeTypes: fc.option(fc.subarray([...HOME_TYPES], { minLength: 1 }), { nil: undefined }),
  saleTypes: fc.option(fc.subarray([...SALE_TYPES], { minLength: 1 }), { nil: undefined }),
  hasPool: flag,
  hasGarage: flag,
  isWaterfront: flag,
  pending: flag,
  comingSoon: flag,
  seniorCommunity: flag,
  zips: fc.option(fc.subarray(['98109', '98119', '63101', '00501'], { minLength: 1 }), { nil: undefined }),
  cities: fc.option(fc.subarray(['SEATTLE, WA', 'ST LOUIS, MO'], { minLength: 1 }), { nil: undefined }),
  areas: fc.option(fc.subarray(AREAS, { minLength: 1 }), { nil: undefined }),
  west: fc.constantFrom(...LONGITUDES),
  east: fc.constantFrom(...LONGITUDES),
  south: fc.constantFrom(-90, 47.5, 47.6),
  north: fc.constantFrom(47.6, 47.7, 90),
  /** The search has no box, so it finds homes without a position by ZIP codes and cities. */
  isAnywhere: fc.boolean(),
})

/** Some filters of a search; few at a time, so that it often finds something. */
export const anySearch = fc
  .tuple(
    filters,
    fc.subarray(
      [
        'price',
        'beds',
        'baths',
        'sqft',
        'yearBuilt',
        'lotSize',
        'hoa',
        'homeTypes',
        'saleTypes',
        'hasPool',
        'hasGarage',
        'isWaterfront',
        'pending',
        'comingSoon',
        'seniorCommunity',
        'zips',
        'cities',
        'areas',
      ] as const,
      { maxLength: 3 },
    ),
  )
  .map(([{ status, west, east, south, north, isAnywhere, ...optional }, names]): AreaSearch => {
    const chosen = Object.fromEntries(
      names.flatMap((name) => (optional[name] === undefined ? [] : [[name, optional[name]]])),
    )
    return { status, bbox: isAnywhere ? WORLD : { west, east, south, north }, ...chosen } as AreaSearch
  })
