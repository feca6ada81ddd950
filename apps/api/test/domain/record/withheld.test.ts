// The forms of rows and events that may be shown of a withheld home.

import { describe, expect, it } from 'vitest'
import {
  readStreetName,
  withheldEvent,
  withheldRow,
  withoutAddress,
} from '../../../src/domain/record/withheld.ts'

const RECORD = {
  zpid: '7',
  price: 500_000,
  streetAddress: '1420 N Juniper St APT 4',
  unitNumber: '4',
  city: 'Tacoma',
  latitude: 47.26123,
  longitude: -122.48017,
  parcelId: '0320364007',
  hdpUrl: '/homedetails/1420-N-Juniper/7_zpid/',
  address: { streetAddress: '1420 N Juniper St APT 4', city: 'Tacoma', state: 'WA', zipcode: '98406' },
  resoFacts: { parcelNumber: '0320364007', bedrooms: 3 },
}

describe('A record without its address', () => {
  it.each([
    'Come and see 1420 N Juniper Street.',
    'https://tours.example.com/1420-n-juniper-st-apt-4',
    'https://tours.example.com/1420%20Juniper',
    'At 1420 North Juniper: a home.',
    'https://maps.example.com/?center=47.2612,-122.4802',
    'Parcel 0320364007',
  ])('has no text that tells it: %s', (description) => {
    const shown = withoutAddress({
      ...RECORD,
      description,
      notes: [{ text: description }],
      photos: [description, 'a'],
    })
    expect(shown).toEqual({
      zpid: '7',
      price: 500_000,
      city: 'Tacoma',
      isUndisclosedAddress: true,
      notes: [{}],
      photos: ['a'],
      address: { city: 'Tacoma', state: 'WA', zipcode: '98406' },
      resoFacts: { bedrooms: 3 },
    })
  })

  const [streetNumber, streetName] = ['88', 'Hemlock']
  it.each([
    { streetNumber, streetName },
    { STREET_NUMBER: streetNumber, 'Street Name': streetName },
    { LATITUDE: '47.38095', Longitude: -122.23481, GEO_LAT: 47.38095 },
    { location: { type: 'Point', coordinates: [-122.23481, 47.38095] } },
    { site: [{ streetNumber, streetName, area: { unit: 'sqft' } }], 'address.streetNumber': streetNumber },
    { X_StreetNumber: streetNumber, property_street_name: streetName, situsAddress: '88 Hemlock Ct' },
    { streetNumber, streetName, note: 'Ask at 88 Hemlock Court' },
  ])('has none of its fields in any spelling, at any level: %j', (fields) => {
    const record = { zpid: '7', ...fields, floor: 88, price: 5 }
    for (const shown of [withoutAddress(record), withheldRow(record, 'record', 'address')]) {
      expect(JSON.stringify(shown)).not.toMatch(/Hemlock|47\.38|122\.23|"88"/)
      expect(shown).toMatchObject({ floor: 88, price: 5 })
    }
  })

  it('keeps the addresses of other homes, and fields whose names only resemble an address', () => {
    const kept = {
      nearbyHomes: [{ address: { streetAddress: '90 Hemlock Ct' }, latitude: 47.38 }],
      lot: { unit: 'acres', value: 2 },
      homeType: 'CONDO',
      listingSubType: {},
      propertyTypeDimension: 'Condo',
      location: 'Capitol Hill',
    }
    expect(withoutAddress({ ...kept, streetNumber })).toEqual({ ...kept, isUndisclosedAddress: true })
  })

  it.each(['14200 N Juniper Street', '1420 Main', 'Juniper trees', '47.2 miles', '0320364'])(
    'keeps a text that tells another: %s',
    (description) => {
      expect(withoutAddress({ ...RECORD, description }).description).toBe(description)
    },
  )

  it.each([
    ['5 Ave', '5 ave', '5 Elm'],
    ['77 Court Street Unit 3', 'at 77 Court Street', '77 Elm Street'],
    ['12 Avenue of the Americas', '12 Avenue of the Americas', '12 Avenue B'],
    ['9 Main St #2', '9-main', '9 Mainland'],
    ['W156N8480 Pilgrim Rd', 'at W156 N8480 Pilgrim Road', 'W156N8481 Pilgrim Rd'],
    ['W156 N8480 Pilgrim Rd', 'at w156n8480-pilgrim', 'W156N8481 Pilgrim Rd'],
    ['N6W23001 Bluemound Rd', 'N6W23001 Bluemound', 'W23001 Bluemound'],
    ['One Main St', 'Live at One Main Street', 'One of a kind, on Main'],
  ])('finds the street of %s', (streetAddress, same, another) => {
    expect(readStreetName(streetAddress)).toBeDefined()
    const shown = withoutAddress({ streetAddress, texts: [same, another] })
    expect(shown.texts).toEqual([another])
  })
})

