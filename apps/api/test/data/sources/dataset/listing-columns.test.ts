import type { Property } from '@lotline/contract'
import { expect, it } from 'vitest'
import { type ListingColumns, toColumns } from '../../../../src/data/sources/dataset/listing-columns.ts'

const CASES: readonly (readonly [string, Property, Partial<ListingColumns>])[] = [
  [
    'says nothing that the record does not',
    {},
    {
      kind: 'off_market',
      longitude: null,
      latitude: null,
      price: null,
      beds: null,
      baths: null,
      sqft: null,
      yearBuilt: null,
      homeType: null,
      listedAt: null,
      hasPool: false,
      hasGarage: false,
      lotSize: null,
      hoa: null,
      saleType: 'by_agent',
      isPending: false,
      openUntil: null,
      isSenior: false,
      isWaterfront: false,
      streetKey: null,
      unit: null,
      zip: null,
      building: null,
      isBuilding: false,
      addressHidden: false,
    },
  ],
  [
    'has the address in its normal form',
    { address: { streetAddress: '12 North Main Street Apt 4b', zipcode: '98101-1234' } },
    { streetKey: '12 N MAIN ST', unit: '4B', zip: '98101' },
  ],
  [
    'has the unit that stands beside the address',
    { streetAddress: '1 A St', unitNumber: '7' },
    { unit: '7' },
  ],
  ['has no position with half of one', { latitude: 47 }, { latitude: null, longitude: null }],
  ['has the living area under its other name', { livingAreaValue: 900 }, { sqft: 900 }],
  [
    'lets the record decide before its facts',
    { hasPool: false, resoFacts: { hasPrivatePool: true } },
    { hasPool: false },
  ],
  ['looks into the facts', { hasGarage: null, resoFacts: { hasAttachedGarage: true } }, { hasGarage: true }],
  [
    'dates a sale by its sale',
    { homeStatus: 'RECENTLY_SOLD', dateSold: '2020-01-02', datePosted: '2019-01-01' },
    { kind: 'recently_sold', listedAt: '2020-01-02T00:00:00.000Z' },
  ],
  ['knows the building by its URL', { bdpUrl: '/b/tower-AbC123/' }, { building: 'building/key/AbC123' }],
  [
    'knows it by a whole URL',
    { bdpUrl: 'https://www.zillow.com/community/x/5_plid/', isBuilding: true },
    { building: 'building/plid/5', isBuilding: true },
  ],
  [
    'knows it by the URL of its own page',
    { hdpUrl: '/b/x/1,2_ll/' },
    { building: 'building/coordinates/1,2' },
  ],
  ['takes no home for a building', { bdpUrl: null, hdpUrl: '/homedetails/x/5_zpid/' }, { building: null }],
  [
    'has the lot in square feet',
    { lotSize: 4800, lotAreaValue: 0.5, lotAreaUnits: 'Acres' },
    { lotSize: 4800 },
  ],
  ['converts a lot in acres', { lotAreaValue: 0.5, lotAreaUnits: 'Acres' }, { lotSize: 21_780 }],
  [
    'takes a lot in square feet as it is',
    { lotAreaValue: 900, lotAreaUnits: 'Square Feet' },
    { lotSize: 900 },
  ],
  ['guesses no unit of a lot', { lotAreaValue: 900 }, { lotSize: null }],
  ['has the fee of the association', { monthlyHoaFee: 250, hoaFee: 300 }, { hoa: 250 }],
  ['reads a monthly fee from its text', { resoFacts: { associationFee: '$1,450 monthly' } }, { hoa: 1450 }],
  ['converts a yearly fee', { resoFacts: { hoaFee: '$600 annually' } }, { hoa: 50 }],
  ['converts a half-yearly fee', { resoFacts: { hoaFee: '$600 Semi-Annually' } }, { hoa: 100 }],
  ['converts a quarterly fee', { resoFacts: { hoaFeeTotal: '$300 quarterly' } }, { hoa: 100 }],
  ['guesses no frequency of a fee', { resoFacts: { hoaFee: '$300' } }, { hoa: null }],
  ['has no fee where there is no association', { resoFacts: { hasAssociation: false } }, { hoa: 0 }],
  [
    'knows a home for sale by owner',
    { homeStatus: 'FOR_SALE', listingSubType: { isFSBO: true } },
    { saleType: 'by_owner' },
  ],
  [
    'reads the flags in their other spelling',
    { homeStatus: 'FOR_SALE', listing_sub_type: { is_newHome: true } } as Property,
    { saleType: 'new_construction' },
  ],
  ['knows an auction by its status', { homeStatus: 'FOR_AUCTION' }, { saleType: 'auction' }],
  [
    'takes a home of the bank for a foreclosure',
    { listingSubType: { isBankOwned: true } },
    { saleType: 'foreclosure' },
  ],
  [
    'puts what is coming soon before all else',
    { homeStatus: 'COMING_SOON', listingSubType: { isForAuction: true } },
    { saleType: 'coming_soon', isPending: false },
  ],
  ['knows a pending sale by its status', { homeStatus: 'CONTINGENT' }, { isPending: true }],
  [
    'knows a pending sale by its flag, for homes on the market alone',
    { homeStatus: 'FOR_SALE', listingSubType: { isPending: true } },
    { isPending: true },
  ],
  [
    'takes no sold home for pending',
    { homeStatus: 'SOLD', listingSubType: { isPending: true } },
    { isPending: false },
  ],
  [
    'has the end of the last open house',
    {
      openHouseSchedule: [
        { startTime: '2030-01-05T20:00:00Z', endTime: '2030-01-05T22:00:00Z' },
        { startTime: '2030-01-04T20:00:00Z', endTime: null },
      ],
    },
    { openUntil: '2030-01-05T22:00:00.000Z' },
  ],
  [
    'knows that an address is hidden',
    { isUndisclosedAddress: true, address: { city: 'Tacoma' } },
    { addressHidden: true },
  ],
  [
    'does not take an address for hidden that the record has',
    { isUndisclosedAddress: true, streetAddress: '1 A St' },
    { addressHidden: false },
  ],
  ['knows a community for seniors', { resoFacts: { isSeniorCommunity: true } }, { isSenior: true }],
  ['has no type that cannot be one', { homeType: 'a\u0000b' }, { homeType: null }],
]

it.each(CASES)('the columns of a record %s', (_name, fields, columns) => {
  expect(toColumns({ zpid: '1', ...fields }, 'feed')).toMatchObject(columns)
})

it('the stored record is complete', () => {
  const record = { zpid: '1', price: 5, description: 'a\nb', grade: [{}] }
  const columns = toColumns(record, 'feed')
  expect(JSON.parse(columns.record)).toEqual(record)
  expect(columns.record + columns.summary).not.toContain('\n')
})
