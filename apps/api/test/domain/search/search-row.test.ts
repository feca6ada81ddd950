import type { Property } from '@lotline/contract'
import { describe, expect, test } from 'vitest'
import { oneLineAddress } from '../../../src/domain/address/record-address.ts'
import { toMapMarker, toSearchRow } from '../../../src/domain/search/search-row.ts'
import { toSearchSummary } from '../../../src/domain/search/search-summary.ts'
import { listingSites } from '../../../src/domain/site-urls/listing-sites.ts'
import { parseListingUrl, referenceKey } from '../../../src/domain/site-urls/listing-url.ts'
import { isRefusal } from '../../../src/infrastructure/platform/refusal.ts'
import { faultsAs } from '../record/contract-schema.ts'
import { NOW, SAMPLE } from '../record/sample-records.ts'
import { needSharedText } from '../record/shared-data.ts'

const SITES = listingSites(['zillow.com', 'homes.example.com'])

const HOME: Property = {
  zpid: '48749425',
  hdpUrl: '/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/',
  address: { streetAddress: '2114 Bigelow Ave N', city: 'Seattle', state: 'WA', zipcode: '98109' },
  latitude: 47.63786,
  longitude: -122.34868,
  price: 1_675_000,
  bedrooms: 4,
  bathrooms: 2.75,
  livingArea: 2740,
  lotAreaValue: 4800,
  lotAreaUnits: 'Square Feet',
  homeType: 'SINGLE_FAMILY',
  homeStatus: 'FOR_SALE',
  datePosted: '2026-10-19',
  brokerageName: 'Bigelow & Finch Realty',
  zestimate: 1_702_300,
  listing_sub_type: { is_FSBA: true, is_newHome: false },
  responsivePhotos: [
    {
      url: 'https://photos.example.com/1-768.jpg',
      mixedSources: {
        jpeg: [192, 384, 768].map((width) => ({ url: `https://photos.example.com/1-${width}.jpg`, width })),
        webp: [],
      },
    },
  ],
  openHouseSchedule: [
    { startTime: '2026-11-01T20:00:00Z', endTime: '2026-11-01T22:00:00Z' },
    { startTime: '2026-11-08T20:00:00Z', endTime: '2026-11-08T22:00:00Z' },
  ],
}

test('a row has the listing under the names that clients know', () => {
  expect(toSearchRow(HOME, NOW, SITES)).toMatchObject({
    zpid: '48749425',
    address: '2114 Bigelow Ave N, Seattle, WA 98109',
    addressStreet: '2114 Bigelow Ave N',
    addressCity: 'Seattle',
    addressState: 'WA',
    addressZipcode: '98109',
    price: '$1,675,000',
    unformattedPrice: 1_675_000,
    priceLabel: '$1.68M',
    beds: 4,
    baths: 2.75,
    area: 2740,
    latLong: { latitude: 47.63786, longitude: -122.34868 },
    statusType: 'FOR_SALE',
    statusText: 'House for sale',
    rawHomeStatusCd: 'ForSale',
    marketingStatusSimplifiedCd: 'For Sale by Agent',
    lotAreaString: '4,800 sqft',
    brokerName: 'Bigelow & Finch Realty',
    flexFieldText: '15 days on the market',
    timeOnSite: 15 * 86_400_000,
    imgSrc: 'https://photos.example.com/1-384.jpg',
    hasImage: true,
    detailUrl: 'https://www.zillow.com/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/',
    hdpData: {
      homeInfo: {
        zpid: '48749425',
        homeStatus: 'FOR_SALE',
        daysOnSite: 15,
        price: 1_675_000,
        bedrooms: 4,
        zestimate: 1_702_300,
        listing_sub_type: { is_FSBA: true },
        open_house_info: {
          open_house_showing: [
            { open_house_start: Date.UTC(2026, 10, 8, 20), open_house_end: Date.UTC(2026, 10, 8, 22) },
          ],
        },
      },
    },
  })
})

