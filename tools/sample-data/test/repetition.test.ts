import { expect, test } from 'vitest'
import { DEFAULT_AS_OF, MAX_HOMES, type Property, sampleListings } from '../src/index.ts'
import { records, sha256Of } from './records.ts'

/** A bound for a busy machine; what takes this long has hung. */
const slow = { timeout: 120_000 }

/** Changes with every change of the sample, and never by itself. */
const SHA256 = '6cf8ccb010ea84e0017bb37c23f7b0b4956686193d51cc23bfdbc9fabf4b1ec5'

test('two runs produce the same bytes, on any machine', slow, () => {
  expect(sha256Of()).toBe(SHA256)
  expect(sha256Of()).toBe(SHA256)
})

test('a smaller sample is a prefix of a larger one', () => {
  const known = new Map(records.map((record) => [record.zpid, JSON.stringify(record)]))
  const small = [...sampleListings({ homes: 700 })]
  expect(small.filter((record) => !record.isBuilding).length).toBe(700)
  for (const record of small) expect(JSON.stringify(record)).toBe(known.get(record.zpid))
})

test('a sample of one home contains the home of the guides', () => {
  expect([...sampleListings({ homes: 1 })]).toEqual([records[0]])
})

test('another date changes only dates', () => {
  const undated = ({
    zpid,
    price,
    daysOnSite,
    size,
    photoCount,
    history,
    taxes,
  }: ReturnType<typeof outline>) =>
    JSON.stringify({ zpid, price, daysOnSite, size, photoCount, history, taxes })
  const later = [...sampleListings({ homes: 700, asOf: Date.UTC(2031, 5, 17, 13, 5) })]
  const usual = [...sampleListings({ homes: 700 })]
  expect(later.map(outline).map(undated)).toEqual(usual.map(outline).map(undated))
  for (const { openHouseSchedule } of later) {
    for (const { startTime } of openHouseSchedule) expect(startTime > '2031-06-18').toBe(true)
  }
  expect(later[0]!.datePosted).toBe('2031-05-14')
})

test('the time of day has no effect on the sample', () => {
  const morning = [...sampleListings({ homes: 20 })]
  expect([...sampleListings({ homes: 20, asOf: DEFAULT_AS_OF + 86_399_999 })]).toEqual(morning)
})

test('records are generated lazily', () => {
  const sample = sampleListings({ homes: MAX_HOMES })
  expect(sample.next().value).toEqual(records[0])
  sample.return()
})

test('addresses and zpids stay unique in a sample that uses each street several times', slow, () => {
  const zpids = new Set<string>()
  const lines = new Set<string>()
  let count = 0
  for (const { zpid, address } of sampleListings({ homes: 20_000 })) {
    zpids.add(zpid)
    lines.add(`${address.streetAddress} ${address.zipcode}`.toLowerCase())
    count++
  }
  expect([zpids.size, lines.size]).toEqual([count, count])
})

test.for([0, -1, 1.5, Number.NaN, MAX_HOMES + 1])('a sample of %d homes is refused', (homes) => {
  expect(() => sampleListings({ homes }).next()).toThrow(RangeError)
})

test('an invalid date is refused', () => {
  expect(() => sampleListings({ asOf: Number.NaN }).next()).toThrow(RangeError)
})

function outline(record: Property) {
  const { zpid, price, daysOnSite, photoCount, livingArea, bedrooms, yearBuilt } = record
  return {
    zpid,
    price,
    daysOnSite,
    photoCount,
    size: [livingArea, bedrooms, yearBuilt],
    history: record.priceHistory.map((event) => [event.event, event.price]),
    taxes: record.taxHistory.map((year) => [year.value, year.taxPaid]),
  }
}
