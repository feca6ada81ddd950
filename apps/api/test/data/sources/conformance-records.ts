// The homes of the conformance suite: few, each made for one query, on a made-up map.

import type { Property } from '@lotline/contract'

const DAY_MS = 86_400_000

/** The day this many days ago, as `YYYY-MM-DD`. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

/** The position of all homes without one of their own. */
const PLACE = { latitude: 47.6, longitude: -122.3 }

function home(zpid: string, fields: Property): Property {
  return { zpid, homeType: 'SINGLE_FAMILY', homeStatus: 'FOR_SALE', ...PLACE, ...fields }
}

function at(streetAddress: string, zipcode: string): Property {
  return { address: { streetAddress, city: 'Seattle', state: 'WA', zipcode } }
}

const nowhere = { latitude: null, longitude: null }

/** Homes for sale around PLACE, in the order in which searches return them. */
export const FOR_SALE: readonly Property[] = [
  home('1001', {
    datePosted: daysAgo(3),
    price: 500_000,
    bedrooms: 3,
    bathrooms: 2.5,
    livingArea: 1800,
    yearBuilt: 1990,
    hasPool: true,
    hasGarage: false,
    lotSize: 5000,
    monthlyHoaFee: 0,
    listingSubType: { isFSBO: true },
    openHouseSchedule: [{ startTime: '2100-01-02T20:00:00Z', endTime: '2100-01-02T22:00:00Z' }],
  }),
  home('1002', {
    datePosted: daysAgo(10),
    homeType: 'CONDO',
    price: 300_000,
    bedrooms: 2,
    bathrooms: 1,
    livingArea: 900,
    yearBuilt: 2005,
    resoFacts: { hasGarage: true },
    monthlyHoaFee: 450,
    openHouseSchedule: [{ startTime: '2001-01-06T20:00:00Z', endTime: '2001-01-06T22:00:00Z' }],
  }),
  home('1003', {
    datePosted: daysAgo(20),
    homeType: 'TOWNHOUSE',
    price: 450_000,
    bedrooms: 3,
    bathrooms: 2,
    livingArea: 1500,
    yearBuilt: 2010,
    hasGarage: true,
    resoFacts: { hasPrivatePool: true },
  }),
  home('1004', {
    datePosted: daysAgo(60),
    homeType: 'MULTI_FAMILY',
    price: 900_000,
    bedrooms: 8,
    bathrooms: 4,
    livingArea: 4000,
    yearBuilt: 1925,
    isWaterfront: true,
    homeStatus: 'PENDING',
  }),
  home('1005', {
    datePosted: daysAgo(150),
    homeType: 'MANUFACTURED',
    price: 90_000,
    bedrooms: 2,
    bathrooms: 1,
    livingArea: 800,
    yearBuilt: 1978,
    resoFacts: { hasWaterfrontView: true, isSeniorCommunity: true },
    lotSize: 3000,
  }),
  home('1006', { datePosted: daysAgo(300), homeType: 'LOT', price: 120_000 }),
  // Homes of the same age: sorted by zpid, and those without a date last.
  home('1007', { homeType: 'APARTMENT', price: 250_000, bedrooms: 0, bathrooms: 1, livingArea: 450 }),
  home('1008', { homeStatus: 'COMING_SOON', price: null }),
]

const FOR_RENT = [
  home('1101', { homeStatus: 'FOR_RENT', homeType: 'APARTMENT', price: 2500, datePosted: daysAgo(5) }),
]
const SOLD = [
  home('1201', { homeStatus: 'RECENTLY_SOLD', price: 640_000, dateSold: daysAgo(40) }),
  home('1202', {
    homeStatus: 'SOLD',
    price: 610_000,
    priceHistory: [{ date: daysAgo(400), event: 'Sold', price: 610_000 }],
  }),
]
const UNSEEN = [
  home('1301', { homeStatus: 'OFF_MARKET' }),
  home('1302', { homeStatus: 'OTHER' }),
  home('1303', nowhere),
]

