import { expect, test } from 'vitest'
import { DEFAULT_AS_OF } from '../src/index.ts'
import { PHOTO_HOST, PHOTO_WIDTHS } from '../src/photos.ts'
import { buildings, homes, records, unitsOf, wholeBuildings } from './records.ts'

test('zpids consist of digits and are unique', () => {
  expect(records.every(({ zpid }) => /^[0-9]{7,10}$/.test(zpid))).toBe(true)
  expect(new Set(records.map(({ zpid }) => zpid)).size).toBe(records.length)
})

test('addresses are unique in every spelling', () => {
  const lines = records.map(({ address }) => `${address.streetAddress} ${address.zipcode}`.toLowerCase())
  expect(new Set(lines).size).toBe(records.length)
})

test("each record's URL starts with its address and ends in its zpid", () => {
  for (const { zpid, hdpUrl, streetAddress } of records) {
    expect(hdpUrl).toMatch(
      new RegExp(
        `^(https://homes\\.example\\.com)?/homedetails/${streetAddress.split(' ')[0]}-[A-Za-z0-9-]+/${zpid}_zpid/$`,
      ),
    )
  }
})

test('the building of each unit exists, its records agree, and its units are complete', () => {
  for (const members of buildings.values()) {
    const [first] = members
    const units = unitsOf(members)
    for (const { buildingKey, bdpUrl, buildingName, lotId, buildingId, numberOfUnitsTotal } of members) {
      expect(buildingKey).toBe(first!.buildingKey)
      expect(bdpUrl).toBe(first!.bdpUrl)
      expect(buildingName).toBe(first!.buildingName)
      expect(lotId).toBe(first!.lotId)
      expect(buildingId).toBe(first!.buildingId)
      expect(numberOfUnitsTotal).toBe(units.length)
    }
    expect(first!.bdpUrl).toContain(first!.buildingKey)
    expect(new Set(units.map(({ unitNumber }) => unitNumber)).size).toBe(units.length)
  }
  expect(new Set([...buildings.values()].map(([first]) => first!.buildingName)).size).toBe(buildings.size)
  expect(new Set([...buildings.values()].map(([first]) => first!.lotId)).size).toBe(buildings.size)
})

test('a unit has its unit number at the end of its address, and other homes have none', () => {
  for (const home of homes) {
    const line = / (APT|UNIT|LOT) (\w+)$/.exec(home.streetAddress)
    expect(line?.[2]).toBe(home.unitNumber)
    expect(home.unitNumber === undefined).toBe(home.buildingKey === undefined)
  }
})

test('the record of a building comes before its units, has no unit number, and counts the offered units', () => {
  for (const building of wholeBuildings) {
    const members = buildings.get(building.buildingKey!)!
    expect(members[0]).toBe(building)
    expect(building).not.toHaveProperty('unitNumber')
    const onOffer = unitsOf(members).filter(({ homeStatus }) => /^FOR_(SALE|RENT)$/.test(homeStatus))
    expect(building.building!.rentalUnitsSummary.availableUnitCount).toBe(onOffer.length)
    const prices = onOffer
      .filter(({ homeStatus }) => homeStatus === building.homeStatus)
      .map(({ price }) => price!)
    expect(building.price).toBe(prices.length === 0 ? null : Math.min(...prices))
  }
})

test('a community with a zpid in its URL has the record with that zpid', () => {
  const communities = [...buildings.values()].filter(([first]) => first!.bdpUrl!.endsWith('_zpid/'))
  for (const [first] of communities)
    expect(first).toMatchObject({ isBuilding: true, zpid: first!.buildingKey })
})

test('for listed and sold homes, the newest price history entry has the current price', () => {
  for (const home of homes) {
    if (home.homeStatus === 'OTHER') continue
    expect(home.priceHistory[0]?.price).toBe(home.price)
    expect(home.priceHistory[0]?.postingIsRental).toBe(home.homeStatus === 'FOR_RENT')
  }
})

test('price histories are sorted newest first, and each rate of change compares prices of the same kind', () => {
  for (const { priceHistory } of homes) {
    const last: Record<string, number> = {}
    let time = 0
    for (const event of priceHistory.toReversed()) {
      expect(event.time).toBeGreaterThanOrEqual(time)
      expect(event.date).toBe(new Date(event.time).toISOString().slice(0, 10))
      const before = last[String(event.postingIsRental)]
      const rate = before === undefined ? 0 : (event.price - before) / before
      expect(event.priceChangeRate).toBeCloseTo(rate, 5)
      last[String(event.postingIsRental)] = event.price
      time = event.time
    }
  }
})

