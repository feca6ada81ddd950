// The price events of a listing, from the dates and prices that the feed states, and from its transactional history if the feed expands it.

import { type JsonObject, type PropertyReader, readNumber, readText } from '../../../domain/reso.ts'

interface DatedPrice {
  /** Epoch milliseconds. */
  readonly at: number
  readonly event: string
  readonly price: number | null
}

/** The order of events on the same day. */
const ORDER: readonly string[] = [
  'Listed for sale',
  'Listed for rent',
  'Price change',
  'Pending sale',
  'Sold',
  'Listing removed',
]

/**
 * The events, the latest first.
 *
 * @param isRental prices are monthly rents
 */
export function priceHistoryOf(property: PropertyReader, isRental: boolean): readonly JsonObject[] {
  const first = firstInstant(property, ['OnMarketDate', 'OnMarketTimestamp', 'ListingContractDate'])
  const status = property.text('StandardStatus') ?? ''
  const changes = changesOf(property)
  const original =
    property.number('OriginalListPrice') ?? (changes.length === 0 ? property.number('ListPrice') : undefined)
  const events: DatedPrice[] = changes.map(({ at, price }) => ({ at, event: 'Price change', price }))
  const add = (at: number | undefined, event: string, price: number | undefined) => {
    if (at !== undefined) events.push({ at, event, price: price ?? null })
  }
  add(first, isRental ? 'Listed for rent' : 'Listed for sale', original)
  if (!isRental && ['Pending', 'Active Under Contract', 'Closed'].includes(status)) {
    const pending = firstInstant(property, ['PurchaseContractDate', 'PendingTimestamp'])
    add(pending, 'Pending sale', property.number('ListPrice'))
  }
  if (!isRental && status === 'Closed')
    add(property.instant('CloseDate'), 'Sold', property.number('ClosePrice'))
  if (['Canceled', 'Expired', 'Withdrawn'].includes(status)) {
    const fields = ['OffMarketDate', 'OffMarketTimestamp', 'StatusChangeTimestamp']
    add(firstInstant(property, fields), 'Listing removed', property.number('ListPrice'))
  }
  return withRates(events, isRental, property.text('OriginatingSystemName'))
}

function firstInstant(property: PropertyReader, fields: readonly string[]): number | undefined {
  for (const field of fields) {
    const at = property.instant(field)
    if (at !== undefined) return at
  }
  return undefined
}

/** Changes of the asking price: those of the history, or else the last one that the property itself states. */
function changesOf(property: PropertyReader): readonly { readonly at: number; readonly price: number }[] {
  const told = property.objects('HistoryTransactional').flatMap((entry) => {
    const price = readNumber(entry.NewValue)
    const at = Date.parse(readText(entry.ModificationTimestamp) ?? '')
    const isChange = entry.FieldName === 'ListPrice' && readNumber(entry.PreviousValue) !== undefined
    return isChange && price !== undefined && Number.isFinite(at) ? [{ at, price }] : []
  })
  if (told.length > 0) return told
  const at = property.instant('PriceChangeTimestamp')
  const price = property.number('ListPrice')
  const previous = property.number('PreviousListPrice') ?? property.number('OriginalListPrice')
  return at !== undefined && price !== undefined && previous !== undefined && previous !== price
    ? [{ at, price }]
    : []
}

function withRates(
  events: readonly DatedPrice[],
  isRental: boolean,
  source: string | undefined,
): readonly JsonObject[] {
  const sorted = [...events].sort(
    (one, other) => dayOf(one) - dayOf(other) || rank(one) - rank(other) || one.at - other.at,
  )
  return sorted
    .map(({ at, event, price }, index) => {
      const date = new Date(at).toISOString().slice(0, 10)
      return {
        date,
        time: Date.parse(date),
        event,
        price,
        priceChangeRate: rateOf(price, sorted[index - 1]),
        postingIsRental: isRental,
        ...(source !== undefined && { source }),
      }
    })
    .reverse()
}

/** The change since the previous event, as a share of its price. 0 for the first event, null if a price is not known. */
function rateOf(price: unknown, before: { readonly price?: unknown } | undefined): number | null {
  if (before === undefined) return 0
  if (typeof price !== 'number' || typeof before.price !== 'number' || before.price === 0) return null
  return Math.round(((price - before.price) / before.price) * 1e6) / 1e6
}

function dayOf({ at }: DatedPrice): number {
  return Math.floor(at / 86_400_000)
}

function rank({ event }: DatedPrice): number {
  return ORDER.indexOf(event)
}

/**
 * The events of both versions of a listing, the latest first. A feed states only its last price change, so earlier ones are kept from the
 * stored version.
 */
export function mergePriceHistory(earlier: unknown, current: unknown): readonly JsonObject[] {
  const lists = [current, earlier].map((list) => (Array.isArray(list) ? (list as readonly JsonObject[]) : []))
  const events = new Map<string, JsonObject>()
  for (const event of lists.flat()) {
    const key = [event.date, event.event, event.event === 'Price change' ? event.price : ''].join('\n')
    const known = events.get(key)
    // A feed may state the first price only until it changes.
    if (known === undefined || (known.price === null && event.price !== null)) events.set(key, event)
  }
  const sorted = [...events.values()].sort(
    (one, other) =>
      Number(other.time ?? 0) - Number(one.time ?? 0) ||
      ORDER.indexOf(String(other.event)) - ORDER.indexOf(String(one.event)),
  )
  return sorted.map((event, at) => ({ ...event, priceChangeRate: rateOf(event.price, sorted[at + 1]) }))
}
