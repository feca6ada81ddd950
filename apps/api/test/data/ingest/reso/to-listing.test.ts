import { describe, expect, it } from 'vitest'
import { mergePriceHistory } from '../../../../src/data/ingest/reso/price-history.ts'
import {
  describeFields,
  type Listing,
  type ListingOptions,
  toListing,
} from '../../../../src/data/ingest/reso/to-listing.ts'
import { checkRecord } from '../../../../src/data/listings/check-record.ts'
import { findTypesAt } from '../../../../src/data/listings/contract-types.ts'
import { parseAddress } from '../../../../src/domain/address/street-address.ts'
import { OverridesFault, readOverrides, standardDictionary } from '../../../../src/domain/reso/dictionary.ts'
import { toReso } from '../../../../src/domain/reso/from-record.ts'
import { ENUMERATED, PROPERTY } from './a-property.ts'

const OPTIONS: ListingOptions = {
  profile: { mediaLinks: true },
  source: { name: 'northwest', notice: '© 2026 Northwest Test MLS. All rights reserved.', use: 'IDX' },
}

function listingOf(property: object, options: Partial<ListingOptions> = {}): Listing & { kind: 'listing' } {
  const listing = toListing({ ...PROPERTY, ...property }, { ...OPTIONS, ...options })
  if (listing.kind !== 'listing') throw new Error(`${listing.kind}, not a listing`)
  return listing
}

// biome-ignore lint/suspicious/noExplicitAny: records are read by field, as clients read them
const recordOf = (property: object, options?: Partial<ListingOptions>): any =>
  listingOf(property, options).record

describe('A property of a RESO feed', () => {
  it('becomes a record with the place, size, price, facts, and history of the home', () => {
    const { record, sourceKey, modified, unknownLookups } = listingOf({})
    expect({ sourceKey, modified, unknownLookups }).toEqual({
      sourceKey: 'A-1001',
      modified: '2026-11-20T18:30:05.123Z',
      unknownLookups: [],
    })
    expect(record).toMatchObject({
      homeStatus: 'FOR_SALE',
      homeType: 'SINGLE_FAMILY',
      price: 725000,
      priceChange: -20000,
      streetAddress: '1420 N Juniper Street',
      address: { streetAddress: '1420 N Juniper Street', city: 'Tacoma', state: 'WA', zipcode: '98406' },
      latitude: 47.2612,
      longitude: -122.4801,
      parcelId: '0320364007',
      mlsid: '2234567',
      bedrooms: 3,
      bathrooms: 2.5,
      livingArea: 1870,
      lotSize: 10890,
      yearBuilt: 1987,
      hasGarage: true,
      hasPool: false,
      monthlyHoaFee: 200,
      datePosted: '2026-10-01',
      description: 'Bright home near the park.',
      heating: ['Forced Air', 'Natural Gas'],
      photoCount: 2,
      openHouseSchedule: [{ startTime: '2026-11-28T20:00:00.000Z', endTime: '2026-11-28T22:00:00.000Z' }],
      taxHistory: [{ time: Date.UTC(2026, 0), taxPaid: 6120, value: null }],
    })
    expect(record.resoFacts).toMatchObject({
      appliances: ['Dishwasher', 'Electric Range'],
      architecturalStyle: 'Craftsman',
      listingTerms: 'Cash, Conventional, VA Loan',
      associationFee: '$600 quarterly',
      bathrooms: 3,
      bathroomsFloat: 2.5,
      livingArea: '1,870 sqft',
      elementarySchool: 'Jefferson',
    })
  })

  it('becomes the same record with enumerations as with lookups', () => {
    expect(toListing(ENUMERATED, OPTIONS)).toEqual(toListing(PROPERTY, OPTIONS))
  })

  it('becomes a record that fits the contract without a conversion', () => {
    const record = { ...recordOf({}), zpid: '1' }
    expect(checkRecord(structuredClone(record))).toEqual({ record, warnings: [] })
  })

  it('keeps decimals of parking spaces, and the suffix modifier of the street line', () => {
    const record = recordOf({
      GarageSpaces: 2.5,
      ParkingTotal: 3.5,
      StreetSuffixModifier: 'Ext',
      StreetDirSuffix: 'W',
    })
    expect(record).toMatchObject({
      address: { streetAddress: '1420 N Juniper Street Ext W' },
      resoFacts: { garageParkingCapacity: 2.5, garageSpaces: 2.5, parkingCapacity: 3.5 },
    })
    expect(toReso(record, new Date())).toMatchObject({
      UnparsedAddress: '1420 N Juniper Street Ext W, Tacoma, WA 98406',
      GarageSpaces: 2.5,
      ParkingTotal: 3.5,
    })
    const keyOf = (line: string) => (parseAddress(`${line}, Tacoma, WA 98406`) as { key: string }).key
    expect(keyOf('1420 N Juniper Street Ext W')).toBe(keyOf('1420 North Juniper St Extension West'))
    expect(keyOf('1420 N Juniper Street Ext W')).not.toBe(keyOf('1420 N Juniper Street W'))
  })

  it('becomes a record without private remarks, showing instructions, and names of owners', () => {
    const text = JSON.stringify(recordOf({}))
    for (const secret of ['4471', 'Pat Doe', 'lock box']) expect(text).not.toContain(secret)
  })

  it('keeps an unknown lookup as text, and reports it', () => {
    const { record, unknownLookups } = listingOf({ Heating: ['Forced Air', 'Dragon Breath'] })
    expect(record.heating).toEqual(['Forced Air', 'Dragon Breath'])
    expect(unknownLookups).toEqual([{ field: 'Heating', value: 'Dragon Breath' }])
  })

  it('is rejected without a usable key', () => {
    for (const ListingKey of [undefined, null, '', ' ', 'x'.repeat(201), {}]) {
      expect(toListing({ ...PROPERTY, ListingKey }, OPTIONS).kind).toBe('rejected')
    }
    expect(toListing('a text', OPTIONS).kind).toBe('rejected')
  })
})