describe('price and status are text for display', () => {
  test.each<[Partial<Property>, object]>([
    [{ price: 1_250_000 }, { price: '$1,250,000', priceLabel: '$1.25M', unformattedPrice: 1_250_000 }],
    [{ price: 999_999 }, { price: '$999,999', priceLabel: '$1M' }],
    [{ price: 985_400 }, { priceLabel: '$985K' }],
    [{ price: 9_500 }, { priceLabel: '$9,500' }],
    [{ price: 0 }, { price: '$0', unformattedPrice: 0 }],
    [{ price: null }, { price: null, unformattedPrice: null, priceLabel: null }],
    [
      { price: 2500, homeStatus: 'FOR_RENT' },
      { price: '$2,500/mo', priceLabel: '$2,500', statusType: 'FOR_RENT' },
    ],
    [{ homeStatus: 'FOR_RENT', homeType: 'APARTMENT' }, { statusText: 'Apartment for rent' }],
    [{ homeStatus: 'PENDING' }, { statusType: 'PENDING', statusText: 'Pending' }],
    [{ homeStatus: 'COMING_SOON' }, { statusType: 'FOR_SALE', statusText: 'Coming soon' }],
    [
      { homeStatus: 'RECENTLY_SOLD', dateSold: '2026-10-28' },
      {
        statusType: 'SOLD',
        statusText: 'Sold 10/28/2026',
        rawHomeStatusCd: 'RecentlySold',
        flexFieldText: 'Sold Oct 28',
      },
    ],
    [
      { homeStatus: 'SOLD', homeType: null },
      { statusType: 'SOLD', statusText: 'Sold' },
    ],
    [{ homeStatus: 'OTHER' }, { statusType: 'OTHER', statusText: 'Off market' }],
    [{ homeStatus: null }, { statusType: 'OTHER' }],
  ])('%j', (change, expected) => {
    expect(toSearchRow({ ...HOME, ...change }, NOW, SITES)).toMatchObject(expected)
  })
})

test('the size of a lot is in acres from one acre on', () => {
  const lot = (change: Partial<Property>) => toSearchRow({ ...HOME, ...change }, NOW, SITES).lotAreaString
  expect(lot({ lotAreaValue: 2.3, lotAreaUnits: 'Acres' })).toBe('2.3 acres')
  expect(lot({ lotAreaValue: 0.11, lotAreaUnits: 'Acres' })).toBe('4,792 sqft')
  expect(lot({ lotAreaValue: null, lotSize: 43_560 })).toBe('1 acre')
  expect(lot({ lotAreaValue: null, lotSize: null })).toBeUndefined()
  expect(lot({ lotAreaValue: 0 })).toBeUndefined()
})

test('the address has the name of the building', () => {
  const unit = {
    ...HOME,
    buildingName: 'The Marlowe',
    address: { ...HOME.address, streetAddress: '1210 Dexter Ave N APT 407' },
  }
  expect(toSearchRow(unit, NOW, SITES).address).toBe(
    'The Marlowe, 1210 Dexter Ave N APT 407, Seattle, WA 98109',
  )
})

test('an address that is kept private is not shown', () => {
  const row = toSearchRow(
    { ...HOME, isUndisclosedAddress: true, address: { ...HOME.address, streetAddress: null } },
    NOW,
    SITES,
  )
  expect(row).toMatchObject({ address: 'Seattle, WA 98109', addressStreet: null, isUndisclosedAddress: true })
  expect(oneLineAddress({ zpid: '1', address: null })).toBeNull()
})

describe('the detailUrl', () => {
  const sites = listingSites(['listings.example', 'zillow.com'])
  const urlOf = (hdpUrl: unknown, of = sites) =>
    toSearchRow({ ...HOME, hdpUrl } as Property, NOW, of).detailUrl

  test.each<[unknown, string]>([
    ['/homedetails/x/48749425_zpid/', 'https://www.listings.example/homedetails/x/48749425_zpid/'],
    ['/homedetails/x/48749425_zpid/?a=1#b', 'https://www.listings.example/homedetails/x/48749425_zpid/'],
    [
      'https://other.example/homedetails/x/48749425_zpid/',
      'https://other.example/homedetails/x/48749425_zpid/',
    ],
    ['https://broker.example/homes/7?view=full', 'https://broker.example/homes/7?view=full'],
  ])('of hdpUrl %j is the link that the record carries', (hdpUrl, url) => {
    expect(urlOf(hdpUrl)).toBe(url)
  })

  test.each([
    [undefined],
    [null],
    [''],
    ['//evil.example/homedetails/x/1_zpid/'],
    ['javascript:alert(1)'],
    ['https://user@evil.example/1'],
    ['https://broker.example/a b'],
    ['/profile/1'],
  ])('of hdpUrl %j is empty, or the page of the home on the operator’s own site', (hdpUrl) => {
    expect(urlOf(hdpUrl)).toBe('')
    const own = listingSites(['listings.example'], 'https://homes.example/listing/{zpid}')
    expect(urlOf(hdpUrl, own)).toBe('https://homes.example/listing/48749425')
    expect(parseListingUrl(urlOf(hdpUrl, own), own)).toEqual({ kind: 'home', zpid: '48749425' })
  })

  test('a host with www. keeps it', () => {
    expect(listingSites(['www.homes.example']).origin).toBe('https://www.homes.example')
    expect(listingSites([]).origin).toBe('https://www.zillow.com')
  })
})

