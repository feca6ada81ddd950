import type { Property } from '@lotline/contract'
import { describe, expect, test } from 'vitest'
import { isInAnotherState, MAX_CANDIDATES, matchAddress } from '../../../src/domain/address/match-address.ts'
import { findRecordAddress } from '../../../src/domain/address/record-address.ts'
import { parseAddress, type StreetAddress } from '../../../src/domain/address/street-address.ts'
import { STATES } from '../../../src/domain/address/street-words.ts'
import { findStateByZip } from '../../../src/domain/address/zip-states.ts'
import type { SourceRecord } from '../../../src/domain/record/source-record.ts'
import { needSharedText } from '../record/shared-data.ts'

let counter = 0

function listing(
  streetAddress: string,
  more: Partial<Property> = {},
  zipcode: string | null = '10009',
): SourceRecord {
  const address = { streetAddress, city: 'New York', state: 'NY', zipcode }
  return { record: { zpid: String(++counter), address, homeStatus: 'OTHER', ...more }, generation: 1 }
}

function wanted(text: string): StreetAddress {
  const address = parseAddress(text)
  if ('refused' in address) throw new Error(text)
  return address
}

describe('an address finds one home', () => {
  test('by its street and ZIP code among homes of other ZIP codes', () => {
    const here = listing('100 Main St')
    const there = listing('100 MAIN STREET', {}, '11201')
    const found = matchAddress(wanted('100 Main Street, New York, NY 10009'), [there, here], 'FOR_SALE')
    expect(found).toEqual({ found: 'one', listing: here })
  })

  test('by its unit among its neighbors', () => {
    const homes = [listing('100 Main St, 4A'), listing('100 Main St # 4-B'), listing('100 Main St')]
    expect(matchAddress(wanted('100 Main St Apt 4B, 10009'), homes, 'FOR_SALE')).toEqual({
      found: 'one',
      listing: homes[1],
    })
  })

  test('by a unit that the record states beside its address', () => {
    const home = listing('100 Main St', { unitNumber: 'PH 2' })
    expect(matchAddress(wanted('100 Main St Penthouse 2, 10009'), [home], 'FOR_SALE')).toMatchObject({
      found: 'one',
    })
  })

  test('without a unit, the building itself and not one of its homes', () => {
    const homes = [listing('100 Main St, 4A'), listing('100 Main St'), listing('100 Main St, 4B')]
    expect(matchAddress(wanted('100 Main St, 10009'), homes, 'FOR_SALE')).toEqual({
      found: 'one',
      listing: homes[1],
    })
  })

  test('without a unit, the only home of the premise', () => {
    const home = listing('100 Main St, 4A')
    expect(matchAddress(wanted('100 Main St, New York'), [home], 'FOR_SALE')).toEqual({
      found: 'one',
      listing: home,
    })
  })

  test('by the city if the record has no ZIP code', () => {
    const home = listing('100 Main St', {}, null)
    expect(matchAddress(wanted('100 Main St, New York, NY 10009'), [home], 'FOR_SALE').found).toBe('one')
    expect(matchAddress(wanted('100 Main St, Albany, NY 12202'), [home], 'FOR_SALE').found).toBe('none')
  })

  test('by the ZIP code if the names of cities differ', () => {
    const home = listing('100 Main St', {}, '11372')
    expect(matchAddress(wanted('100 Main St, Jackson Heights, NY 11372'), [home], 'FOR_SALE').found).toBe(
      'one',
    )
  })
})

describe('a state that contradicts the ZIP code does not match, even if the record has no state', () => {
  const stateless = (zipcode: string | null): SourceRecord => ({
    record: {
      zpid: '1',
      address: { streetAddress: '100 Main St', city: 'New York', zipcode },
      homeStatus: 'OTHER',
    },
    generation: 1,
  })
  test.each([
    ['the record has the ZIP code', '10009'],
    ['the record has no ZIP code either', null],
  ])('%s', (_name, zipcode) => {
    const find = (text: string) => matchAddress(wanted(text), [stateless(zipcode)], 'FOR_SALE').found
    expect(find('100 Main St, New York, CA 10009')).toBe('none')
    expect(find('100 Main St, New York, NY 10009')).toBe('one')
    expect(find('100 Main St, New York 10009')).toBe('one')
    expect(isInAnotherState(wanted('100 Main St, New York, CA 10009'), stateless(zipcode))).toBe(true)
    expect(isInAnotherState(wanted('100 Main St, New York, NY 10009'), stateless(zipcode))).toBe(false)
  })

  test('every state and the District of Columbia has ZIP codes, and military mail has no state', () => {
    const prefixes = Array.from({ length: 1000 }, (_, at) => String(at).padStart(3, '0'))
    const states = new Set(prefixes.flatMap((prefix) => findStateByZip(`${prefix}01`) ?? []))
    // 50 states, DC, PR, VI.
    expect(states.size).toBe(53)
    expect([...states].filter((state) => !STATES.has(state))).toEqual([])
    expect(['09001', '34001', '96201', '96910'].map(findStateByZip)).toEqual(Array(4).fill(undefined))
  })

  test('the table has the state of every ZIP code of 3,220 real addresses', (context) => {
    const text = needSharedText(context, 'rrad-addresses/addresses-us-all.json', 'ZIP codes and their states')
    const { addresses } = JSON.parse(text) as { addresses: { state: string; postalCode: string }[] }
    const known = addresses.filter(({ postalCode }) => postalCode)
    expect(known.length).toBeGreaterThan(3000)
    expect(known.filter(({ state, postalCode }) => findStateByZip(postalCode) !== state)).toEqual([])
  })
})