describe('The status of a listing', () => {
  it.each([
    ['Active', 'FOR_SALE'],
    ['ActiveUnderContract', 'PENDING'],
    ['Pending', 'PENDING'],
    ['Coming Soon', 'COMING_SOON'],
    ['Closed', 'RECENTLY_SOLD'],
    ['Canceled', 'OFF_MARKET'],
    ['Expired', 'OFF_MARKET'],
    ['Withdrawn', 'OFF_MARKET'],
    ['Hold', 'OFF_MARKET'],
    ['Something Else', 'OTHER'],
  ])('%s of a sale becomes %s', (StandardStatus, homeStatus) => {
    expect(recordOf({ StandardStatus }).homeStatus).toBe(homeStatus)
  })

  it.each([
    ['Active', 'FOR_RENT'],
    ['Pending', 'OFF_MARKET'],
    ['Coming Soon', 'OFF_MARKET'],
    ['Closed', 'OFF_MARKET'],
  ])('%s of a rental becomes %s, so that no rental is among the sales', (StandardStatus, homeStatus) => {
    expect(recordOf({ StandardStatus, PropertyType: 'Residential Lease' }).homeStatus).toBe(homeStatus)
  })

  it('comes with the sale price if the sale is closed, unless the price was not disclosed', () => {
    const closed = { StandardStatus: 'Closed', CloseDate: '2026-11-15' }
    expect(recordOf({ ...closed, ClosePrice: 710000 })).toMatchObject({
      price: 710000,
      lastSoldPrice: 710000,
      dateSoldString: '2026-11-15',
    })
    expect(recordOf(closed).price).toBeUndefined()
  })
})

describe('The price history of a listing', () => {
  it('has the listing, the price change, the contract, and the sale, with the latest first', () => {
    const { priceHistory } = recordOf({
      StandardStatus: 'Closed',
      PurchaseContractDate: '2026-11-12',
      CloseDate: '2026-11-20',
      ClosePrice: 715000,
    })
    expect(
      priceHistory.map(({ date, event, price }: Record<string, unknown>) => [date, event, price]),
    ).toEqual([
      ['2026-11-20', 'Sold', 715000],
      ['2026-11-12', 'Pending sale', 725000],
      ['2026-11-10', 'Price change', 725000],
      ['2026-10-01', 'Listed for sale', 760000],
    ])
    expect(priceHistory[2].priceChangeRate).toBeCloseTo((725000 - 760000) / 760000, 5)
  })

  it('keeps the price changes of the stored version', () => {
    const earlier = recordOf({
      ListPrice: 745000,
      PreviousListPrice: 760000,
      PriceChangeTimestamp: '2026-10-20T09:00:00Z',
    })
    const merged = mergePriceHistory(earlier.priceHistory, recordOf({}).priceHistory)
    expect(merged.map(({ date, price }) => [date, price])).toEqual([
      ['2026-11-10', 725000],
      ['2026-10-20', 745000],
      ['2026-10-01', 760000],
    ])
  })
})