/** Homes for rent on latitude 52, by longitude. */
export const AROUND_THE_ANTIMERIDIAN: ReadonlyMap<number, string> = new Map([
  [179, '2001'],
  [179.5, '2002'],
  [180, '2003'],
  [-180, '2004'],
  [-179.5, '2005'],
  [-179, '2006'],
  [0, '2007'],
])
const pacific = [...AROUND_THE_ANTIMERIDIAN].map(([longitude, zpid]) =>
  home(zpid, { homeStatus: 'FOR_RENT', latitude: 52, longitude }),
)

/** Units of a building are at a place where no search looks. */
function unit(zpid: string, bdpUrl: string, unitNumber: string, homeStatus: string): Property {
  const address = at(`40 Tower Rd Apt ${unitNumber}`, '98104')
  return home(zpid, { ...address, ...nowhere, bdpUrl, unitNumber, homeStatus, homeType: 'APARTMENT' })
}

export const TOWER = '/b/tower-seattle-wa-AbC123/'
const tower = [
  home('3000', { bdpUrl: TOWER, isBuilding: true, buildingName: 'Tower', homeStatus: 'FOR_SALE' }),
  unit('3001', TOWER, '10', 'FOR_SALE'),
  unit('3002', TOWER, '2', 'FOR_RENT'),
  unit('3003', TOWER, '10A', 'RECENTLY_SOLD'),
  unit('3004', TOWER, '1', 'OFF_MARKET'),
  unit('3005', TOWER, '3', 'PENDING'),
]

/** A building for each form of building URL. Only those with `record` have a record of their own. */
export const BUILDINGS: readonly { url: string; record?: string; unit: string }[] = [
  { url: TOWER, record: '3000', unit: '3001' },
  { url: '/b/other-name-AbC123/', record: '3000', unit: '3001' },
  { url: '/b/AbC123', record: '3000', unit: '3001' },
  { url: '/b/seattle-wa/47.61,-122.33_ll/', unit: '3101' },
  { url: '/apartments/seattle-wa/the-place/XyZ789/', record: '3200', unit: '3201' },
  { url: '/community/garden-homes/3300_zpid/', record: '3300', unit: '3301' },
  { url: '/community/hill-homes/77_plid/', record: '3400', unit: '3401' },
]
const otherBuildings = BUILDINGS.slice(3).flatMap(({ url, record, unit: zpid }) => [
  ...(record === undefined ? [] : [home(record, { ...nowhere, bdpUrl: url, isBuilding: true })]),
  { ...unit(zpid, url, '1', 'FOR_RENT'), ...at(`1 ${zpid} St Apt 1`, '98104') },
])

const doors = [
  home('4001', { ...at('500 Oak Ave', '98101'), ...nowhere }),
  home('4002', { ...at('500 Oak Ave', '98102'), ...nowhere }),
  home('4003', { ...at('77 Pine St Apt 1', '98101'), ...nowhere }),
  home('4004', { ...at('77 Pine St #2', '98101'), ...nowhere }),
  // One home with three listings.
  home('4005', { ...at('9 Elm Ct', '98101'), ...nowhere, homeStatus: 'FOR_RENT' }),
  home('4006', { ...at('9 Elm Court', '98101'), ...nowhere, homeStatus: 'FOR_SALE' }),
  home('4007', { ...at('9 ELM CT', '98101-1234'), ...nowhere, homeStatus: 'RECENTLY_SOLD' }),
  home('4008', { ...at('12 N 3rd St Unit 5', '98101'), ...nowhere, homeStatus: 'OFF_MARKET' }),
]

export const RECORDS: readonly Property[] = [
  // The order differs from every order of a result.
  ...FOR_SALE.toReversed(),
  ...FOR_RENT,
  ...SOLD.toReversed(),
  ...UNSEEN,
  ...pacific,
  ...tower,
  ...otherBuildings,
  ...doors,
]
