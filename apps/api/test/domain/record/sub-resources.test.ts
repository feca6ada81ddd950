import type { OperationId, Property } from '@lotline/contract'
import { describe, expect, test } from 'vitest'
import { photos } from '../../../src/domain/record/photos.ts'
import {
  agent,
  facts,
  openHouses,
  priceHistory,
  schools,
  taxHistory,
  zestimate,
} from '../../../src/domain/record/sub-resources.ts'
import { faultsAs } from './contract-schema.ts'
import { SAMPLE } from './sample-records.ts'

const BARE: Property = { zpid: '1' }

describe('fields that the record lacks are null or an empty list', () => {
  test.each<[OperationId, object, object]>([
    [
      'getPropertyPhotos',
      photos(BARE),
      { data: [], meta: { count: 0, photo_count: 0, has_3d: false, has_video: false } },
    ],
    ['getPropertyPriceHistory', priceHistory(BARE), { data: [], meta: { count: 0 } }],
    ['getPropertyTaxHistory', taxHistory(BARE), { data: [], meta: { count: 0 } }],
    ['getPropertySchools', schools(BARE), { data: [], meta: { count: 0 } }],
    [
      'getPropertyAgent',
      agent(BARE),
      {
        data: {
          agentName: null,
          agentEmail: null,
          agentPhoneNumber: null,
          agentLicenseNumber: null,
          brokerName: null,
          brokerPhoneNumber: null,
          attributionInfo: {},
        },
        meta: {},
      },
    ],
    [
      'getPropertyZestimate',
      zestimate(BARE),
      {
        data: {
          zestimate: null,
          rent_zestimate: null,
          tax_assessed_value: null,
          last_sold_price: null,
          currency: 'USD',
        },
        meta: {},
      },
    ],
    ['getPropertyOpenHouses', openHouses(BARE), { data: [], meta: { count: 0, tour_eligibility: {} } }],
    ['getPropertyFacts', facts(BARE), { data: {}, meta: {} }],
  ])('%s', (_, slice, expected) => {
    expect(slice).toEqual(expected)
  })
})

test('getPropertyPhotos: photos come in every width, and in one by default', () => {
  const jpeg = [1536, 192, 768].map((width) => ({ url: `https://p.example.com/${width}.jpg`, width }))
  const record: Property = {
    zpid: '1',
    photoCount: 9,
    hasVRModel: true,
    hasPublicVideo: true,
    responsivePhotos: [
      {
        caption: 'Front',
        subjectType: 'exterior',
        url: 'https://p.example.com/own.jpg',
        mixedSources: { jpeg, webp: [] },
      },
      { mixedSources: { jpeg } } as never,
      { caption: 'nothing to see' } as never,
    ],
  }
  const { data, meta } = photos(record)
  expect(meta).toEqual({ count: 2, photo_count: 9, has_3d: true, has_video: true })
  expect(data[0]).toMatchObject({
    url: 'https://p.example.com/own.jpg',
    caption: 'Front',
    subjectType: 'exterior',
  })
  expect(data[1]).toMatchObject({ url: 'https://p.example.com/768.jpg', caption: '', subjectType: null })
  expect(data[1]?.mixedSources?.jpeg?.map(({ width }) => width)).toEqual([192, 768, 1536])
  expect(photos({ zpid: '1', photos: ['https://p.example.com/1.jpg'] } as unknown as Property).data).toEqual([
    {
      url: 'https://p.example.com/1.jpg',
      caption: '',
      subjectType: null,
      mixedSources: { jpeg: [], webp: [] },
    },
  ])
})

test('getPropertyPriceHistory: price events are sorted with the latest first, with nulls for unknown values', () => {
  const record = {
    zpid: '1',
    priceHistory: [
      { date: '2018-06-14', event: 'Sold', price: 1, priceChangeRate: 0.1, source: 'Public Record' },
      { date: '2026-11-19', event: 'Price change', price: null },
      { time: Date.UTC(2020, 0, 2), event: 'Listed for sale', price: 3 },
      { date: '2020-01-01' },
      { event: 'Sold' },
      null,
    ],
  } as unknown as Property
  expect(priceHistory(record)).toEqual({
    data: [
      { date: '2026-11-19', event: 'Price change', price: null, priceChangeRate: null },
      {
        date: '2020-01-02',
        time: Date.UTC(2020, 0, 2),
        event: 'Listed for sale',
        price: 3,
        priceChangeRate: null,
      },
      { date: '2018-06-14', event: 'Sold', price: 1, priceChangeRate: 0.1, source: 'Public Record' },
    ],
    meta: { count: 3 },
  })
})

test('getPropertyTaxHistory: tax years are sorted with the latest first', () => {
  const record: Property = {
    zpid: '1',
    taxHistory: [
      { time: Date.UTC(2020, 0), taxPaid: 10 },
      { time: Date.UTC(2024, 0), value: 5, valueIncreaseRate: 0.1 },
    ],
  }
  expect(taxHistory(record).data).toEqual([
    { time: Date.UTC(2024, 0), taxPaid: null, value: 5, valueIncreaseRate: 0.1 },
    { time: Date.UTC(2020, 0), taxPaid: 10, value: null, valueIncreaseRate: null },
  ])
})

