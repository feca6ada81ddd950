import type { Property } from '@lotline/contract'
import { expect, test } from 'vitest'
import { toParentRow, toUnitRow } from '../../../src/domain/search/unit-row.ts'
import { faultsAs } from '../record/contract-schema.ts'
import { SAMPLE } from '../record/sample-records.ts'

test('a unit has its number, price, beds, and baths', () => {
  const unit: Property = {
    zpid: '2066011247',
    unitNumber: '407',
    price: 2950,
    bedrooms: 1,
    bathrooms: 1,
    livingArea: 684,
    homeStatus: 'FOR_RENT',
    availabilityDate: '2026-12-01',
    hdpUrl: '/homedetails/x/2066011247_zpid/',
  }
  expect(toUnitRow(unit)).toEqual({
    zpid: '2066011247',
    unitNumber: '407',
    price: 2950,
    beds: 1,
    baths: 1,
    sqft: 684,
    homeStatus: 'FOR_RENT',
    listingType: 'FOR_RENT',
    availableFrom: '2026-12-01',
    hdpUrl: '/homedetails/x/2066011247_zpid/',
  })
})

test('every unit has a number', () => {
  const at = (streetAddress: string | null, more = {}) =>
    toUnitRow({ zpid: '7', address: { streetAddress }, ...more }).unitNumber
  expect(at('160 EAST 65TH STREET, 18DE')).toBe('18DE')
  expect(at('160 E 65th St Apt 18DE')).toBe('18DE')
  expect(at('160 E 65th St', { unitNumber: '# B-1' })).toBe('B-1')
  expect(at('160 E 65th St')).toBe('7')
  expect(at(null, { unitNumber: '' })).toBe('7')
})

test('units and buildings of the sample make rows that fit the contract, and differ by unitNumber', () => {
  const seen = { units: 0, buildings: 0 }
  for (const record of SAMPLE) {
    if (record.isBuilding === true) {
      const row = toParentRow(record)
      expect(faultsAs('BuildingUnit', row)).toEqual([])
      expect(row).not.toHaveProperty('unitNumber')
      expect(row).toMatchObject({
        zpid: record.zpid,
        buildingName: record.buildingName,
        bdpUrl: record.bdpUrl,
      })
      seen.buildings++
    } else if (record.unitNumber) {
      const row = toUnitRow(record)
      expect(faultsAs('BuildingUnit', row)).toEqual([])
      expect(row.unitNumber).toBe(record.unitNumber)
      seen.units++
    }
  }
  expect(seen.units).toBeGreaterThan(50)
  expect(seen.buildings).toBeGreaterThan(2)
})

test('a building without any fields still makes a row', () => {
  expect(faultsAs('BuildingUnit', toParentRow({ zpid: '1' }))).toEqual([])
  expect(toParentRow({ zpid: '1' })).not.toHaveProperty('unitNumber')
})
