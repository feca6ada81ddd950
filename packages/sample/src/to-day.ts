// Moves the dates of a record from the day for which the sample was made to another one. Each kind of date moves in its
// own way: most by the days between the two, open houses from week-end to week-end at the same hour of their place, and
// tax years from year to year.

import { DAY_MS, DEFAULT_AS_OF, isoDay, isoInstant, nextSaturday, sameLocalTime, yearOf } from './calendar.ts'

/** The fields of a record that depend on the day, or that say which records belong together. */
export interface SampleRecord extends Readonly<Record<string, unknown>> {
  readonly zpid: string
  readonly timeZone: string
  readonly buildingKey?: string
  readonly isBuilding?: true
  readonly priceChangeDate: number | null
  readonly priceChangeDateString: string | null
  readonly datePriceChanged: number | null
  readonly datePosted: string | null
  readonly datePostedString: string | null
  readonly dateSold: number | null
  readonly dateSoldString: string | null
  readonly availabilityDate: string | null
  readonly comingSoonOnMarketDate: string | null
  readonly taxAssessedYear: number | null
  readonly attributionInfo: Readonly<Record<'lastChecked' | 'lastUpdated', string>> | null
  readonly openHouseSchedule: readonly Readonly<Record<'startTime' | 'endTime', string>>[]
  readonly priceHistory: readonly { readonly date: string; readonly time: number }[]
  readonly taxHistory: readonly { readonly time: number }[]
  readonly resoFacts: { readonly onMarketDate: number | null }
}

/** @param asOf the midnight (UTC) of the wanted day, in epoch milliseconds */
export function toDay(record: SampleRecord, asOf: number): SampleRecord {
  if (asOf === DEFAULT_AS_OF) return record
  const shift = asOf - DEFAULT_AS_OF
  const years = yearOf(asOf) - yearOf(DEFAULT_AS_OF)
  const weekEnds = (nextSaturday(asOf) - nextSaturday(DEFAULT_AS_OF)) / DAY_MS

  const time = (value: number | null) => (value === null ? null : value + shift)
  const day = (value: string | null) => (value === null ? null : isoDay(Date.parse(value) + shift))
  const instant = (value: string) => isoInstant(Date.parse(value) + shift)
  const visit = (value: string) => isoInstant(sameLocalTime(Date.parse(value), weekEnds, record.timeZone))
  const { attributionInfo } = record

  return {
    ...record,
    priceChangeDate: time(record.priceChangeDate),
    priceChangeDateString: day(record.priceChangeDateString),
    datePriceChanged: time(record.datePriceChanged),
    datePosted: day(record.datePosted),
    datePostedString: day(record.datePostedString),
    dateSold: time(record.dateSold),
    dateSoldString: day(record.dateSoldString),
    availabilityDate: day(record.availabilityDate),
    comingSoonOnMarketDate: day(record.comingSoonOnMarketDate),
    taxAssessedYear: record.taxAssessedYear === null ? null : record.taxAssessedYear + years,
    attributionInfo: attributionInfo && {
      ...attributionInfo,
      lastChecked: instant(attributionInfo.lastChecked),
      lastUpdated: instant(attributionInfo.lastUpdated),
    },
    openHouseSchedule: record.openHouseSchedule.map(({ startTime, endTime }) => ({
      startTime: visit(startTime),
      endTime: visit(endTime),
    })),
    priceHistory: record.priceHistory.map((event) => ({
      ...event,
      date: isoDay(Date.parse(event.date) + shift),
      time: event.time + shift,
    })),
    taxHistory: record.taxHistory.map((year) => ({
      ...year,
      time: Date.UTC(yearOf(year.time) + years, 6, 1),
    })),
    resoFacts: { ...record.resoFacts, onMarketDate: time(record.resoFacts.onMarketDate) },
  }
}
