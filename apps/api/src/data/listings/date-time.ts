// Dates and times in the forms that the contract allows, from what sources write instead where it can mean one thing.

import { instantMs, zonedMs } from '../../domain/record.ts'

/** `YYYY-MM-DD` from a date-time or epoch milliseconds; undefined: it is no date. */
export function toDate(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : value
  if (typeof text === 'string' && /^\d{4}-\d{2}-\d{2}[T ]/.test(text)) return toDate(text.slice(0, 10))
  const ms = instantMs(asNumber(text))
  if (ms === null) return undefined
  const date = new Date(ms).toISOString().slice(0, 10)
  // The 31st of June would become the 1st of July.
  return typeof text === 'string' && text.length === 10 && text !== date ? undefined : date
}

/**
 * An RFC 3339 date-time in UTC from one without an offset, which is in the time zone of the home (IANA name; UTC when
 * the record names none), or from epoch milliseconds. undefined: it is no moment.
 */
export function toDateTime(value: unknown, timeZone: unknown): string | undefined {
  const text = asNumber(typeof value === 'string' ? value.trim() : value)
  // A day alone is no moment.
  if (typeof text === 'string' && !/[T ]\d{2}:\d{2}/.test(text)) return undefined
  const ms = zonedMs(text, timeZone)
  return ms === null ? undefined : new Date(ms).toISOString()
}

/** Epoch milliseconds may be written as text. */
function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{11,14}$/.test(value) ? Number(value) : value
}
