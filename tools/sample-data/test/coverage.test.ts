import { expect, test } from 'vitest'
import { MANUAL_ZPID } from '../src/index.ts'
import { buildings, countsOf, homes, records, unitsOf, wholeBuildings, within } from './records.ts'

test('the sample has at least 5,000 homes in at least 10 metropolitan areas of at least 6 states', () => {
  expect(homes.length).toBeGreaterThanOrEqual(5_000)
  const metros = countsOf(homes, (home) => home.parentRegion.name)
  expect(Object.values(metros).filter((count) => count >= 50).length).toBeGreaterThanOrEqual(10)
  expect(new Set(homes.map((home) => home.state)).size).toBeGreaterThanOrEqual(6)
})

test('every home type and status occurs often enough for searches', () => {
  const types = countsOf(homes, (home) => home.homeType)
  expect(Object.keys(types).sort()).toEqual(
    ['APARTMENT', 'CONDO', 'LOT', 'MANUFACTURED', 'MULTI_FAMILY', 'SINGLE_FAMILY', 'TOWNHOUSE'].sort(),
  )
  const statuses = countsOf(homes, (home) => home.homeStatus)
  expect(Object.keys(statuses).sort()).toEqual(
    ['COMING_SOON', 'FOR_RENT', 'FOR_SALE', 'OTHER', 'PENDING', 'RECENTLY_SOLD'].sort(),
  )
  expect(Math.min(...Object.values(types), ...Object.values(statuses))).toBeGreaterThanOrEqual(40)
})

test('each daysOnSite filter finds homes that the next shorter one does not', () => {
  const ends = [1, 7, 14, 30, 90, 182, 365, 730, 1_095]
  for (const status of ['FOR_SALE', 'RECENTLY_SOLD']) {
    const days = homes.filter((home) => home.homeStatus === status).map((home) => home.daysOnSite!)
    for (const [index, end] of ends.entries()) {
      expect(days.some((count) => count <= end && count > (ends[index - 1] ?? -1))).toBe(true)
    }
  }
})

test('homes with and without pools, garages, and waterfronts exist', () => {
  for (const feature of ['hasPool', 'hasGarage', 'isWaterfront'] as const) {
    const having = homes.filter((home) => home[feature]).length
    expect(having).toBeGreaterThan(50)
    expect(having).toBeLessThan(homes.length / 2)
  }
})

test('at least 40 buildings cover all five forms of building URLs', () => {
  expect(buildings.size).toBeGreaterThanOrEqual(40)
  const shapes = [
    /^\/b\/[a-z0-9-]+-[A-Za-z0-9]{6}\/$/,
    /^\/b\/[a-z-]+-[a-z]{2}\/-?\d+(\.\d+)?,-?\d+(\.\d+)?_ll\/$/,
    /^\/apartments\/[a-z-]+-[a-z]{2}\/[a-z0-9-]+\/[A-Za-z0-9]{6}\/$/,
    /^\/community\/[a-z0-9-]+\/\d+_zpid\/$/,
    /^\/community\/[a-z0-9-]+\/\d+_plid\/$/,
  ]
  const urls = [...buildings.values()].map((members) => members[0]!.bdpUrl!)
  for (const shape of shapes) expect(urls.filter((url) => shape.test(url)).length).toBeGreaterThanOrEqual(3)
  expect(urls.every((url) => shapes.some((shape) => shape.test(url)))).toBe(true)
  expect(new Set(urls).size).toBe(buildings.size)
})

test('one building has more than 300 units', () => {
  const sizes = [...buildings.values()].map((members) => unitsOf(members).length)
  expect(Math.max(...sizes)).toBeGreaterThan(300)
})

test('some buildings have a record of their own, and others do not', () => {
  expect(wholeBuildings.length).toBeGreaterThanOrEqual(10)
  expect(buildings.size - wholeBuildings.length).toBeGreaterThanOrEqual(10)
})

test('the home of the guides comes first and is for sale with open houses, photos, and an agent', () => {
  const [home] = records
  expect(home).toMatchObject({
    zpid: MANUAL_ZPID,
    hdpUrl: '/homedetails/2114-Bigelow-Ave-N-Seattle-WA-98109/48749425_zpid/',
    address: { streetAddress: '2114 Bigelow Ave N', city: 'Seattle', state: 'WA', zipcode: '98109' },
    homeStatus: 'FOR_SALE',
    homeType: 'SINGLE_FAMILY',
    latitude: 47.6378,
    longitude: -122.3477,
    county: 'King County',
  })
  expect(home!.openHouseSchedule.length).toBeGreaterThan(0)
  expect(home!.photoCount).toBeGreaterThanOrEqual(3)
  expect(home!.attributionInfo?.agentName).toBeTruthy()
  expect(home!.zestimate).toBeGreaterThan(1_000_000)
})

test('more than twelve comparable houses are for sale around the home of the guides', () => {
  const comparable = within([-122.358, 47.631, -122.338, 47.645]).filter(
    (home) =>
      home.homeStatus === 'FOR_SALE' &&
      home.homeType === 'SINGLE_FAMILY' &&
      home.bedrooms! >= 3 &&
      home.bedrooms! <= 5,
  )
  expect(comparable.length).toBeGreaterThan(20)
})

test.for<[string, [number, number, number, number]]>([
  ["Seattle's Queen Anne", [-122.36, 47.63, -122.34, 47.645]],
  ['Manchester, Connecticut', [-72.6, 41.74, -72.46, 41.82]],
  ['Arvada, Colorado', [-105.15, 39.78, -105.03, 39.87]],
])('a box around %s holds more than 50 homes for sale', ([, box]) => {
  expect(within(box).filter((home) => home.homeStatus === 'FOR_SALE').length).toBeGreaterThan(50)
})
