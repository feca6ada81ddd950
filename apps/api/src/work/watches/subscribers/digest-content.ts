// The homes of a digest, from the events of a watch. The events are read as GET /v1/watches/{id}/events shows them, so what a right
// withholds is not in the mail. A home that may not be shown at all any more is left out.

import type { EventView } from '../notify.ts'
import { shownEvent } from '../notify.ts'
import type { StoredEvent } from '../read-watches.ts'
import type { HomeOfDigest } from './mail-texts.ts'

type ShownEvent = ReturnType<typeof shownEvent>

/** The homes with their changes, the latest first. */
export function digestHomes(
  events: readonly StoredEvent[],
  watchId: string,
  view: EventView,
): readonly HomeOfDigest[] {
  const shown = events
    .filter(({ withheld }) => withheld !== 'listing')
    .map((event) => shownEvent(event, watchId, view))
    .reverse()
  return [...Map.groupBy(shown, ({ zpid }) => zpid).values()].map(homeOf)
}

/** @param events of one home, the latest first */
function homeOf(events: readonly ShownEvent[]): HomeOfDigest {
  const latest = events[0]!
  const listing = events.find((event) => event.listing)?.listing ?? {}
  const row = listing as Readonly<Record<string, unknown>>
  return {
    address: textOf(row.address) ?? placeOf(row),
    url: webUrlOf(row.detailUrl),
    photoUrl: webUrlOf(row.imgSrc),
    price: textOf(row.price),
    beds: numberOf(row.beds),
    baths: numberOf(row.baths),
    squareFeet: numberOf(row.area),
    changes: events.map(({ type, reason, previous, current }) => ({
      type,
      reason: typeof reason === 'string' ? reason : null,
      priceBefore: numberOf((previous as { readonly price?: unknown }).price),
      priceAfter: numberOf((current as { readonly price?: unknown }).price),
      statusAfter: textOf((current as { readonly status?: unknown }).status),
    })),
    attribution:
      latest.source?.attribution ?? (textOf(row.brokerName) ? `Listed by ${textOf(row.brokerName)}.` : null),
  }
}

/** The city of a home whose address may not be shown. */
function placeOf(row: Readonly<Record<string, unknown>>): string | null {
  const parts = [textOf(row.addressCity), textOf(row.addressState)].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(', ') : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

/** Other schemes, such as `javascript:`, are no links. */
function webUrlOf(value: unknown): string | null {
  const text = textOf(value)
  return text !== null && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null
}