describe('The rights of a listing', () => {
  it('forbid to store it if its display is forbidden or the flag cannot be read', () => {
    for (const InternetEntireListingDisplayYN of [false, 'false', 'N', 0, 'maybe']) {
      const listing = toListing({ ...PROPERTY, InternetEntireListingDisplayYN }, OPTIONS)
      expect(listing).toMatchObject({ kind: 'withheld', reason: 'display_forbidden', sourceKey: 'A-1001' })
    }
  })

  it('forbid to store it without the configured use', () => {
    const mlsGrid = { ...OPTIONS, profile: { mediaLinks: false, statesUses: true } }
    expect(toListing({ ...PROPERTY, MlgCanUse: ['IDX', 'VOW'] }, mlsGrid).kind).toBe('listing')
    for (const MlgCanUse of [['VOW'], [], null, undefined]) {
      expect(toListing({ ...PROPERTY, MlgCanUse }, mlsGrid)).toMatchObject({
        kind: 'withheld',
        reason: 'use_not_permitted',
      })
    }
    expect(toListing({ ...PROPERTY, MlgCanUse: ['BO'] }, OPTIONS).kind).toBe('withheld')
  })

  it('forbid to store it without the listing office if the profile requires one', () => {
    const strict = { ...OPTIONS, profile: { mediaLinks: true, requiresOffice: true } }
    expect(toListing({ ...PROPERTY, ListOfficeName: null }, strict)).toMatchObject({
      reason: 'office_missing',
    })
    const expanded = { ...PROPERTY, ListOfficeName: null, ListOffice: { OfficeName: 'Harbor Realty' } }
    expect(toListing(expanded, strict)).toMatchObject({
      record: { attributionInfo: { brokerName: 'Harbor Realty' }, brokerageName: 'Harbor Realty' },
    })
  })

  it('delete it if the feed says so', () => {
    expect(toListing({ ...PROPERTY, MlgCanView: false }, OPTIONS)).toMatchObject({
      kind: 'deleted',
      sourceKey: 'A-1001',
    })
    expect(toListing({ ...PROPERTY, StandardStatus: 'Delete' }, OPTIONS).kind).toBe('deleted')
  })

  it('permit everything if their flags are empty or missing', () => {
    for (const empty of ['', '  ', null]) {
      const flags = {
        InternetEntireListingDisplayYN: empty,
        InternetAddressDisplayYN: empty,
        MlgCanView: empty,
      }
      expect(toListing({ ...PROPERTY, ...flags }, OPTIONS)).toMatchObject({
        kind: 'listing',
        isAddressHidden: false,
      })
    }
  })

  it('add the office, the name of the MLS, and the notice to each record', () => {
    expect(recordOf({})).toMatchObject({
      attributionInfo: {
        brokerName: 'Harbor Realty',
        agentName: 'Robin Lee',
        mlsName: 'Northwest Test MLS',
        mlsDisclaimer: '© 2026 Northwest Test MLS. All rights reserved.',
        lastUpdated: '2026-11-20T18:30:05.123Z',
      },
    })
  })

  it('include public photos in their order, and none if the profile forbids links', () => {
    expect(recordOf({}).responsivePhotos.map(({ url }: { url: string }) => url)).toEqual([
      'https://photos.example/1.jpg',
      'https://photos.example/2.jpg',
    ])
    const record = recordOf(
      { VirtualTourURLUnbranded: 'https://tours.example/1' },
      { profile: { mediaLinks: false } },
    )
    expect(JSON.stringify(record)).not.toMatch(/photos\.example|tours\.example/)
  })
})