test('getPropertySchools: schools keep the order of the source', () => {
  const record = {
    zpid: '1',
    schools: [
      { name: 'B', rating: 8, distance: 0.4, type: 'Public', level: 'High' },
      { name: 'A' },
      { rating: 3 },
    ],
  }
  expect(schools(record as unknown as Property)).toEqual({
    data: [
      { name: 'B', rating: 8, distance: 0.4, type: 'Public', level: 'High' },
      { name: 'A', rating: null, distance: null, type: null, level: null },
    ],
    meta: { count: 2 },
  })
})

test('getPropertyAgent: each field of the agent comes from the first place that has it', () => {
  const record = {
    zpid: '1',
    attributionInfo: { agentName: 'Ada', agentEmail: null, mlsId: '7' },
    agent: { agentName: 'Other', agentEmail: 'ada@example.com', brokerPhoneNumber: '555-0100' },
    broker: { name: 'Finch' },
  }
  expect(agent(record as unknown as Property).data).toMatchObject({
    agentName: 'Ada',
    agentEmail: 'ada@example.com',
    agentPhoneNumber: null,
    brokerName: 'Finch',
    brokerPhoneNumber: '555-0100',
    attributionInfo: { agentName: 'Ada', agentEmail: null, mlsId: '7' },
  })
  expect(agent({ zpid: '1', brokerageName: 'Lakeside' }).data).toMatchObject({
    agentName: null,
    brokerName: 'Lakeside',
  })
})

test('getPropertyZestimate: a valuation falls back on public records', () => {
  const record: Property = {
    zpid: '1',
    zestimate: 500,
    rentZestimate: 3,
    taxHistory: [
      { time: Date.UTC(2020, 0), value: 1 },
      { time: Date.UTC(2023, 0), value: null },
      { time: Date.UTC(2022, 0), value: 2 },
    ],
    priceHistory: [
      { date: '2026-01-01', event: 'Listed for sale', price: 9 },
      { date: '2010-01-01', event: 'Sold', price: 7 },
      { date: '2018-01-01', event: 'Sold', price: 8 },
    ],
  }
  expect(zestimate(record).data).toEqual({
    zestimate: 500,
    rent_zestimate: 3,
    tax_assessed_value: 2,
    last_sold_price: 8,
    currency: 'USD',
  })
  expect(zestimate({ ...record, taxAssessedValue: 4, lastSoldPrice: 5 }).data).toMatchObject({
    tax_assessed_value: 4,
    last_sold_price: 5,
  })
})

test('getPropertyOpenHouses: open houses are sorted with the earliest first, in UTC', () => {
  const record = {
    zpid: '1',
    tourEligibility: { isPropertyTourEligible: true },
    openHouseSchedule: [
      { startTime: '2026-11-28T12:00:00-07:00', endTime: '2026-11-28T14:00:00-07:00' },
      { startTime: '2026-11-22T21:00:00.000Z', endTime: null },
      { startTime: '2026-11-23 10:00:00', endTime: '2026-11-23 11:00:00' },
      { startTime: Date.UTC(2026, 11, 1, 9), endTime: Date.UTC(2026, 11, 1, 10) },
      { startTime: 'soon', endTime: '2026-11-23T11:00:00Z' },
    ],
  }
  expect(openHouses(record as unknown as Property)).toEqual({
    data: [
      { startTime: '2026-11-22T21:00:00Z', endTime: null },
      { startTime: '2026-11-23T10:00:00Z', endTime: '2026-11-23T11:00:00Z' },
      { startTime: '2026-11-28T19:00:00Z', endTime: '2026-11-28T21:00:00Z' },
      { startTime: '2026-12-01T09:00:00Z', endTime: '2026-12-01T10:00:00Z' },
    ],
    meta: { count: 4, tour_eligibility: { isPropertyTourEligible: true } },
  })
})

test('every part of every record of the sample fits the contract', () => {
  for (const record of SAMPLE) {
    for (const photo of photos(record).data) expect(faultsAs('Photo', photo)).toEqual([])
    for (const event of priceHistory(record).data) expect(faultsAs('PriceEvent', event)).toEqual([])
    for (const year of taxHistory(record).data) expect(faultsAs('TaxEvent', year)).toEqual([])
    for (const school of schools(record).data) expect(faultsAs('School', school)).toEqual([])
    for (const window of openHouses(record).data) expect(faultsAs('OpenHouse', window)).toEqual([])
    expect(faultsAs('TourEligibility', openHouses(record).meta.tour_eligibility)).toEqual([])
    expect(faultsAs('Agent', agent(record).data)).toEqual([])
    expect(faultsAs('Zestimate', zestimate(record).data)).toEqual([])
    expect(faultsAs('ResoFacts', facts(record).data)).toEqual([])
  }
})