test('no event is later than the date of the sample or earlier than the year of construction', () => {
  for (const home of homes) {
    for (const { time, event } of home.priceHistory) {
      expect(time).toBeLessThanOrEqual(DEFAULT_AS_OF)
      const year = new Date(time).getUTCFullYear()
      if (event === 'Sold') expect(year).toBeGreaterThanOrEqual(home.yearBuilt ?? 0)
    }
    for (const { time } of home.taxHistory) expect(time).toBeLessThan(DEFAULT_AS_OF)
  }
})

test('open houses belong to homes for sale and are in the weeks after the date of the sample', () => {
  const visits = records.flatMap((record) => {
    if (record.openHouseSchedule.length > 0) expect(record.homeStatus).toBe('FOR_SALE')
    return record.openHouseSchedule
  })
  expect(visits.length).toBeGreaterThan(300)
  for (const { startTime, endTime } of visits) {
    expect(startTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00Z$/)
    expect(Date.parse(startTime)).toBeGreaterThan(DEFAULT_AS_OF)
    expect(Date.parse(endTime)).toBeGreaterThan(Date.parse(startTime))
  }
})

test('tax histories are yearly, newest first, and their newest figures are in the record', () => {
  for (const home of homes) {
    const years = home.taxHistory.map(({ time }) => new Date(time).getUTCFullYear())
    expect(years).toEqual(years.map((_, index) => years[0]! - index))
    expect(home.taxAssessedValue).toBe(home.taxHistory[0]?.value ?? null)
  }
})

test('photos come in all widths and both formats, and photoCount is correct', () => {
  for (const { zpid, photoCount, responsivePhotos } of records) {
    expect(responsivePhotos.length).toBe(photoCount)
    for (const { url, mixedSources } of responsivePhotos) {
      expect(url.startsWith(`${PHOTO_HOST}/${zpid}/`)).toBe(true)
      expect(mixedSources.jpeg.map(({ width }) => width)).toEqual([...PHOTO_WIDTHS])
      expect(mixedSources.webp.map(({ width }) => width)).toEqual([...PHOTO_WIDTHS])
      expect(mixedSources.jpeg.map((source) => source.url)).toContain(url)
    }
  }
})

test('land has no rooms, and every other home has rooms, a living area, and a year of construction', () => {
  for (const { homeType, bedrooms, bathrooms, livingArea, yearBuilt } of homes) {
    const isLand = homeType === 'LOT'
    for (const value of [bedrooms, bathrooms, livingArea, yearBuilt]) expect(value === null).toBe(isLand)
  }
})

test('prices, areas, and room counts are plausible', () => {
  for (const home of homes) {
    if (home.livingArea !== null) {
      expect(home.livingArea).toBeGreaterThan(250)
      expect(home.livingArea).toBeLessThan(9_000)
      expect(home.yearBuilt).toBeGreaterThanOrEqual(1870)
    }
    if (home.price === null) continue
    const [least, most] = home.homeStatus === 'FOR_RENT' ? [500, 15_000] : [20_000, 5_000_000]
    expect(home.price).toBeGreaterThan(least!)
    expect(home.price).toBeLessThan(most!)
  }
})

test('resoFacts has at least 40 facts for every built home', () => {
  for (const home of homes) {
    const known = Object.values(home.resoFacts).filter(
      (fact) => fact !== null && !(Array.isArray(fact) && fact.length === 0),
    )
    expect(known.length).toBeGreaterThanOrEqual(40)
  }
})

test('agents, credits, and estimates are sometimes absent and mostly present', () => {
  for (const field of ['agent', 'attributionInfo', 'zestimate', 'rentZestimate', 'price'] as const) {
    const missing = homes.filter((home) => home[field] === null).length
    expect(missing).toBeGreaterThan(homes.length / 20)
    expect(missing).toBeLessThan(homes.length / 2)
  }
  expect(
    homes.some(({ attributionInfo }) => attributionInfo !== null && attributionInfo.agentName === null),
  ).toBe(true)
})

test('the average record has 8 to 15 kB of JSON', () => {
  const bytes = records.reduce((sum, record) => sum + Buffer.byteLength(JSON.stringify(record)), 0)
  expect(bytes / records.length).toBeGreaterThan(8_000)
  expect(bytes / records.length).toBeLessThan(15_000)
})
