// Merges the fields of a row into a stored record. Objects such as `address` are merged field by field, lists are replaced, and events are
// added to a price history.

import { isObject } from '../../domain/record.ts'

type MergedFields = Readonly<Record<string, unknown>>

/**
 * The record with the fields of the row. A null in the row removes the field. If both describe a sale, and the row's is earlier, only its
 * price history is merged: the later sale stays the one that the record shows.
 *
 * @param row without empty values (`withoutEmpty`)
 */
export function mergeRecords(stored: MergedFields, row: MergedFields): Record<string, unknown> {
  const history = mergeHistories(stored.priceHistory, row.priceHistory)
  const merged = isEarlierSale(row, stored) ? { ...stored } : mergeFields(stored, row)
  if (Array.isArray(row.priceHistory)) merged.priceHistory = history
  return merged
}

/** The fields without those that have no value: empty texts, lists, and objects. A null is a value. */
export function withoutEmpty(fields: MergedFields): Record<string, unknown> {
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(fields)) {
    const inner = isObject(value) ? withoutEmpty(value) : value
    const isEmpty =
      inner === undefined ||
      (typeof inner === 'string' && inner.trim() === '') ||
      (Array.isArray(inner) && inner.length === 0) ||
      (isObject(inner) && Object.keys(inner).length === 0)
    if (!isEmpty) kept.push([name, inner])
  }
  return Object.fromEntries(kept)
}

function mergeFields(stored: MergedFields, row: MergedFields): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...stored }
  for (const [name, value] of Object.entries(row)) {
    if (value === null) delete merged[name]
    else if (isObject(value)) merged[name] = mergeFields(isObject(merged[name]) ? merged[name] : {}, value)
    else merged[name] = value
  }
  return merged
}

function isEarlierSale(row: MergedFields, stored: MergedFields): boolean {
  const [earlier, later] = [dayOf(row.dateSoldString), dayOf(stored.dateSoldString)]
  if (row.homeStatus !== 'RECENTLY_SOLD' || stored.homeStatus !== 'RECENTLY_SOLD') return false
  return earlier !== undefined && later !== undefined && earlier < later
}

/** Every event once, latest first. An event of the row replaces the stored one of the same day and kind. */
function mergeHistories(stored: unknown, row: unknown): unknown[] {
  const events = new Map<string, unknown>()
  for (const event of [...listOf(stored), ...listOf(row)]) {
    const { date, event: kind, postingIsRental } = isObject(event) ? event : {}
    events.set(
      dayOf(date) === undefined ? JSON.stringify(event) : `${date} ${kind} ${postingIsRental}`,
      event,
    )
  }
  const dateOf = (event: unknown) => (isObject(event) && dayOf(event.date)) || ''
  return [...events.values()].sort((one, other) => dateOf(other).localeCompare(dateOf(one)))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A day in the form of the contract, which can be compared as text. */
function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value) ? value : undefined
}
