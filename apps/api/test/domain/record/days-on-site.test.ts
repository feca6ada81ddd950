import type { Property } from '@lotline/contract'
import { describe, expect, test } from 'vitest'
import { toListingKind, toSearchStatus } from '../../../src/domain/record/status-of.ts'
import { daysOnSite, findListedAt } from '../../../src/domain/record/times.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const priceHistory = [
  { date: '2026-11-01', event: 'Price change' },
  { date: '2026-10-01', event: 'Listed for sale' },
  { date: '2026-09-01', event: 'Listed for rent' },
  { date: '2024-05-05', event: 'Sold' },
  { date: '2020-02-02', event: 'Listed for sale' },
  { event: 'Sold', time: Date.UTC(2019, 0, 1) },
]

describe('days are counted from the date of the listing, or from the sale of a sold home', () => {
  test.each<[Partial<Property>, string | undefined]>([
    [{ homeStatus: 'FOR_SALE', datePosted: '2026-11-14' }, '2026-11-14T00:00:00.000Z'],
    [{ homeStatus: 'PENDING', datePostedString: '2026-11-14', priceHistory }, '2026-11-14T00:00:00.000Z'],
    [{ homeStatus: 'FOR_SALE', priceHistory }, '2026-10-01T00:00:00.000Z'],
    [{ homeStatus: 'FOR_RENT', priceHistory }, '2026-09-01T00:00:00.000Z'],
    [{ homeStatus: 'SOLD', priceHistory }, '2024-05-05T00:00:00.000Z'],
    [
      { homeStatus: 'RECENTLY_SOLD', dateSold: Date.UTC(2026, 9, 28, 7), priceHistory },
      '2026-10-28T07:00:00.000Z',
    ],
    [{ homeStatus: 'RECENTLY_SOLD', dateSold: '2026-10-28T07:00:00Z' }, '2026-10-28T07:00:00.000Z'],
    [
      { homeStatus: 'RECENTLY_SOLD', dateSold: null, dateSoldString: '2026-10-28' },
      '2026-10-28T00:00:00.000Z',
    ],
    [{ homeStatus: 'RECENTLY_SOLD', datePosted: '2026-11-14' }, undefined],
    [{ homeStatus: 'FOR_SALE', datePosted: 'yesterday' }, undefined],
    [{ homeStatus: 'FOR_SALE', datePosted: '2026-13-45' }, undefined],
    [{ homeStatus: 'OTHER', datePosted: '2026-11-14' }, undefined],
    [{}, undefined],
  ])('%j', (record, expected) => {
    expect(findListedAt({ zpid: '1', ...record })?.toISOString()).toBe(expected)
  })
})

test('days are whole and never negative, and the record’s own count is used only if it has no date', () => {
  const days = (record: Partial<Property>) =>
    daysOnSite({ zpid: '1', homeStatus: 'FOR_SALE', ...record }, NOW)
  expect(days({ datePosted: '2026-11-21' })).toBe(0)
  expect(days({ datePosted: '2026-11-20', daysOnSite: 99 })).toBe(1)
  expect(days({ datePosted: '2027-01-01' })).toBe(0)
  expect(days({ daysOnSite: 12 })).toBe(12)
  expect(days({ daysOnZillow: 13 })).toBe(13)
  expect(days({ daysOnSite: -5 })).toBeNull()
  expect(days({})).toBeNull()
})

test('every status has one kind, and an unknown status is off the market', () => {
  const kinds = [
    'FOR_SALE',
    'for_sale',
    'COMING_SOON',
    'PENDING',
    'FOR_RENT',
    'SOLD',
    'RECENTLY_SOLD',
    'OTHER',
    'X',
    null,
    7,
  ]
  expect(kinds.map(toListingKind)).toEqual([
    'for_sale',
    'for_sale',
    'for_sale',
    'for_sale',
    'for_rent',
    'recently_sold',
    'recently_sold',
    'off_market',
    'off_market',
    'off_market',
    'off_market',
  ])
  expect(toSearchStatus('SOLD')).toBe('sold')
  expect(toSearchStatus('OTHER')).toBeUndefined()
})