test('a map marker has fewer fields than a row', () => {
  const marker = toMapMarker(HOME, SITES)
  expect(faultsAs('SearchRow', marker)).toEqual([])
  expect(toSearchRow(HOME, NOW, SITES)).toMatchObject(marker)
  expect(Object.keys(marker)).toEqual([
    'zpid',
    'detailUrl',
    'latLong',
    'price',
    'unformattedPrice',
    'priceLabel',
    'beds',
    'baths',
    'area',
    'statusType',
    'homeType',
    'brokerName',
  ])
})

test('a building has a row that identifies it as a building', () => {
  const building = SAMPLE.find((record) => record.isBuilding === true && record.price)
  if (!building) throw new Error('The sample has no building with a price')
  const row = toSearchRow(building, NOW, SITES)
  expect(row).toMatchObject({ isBuilding: true, buildingName: building.buildingName })
  expect(row.price).toMatch(/^From \$/)
  expect(row).not.toHaveProperty('hdpData')
  const reference = parseListingUrl(row.detailUrl ?? '', SITES)
  expect(reference).toMatchObject({ kind: 'building' })
})

test.each(['latitude', 'longitude'])('a record without %s makes a row without a position', (field) => {
  const row = toSearchRow({ ...HOME, [field]: null }, NOW, SITES)
  expect(row).toMatchObject({ zpid: '48749425', latLong: null })
  expect(faultsAs('SearchRow', row)).toEqual([])
})

test('a record in which every field has the wrong type still makes a row that fits the contract', () => {
  const wrong = Object.fromEntries(Object.keys(HOME).map((name) => [name, { odd: ['x'] }]))
  const record = { ...wrong, zpid: '1', latitude: 1, longitude: 2 } as Property
  expect(faultsAs('SearchRow', toSearchRow(record, NOW, SITES))).toEqual([])
})

describe('every record of the sample', () => {
  test('makes a row and a marker that fit the contract', () => {
    for (const record of SAMPLE) {
      expect(faultsAs('SearchRow', toSearchRow(record, NOW, SITES))).toEqual([])
      expect(faultsAs('SearchRow', toMapMarker(record, SITES))).toEqual([])
    }
  })

  test('has no invented link to another company’s site', () => {
    const homes = SAMPLE.filter(({ isBuilding }) => isBuilding !== true)
    const links = homes.map((record) => toSearchRow(record, NOW, SITES).detailUrl ?? '')
    const elsewhere = links.filter((link) => new URL(link).host !== 'homes.example.com')
    expect(elsewhere).toEqual([
      'https://www.zillow.com/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/',
    ])
  })

  test('is found by the link in its row', () => {
    for (const record of SAMPLE) {
      const reference = parseListingUrl(toSearchRow(record, NOW, SITES).detailUrl ?? '', SITES)
      if (isRefusal(reference)) throw new Error(reference.message)
      if (record.isBuilding !== true) expect(referenceKey(reference)).toBe(`home/${record.zpid}`)
    }
  })

  test('makes the same row from its summary, which is much smaller', () => {
    let [whole, summaries] = [0, 0]
    for (const record of SAMPLE) {
      const summary = JSON.parse(JSON.stringify(toSearchSummary(record))) as Property
      expect(toSearchRow(summary, NOW, SITES)).toEqual(toSearchRow(record, NOW, SITES))
      whole += JSON.stringify(record).length
      summaries += JSON.stringify(summary).length
    }
    expect(summaries).toBeLessThan(whole / 4)
  })
})

test.for(['kc-house-sales', 'lucas-county-oh-sales', 'nyc-rolling-sales'])(
  'real records of %s make rows that the contract allows, the same from their summaries',
  (name, context) => {
    const text = needSharedText(
      context,
      `unified-records/${name}.ndjson.gz`,
      'real records make rows that the contract allows',
    )
    for (const line of text.split('\n').slice(0, 2000)) {
      const record = JSON.parse(line) as Property
      const row = toSearchRow(record, NOW, SITES)
      expect(faultsAs('SearchRow', row)).toEqual([])
      expect(toSearchRow(toSearchSummary(record), NOW, SITES)).toEqual(row)
    }
  },
)