describe('A listing whose address must not be displayed', () => {
  const HIDDEN = {
    InternetAddressDisplayYN: false,
    UnitNumber: '12B',
    BuildingName: 'Juniper Tower',
    PublicRemarks: 'Welcome to 1420 North Juniper St! Bright rooms.',
    VirtualTourURLUnbranded: 'https://tours.example/1420-n-juniper-street',
    Media: [{ MediaURL: 'https://photos.example/1420%20N%20Juniper%20Street/1.jpg', MediaCategory: 'Photo' }],
  }

  it('has no street line, unit, position, or parcel in any field', () => {
    const { record, isAddressHidden } = listingOf(HIDDEN)
    const text = JSON.stringify(record)
    expect(isAddressHidden).toBe(true)
    for (const part of ['1420', 'Juniper', '12B', '47.2612', '-122.4801', '0320364007', '1234']) {
      expect(text).not.toContain(part)
    }
    expect(record).toMatchObject({
      isUndisclosedAddress: true,
      address: { city: 'Tacoma', state: 'WA', zipcode: '98406' },
      price: 725000,
      attributionInfo: { brokerName: 'Harbor Realty' },
    })
  })

  it('is recognized by any value other than a clear yes', () => {
    for (const InternetAddressDisplayYN of [false, 'False', 'N', '0', 'unsure']) {
      expect(listingOf({ ...HIDDEN, InternetAddressDisplayYN }).record.streetAddress).toBeUndefined()
    }
    expect(listingOf({ InternetAddressDisplayYN: null }).isAddressHidden).toBe(false)
  })

  it('stays hidden if overrides copy its parts under other names', () => {
    const overrides = readOverrides(
      'text:\n  LOCAL_FullStreet: neighborhood\n',
      'local.yaml',
      (path) => findTypesAt(path) !== undefined,
    )
    const { record } = listingOf({ ...HIDDEN, LOCAL_FullStreet: '1420 N Juniper Street' }, { overrides })
    expect(JSON.stringify(record)).not.toContain('Juniper')
  })
})

describe('Overrides of the dictionary', () => {
  const read = (yaml: string) => readOverrides(yaml, 'local.yaml', (path) => findTypesAt(path) !== undefined)

  it('add local fields and lookups, and exclude standard fields', () => {
    const overrides = read(`
number:
  NWM_HeatedArea: livingAreaValue
text:
  PublicRemarks: null
lookups:
  StandardStatus:
    Contingent - Inspection: Active Under Contract
`)
    const property = { NWM_HeatedArea: 1700, StandardStatus: 'Contingent - Inspection' }
    const record = recordOf(property, { overrides })
    expect(record).toMatchObject({ livingAreaValue: 1700, homeStatus: 'PENDING' })
    expect(record.description).toBeUndefined()
    expect(listingOf(property, { overrides }).unknownLookups).toEqual([])
  })

  it.each([
    ['numbers:\n  A: price', 'the section "numbers" is unknown. Use one of'],
    ['text:\n  A: noSuchField', 'names "noSuchField", which is not a field of a record'],
    ['text:\n  A: zpid', 'names "zpid"'],
    ['text: [A]', 'text must be a map'],
    ['{', 'the file is not valid YAML'],
    ['computed:\n  A: b', 'the section "computed" is unknown. Use one of'],
  ])('%j are refused with the place and the reason', (yaml, reason) => {
    expect(() => read(yaml)).toThrow(OverridesFault)
    expect(() => read(yaml)).toThrow(reason)
  })
})

describe('The dictionary', () => {
  it('maps only to fields that the contract has', () => {
    const unknown = [...standardDictionary().fields.values()].flatMap(({ paths }) =>
      paths.filter((path) => findTypesAt(path) === undefined).map((path) => path.join('.')),
    )
    expect(unknown).toEqual([])
  })

  it('describes the use of each field of a feed', () => {
    expect(describeFields(['BedroomsTotal', 'ListPrice', 'PrivateRemarks'])).toEqual([
      { field: 'BedroomsTotal', use: 'copied', to: ['bedrooms', 'resoFacts.bedrooms'] },
      { field: 'ListPrice', use: 'computed', how: 'price, unless the sale is closed' },
      { field: 'PrivateRemarks', use: 'unknown' },
    ])
  })
})