describe('A street line that equals the name of the city', () => {
  it('does not remove the city from the record', () => {
    expect(withoutAddress({ streetAddress: 'Lake Stevens', city: 'Lake Stevens' }).city).toBe('Lake Stevens')
  })
})

describe('A row of a withheld home', () => {
  const SEARCH = {
    zpid: '7',
    detailUrl: 'https://www.zillow.com/homedetails/1420-N-Juniper/7_zpid/',
    price: '$500,000',
    latLong: { latitude: 47.26123, longitude: -122.48017 },
    unformattedPrice: 500_000,
    statusType: 'FOR_SALE',
    address: '1420 N Juniper St, Tacoma, WA 98406',
    addressStreet: '1420 N Juniper St',
    addressCity: 'Tacoma',
    addressState: 'WA',
    addressZipcode: '98406',
    isUndisclosedAddress: false,
    imgSrc: '/1420-n-juniper.jpg',
    hdpData: {
      homeInfo: { streetAddress: '1420 N Juniper St', unit: '4', latitude: 47.26123, city: 'Tacoma' },
    },
  }

  it('of a search has the region, and a position rounded to about 10 km', () => {
    expect(withheldRow(SEARCH, 'search', 'address')).toEqual({
      zpid: '7',
      detailUrl: '',
      price: '$500,000',
      unformattedPrice: 500_000,
      statusType: 'FOR_SALE',
      latLong: { latitude: 47.3, longitude: -122.5 },
      address: 'Tacoma, WA 98406',
      addressStreet: null,
      addressCity: 'Tacoma',
      addressState: 'WA',
      addressZipcode: '98406',
      isUndisclosedAddress: true,
      hdpData: { homeInfo: { city: 'Tacoma', isUndisclosedAddress: true } },
      withheld: 'address',
    })
  })

  it('of a search has no position if the home has none', () => {
    for (const withheld of ['address', 'listing'] as const)
      expect(withheldRow({ ...SEARCH, latLong: null }, 'search', withheld).latLong, withheld).toBeNull()
  })

  it('of a unit has only its zpid, because the building reveals its address', () => {
    const unit = { zpid: '7', unitNumber: '4', price: 2_000, fullAddress: '1420 N Juniper St' }
    expect(withheldRow(unit, 'unit', 'address')).toEqual({ zpid: '7', withheld: 'address' })
    expect(withheldRow(unit, 'unit', 'listing')).toEqual({ zpid: '7', withheld: 'listing' })
  })

  it('of a batch does not repeat the input, which may be the address', () => {
    const row = { input: '1420 N Juniper St, Tacoma', source: { name: 'north' }, ...RECORD }
    expect(withheldRow(row, 'record', 'address')).toMatchObject({ input: '7', source: { name: 'north' } })
    expect(withheldRow(row, 'record', 'listing')).toEqual({ input: '7', zpid: '7', withheld: 'listing' })
  })
})

describe('An event of a withheld home', () => {
  const EVENT = {
    type: 'listing.price_changed',
    previous: { price: 2, status: 'pending' },
    current: { price: 1 },
    change: { amount: -1, percent: -50 },
    listing: { zpid: '7' },
  }

  it('has no listing, and has prices only if the listing may be shown', () => {
    expect(withheldEvent(EVENT, 'address')).toEqual({ ...EVENT, listing: null, withheld: 'address' })
    expect(withheldEvent(EVENT, 'listing')).toEqual({
      type: 'listing.price_changed',
      previous: { status: 'pending' },
      current: {},
      change: null,
      listing: null,
      source: null,
      withheld: 'listing',
    })
  })
})
