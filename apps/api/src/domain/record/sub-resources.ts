// The parts of a record that have endpoints of their own. Each comes with its `meta`, except `cached`, which only the caller knows. A field
// that the record lacks is null or an empty list. Items that the contract could not describe, such as an open house without a start, are
// left out.

import type {
  Agent,
  OpenHouse,
  PriceEvent,
  Property,
  ResoFacts,
  Schemas,
  School,
  TaxEvent,
  Zestimate,
} from '@lotline/contract'
import { asWholeNumber, instantMs, number, object, objects, text, type UncheckedFields } from './coerce.ts'
import { zonedMs } from './times.ts'

export interface SubResource<Data, Meta = Readonly<Record<never, never>>> {
  readonly data: Data
  readonly meta: Meta
}

interface CountRow {
  readonly count: number
}

/** The latest entry first. */
export function priceHistory(record: Property): SubResource<readonly PriceEvent[], CountRow> {
  const events = objects((record as UncheckedFields).priceHistory)
    .flatMap((event): { at: number; event: PriceEvent }[] => {
      const at = instantMs(event.date) ?? instantMs(event.time)
      const name = text(event.event)
      if (at === null || name === null) return []
      const date = new Date(at).toISOString().slice(0, 10)
      const price = number(event.price)
      return [
        { at, event: { ...event, date, event: name, price, priceChangeRate: number(event.priceChangeRate) } },
      ]
    })
    .sort((one, other) => other.at - one.at)
  return counted(events.map(({ event }) => event))
}

/** The latest entry first. */
export function taxHistory(record: Property): SubResource<readonly TaxEvent[], CountRow> {
  const years = objects((record as UncheckedFields).taxHistory)
    .flatMap((year) => {
      const at = instantMs(year.time)
      return at === null ? [] : [{ at: Math.round(at), year }]
    })
    .sort((one, other) => other.at - one.at)
    .map(({ at, year }) => ({
      ...year,
      time: at,
      taxPaid: number(year.taxPaid),
      value: number(year.value),
      valueIncreaseRate: number(year.valueIncreaseRate),
    }))
  return counted(years)
}

/** The schools near the home, in the order of the data source. */
export function schools(record: Property): SubResource<readonly School[], CountRow> {
  const found = objects((record as UncheckedFields).schools).flatMap((school): School[] => {
    const name = text(school.name)
    if (name === null) return []
    const [rating, distance] = [asWholeNumber(school.rating), number(school.distance)]
    return [{ ...school, name, rating, distance, type: text(school.type), level: text(school.level) }]
  })
  return counted(found)
}

export function agent(record: Property): SubResource<Agent> {
  const unchecked: UncheckedFields = record
  const attribution = object(unchecked.attributionInfo) ?? {}
  // Sources name the same person in up to three places. Each field comes from the first place that has it.
  const places = [attribution, object(unchecked.agent), object(unchecked.listing_agent)].filter(
    (place) => place !== null,
  )
  const firms = [...places, object(unchecked.broker)].filter((place) => place !== null)
  return {
    data: {
      agentName: firstText(places, ['agentName', 'name']),
      agentEmail: firstText(places, ['agentEmail', 'email']),
      agentPhoneNumber: firstText(places, ['agentPhoneNumber', 'phoneNumber', 'phone']),
      agentLicenseNumber: firstText(places, ['agentLicenseNumber', 'licenseNumber']),
      brokerName:
        firstText(firms, ['brokerName']) ??
        firstText([object(unchecked.broker) ?? {}], ['name']) ??
        text(unchecked.brokerageName),
      brokerPhoneNumber:
        firstText(firms, ['brokerPhoneNumber']) ??
        firstText([object(unchecked.broker) ?? {}], ['phoneNumber', 'phone']),
      attributionInfo: attribution,
    },
    meta: {},
  }
}

export function zestimate(record: Property): SubResource<Zestimate> {
  const unchecked: UncheckedFields = record
  const year = taxHistory(record).data.find(({ value }) => typeof value === 'number')
  const sale = priceHistory(record).data.find(
    ({ event, price }) => /^sold\b/i.test(event ?? '') && typeof price === 'number',
  )
  return {
    data: {
      zestimate: number(unchecked.zestimate),
      rent_zestimate: number(unchecked.rentZestimate),
      tax_assessed_value: number(unchecked.taxAssessedValue) ?? year?.value ?? null,
      last_sold_price: number(unchecked.lastSoldPrice) ?? sale?.price ?? null,
      currency: text(unchecked.currency) ?? 'USD',
    },
    meta: {},
  }
}

/** The earliest first. Times without an offset are in the home's time zone. */
export function openHouses(
  record: Property,
): SubResource<readonly OpenHouse[], CountRow & { readonly tour_eligibility: Schemas['TourEligibility'] }> {
  const unchecked: UncheckedFields = record
  const windows = objects(unchecked.openHouseSchedule)
    .flatMap(({ startTime, endTime }) => {
      const startMs = zonedMs(startTime, unchecked.timeZone)
      const endMs = zonedMs(endTime, unchecked.timeZone)
      return startMs === null ? [] : [{ startMs, endMs }]
    })
    .sort((one, other) => one.startMs - other.startMs)
    .map(({ startMs, endMs }) => ({
      startTime: isoSeconds(startMs),
      endTime: endMs === null ? null : isoSeconds(endMs),
    }))
  return {
    data: windows,
    meta: { count: windows.length, tour_eligibility: object(unchecked.tourEligibility) ?? {} },
  }
}

export function facts(record: Property): SubResource<ResoFacts> {
  return { data: object((record as UncheckedFields).resoFacts) ?? {}, meta: {} }
}

function firstText(places: readonly UncheckedFields[], names: readonly string[]): string | null {
  const found = places.flatMap((place) => names.map((name) => text(place[name])))
  return found.find((value) => value !== null) ?? null
}

function counted<Item>(data: readonly Item[]): SubResource<readonly Item[], CountRow> {
  return { data, meta: { count: data.length } }
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
