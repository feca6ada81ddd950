import { describe, expect, it } from 'vitest'
import { openHouses } from '../../../src/domain/record/sub-resources.ts'
import { zonedMs } from '../../../src/domain/record/times.ts'
import { toSearchRow } from '../../../src/domain/search/search-row.ts'
import { toSearchSummary } from '../../../src/domain/search/search-summary.ts'
import { listingSites } from '../../../src/domain/site-urls/listing-sites.ts'

describe('a time without an offset', () => {
  it.each([
    ['2026-01-15T13:00:00', 'America/Denver', '2026-01-15T20:00:00Z'],
    ['2026-07-15T13:00:00', 'America/Denver', '2026-07-15T19:00:00Z'],
    ['2026-07-15T13:00:00', 'America/Phoenix', '2026-07-15T20:00:00Z'],
    ['2026-07-15T13:00', 'Pacific/Honolulu', '2026-07-15T23:00:00Z'],
    ['2026-07-15 00:30:00', 'America/New_York', '2026-07-15T04:30:00Z'],
    ['2026-12-31T23:30:00', 'America/Los_Angeles', '2027-01-01T07:30:00Z'],
    // The hours before and after the clocks go forward, and the hour that they skip.
    ['2026-03-08T01:30:00', 'America/Los_Angeles', '2026-03-08T09:30:00Z'],
    ['2026-03-08T03:30:00', 'America/Los_Angeles', '2026-03-08T10:30:00Z'],
    ['2026-03-08T02:30:00', 'America/Los_Angeles', '2026-03-08T10:30:00Z'],
    // The hour that occurs twice: the first counts.
    ['2026-11-01T01:30:00', 'America/Los_Angeles', '2026-11-01T08:30:00Z'],
    ['2026-11-01T02:30:00', 'America/Los_Angeles', '2026-11-01T10:30:00Z'],
    ['2026-07-15T13:00:00', undefined, '2026-07-15T13:00:00Z'],
    ['2026-07-15T13:00:00', 'Mars/Olympus_Mons', '2026-07-15T13:00:00Z'],
  ])('%s in %s is %s', (time, zone, expected) => {
    expect(zonedMs(time, zone)).toBe(Date.parse(expected))
  })

  it('is read unchanged if it has an offset', () => {
    expect(zonedMs('2026-07-15T13:00:00Z', 'America/Denver')).toBe(Date.parse('2026-07-15T13:00:00Z'))
    expect(zonedMs('2026-07-15T13:00:00-04:00', 'America/Denver')).toBe(Date.parse('2026-07-15T17:00:00Z'))
    expect(zonedMs(1_784_120_400_000, 'America/Denver')).toBe(1_784_120_400_000)
    expect(zonedMs('tomorrow', 'America/Denver')).toBeNull()
  })
})

it('is the same moment in open houses and search rows, in the time zone of the home', () => {
  const record = {
    zpid: '1',
    homeStatus: 'FOR_SALE',
    latitude: 40,
    longitude: -105,
    timeZone: 'America/Denver',
    openHouseSchedule: [{ startTime: '2126-07-15T13:00:00', endTime: '2126-07-15T15:00:00' }],
  }
  expect(openHouses(record).data).toEqual([
    { startTime: '2126-07-15T19:00:00Z', endTime: '2126-07-15T21:00:00Z' },
  ])
  const rows = [record, toSearchSummary(record)].map((source) =>
    toSearchRow(source, new Date('2126-07-01T00:00:00Z'), listingSites(['zillow.com'])),
  )
  for (const row of rows) {
    expect(row.hdpData?.homeInfo?.open_house_info).toEqual({
      open_house_showing: [
        {
          open_house_start: Date.parse('2126-07-15T19:00:00Z'),
          open_house_end: Date.parse('2126-07-15T21:00:00Z'),
        },
      ],
    })
  }
})