describe('among several listings of a home the preferred kind is returned', () => {
  const sold = listing('100 Main St', { homeStatus: 'RECENTLY_SOLD', dateSold: '2020-01-01' })
  const soldLater = listing('100 Main St', { homeStatus: 'SOLD', dateSold: '2024-01-01' })
  const forRent = listing('100 Main Street', { homeStatus: 'FOR_RENT' })
  const forSale = listing('100 main st.', { homeStatus: 'FOR_SALE' })

  test.each([
    ['FOR_SALE', [sold, forRent, forSale], forSale],
    ['FOR_RENT', [sold, forRent, forSale], forRent],
    ['RECENTLY_SOLD', [forSale, sold, forRent, soldLater], soldLater],
    ['FOR_SALE', [sold, forRent], forRent],
    ['FOR_RENT', [sold, soldLater], soldLater],
    ['RECENTLY_SOLD', [forSale], forSale],
  ] as const)('%s', (prefer, listings, best) => {
    expect(matchAddress(wanted('100 Main St, 10009'), listings, prefer)).toEqual({
      found: 'one',
      listing: best,
    })
  })
})

describe('an ambiguous address returns candidates, never a guess', () => {
  test('without a unit, all units', () => {
    const homes = [listing('100 Main St, 4A'), listing('100 Main St, 4B')]
    expect(matchAddress(wanted('100 Main St, 10009'), homes, 'FOR_SALE')).toEqual({
      found: 'several',
      candidates: ['100 Main St, 4A, New York, NY 10009', '100 Main St, 4B, New York, NY 10009'],
    })
  })

  test('without a ZIP code, one candidate for each', () => {
    const homes = [listing('100 Main St'), listing('100 Main St'), listing('100 Main St', {}, '10010')]
    expect(matchAddress(wanted('100 Main St, New York, NY'), homes, 'FOR_SALE')).toEqual({
      found: 'several',
      candidates: ['100 Main St, New York, NY 10009', '100 Main St, New York, NY 10010'],
    })
  })

  test('up to the maximum', () => {
    const homes = Array.from({ length: 300 }, (_, at) => listing(`100 Main St, ${at}`))
    const match = matchAddress(wanted('100 Main St, 10009'), homes, 'FOR_SALE')
    expect(match.found === 'several' && match.candidates).toHaveLength(MAX_CANDIDATES)
  })

  test.each([
    ['another ZIP code', '100 Main St, New York, NY 10010'],
    ['another unit', '100 Main St Apt 9, New York, NY 10009'],
    ['another number', '102 Main St, New York, NY 10009'],
    ['another direction', '100 N Main St, New York, NY 10009'],
    ['another suffix', '100 Main Ave, New York, NY 10009'],
    ['another state', '100 Main St, Springfield, IL'],
    ['another state than that of the ZIP code', '100 Main St, New York, CA 10009'],
    ['another city', '100 Main St, Buffalo, NY'],
  ])('%s: none', (_, text) => {
    expect(matchAddress(wanted(text), [listing('100 Main St')], 'FOR_SALE')).toEqual({ found: 'none' })
  })
})

test('every New York sale with an address is found, or is one of the candidates', (context) => {
  const text = needSharedText(
    context,
    'unified-records/nyc-rolling-sales.ndjson.gz',
    'every New York sale is found by its address',
  )
  const byKey = new Map<string, SourceRecord[]>()
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Property)
  for (const record of records) {
    const key = findRecordAddress(record)?.key
    if (key === undefined) continue
    byKey.set(key, [...(byKey.get(key) ?? []), { record, generation: null }])
  }
  const seen = { one: 0, several: 0, none: 0 }
  for (const record of records.filter((_, at) => at % 10 === 0)) {
    const own = findRecordAddress(record)
    if (!own) continue
    const match = matchAddress(own, byKey.get(own.key) ?? [], 'RECENTLY_SOLD')
    seen[match.found]++
    if (match.found === 'one') expect(findRecordAddress(match.listing.record)).toEqual(own)
  }
  expect(seen.none).toBe(0)
  expect(seen.one).toBeGreaterThan(3000)
  // A record’s own address is never ambiguous: it has a unit, or none like the record.
  expect(seen.several).toBe(0)
})
